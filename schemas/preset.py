"""A preset: a named set of assumptions, and how much of it has a source."""

from marshmallow import Schema, fields


class PresetSchema(Schema):
    """A preset as the API shows it; its values are those of `/v1/assumptions` that name it."""

    id = fields.String(required=True)
    model = fields.String(required=True, metadata={"description": "How systems are paid for unless asked"})
    assumptions = fields.Integer(required=True, strict=True, metadata={"description": "Values that it holds"})
    counted = fields.Integer(required=True, strict=True, metadata={"description": "Of those, what the costs count"})
    without_source = fields.List(fields.String(), required=True, metadata={"description": "Of those, what is assumed"})
    mostly_assumed = fields.Boolean(required=True)
    bases = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
