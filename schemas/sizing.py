"""Which system and how much of it, as the API shows it."""

from marshmallow import Schema, fields

from schemas.caveat import CaveatSchema
from schemas.comparison import AssumedSchema, HeadingSchema

NUMBER_OR_NONE = {"description": "null: not known"}


class CandidateSchema(Schema):
    """A size, with what it costs and takes; amounts are of all clusters that the demand needs."""

    system = fields.String(required=True)
    count = fields.Integer(required=True, strict=True)
    model = fields.String(required=True)
    name = fields.String(required=True)
    basis = fields.String(required=True, metadata={"description": "measured, interpolated or extrapolated"})
    fits = fields.Boolean(required=True)
    breaks = fields.List(fields.String(), required=True, metadata={"description": "Limits that it does not keep"})
    on_front = fields.Boolean(required=True, metadata={"description": "No other that fits beats it in all"})
    time_to_train_minutes = fields.Float(required=True)
    fleet_clusters = fields.Float(required=True, metadata={"description": "Clusters that the demand needs"})
    fleet_acquisition_cost = fields.Float(required=True, allow_none=True, metadata=NUMBER_OR_NONE)
    fleet_cost_per_year = fields.Float(required=True)
    cost_per_run = fields.Float(required=True, allow_none=True, metadata={"description": "Where all hours are used"})
    runs_per_year = fields.Float(required=True, allow_none=True, metadata={"description": "Of one cluster"})
    fleet_rack_units = fields.Float(required=True, allow_none=True, metadata=NUMBER_OR_NONE)
    fleet_rack_count = fields.Float(required=True, allow_none=True, metadata=NUMBER_OR_NONE)
    fleet_power_kw = fields.Float(required=True, allow_none=True, metadata=NUMBER_OR_NONE)
    energy_per_run_kwh = fields.Float(required=True, allow_none=True, metadata=NUMBER_OR_NONE)
    carbon_per_run_kg = fields.Float(required=True, allow_none=True, metadata=NUMBER_OR_NONE)
    result = fields.String(required=True, allow_none=True, metadata={"description": "Id of the measured result"})


class UnjudgedSchema(Schema):
    """A size that could not be judged."""

    name = fields.String(required=True)
    reason = fields.String(required=True)


class SizingSchema(HeadingSchema):
    """Schema of `/v1/sizing`."""

    limits = fields.Dict(keys=fields.String(), values=fields.Float(), required=True)
    demanded_runs_per_year = fields.Float(required=True, allow_none=True)
    best = fields.Nested(CandidateSchema, required=True, allow_none=True, metadata={"description": "null: none fits"})
    front = fields.List(fields.String(), required=True, metadata={"description": "Time, cost, space and energy"})
    candidates = fields.List(fields.Nested(CandidateSchema), required=True)
    left_out = fields.List(fields.Nested(UnjudgedSchema), required=True)
    assumptions = fields.Dict(keys=fields.String(), values=fields.Nested(AssumedSchema), required=True)
    units = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    caveats = fields.List(fields.Nested(CaveatSchema), required=True)
    notices = fields.List(fields.String(), required=True)
