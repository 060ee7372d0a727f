"""A published claim, and the verdict that the data gives on it."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from marshmallow import Schema, fields

Form = Literal[
    "value",
    "floor",
    "ratio",
    "improvement",
    "ahead",
    "fastest",
    "hosts",
    "host_ratio",
    "system",
    "uncheckable",
]
VERDICTS = (
    "holds", "holds_after_rounding", "holds_as_time_reduction", "does_not_hold", "not_checkable",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One checkable part of a published claim: what was said, and which figures decide it.

    `form` says how `published` relates to the figure of side a, or of side a against side b.
    """

    claim: int
    part: str | None
    statement: str
    published: Decimal | None
    unit: str | None
    form: Form
    benchmark: str | None
    figure_a: str | None
    system_a: str | None
    round_a: str | None
    division_a: str | None
    figure_b: str | None
    system_b: str | None
    round_b: str | None
    division_b: str | None
    source_title: str
    source_url: str
    source_date: date


class GivenSchema(Schema):
    """A figure that the caller gave in place of the catalogue's."""

    system = fields.String(required=True)
    name = fields.String(required=True)
    value = fields.Float(required=True)


class ClaimCheckSchema(Schema):
    """One part of a claim, recomputed."""

    part = fields.String(required=True, allow_none=True)
    statement = fields.String(required=True, metadata={"description": "What was claimed, in our words"})
    published = fields.Float(required=True, allow_none=True, metadata={"description": "The figure as printed"})
    unit = fields.String(required=True)
    computed = fields.Float(required=True, allow_none=True, metadata={"description": "Our figure, unrounded"})
    verdict = fields.String(required=True, metadata={"enum": list(VERDICTS)})
    reason = fields.String(required=True)
    sides = fields.List(fields.Dict(), required=True, metadata={"description": "The figures it rests on"})


class ClaimSchema(Schema):
    """A published claim with the verdict derived from the data."""

    claim = fields.Integer(required=True, strict=True)
    verdict = fields.String(required=True, metadata={"enum": list(VERDICTS)})
    source_title = fields.String(required=True)
    source_url = fields.String(required=True)
    source_date = fields.Date(required=True)
    checks = fields.List(fields.Nested(ClaimCheckSchema), required=True)
