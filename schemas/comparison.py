"""The parts of a comparison that do not hang on which quantities there are."""

from typing import ClassVar

from marshmallow import Schema, fields

from schemas.benchmark_result import BenchmarkResultSchema
from schemas.caveat import CaveatSchema
from schemas.price import PriceSchema

STATUSES = ("given", "listed", "measured", "derived", "estimated", "assumed")


class ExchangeSchema(Schema):
    """An exchange rate that was used: 1 `from` is `rate` `to`."""

    source = fields.String(required=True)
    rate = fields.Float(required=True)
    date = fields.Date(required=True, metadata={"description": "Day of the rate"})
    age_days = fields.Integer(required=True, strict=True)

    class Meta:
        """Names that Python has for itself."""

        include: ClassVar = {"from": fields.String(required=True), "to": fields.String(required=True)}


class ProvenanceSchema(Schema):
    """Where a number is from."""

    status = fields.String(required=True, metadata={"enum": list(STATUSES)})
    source = fields.String(allow_none=True)
    url = fields.String(allow_none=True)
    formula = fields.String(metadata={"description": "Of a derived number"})
    rule = fields.String(metadata={"description": "Of an estimate"})
    range = fields.String(metadata={"description": "What the range of an estimate rests on"})
    low = fields.Float(metadata={"description": "Lower end of its range"})
    high = fields.Float(metadata={"description": "Upper end of its range"})
    result = fields.String(metadata={"description": "Id of the result"})
    kind = fields.String(metadata={"description": "Of a price"})
    valid_from = fields.String()
    about = fields.Boolean()
    currency = fields.String(metadata={"description": "In which the price is listed"})
    exchange = fields.Nested(ExchangeSchema, metadata={"description": "Where it was converted"})
    basis = fields.String(
        metadata={"description": "sourced or assumed; of power measured or typical; of a time interpolated or beyond"}
    )
    setting = fields.String()
    year = fields.Integer(strict=True)


class UsedResultSchema(BenchmarkResultSchema):
    """The result whose time was used."""

    competing = fields.List(fields.String(), required=True)


class UsedPriceSchema(PriceSchema):
    """The price row that was used."""

    competing = fields.List(fields.Nested(PriceSchema), required=True)


class StepSchema(Schema):
    """One step of an explanation; evaluating `formula` at `inputs` gives `value`."""

    name = fields.String(required=True)
    value = fields.Float(required=True)
    unit = fields.String(required=True)
    formula = fields.String(required=True)
    inputs = fields.Dict(keys=fields.String(), values=fields.Float(), required=True)
    about = fields.String(required=True)
    sources = fields.Dict(keys=fields.String(), values=fields.Nested(ProvenanceSchema), required=True)


class AssumedSchema(ProvenanceSchema):
    """An assumption that an answer uses."""

    value = fields.Float(required=True, allow_none=True)
    unit = fields.String(required=True)
    status = fields.String(required=True, metadata={"enum": [*STATUSES, "missing"]})


class HeadingSchema(Schema):
    """What was asked and what was settled."""

    benchmark = fields.String(required=True, allow_none=True)
    round = fields.String(required=True, allow_none=True)
    division = fields.String(required=True, allow_none=True)
    parameters = fields.Float(required=True, allow_none=True, metadata={"description": "Of a model to be estimated"})
    tokens = fields.Float(required=True, allow_none=True, metadata={"description": "It is trained on"})
    precision = fields.String(required=True, allow_none=True, metadata={"description": "It is trained in"})
    currency = fields.String(required=True)
    as_of = fields.Date(required=True)
    exchange_date = fields.Date(required=True, allow_none=True, metadata={"description": "Where rates were used"})
    books = fields.List(fields.String(), required=True, metadata={"description": "In the order that wins"})
    catalogue = fields.String(required=True)
    preset = fields.String(required=True)
    bases = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class FootingSchema(Schema):
    """What belongs to all figures of an answer."""

    units = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    assumptions = fields.Dict(keys=fields.String(), values=fields.Nested(AssumedSchema), required=True)
    not_counted = fields.List(fields.String(), required=True, metadata={"description": "What the costs leave out"})
    caveats = fields.List(fields.Nested(CaveatSchema), required=True)
    notices = fields.List(fields.String(), required=True)


class FigureSchema(HeadingSchema):
    """One figure of one system: what `field` and `system` ask for."""

    baseline = fields.String(required=True, allow_none=True, metadata={"description": "Of a ratio"})
    system = fields.String(required=True)
    count = fields.Integer(required=True, strict=True)
    model = fields.String(required=True, metadata={"description": "How it is paid for"})
    field = fields.String(required=True)
    value = fields.Float(required=True)
    unit = fields.String(required=True)
    provenance = fields.Nested(ProvenanceSchema, required=True, allow_none=True)
    caveats = fields.List(fields.Nested(CaveatSchema), required=True)
    notices = fields.List(fields.String(), required=True)
    explanation = fields.List(fields.Nested(StepSchema))
    baseline_explanation = fields.List(fields.Nested(StepSchema), metadata={"description": "Of a ratio"})
