"""Own or rent, as the API shows it."""

from marshmallow import Schema, fields

from schemas.caveat import CaveatSchema
from schemas.comparison import AssumedSchema, HeadingSchema

VERDICTS = ("own", "rent", "level")
NEVER = {"description": "null: never, within the longest service life that is read (30 years)"}


class PaybackSchema(Schema):
    """When owning has cost as much as renting."""

    months = fields.Float(required=True, allow_none=True, metadata=NEVER)
    hours = fields.Float(required=True, allow_none=True, metadata={"description": "Hours that would have been paid"})
    told = fields.String(required=True)


class MeetingSchema(Schema):
    """Where one number would have to be for owning and renting to cost the same."""

    name = fields.String(required=True)
    unit = fields.String(required=True)
    now = fields.Float(required=True)
    level = fields.Float(required=True, allow_none=True, metadata={"description": "null: at none that is near"})


class OwnOrRentSchema(Schema):
    """One system, owned against rented."""

    system = fields.String(required=True)
    count = fields.Integer(required=True, strict=True)
    model = fields.String(required=True, metadata={"description": "How it is paid for"})
    owned_cost_per_year = fields.Float(required=True, metadata={"description": "tco_equivalent_annual"})
    rented_cost_per_year = fields.Float(required=True)
    rented_hours_per_year = fields.Float(required=True)
    owned_over_rented_ratio = fields.Float(required=True, metadata={"description": "Below 1 owning is cheaper"})
    verdict = fields.String(required=True, metadata={"enum": list(VERDICTS)})
    payback = fields.Nested(PaybackSchema, required=True, metadata={"description": "Cost of capital left out"})
    discounted_payback = fields.Nested(PaybackSchema, required=True)
    meetings = fields.List(fields.Nested(MeetingSchema), required=True)


class TieSchema(Schema):
    """The price of one system at which it ties with another, and at which it is surely ahead."""

    side = fields.String(required=True)
    other = fields.String(required=True)
    unit = fields.String(required=True)
    now = fields.Float(required=True)
    price_to_tie = fields.Float(required=True, allow_none=True, metadata={"description": "null: at none that is near"})
    price_to_win = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The highest price at which it is ahead in 95 of 100 draws; null: at none"},
    )


class BreakevenSchema(HeadingSchema):
    """Schema of `/v1/breakeven`."""

    baseline = fields.String(required=True)
    metric = fields.String(required=True, metadata={"description": "By which prices tie"})
    ties = fields.List(fields.Nested(TieSchema), required=True)
    without_rent = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "Sides for which owning is not set against renting, and why"},
    )
    unit = fields.String(required=True, metadata={"example": "USD / year"})
    hours_per_month = fields.Float(required=True, metadata={"description": "A twelfth of a year of 8,760 hours"})
    systems = fields.List(fields.Nested(OwnOrRentSchema), required=True)
    assumptions = fields.Dict(keys=fields.String(), values=fields.Nested(AssumedSchema), required=True)
    caveats = fields.List(fields.Nested(CaveatSchema), required=True)
    notices = fields.List(fields.String(), required=True)
