"""Measured times over sizes and over rounds, as the API shows them."""

from marshmallow import Schema, fields

LEAST = {"description": "Lower end of the 90 % interval [min]"}
MOST = {"description": "Upper end of the 90 % interval [min]"}


class MeasuredHeadingSchema(Schema):
    """Which results were asked for."""

    benchmark = fields.String(required=True)
    round = fields.String(required=True, allow_none=True, metadata={"description": "null over several rounds"})
    division = fields.String(required=True)
    books = fields.List(fields.String(), required=True)
    catalogue = fields.String(required=True)
    system = fields.String(required=True)
    notices = fields.List(fields.String(), required=True)


class SizeSchema(Schema):
    """A measured size of a family."""

    system = fields.String(required=True)
    units = fields.Integer(required=True, strict=True)
    accelerators = fields.Integer(required=True, strict=True)
    time_to_train_minutes = fields.Float(required=True)
    status = fields.String(required=True)
    low_minutes = fields.Float(required=True, allow_none=True, metadata=LEAST)
    high_minutes = fields.Float(required=True, allow_none=True, metadata=MOST)
    speed_up = fields.Float(required=True, metadata={"description": "Over the smallest size"})
    scaling_efficiency = fields.Float(required=True, metadata={"description": "Speed-up over growth"})
    step_speed_up = fields.Float(required=True, allow_none=True, metadata={"description": "Over the size before"})
    step_efficiency = fields.Float(required=True, allow_none=True)
    fitted_minutes = fields.Float(required=True, allow_none=True, metadata={"description": "On the best curve [min]"})
    residual = fields.Float(required=True, allow_none=True, metadata={"description": "Above the curve, as a share"})
    result = fields.String(required=True)
    repeat_of = fields.String(required=True, allow_none=True)


class CurveSchema(Schema):
    """A curve of time over accelerators with two unknowns."""

    name = fields.String(required=True)
    formula = fields.String(required=True)
    about = fields.String(required=True)
    a = fields.Float(required=True)
    b = fields.Float(required=True)
    residual_deviation = fields.Float(
        required=True, allow_none=True, metadata={"description": "Standard deviation, as a share; null of two sizes"}
    )
    residuals = fields.List(fields.Float(), required=True)


class EstimatedTimeSchema(Schema):
    """A time that nobody measured."""

    accelerators = fields.Integer(required=True, strict=True)
    time_to_train_minutes = fields.Float(required=True)
    low_minutes = fields.Float(required=True, allow_none=True, metadata=LEAST)
    high_minutes = fields.Float(required=True, allow_none=True, metadata=MOST)
    status = fields.String(required=True, metadata={"description": "interpolated or extrapolated"})
    rule = fields.String(required=True)


class LeftOutSchema(Schema):
    """A size that is no point of the curve."""

    name = fields.String(required=True)
    reason = fields.String(required=True)


class ScalingSchema(MeasuredHeadingSchema):
    """Schema of `/v1/scaling`."""

    family = fields.String(required=True)
    accelerator_model = fields.String(required=True)
    sizes = fields.List(fields.Nested(SizeSchema), required=True)
    curves = fields.List(fields.Nested(CurveSchema), required=True, metadata={"description": "The best first"})
    estimate = fields.Nested(EstimatedTimeSchema, required=True, allow_none=True)
    left_out = fields.List(fields.Nested(LeftOutSchema), required=True)
    cautions = fields.List(fields.String(), required=True)


class RoundSchema(Schema):
    """A round of a system's progress. A speed-up of 1.25 is a time reduction of 0.2."""

    round = fields.String(required=True)
    time_to_train_minutes = fields.Float(required=True)
    speed_up = fields.Float(required=True, allow_none=True, metadata={"description": "Since the first round"})
    time_reduction = fields.Float(required=True, allow_none=True, metadata={"description": "Since the first round"})
    step_speed_up = fields.Float(required=True, allow_none=True, metadata={"description": "Since the round before"})
    step_time_reduction = fields.Float(
        required=True, allow_none=True, metadata={"description": "Since the round before"}
    )
    submitter = fields.String(required=True)
    software = fields.String(required=True, allow_none=True)
    result = fields.String(required=True)
    repeat_of = fields.String(required=True, allow_none=True)
    remark = fields.String(required=True, allow_none=True)


class MissingRoundSchema(Schema):
    """A round without a result to show."""

    round = fields.String(required=True)
    reason = fields.String(required=True)


class ProgressSchema(MeasuredHeadingSchema):
    """Schema of `/v1/progress`."""

    count = fields.Integer(required=True, strict=True)
    rounds = fields.List(fields.Nested(RoundSchema), required=True)
    missing = fields.List(fields.Nested(MissingRoundSchema), required=True)
