"""Schemas of answers whose fields are the names of the quantities; they document, orjson writes."""

from functools import cache
from typing import Any

from marshmallow import Schema, fields

from pricing.analysis.gathering import FACTS
from pricing.graph import unit_of
from pricing.quantities.models import MODELS
from pricing.registry import generated, written
from schemas.caveat import CaveatSchema
from schemas.claim import ClaimSchema, GivenSchema
from schemas.comparison import (
    AssumedSchema,
    FootingSchema,
    HeadingSchema,
    ProvenanceSchema,
    StepSchema,
    UsedPriceSchema,
    UsedResultSchema,
)
from schemas.tco import ComponentSchema, YearSchema


@cache
def names() -> tuple[str, ...]:
    """Every number that a side of an answer may have."""
    sums = (each for model in MODELS.values() for each in generated(model))
    return (*FACTS, *dict.fromkeys(each.name for each in (*written(), *sums) if not each.detail))


def _numbers() -> dict[str, fields.Field[Any]]:
    return {
        name: fields.Float(allow_none=True, metadata={"description": f"[{unit_of(name, 'money')}]"}) for name in names()
    }


@cache
def side_schema(more: tuple[tuple[str, type[Schema]], ...] = ()) -> type[Schema]:
    """Schema of one system in an answer."""
    numbers = fields.Dict(keys=fields.String(), values=fields.Float(), required=True)
    own: dict[str, Any] = {
        "system": fields.String(required=True),
        "name": fields.String(required=True),
        "count": fields.Integer(required=True, strict=True),
        "model": fields.String(required=True, metadata={"enum": list(MODELS)}),
        **_numbers(),
        "given": numbers,
        "relative": numbers,
        "gaps": fields.Dict(keys=fields.String(), values=fields.String(), required=True),
        "power_basis": fields.String(required=True, allow_none=True),
        "provenance": fields.Dict(keys=fields.String(), values=fields.Nested(ProvenanceSchema), required=True),
        "result": fields.Nested(UsedResultSchema, required=True, allow_none=True),
        "listed_price": fields.Nested(UsedPriceSchema, required=True, allow_none=True),
        "explanation": fields.List(fields.Nested(StepSchema)),
    }
    own |= {name: fields.List(fields.Nested(each), required=True) for name, each in more}
    return type("OwnedSideSchema" if more else "SideSchema", (Schema,), own)


@cache
def comparison_schema() -> type[Schema]:
    """Schema of `/v1/compare`."""
    own = {
        "baseline": fields.String(required=True),
        "systems": fields.List(fields.Nested(side_schema()), required=True),
    }
    return type("ComparisonSchema", (HeadingSchema, FootingSchema), own)


@cache
def tco_schema() -> type[Schema]:
    """Schema of `/v1/tco`."""
    side = side_schema((("components", ComponentSchema), ("years", YearSchema)))
    own = {
        "baseline": fields.String(required=True),
        "systems": fields.List(fields.Nested(side), required=True),
    }
    return type("TcoSchema", (HeadingSchema, FootingSchema), own)


class UnrankedSchema(Schema):
    """A system that has a result but no place."""

    system = fields.String(required=True)
    reason = fields.String(required=True)


@cache
def ranked_schema() -> type[Schema]:
    """Schema of one place in a ranking."""
    own = {
        "rank": fields.Integer(required=True, strict=True),
        "system": fields.String(required=True),
        "count": fields.Integer(required=True, strict=True),
        **_numbers(),
        "result": fields.Nested(UsedResultSchema, required=True, allow_none=True),
        "listed_price": fields.Nested(UsedPriceSchema, required=True, allow_none=True),
    }
    return type("RankedSchema", (Schema,), own)


@cache
def ranking_schema() -> type[Schema]:
    """Schema of `/v1/ranking`."""
    own: dict[str, Any] = {
        "metric": fields.String(required=True),
        "assumptions": fields.Dict(keys=fields.String(), values=fields.Nested(AssumedSchema), required=True),
        "ranked": fields.List(fields.Nested(ranked_schema()), required=True),
        "unranked": fields.List(fields.Nested(UnrankedSchema), required=True),
        "units": fields.Dict(keys=fields.String(), values=fields.String(), required=True),
        "caveats": fields.List(fields.Nested(CaveatSchema), required=True),
        "notices": fields.List(fields.String(), required=True),
    }
    return type("RankingSchema", (HeadingSchema,), own)


class ClaimsSchema(Schema):
    """Schema of `/v1/claims`."""

    currency = fields.String(required=True)
    as_of = fields.Date(required=True)
    price_kind = fields.List(fields.String(), required=True)
    catalogue = fields.String(required=True)
    given = fields.List(fields.Nested(GivenSchema), required=True)
    claims = fields.List(fields.Nested(ClaimSchema), required=True)


@cache
def list_schema(kind: str, item: type[Schema]) -> type[Schema]:
    """Schema of a list of facts."""
    own = {
        "catalogue": fields.String(required=True),
        "total": fields.Integer(required=True, strict=True),
        "offset": fields.Integer(required=True, strict=True),
        "limit": fields.Integer(required=True, strict=True),
        "next": fields.String(required=True, allow_none=True, metadata={"description": "Address of the next page"}),
        kind: fields.List(fields.Nested(item), required=True),
        "notices": fields.List(fields.String(), required=True, metadata={"description": "What must be said with it"}),
    }
    return type(f"{kind.title()}Schema", (Schema,), own)
