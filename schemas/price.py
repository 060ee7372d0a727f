"""A price: a dated amount for a system, with its kind, scope, uncertainty and source."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from marshmallow import Schema, fields

Kind = Literal[
    "list", "street", "quote", "estimate", "on_demand", "reserved_1y", "reserved_3y", "spot", "capacity_block"
]
Per = Literal["system", "accelerator", "node"]
Every = Literal["once", "hour", "month", "year"]
Precision = Literal["day", "month", "year", "range"]


@dataclass(frozen=True, slots=True)
class Price:
    """One price row. `amount` is exact and in `currency`; where a source gives a range it is None.

    `valid_from` is the day on which the price was seen (UTC, to `date_precision`), so that it may be older.
    `includes` names what besides the system is in the price: host, switches, support, software.
    """

    system: str
    amount: Decimal | None
    low: Decimal | None
    high: Decimal | None
    currency: str
    kind: Kind
    per: Per
    every: Every
    includes: tuple[str, ...]
    valid_from: date
    observed_until: date | None
    date_precision: Precision
    about: bool
    source: str
    url: str | None
    confidence: Literal["high", "medium", "low"]
    note: str | None

    def __post_init__(self) -> None:
        """Refuse a row without a figure, with a negative one, or with only one end of a range."""
        figures = [figure for figure in (self.amount, self.low, self.high) if figure is not None]
        if not figures or (self.low is None) != (self.high is None):
            raise ValueError("amount, or low and high, expected")
        if min(figures) < 0:
            raise ValueError("amounts are 0 or more")


class PriceSchema(Schema):
    """A price as the API shows it; amounts are exact decimals, written as JSON numbers."""

    system = fields.String(required=True)
    amount = fields.Float(required=True, allow_none=True, metadata={"description": "In `currency`"})
    low = fields.Float(required=True, allow_none=True)
    high = fields.Float(required=True, allow_none=True)
    currency = fields.String(required=True, metadata={"description": "ISO 4217"})
    unit = fields.String(required=True, metadata={"example": "USD / accelerator / hour"})
    kind = fields.String(required=True)
    per = fields.String(required=True)
    every = fields.String(required=True)
    includes = fields.List(fields.String(), required=True)
    valid_from = fields.Date(required=True)
    observed_until = fields.Date(required=True, allow_none=True)
    date_precision = fields.String(required=True)
    about = fields.Boolean(required=True, metadata={"description": "The source itself says about"})
    source = fields.String(required=True)
    url = fields.String(required=True, allow_none=True)
    confidence = fields.String(required=True)
    note = fields.String(required=True, allow_none=True)
