"""Total cost of ownership: components and years."""

from marshmallow import Schema, fields


class ComponentSchema(Schema):
    """A cost component of one system."""

    name = fields.String(required=True)
    due = fields.String(required=True, metadata={"enum": ["once", "yearly", "at the end"]})
    amount = fields.Float(required=True, allow_none=True)
    present_value = fields.Float(required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True, metadata={"description": "Why it is missing"})


class YearSchema(Schema):
    """A year of service, undiscounted; year 0 is the day of purchase."""

    year = fields.Integer(required=True, strict=True)
    costs = fields.Dict(keys=fields.String(), values=fields.Float(), required=True)
    total = fields.Float(required=True)
    cumulative = fields.Float(required=True)
