"""An own run of a book, as the API shows it: each cell as it was imported."""

from marshmallow import Schema, fields


class OwnRunSchema(Schema):
    """One run; what is blank was not said. Results of runs are among the results."""

    benchmark = fields.String(required=True)
    round = fields.String(required=True)
    submitter = fields.String(required=True)
    system = fields.String(required=True)
    units = fields.Integer(required=True, strict=True)
    run_id = fields.String(required=True)
    source = fields.String(required=True)
    wall_minutes = fields.Float(required=True, allow_none=True, metadata={"description": "By the clock [min]"})
    accelerator_hours = fields.Float(
        required=True, allow_none=True, metadata={"description": "Wall hours × accelerators of all systems [h]"}
    )
    converged = fields.String(required=True, allow_none=True, metadata={"description": "yes unless said"})
    division = fields.String(required=True, allow_none=True)
    framework = fields.String(required=True, allow_none=True)
    url = fields.String(required=True, allow_none=True)
    note = fields.String(required=True, allow_none=True)
    book = fields.String(required=True)
