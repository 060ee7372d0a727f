"""The form of a question: the fields that every question about systems shares."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate

from schemas.accelerator import PRECISIONS
from schemas.numbers import Whole

LONGEST_NAME = 200
MOST_SYSTEMS = 100
MOST_OWN = 1000
MOST_TAKEN = 1_000_000
OWN = "own:"
CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
PRINTABLE = r"^[^\x00-\x20\x7f\u2028-\u202e\u2066-\u2069]+( [^\x00-\x20\x7f\u2028-\u202e\u2066-\u2069]+)*$"
LISTED = r"^[A-Za-z0-9][A-Za-z0-9 ._:*@-]*(,[A-Za-z0-9][A-Za-z0-9 ._:*@-]*)*$"
SET_FORM = r"^[A-Za-z0-9][A-Za-z0-9 :@-]*\.[a-z_]+:[A-Za-z0-9.+-]*$"
DAY_FORM = r"^(19[7-9]\d|20\d\d|21\d\d)-\d\d-\d\d$"
COUNTED = re.compile(r"(?:([1-9][0-9]{0,5})\*)?(.+)", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """A system as it was asked for: name, count, model of paying, and own figures where it was an object."""

    name: str
    count: int = 1
    own: Mapping[str, Any] = field(default_factory=dict)
    brought: bool = False
    model: str | None = None


def check_name(text: Any) -> str:
    """Return a name: a text of 1 to 200 characters without control characters. Raises ValidationError."""
    if not isinstance(text, str):
        raise ValidationError(f"must be a text, not {type(text).__name__}")
    if not 0 < len(text.strip()) <= LONGEST_NAME or len(text) > LONGEST_NAME:
        raise ValidationError(f"must have 1 to {LONGEST_NAME} characters")
    if CONTROL.search(text):
        raise ValidationError("must not hold control characters")
    return text.strip()


class Name(fields.String):
    """A name that people typed."""

    form: ClassVar[dict[str, Any]] = {"minLength": 1, "maxLength": LONGEST_NAME, "pattern": PRINTABLE}

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        return check_name(value)


class Names(fields.Field[tuple[str, ...]]):
    """Names with commas between them, or a JSON list of names."""

    form: ClassVar[dict[str, Any]] = {"type": "string", "maxLength": LONGEST_NAME, "pattern": LISTED}
    json_form: ClassVar[dict[str, Any]] = {
        "anyOf": [form, {"type": "array", "items": {"type": "string", **Name.form}, "minItems": 1}]
    }

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> tuple[str, ...]:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list) or not parts:
            raise ValidationError("must be names with commas between them, or a list of names")
        return tuple(check_name(part) for part in parts)


class Systems(fields.Field[tuple[Asked, ...]]):
    """Systems with commas between them; in JSON a list of names or of objects with own figures.

    `2*dgx-a100-640gb` is one cluster of two. `own:NAME` is a system that the catalogue does not hold.
    `dgx-a100-640gb@leased` is paid for by another model than the others.
    """

    form: ClassVar[dict[str, Any]] = {"type": "string", "pattern": LISTED}
    json_form: ClassVar[dict[str, Any]] = {
        "anyOf": [
            form,
            {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST_SYSTEMS,
                "items": {
                    "anyOf": [
                        {"type": "string", **Name.form},
                        {"type": "object", "required": ["system"], "properties": {"system": {"type": "string"}}},
                    ]
                },
            },
        ]
    }

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> tuple[Asked, ...]:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list) or not 0 < len(parts) <= MOST_SYSTEMS:
            raise ValidationError(f"must be 1 to {MOST_SYSTEMS} systems")
        return tuple(_asked(part) for part in parts)


def _asked(part: Any) -> Asked:
    own: dict[str, Any] = {}
    if isinstance(part, dict):
        own = {check_name(name): value for name, value in part.items() if name != "system"}
        part = part.get("system")
    name = check_name(part)
    match = COUNTED.fullmatch(name)
    if match is None or "*" in match[2]:
        raise ValidationError(f"{name!r} is not a system or a count and a system, such as 2*dgx-a100-640gb")
    whole, model = split_model(match[2].strip())
    plain = check_name(whole.removeprefix(OWN))
    return Asked(plain, int(match[1] or 1), own, whole.startswith(OWN), model)


def split_model(name: str) -> tuple[str, str | None]:
    """The name of a side, and its model of paying where one is said: dgx-a100-640gb@rented."""
    plain, at, model = name.rpartition("@")
    return (plain.strip(), check_name(model.strip())) if at else (name, None)


def split_count(name: str) -> tuple[int, str]:
    """The count and the system of a side's name such as 2*dgx-a100-640gb or own:rig."""
    match = COUNTED.fullmatch(name)
    if match is None:
        return 1, name
    system = match[2].strip()
    brought = OWN + system.removeprefix(OWN).strip() if system.startswith(OWN) else system
    return int(match[1] or 1), brought


class Set(fields.Field[tuple[tuple[str, str, str], ...]]):
    """Own figures as SYSTEM.NAME:VALUE, repeatable, such as ipu-pod64.price:600000."""

    is_multiple = True  # webargs: every value of a repeated parameter
    form: ClassVar[dict[str, Any]] = {
        "type": "array",
        "items": {"type": "string", "pattern": SET_FORM},
        "maxItems": MOST_OWN,
    }

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> tuple[tuple[str, str, str], ...]:
        parts = [value] if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or len(parts) > MOST_OWN:
            raise ValidationError(f"must be at most {MOST_OWN} texts SYSTEM.NAME:VALUE")
        return tuple(_setting(part) for part in parts)


def _setting(part: Any) -> tuple[str, str, str]:
    text = part if isinstance(part, str) else ""
    head, colon, value = text.rpartition(":")
    system, dot, name = head.rpartition(".")
    if not (colon and dot):
        raise ValidationError(f"{text[:LONGEST_NAME]!r} is not SYSTEM.NAME:VALUE, such as ipu-pod64.price:600000")
    return check_name(system), check_name(name), value


class Day(fields.Field[date]):
    """A date as 2021-06-30, from 1970 to 2199."""

    form: ClassVar[dict[str, Any]] = {"type": "string", "format": "date", "pattern": DAY_FORM}

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> date:
        if isinstance(value, str) and re.fullmatch(DAY_FORM[1:-1], value, re.ASCII):
            try:
                return date.fromisoformat(value)
            except ValueError:
                pass
        raise ValidationError("must be a date as 2021-06-30, from 1970-01-01 to 2199-12-31")


class Flag(fields.Field[bool]):
    """1 or 0; in JSON true or false."""

    form: ClassVar[dict[str, Any]] = {"type": "string", "enum": ["0", "1"]}
    json_form: ClassVar[dict[str, Any]] = {"type": "boolean"}
    json_types = (bool,)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if isinstance(value, bool):
            return value
        if value not in ("0", "1"):
            raise ValidationError("must be 1 or 0")
        return bool(value == "1")


def options(*names: str) -> validate.OneOf:
    """One of these names, else an error that lists them."""
    return validate.OneOf(names, error="must be one of {choices}, not {input}")


class QuestionSchema(Schema):
    """Fields of every question about systems. What an assumption may be called, service adds."""

    systems = Systems(required=True, metadata={"description": Systems.__doc__, "example": "ipu-pod16,dgx-a100-640gb"})
    benchmark = Name(metadata={"description": "Benchmark id", "example": "resnet"})
    round = Name(metadata={"description": "MLPerf Training round", "example": "v1.0"})
    division = fields.String(validate=options("closed", "open"), metadata={"description": "closed unless asked"})
    currency = Name(metadata={"description": "Of all amounts, ISO 4217; USD unless asked", "example": "EUR"})
    exchange_date = Day(metadata={"description": "Exchange rates of this day or the last before; as_of unless asked"})
    region = Name(metadata={"description": "Where one buys, for prices that differ by region"})
    quantity = Whole(
        1, MOST_TAKEN, metadata={"description": "Systems bought, for tiers; as many as compared unless asked"}
    )
    books = Names(metadata={"description": "Books of prices and facts in the order that wins; public unless asked"})
    as_of = Day(metadata={"description": "Prices valid on this day (UTC); today unless asked"})
    catalogue = Name(metadata={"description": "Catalogue version that must answer; the newest unless asked"})
    preset = Name(metadata={"description": "Set of assumptions; us-colo unless asked"})
    price_kind = Names(metadata={"description": "Kinds of price in the order wanted; list,street unless asked"})
    submitter = Name(metadata={"description": "Whose result, where several compete"})
    result = Names(metadata={"description": "Ids of the results to use, where several compete"})
    estimate = fields.String(validate=options("linear"), metadata={"description": "Estimate missing prices"})
    time_estimate = fields.String(
        validate=options("interpolate", "extrapolate"),
        metadata={"description": "Estimate times of sizes that nobody measured, between measured ones or also beyond"},
    )
    time_from = Name(
        metadata={"description": "System whose measured time is taken where a side has none, at as many accelerators"}
    )
    rent_from = Name(
        metadata={"description": "System whose price of an accelerator-hour is taken as what renting would cost"}
    )
    grid = Name(
        metadata={"description": "Place of the electricity grid: ISO 3166-1 alpha-3, or US-CA", "example": "FRA"}
    )
    precision = fields.String(
        validate=options(*PRECISIONS), metadata={"description": "Of parameters and tokens' training; bf16 unless asked"}
    )
    set = Set(metadata={"description": Set.__doc__})
    explain = Flag(metadata={"description": "1 adds each sum, term by term, with sources"})
    system = Name(metadata={"description": "With `field`: whose figure"})
    field = Name(metadata={"description": "One figure only, such as relative.performance_per_dollar"})
