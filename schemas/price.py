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
Tax = Literal["excluded", "included"]
Confidence = Literal["high", "medium", "low"]
FACTS = "facts"  # what holds the prices that ship
RENTED: tuple[Kind, ...] = ("on_demand", "reserved_1y", "reserved_3y", "spot", "capacity_block")


@dataclass(frozen=True, slots=True)
class Price:
    """One price row. `amount` is exact and in `currency`; where a source gives a range it is None.

    It holds from `valid_from` until the day before `valid_to` (UTC), or until a later row of the same offer.
    In the shipped facts `valid_from` is the day on which the price was seen (to `date_precision`), so that it may
    be older. `includes` names what besides the system is in the price: host, switches, support, software; None
    where the source does not say. It is for those who take `minimum_quantity` systems or more, in `region`
    (None: everywhere). `book` is who holds the row, and `row` where it stands there.
    """

    system: str
    amount: Decimal | None
    low: Decimal | None
    high: Decimal | None
    currency: str
    kind: Kind
    per: Per
    every: Every
    includes: tuple[str, ...] | None
    valid_from: date
    observed_until: date | None
    date_precision: Precision
    about: bool
    source: str
    url: str | None
    confidence: Confidence | None
    note: str | None
    region: str | None = None
    minimum_quantity: int = 1
    valid_to: date | None = None
    tax_scope: Tax | None = None
    sku: str | None = None
    mpn: str | None = None
    gtin: str | None = None
    unspsc: str | None = None
    entered_by: str | None = None
    book: str = FACTS
    row: str | None = None

    def __post_init__(self) -> None:
        """Refuse a row without a figure, with a negative one, or with only one end of a range."""
        check_amounts(self.amount, self.low, self.high)


def check_amounts(amount: Decimal | None, low: Decimal | None, high: Decimal | None) -> None:
    """Refuse no figure, a negative one, only one end of a range, or an amount outside of it. Raises ValueError."""
    if low is None and high is None:
        if amount is None:
            raise ValueError("amount, or low and high, expected")
        if amount < 0:
            raise ValueError("amounts are 0 or more")
    elif low is None or high is None:
        raise ValueError("amount, or low and high, expected")
    elif not 0 <= low <= (low if amount is None else amount) <= high:
        raise ValueError("0 <= low <= amount <= high expected")


@dataclass(frozen=True, slots=True)
class Offer:
    """What price is wanted: of a system, of which kinds in which order, on a day, where, and for how many."""

    system: str
    kinds: tuple[str, ...]
    as_of: date
    region: str | None = None
    quantity: int = 1
    with_host: bool = False
    rented: bool = False
    currency: str = ""
    """Of the question: of rows that are alike, the one in it is preferred."""


class PriceSchema(Schema):
    """A price as the API shows it; amounts are exact decimals, written as JSON numbers."""

    system = fields.String(required=True)
    amount = fields.Float(required=True, allow_none=True, metadata={"description": "In `currency`"})
    low = fields.Float(required=True, allow_none=True)
    high = fields.Float(required=True, allow_none=True)
    currency = fields.String(required=True, metadata={"description": "ISO 4217"})
    unit = fields.String(required=True, metadata={"example": "USD / accelerator / hour"})
    amount_per_system = fields.Float(allow_none=True, metadata={"description": "Of what is paid once"})
    amount_per_accelerator = fields.Float(allow_none=True)
    amount_per_system_hour = fields.Float(allow_none=True, metadata={"description": "Of what is rented"})
    amount_per_accelerator_hour = fields.Float(allow_none=True)
    hours_convention = fields.String()
    kind = fields.String(required=True)
    per = fields.String(required=True)
    every = fields.String(required=True)
    includes = fields.List(fields.String(), required=True, allow_none=True, metadata={"description": "null: not said"})
    region = fields.String(required=True, allow_none=True)
    minimum_quantity = fields.Integer(required=True, strict=True, metadata={"description": "Systems taken at least"})
    tax_scope = fields.String(required=True, allow_none=True, metadata={"description": "excluded or included"})
    valid_from = fields.Date(required=True)
    valid_to = fields.Date(required=True, allow_none=True, metadata={"description": "First day on which it is over"})
    observed_until = fields.Date(required=True, allow_none=True)
    date_precision = fields.String(required=True)
    about = fields.Boolean(required=True, metadata={"description": "The source itself says about"})
    source = fields.String(required=True)
    url = fields.String(required=True, allow_none=True)
    confidence = fields.String(required=True, allow_none=True)
    note = fields.String(required=True, allow_none=True)
    sku = fields.String(required=True, allow_none=True, metadata={"description": "The seller's number"})
    mpn = fields.String(required=True, allow_none=True, metadata={"description": "The maker's part number"})
    gtin = fields.String(required=True, allow_none=True)
    unspsc = fields.String(required=True, allow_none=True)
    entered_by = fields.String(required=True, allow_none=True)
    book = fields.String(required=True, metadata={"description": "Who holds the row; facts: it ships"})
    row = fields.String(required=True, allow_none=True, metadata={"description": "Where it stands: book.head:line"})
