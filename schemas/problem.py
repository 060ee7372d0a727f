"""A problem document (RFC 9457)."""

from marshmallow import Schema, fields


class FieldProblemSchema(Schema):
    """What is wrong with one field."""

    field = fields.String(required=True)
    detail = fields.String(required=True)


class ProblemSchema(Schema):
    """What is wrong, and what would have been right."""

    type = fields.String(required=True, metadata={"example": "/problems/unknown-name"})
    title = fields.String(required=True)
    status = fields.Integer(required=True, strict=True)
    detail = fields.String(required=True)
    errors = fields.List(fields.Nested(FieldProblemSchema))
    nearest = fields.List(fields.String(), metadata={"description": "Names that may have been meant"})
    report = fields.Dict(metadata={"description": "Of an import of which nothing was done"})
    rows = fields.List(fields.String(), metadata={"description": "Rows that compete"})
