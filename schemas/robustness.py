"""How sure a comparison is, as the API shows it."""

from marshmallow import Schema, fields

from schemas.caveat import CaveatSchema
from schemas.comparison import AssumedSchema, HeadingSchema

VERDICTS = ("ahead", "behind", "not_settled")


class IntervalSchema(Schema):
    """A plain value, and the 5th, 50th and 95th percentile of its draws."""

    value = fields.Float(required=True)
    low = fields.Float(required=True)
    median = fields.Float(required=True)
    high = fields.Float(required=True)


class VariedSchema(Schema):
    """A number that is not firm. A triangular lies between low and high; of a normal they are the 90 % interval."""

    side = fields.String(required=True, allow_none=True, metadata={"description": "null: the same for all sides"})
    name = fields.String(required=True)
    unit = fields.String(required=True)
    low = fields.Float(required=True)
    middle = fields.Float(required=True)
    high = fields.Float(required=True)
    shape = fields.String(required=True, metadata={"enum": ["normal", "triangular"]})
    why = fields.String(required=True)


class UnsureSideSchema(IntervalSchema):
    """The metric of one side."""

    system = fields.String(required=True)
    count = fields.Integer(required=True, strict=True)
    model = fields.String(required=True, metadata={"description": "How it is paid for"})


class EffectSchema(Schema):
    """What one number does to the ratio, alone."""

    side = fields.String(required=True, allow_none=True)
    name = fields.String(required=True)
    ratio_at_low = fields.Float(required=True)
    ratio_at_high = fields.Float(required=True)
    elasticity = fields.Float(required=True, metadata={"description": "Per cent of the ratio for 1 % of the number"})


class FlipSchema(Schema):
    """Where one number would have to be for a tie."""

    side = fields.String(required=True, allow_none=True)
    name = fields.String(required=True)
    unit = fields.String(required=True)
    now = fields.Float(required=True)
    level = fields.Float(required=True, allow_none=True, metadata={"description": "null: at none that is near"})


class ContestSchema(Schema):
    """A side against the baseline."""

    system = fields.String(required=True)
    count = fields.Integer(required=True, strict=True)
    model = fields.String(required=True, metadata={"description": "How it is paid for"})
    ratio = fields.Nested(IntervalSchema, required=True)
    ahead_share = fields.Float(required=True, metadata={"description": "Of the draws, in which the side is better"})
    behind_share = fields.Float(required=True, metadata={"description": "Of the draws, in which the baseline is"})
    verdict = fields.String(required=True, metadata={"enum": list(VERDICTS)})
    told = fields.String(required=True)
    effects = fields.List(fields.Nested(EffectSchema), required=True, metadata={"description": "The largest first"})
    flips = fields.List(fields.Nested(FlipSchema), required=True)


class RobustnessSchema(HeadingSchema):
    """Schema of `/v1/robustness`."""

    metric = fields.String(required=True)
    unit = fields.String(required=True)
    better = fields.String(required=True, metadata={"enum": ["more", "less"]})
    baseline = fields.String(required=True)
    samples = fields.Integer(required=True, strict=True)
    seed = fields.Integer(required=True, strict=True)
    varied = fields.List(fields.Nested(VariedSchema), required=True)
    systems = fields.List(fields.Nested(UnsureSideSchema), required=True)
    contests = fields.List(fields.Nested(ContestSchema), required=True)
    assumptions = fields.Dict(keys=fields.String(), values=fields.Nested(AssumedSchema), required=True)
    caveats = fields.List(fields.Nested(CaveatSchema), required=True)
    notices = fields.List(fields.String(), required=True)
