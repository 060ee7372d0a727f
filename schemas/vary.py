"""How unsure a number is, as a caller says it."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar, NamedTuple

from marshmallow import ValidationError, fields

from schemas.numbers import NumberError, parse_number
from schemas.question import check_name

MOST_VARIED = 50
NORMAL, TRIANGULAR = "normal", "triangular"
VARY_FORM = re.compile(r"^((?:own:)?[^:]{1,400}):([^:]{1,60}(?::[^:]{1,60}){0,3})$")
EXAMPLE = "dgx-a100-640gb.price:270000:330000, or ipu-pod16.time_to_train_minutes:5%"
FEWEST, MOST = 2, 3  # numbers: low and high, or with the mode between


class Varied(NamedTuple):
    """One number that is not firm: whose (None: an assumption of all), which, and its range or share either way."""

    system: str | None
    name: str
    numbers: tuple[Decimal, ...]
    share: Decimal | None
    shape: str


class Vary(fields.Field[tuple[Varied, ...]]):
    """SYSTEM.NAME:LOW:HIGH or LOW:MODE:HIGH (triangular), LOW:HIGH:normal or 5% (its 90 % interval); NAME:… for all."""

    is_multiple = True  # webargs: every value of a repeated parameter
    form: ClassVar[dict[str, Any]] = {
        "type": "array",
        "items": {"type": "string", "maxLength": 700},
        "maxItems": MOST_VARIED,
    }

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> tuple[Varied, ...]:
        parts = [value] if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or len(parts) > MOST_VARIED:
            raise ValidationError(f"must be at most {MOST_VARIED} texts such as {EXAMPLE}")
        return tuple(_varied(part) for part in parts)


def _varied(part: Any) -> Varied:
    match = VARY_FORM.match(part) if isinstance(part, str) else None
    if match is None:
        raise ValidationError(f"{str(part)[:200]!r} is not such as {EXAMPLE}")
    head, texts = match[1], match[2].split(":")
    system, dot, name = head.rpartition(".")
    whose = check_name(system) if dot else None
    shape = texts.pop() if texts[-1] in (NORMAL, TRIANGULAR) and len(texts) > 1 else None
    if len(texts) == 1 and texts[0].endswith("%") and shape is None:
        return Varied(whose, check_name(name), (), _number(texts[0][:-1]) / 100, NORMAL)
    numbers = tuple(map(_number, texts))
    if not FEWEST <= len(numbers) <= MOST or list(numbers) != sorted(numbers):
        raise ValidationError(f"{part[:200]!r} needs two or three numbers in their order, such as {EXAMPLE}")
    if len(numbers) == MOST and shape == NORMAL:
        raise ValidationError(f"{part[:200]!r}: a normal has a low and a high end, its middle is between them")
    return Varied(whose, check_name(name), numbers, None, shape or TRIANGULAR)


def _number(text: str) -> Decimal:
    try:
        return parse_number(text)
    except NumberError as error:
        raise ValidationError(str(error)) from None
