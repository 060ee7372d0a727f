"""The parameters of each question, one schema for HTTP and the command line."""

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, pre_load

from pricing.analysis.asking import ASSUMPTIONS
from pricing.analysis.own import bounds_of
from pricing.catalogue.names import nearest
from pricing.quantities.inputs import BY_NAME
from pricing.registry import choices, ways_to
from schemas.numbers import Bounds, Number, Whole
from schemas.price import FACTS
from schemas.question import Flag, Name, Names, QuestionSchema, Set, options
from schemas.vary import Vary
from service.formats import FORMATS

MOST_ITEMS = 500
MOST_SAMPLES, MOST_SEED = 100_000, 2**31 - 1


OF_MANY = tuple(name for name in FORMATS if name != "value")


class Token(Name):
    """A sheet token; whether it holds is known before the parameters are read."""

    form: ClassVar[dict[str, Any]] = {"type": "string", "pattern": "^tcs_[0-9a-f]{12}_[0-9a-f]{32}$"}


class Strict(Schema):
    """Parameters of which an unknown one is an error that names the nearest."""

    @pre_load
    def refuse_unknown(self, data: Any, **kwargs: Any) -> Any:
        """Name every unknown parameter, with what may have been meant."""
        if not hasattr(data, "keys"):
            raise ValidationError({"body": ["must be a JSON object"]})
        known = [*self.fields]
        unknown = [name for name in dict.fromkeys(data) if name not in known]
        if unknown:
            raise ValidationError({str(name)[:200]: [_unknown(str(name), known)] for name in unknown[:20]})
        return data


class Parameters(Strict):
    """Parameters of what is read: how it is written, and who asks where no header can be sent."""

    format = fields.String(validate=options(*OF_MANY), metadata={"description": "How the answer is written"})
    token = Token(metadata={"description": "A sheet token, where no header can be sent; it may only read"})


def _unknown(name: str, known: list[str]) -> str:
    near = nearest(name, known)
    return f"unknown parameter; nearest: {', '.join(near)}" if near else "unknown parameter; see /openapi.json"


def assumption_fields() -> dict[str, fields.Field[Any]]:
    """A parameter for each assumption and each choice of a basis."""
    found: dict[str, fields.Field[Any]] = {
        choice: fields.String(validate=options(*names), metadata={"description": f"The way to {ways_to(choice)}"})
        for choice, names in choices().items()
    }
    for name in ASSUMPTIONS:
        known = BY_NAME[name]
        text = f"{known.about} [{known.unit}], {bounds_of(name)}"
        found[name] = Number(bounds=bounds_of(name), metadata={"description": text})
    return found


def training_fields() -> dict[str, fields.Field[Any]]:
    """Parameters of a model whose time is estimated."""
    names = ("parameters", "tokens", "flop_per_parameter_token", "mfu_share")
    about = {name: f"{BY_NAME[name].about} [{BY_NAME[name].unit}], {bounds_of(name)}" for name in names}
    return {name: Number(bounds=bounds_of(name), metadata={"description": about[name]}) for name in names}


@cache
def compare_parameters() -> type[Schema]:
    """Parameters of `/v1/compare` and `/v1/tco`."""
    about = {"description": "How the answer is written; value is the one figure of system and field"}
    own = {
        "baseline": Name(metadata={"description": "One of the systems; the first unless asked"}),
        "format": fields.String(validate=options(*FORMATS), metadata=about),
    }
    shared = {**assumption_fields(), **training_fields()}
    return type("CompareParameters", (Parameters, QuestionSchema), {**shared, **own})


@cache
def compare_body() -> type[Schema]:
    """The same as JSON, where own figures may be an object."""
    about = {"description": "Own figures by system and name, as `set` has them"}
    figures = fields.Dict(keys=Name(), values=fields.Dict(keys=Name(), values=fields.Raw()), metadata=about)
    return type("CompareBody", (compare_parameters(),), {"overrides": figures, "Meta": InBody})


class InBody:
    """Options of a schema for a body: a token stands in an address or nowhere."""

    exclude = ("token",)


@cache
def body_of(schema: type[Schema]) -> type[Schema]:
    """The same parameters as the fields of a JSON body."""
    return type(schema.__name__.replace("Parameters", "Body"), (schema,), {"Meta": InBody})


@cache
def ranking_parameters() -> type[Schema]:
    """Parameters of `/v1/ranking`."""
    shared = (
        "round",
        "division",
        "currency",
        "as_of",
        "catalogue",
        "preset",
        "exchange_date",
        "region",
        "quantity",
        "books",
        "price_kind",
        "submitter",
        "estimate",
        "grid",
    )
    own = {name: QuestionSchema._declared_fields[name] for name in shared}
    own["benchmark"] = Name(required=True, metadata={"description": "Benchmark id", "example": "resnet"})
    own["metric"] = Name(metadata={"description": "What to rank by; performance_per_dollar unless asked"})
    return type("RankingParameters", (Parameters,), {**own, **assumption_fields()})


@cache
def robustness_parameters() -> type[Schema]:
    """Parameters of `/v1/robustness`."""
    left_out = ("system", "field", "explain")
    shared = {name: each for name, each in QuestionSchema._declared_fields.items() if name not in left_out}
    own: dict[str, Any] = {
        "baseline": Name(metadata={"description": "One of the systems; the first unless asked"}),
        "metric": Name(metadata={"description": "What to compare by; performance_per_dollar unless asked"}),
        "vary": Vary(metadata={"description": Vary.__doc__}),
        "samples": Whole(100, MOST_SAMPLES, metadata={"description": "Draws; 10000 unless asked"}),
        "seed": Whole(0, MOST_SEED, metadata={"description": "Of the draws; 1 unless asked"}),
    }
    return type("RobustnessParameters", (Parameters,), {**shared, **assumption_fields(), **training_fields(), **own})


@cache
def breakeven_parameters() -> type[Schema]:
    """Parameters of `/v1/breakeven`."""
    left_out = ("system", "field", "explain")
    shared = {name: each for name, each in QuestionSchema._declared_fields.items() if name not in left_out}
    own: dict[str, Any] = {
        "baseline": Name(metadata={"description": "One of the systems; the first unless asked"}),
        "metric": Name(metadata={"description": "By which prices tie; performance_per_dollar unless asked"}),
    }
    return type("BreakevenParameters", (Parameters,), {**shared, **assumption_fields(), **own})


@cache
def sizing_parameters() -> type[Schema]:
    """Parameters of `/v1/sizing`."""
    ranked = ranking_parameters()._declared_fields
    shared = {name: each for name, each in ranked.items() if name != "metric"}
    limits = {
        "deadline_minutes": (BY_NAME["time_to_train_minutes"].high, "A run must not take longer [min]"),
        "budget": (1e15, "All that is paid on the day of purchase must not be more [currency]"),
        "budget_per_year": (1e15, "All costs of ownership a year must not be more [currency / year]"),
        "most_racks": (1e6, "Whole racks that there is room for"),
        "most_power_kw": (1e6, "Maximum IT power that there is [kW]"),
        "runs_per_year": (1e12, "Training runs wanted in a year; as many clusters are counted as they need"),
    }
    own: dict[str, Any] = {
        name: Number(bounds=Bounds(0.0, most, open_low=True), metadata={"description": text})
        for name, (most, text) in limits.items()
    }
    own["only"] = Names(metadata={"description": "Only these systems; all that were measured unless asked"})
    own["time_estimate"] = QuestionSchema._declared_fields["time_estimate"]
    return type("SizingParameters", (Parameters,), {**shared, **own})


@cache
def scaling_parameters() -> type[Schema]:
    """Parameters of `/v1/scaling`."""
    accelerators = {"description": "A size whose time is asked for, measured or not"}
    beyond = {"description": "1 to go beyond the measured sizes"}
    own = {
        "accelerators": Whole(1, 1_000_000, metadata=accelerators),
        "extrapolate": Flag(metadata=beyond),
    }
    about = "System id or alias; all sizes of its family are shown"
    return type("ScalingParameters", (Parameters,), {**_of_one_system(about, "round"), **own})


@cache
def progress_parameters() -> type[Schema]:
    """Parameters of `/v1/progress`."""
    about = "System id or alias; 8*dgx-a100-640gb for eight on one job"
    return type("ProgressParameters", (Parameters,), _of_one_system(about))


def _of_one_system(about: str, *more: str) -> dict[str, Any]:
    """Parameters of a question about the measured times of one system."""
    shared = ("division", "submitter", "catalogue", "books", *more)
    system = {"description": about, "example": "ipu-pod16"}
    return {
        **{name: QuestionSchema._declared_fields[name] for name in shared},
        "system": Name(required=True, metadata=system),
        "benchmark": Name(required=True, metadata={"description": "Benchmark id", "example": "resnet"}),
    }


@cache
def claims_parameters() -> type[Schema]:
    """Parameters of `/v1/claims`."""
    shared = ("as_of", "catalogue", "books", "price_kind")
    own: dict[str, Any] = {name: QuestionSchema._declared_fields[name] for name in shared}
    own["set"] = Set(metadata={"description": "Own figures in place of the catalogue's, SYSTEM.NAME:VALUE"})
    own["claim"] = Whole(1, 1_000_000, metadata={"description": "Only the claim of this number"})
    return type("ClaimsParameters", (Parameters,), own)


def books_asked(fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The books to open: those asked, else the one that a list is filtered by."""
    books: tuple[str, ...] | None = fields.get("books")
    only = fields.get("book")
    return books if books is not None or only in (None, FACTS) or "catalogue" in fields else (only,)


@cache
def list_parameters(*filters: str) -> type[Schema]:
    """Parameters of a list of facts: its filters, and the page wanted."""
    own: dict[str, Any] = {name: Name(metadata={"description": f"Only this {name}"}) for name in filters}
    shared = ("catalogue", "books")
    own |= {name: QuestionSchema._declared_fields[name] for name in shared}
    own["limit"] = Whole(1, MOST_ITEMS, metadata={"description": "Items on a page; 100 unless asked"})
    own["offset"] = Whole(0, 1_000_000, metadata={"description": "Items before the page"})
    return type(f"{''.join(filters).title()}ListParameters", (Parameters,), own)


@cache
def item_parameters() -> type[Schema]:
    """Parameters of one fact: the format, and the catalogue that it is from."""
    shared = ("catalogue", "books")
    return type("ItemParameters", (Parameters,), {name: QuestionSchema._declared_fields[name] for name in shared})


@cache
def batch_row() -> type[Schema]:
    """The fields of one question of a batch: those of a comparison, but for how it is written."""
    left_out = ("format", "token", "field", "explain", "catalogue", "books")
    fields_ = {name: each for name, each in compare_body()._declared_fields.items() if name not in left_out}
    return type("BatchRow", (Strict,), fields_)


@cache
def batch_parameters() -> type[Schema]:
    """Parameters of `/v1/batch`: what is wanted of all rows, and fields for rows that have none of their own."""
    shared = {name: each for name, each in batch_row()._declared_fields.items() if name not in ("systems", "overrides")}
    own: dict[str, Any] = {
        "fields": Names(required=True, metadata={"description": "Figures wanted, such as cost_per_run,relative.price"}),
        "format": fields.String(
            validate=options("json", "ndjson", "csv", "xlsx"), metadata={"description": "How the answers are written"}
        ),
        "delimiter": fields.String(
            validate=options("comma", "semicolon", "tab"), metadata={"description": "Between the cells of a CSV"}
        ),
        "catalogue": QuestionSchema._declared_fields["catalogue"],
        "books": QuestionSchema._declared_fields["books"],
    }
    return type("BatchParameters", (Strict,), {**shared, **own})


@cache
def quote_parameters() -> type[Schema]:
    """Parameters of one quote: its format, or one figure of it."""
    own: dict[str, Any] = {
        "format": fields.String(
            validate=options("json", "csv", "tsv", "table", "md", "value"),
            metadata={"description": "How it is written; value is the one figure of system and field"},
        ),
        "system": Name(metadata={"description": "With `field`: whose figure"}),
        "field": Name(metadata={"description": "One figure only, such as relative.performance_per_dollar"}),
    }
    return type("QuoteParameters", (Parameters,), own)
