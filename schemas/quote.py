"""A quote: an answer that was frozen."""

from marshmallow import Schema, fields

from schemas.question import Day, Name


class NewQuoteSchema(Schema):
    """What is to be frozen."""

    question = Name(required=True, metadata={"description": "compare, tco, breakeven or robustness", "example": "tco"})
    fields_ = fields.Dict(
        keys=fields.String(), values=fields.Raw(), required=True, data_key="fields",
        metadata={"description": "The fields of that question, as its POST has them"},
    )  # fmt: skip
    valid_until = Day(metadata={"description": "The last day on which it holds, as whoever gives it says"})


class QuoteSchema(Schema):
    """A quote as the API shows it when it is made."""

    id = fields.String(required=True)
    address = fields.String(required=True)
    question = fields.String(required=True)
    asked = fields.Dict(keys=fields.String(), values=fields.Raw(), required=True)
    catalogue = fields.String(required=True)
    engine = fields.String(required=True)
    made_at = fields.DateTime(required=True)
    valid_until = fields.Date(required=True, allow_none=True)
    valid = fields.Boolean(required=True, allow_none=True)


class DifferenceSchema(Schema):
    """A value that comes out otherwise now."""

    path = fields.String(required=True)
    frozen = fields.Raw(required=True, allow_none=True)
    now = fields.Raw(required=True, allow_none=True)


class ReplaySchema(QuoteSchema):
    """A quote, computed again."""

    agrees = fields.Boolean(required=True, metadata={"description": "Whether every digit and word is the same"})
    engine_now = fields.String(required=True)
    differences = fields.List(fields.Nested(DifferenceSchema), required=True)
