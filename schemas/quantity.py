"""A quantity or an input: what its name means."""

from marshmallow import Schema, fields


class QuantitySchema(Schema):
    """A name of the formulas as the API shows it."""

    name = fields.String(required=True)
    unit = fields.String(required=True, metadata={"description": "money is the currency of the answer"})
    kind = fields.String(required=True, metadata={"enum": ["quantity", "input"]})
    topic = fields.String(required=True)
    basis = fields.String(required=True, allow_none=True, metadata={"description": "CHOICE=OPTION it belongs to"})
    formula = fields.String(required=True, allow_none=True, metadata={"description": "Written out"})
    inputs = fields.List(fields.String(), required=True)
    about = fields.String(required=True)
