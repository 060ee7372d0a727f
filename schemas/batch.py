"""Answers to many questions, as the API shows them."""

from marshmallow import Schema, fields

from schemas.caveat import MEANINGS


class AnsweredSchema(Schema):
    """The answer to one row; `error` and `detail` stand in its place where the row has none."""

    row = fields.Integer(required=True, strict=True, metadata={"description": "Its number, from 1"})
    id = fields.Raw(required=True, metadata={"description": "As the row has it"})
    status = fields.String(required=True, metadata={"enum": ["ok", "error"]})
    system = fields.String(required=True, allow_none=True)
    values = fields.Dict(keys=fields.String(), values=fields.Float(allow_none=True))
    units = fields.Dict(keys=fields.String(), values=fields.String())
    result = fields.String(allow_none=True, metadata={"description": "Id of the result whose time was used"})
    currency = fields.String()
    as_of = fields.Date()
    round = fields.String(allow_none=True)
    division = fields.String(allow_none=True)
    preset = fields.String()
    catalogue = fields.String()
    gaps = fields.Dict(keys=fields.String(), values=fields.String())
    caveats = fields.List(fields.String(), metadata={"description": f"Codes, such as {next(iter(MEANINGS))}"})
    notices = fields.List(fields.String(), metadata={"description": "What must be said with the figures"})
    error = fields.String(metadata={"description": "A type of problem, without /problems/"})
    detail = fields.String()


class BatchSchema(Schema):
    """Schema of `/v1/batch`."""

    answers = fields.List(fields.Nested(AnsweredSchema), required=True)
