"""Numbers as people may write them to us, and the marshmallow fields that accept nothing else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from marshmallow import ValidationError, fields, validate

MAX_DIGITS = 17  # what a float64 needs to be written and read back without a change
MAX_EXPONENT = 30
MAX_LENGTH = 64
MOST_FIGURES = 9  # of a count
MOST_BITS = 128  # of a whole number that is worth writing out
PLAIN = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?", re.ASCII)
FORM = "a plain decimal number such as 149995 or 1.5e5"


class NumberError(ValueError):
    """A text that is not a number we accept; the message says what would be."""


def parse_number(text: str) -> Decimal:
    """Read a finite ASCII decimal: at most 17 significant digits, exponent within ±30.

    No thousands mark, no underscore, no blank, no leading plus, no other script's digits, so that one
    text never means two numbers. Raises NumberError.
    """
    if len(text) > MAX_LENGTH:
        raise NumberError(f"has {len(text)} characters; a number has at most {MAX_DIGITS} significant digits")
    if not PLAIN.fullmatch(text):
        raise NumberError(f"{text!r} is not {FORM}, without thousands marks, blanks or signs before it")
    number = Decimal(text)
    if number == 0:
        return Decimal(0)  # -0 is 0
    if abs(number.adjusted()) > MAX_EXPONENT:
        raise NumberError(f"{text} is outside 1e-{MAX_EXPONENT} to 1e{MAX_EXPONENT}")
    if len(number.normalize().as_tuple().digits) > MAX_DIGITS:
        raise NumberError(f"has more than {MAX_DIGITS} significant digits")
    return number


@dataclass(frozen=True, slots=True)
class Bounds:
    """The range a number must lie in; `open_low` leaves the lower end out."""

    low: float
    high: float
    open_low: bool = False

    def check(self, number: Decimal | float) -> None:
        """Raise NumberError when the number lies outside."""
        below = number <= self.low if self.open_low else number < self.low
        if below or number > self.high:
            raise NumberError(f"{number} is not in the range {self}")

    def __str__(self) -> str:
        """Write the range as people read it."""
        if self.high >= 10**MAX_EXPONENT:
            return f"above {self.low:g}" if self.open_low else f"{self.low:g} or more"
        return f"{'above ' if self.open_low else ''}{self.low:g} to {self.high:g}"


ANY_NUMBER = Bounds(-(10.0**MAX_EXPONENT), 10.0**MAX_EXPONENT)


class Number(fields.Field[Decimal]):
    """A number by `parse_number`; in JSON a number, elsewhere a text of the same form."""

    json_types = (int, Decimal)

    def __init__(self, *, bounds: Bounds = ANY_NUMBER, **kwargs: Any) -> None:
        self.bounds = bounds
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Decimal:
        return read_number(value, self.bounds)


def read_number(value: Any, bounds: Bounds = ANY_NUMBER) -> Decimal:
    """Read a number from what JSON, a query or a command line hold. Raises ValidationError."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValidationError(f"must be {FORM}, not {type(value).__name__}")
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise ValidationError(f"is outside 1e-{MAX_EXPONENT} to 1e{MAX_EXPONENT}")
    try:
        number = parse_number(str(value))
        bounds.check(number)
    except NumberError as error:
        raise ValidationError(str(error)) from None
    return number


class Whole(fields.Integer):
    """A whole number in plain digits; in JSON a number."""

    json_types = (Decimal,)

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        self.low, self.high = low, high
        super().__init__(validate=validate.Range(low, high), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= MOST_FIGURES):
            raise ValidationError("must be a whole number in plain digits")
        return super()._deserialize(text, attr, data, **kwargs)
