"""The parts of answers as JSON holds them."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import date
from typing import Any

from pricing.analysis.compare import Comparison
from pricing.analysis.converting import exchanging
from pricing.analysis.gathering import preset_values
from pricing.analysis.question import Question, Rules
from pricing.analysis.side import GIVEN, Origin, Side
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.per_unit import HOURS_CONVENTION, Normalised, normalised
from pricing.catalogue.results import spread_of, why_unscored
from pricing.explain import steps
from pricing.graph import graph, model_of, read_under, unit_of
from pricing.quantities.inputs import BY_NAME
from pricing.quantities.rental import rented_cost_per_run
from schemas.benchmark_result import BenchmarkResult
from schemas.caveat import Caveat
from schemas.price import Price
from schemas.system import System

EXACT = 2.0**53
Document = dict[str, Any]


def exact(value: float | None) -> float | int | None:
    """A whole number as one, so that a price of 149995 is not written 149995.0."""
    return int(value) if value is not None and value.is_integer() and abs(value) < EXACT else value


def heading(catalogue: Catalogue, asked: Question, rules: Rules) -> Document:
    """What was asked, what we decided where it was left open, and the rules of the results used."""
    return {
        "benchmark": asked.benchmark,
        "round": rules.round,
        "division": rules.division,
        "parameters": asked.training and asked.training.parameters,
        "tokens": asked.training and asked.training.tokens,
        "precision": asked.training and asked.training.precision,
        "currency": asked.currency,
        "as_of": asked.as_of.isoformat(),
        "exchange_date": asked.exchange_date.isoformat() if asked.exchange_date else None,
        "books": [each.name for each in catalogue.books],
        "catalogue": catalogue.version,
        "preset": asked.preset,
        "bases": dict(asked.bases),
    }


def named(side: Side) -> Document:
    """What tells a side from the others."""
    choice = side.choice
    return {"system": choice.system, "count": choice.count, "model": model_of(choice.bases)}


def cited(catalogue: Catalogue, asked: Question, rules: Rules) -> dict[str, Any]:
    """What must stand beside a figure wherever it goes: the heading, as columns."""
    return {name: value for name, value in heading(catalogue, asked, rules).items() if name not in ("bases", "books")}


def warned(caveats: Iterable[Caveat], side: str | None = None) -> str:
    """The caveats of a side, or of all, in one cell."""
    return " ".join(f"[{each.code}] {each.detail}" for each in caveats if side is None or side in each.systems)


def footing(each: Comparison, names: tuple[str, ...]) -> Document:
    """What belongs to all figures: units, assumptions, what is not counted, caveats and notices."""
    return {
        "units": units_of(each, names),
        "assumptions": assumptions_of(each.catalogue, each.question, each.sides),
        "not_counted": not_counted(each),
        "caveats": [caveat_document(caveat) for caveat in each.caveats],
        "notices": list(each.notices),
    }


def caveat_document(caveat: Caveat) -> Document:
    """A caveat as JSON holds it."""
    return {
        "code": caveat.code,
        "systems": list(caveat.systems),
        "severity": caveat.severity,
        "detail": caveat.detail,
    }


def units_of(each: Comparison, names: tuple[str, ...]) -> dict[str, str]:
    """The unit of each number."""
    return {name: unit_of(name, each.question.currency) for name in names}


def assumptions_of(catalogue: Catalogue, asked: Question, sides: Iterable[Side]) -> dict[str, dict[str, Any]]:
    """The assumptions that hold for all sides, with where each is from; a side's own stand with the side."""
    filled = preset_values(catalogue, asked.preset, exchanging(catalogue, asked, asked.assumptions))
    found: dict[str, dict[str, Any]] = {}
    used = {name for bases in dict.fromkeys(each.choice.bases for each in sides) for name in read_under(bases)}
    for name, known in sorted(BY_NAME.items()):
        if known.origin == "assumption" and (name in used or known.by_caveats):
            given = asked.assumptions.get(name)
            value = given if given is not None else filled.values.get(name)
            origin = GIVEN if given is not None else filled.origins.get(name, {"status": "missing"})
            found[name] = {"value": value, "unit": unit_of(name, asked.currency), **origin}
    return found


def not_counted(each: Comparison) -> list[str]:
    """Names in the preset that no formula reads: what the figures leave out."""
    return sorted(each.catalogue.preset(each.question.preset).keys() - BY_NAME.keys())


def provenance(each: Comparison, side: Side, names: tuple[str, ...]) -> dict[str, Origin]:
    """Where each number of a side is from; an assumption of the side's own is among them."""
    quantities = graph(side.choice.bases).quantities
    found: dict[str, Origin] = {}
    for name in names:
        if name in side.provenance:
            found[name] = side.provenance[name]
        elif name in side.values:
            found[name] = {"status": "derived", "formula": quantities[name].text}
    own = (name for name in side.choice.given if name not in found)
    return found | {name: side.provenance[name] for name in own}


def explanation(each: Comparison, side: Side, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """The side's sums, term by term, each input with its unit and source."""
    whole = graph(side.choice.bases)
    found = steps(whole, names, side.known, side.values)
    for step in found:
        step["unit"] = unit_of(step["name"], each.question.currency)
        step["sources"] = {name: side.provenance[name] for name in step["inputs"] if name in side.provenance}
    return found


def result_of(side: Side) -> dict[str, Any] | None:
    """The result whose time was used, and those that competed with it."""
    result = side.result.result
    if result is None:
        return None
    return {**result_document(result), "competing": [each.id for each in side.result.competing]}


def result_document(result: BenchmarkResult, cautions: Iterable[str] = ()) -> Document:
    """A result as JSON holds it."""
    row = result.row
    spread, time = spread_of(result), result.time_to_train_minutes
    half = spread.half_width if spread and time is not None else None
    return {
        "id": result.id, "benchmark": result.benchmark, "round": row.round, "division": row.division,
        "version_group": result.version_group, "submitter": row.submitter, "organisation": result.organisation,
        "system_id": row.system_id, "system": result.system, "units": result.units, "hosts": result.hosts,
        "availability": result.availability, "accelerator_model": row.accelerator_model,
        "accelerators_total": row.accelerators_total, "time_to_train_minutes": result.time_to_train_minutes,
        "unscaled_minutes": row.minutes, "minutes_min": row.minutes_min, "minutes_max": row.minutes_max,
        "run_minutes": list(result.run_minutes), "run_deviation_minutes": spread.deviation if spread else None,
        "time_low_minutes": None if half is None or time is None else max(time - half, 0.0),
        "time_high_minutes": None if half is None or time is None else time + half,
        "runs": row.runs, "runs_failed": row.runs_failed, "runs_absent": row.runs_absent,
        "scaling_factor": row.scaling_factor,
        "energy_j": row.energy_j, "framework": row.framework, "results_dir": row.results_dir,
        "log_url": result.log_url,
        "repeat_of": result.repeat_of, "doubt_level": result.doubt_level, "doubt": result.doubt,
        "book": result.book, "kind": result.kind, "note": result.note or why_unscored(result),
        "price_per_hour": result.price_per_hour,
        "currency": result.currency, "cost_per_run": _rented(result), "cautions": list(cautions),
    }  # fmt: skip


def _rented(result: BenchmarkResult) -> float | None:
    """What the run cost at the price an hour that its entry says."""
    if result.price_per_hour is None or result.time_to_train_minutes is None:
        return None
    return rented_cost_per_run(result.price_per_hour, 1.0, result.time_to_train_minutes)


def price_of(side: Side) -> dict[str, Any] | None:
    """The price row that was used or estimated from, and those that competed with it."""
    price = side.price_row
    if price is None:
        return None
    return {**price_document(price), "competing": [price_document(each) for each in side.price.competing]}


def price_document(price: Price, system: System | None = None) -> Document:
    """A price as JSON holds it; with its system, also on the footings on which prices compare."""
    return price_cells_document({name: getattr(price, name) for name in PRICE_FIELDS}, system)


def price_cells_document(found: Document, system: System | None) -> Document:
    """Make a price, given as its fields by name, what JSON holds; its system may be one that is no longer known."""
    found["unit"] = _price_unit(found)
    for name in ("valid_from", "valid_to", "observed_until"):
        if found[name].__class__ is date:
            found[name] = found[name].isoformat()
    if system is not None:
        amounts = normalised(found["amount"], found["per"], found["every"], system)
        found.update(zip(FOOTINGS, amounts, strict=True))
        found["hours_convention"] = HOURS_CONVENTION
    return found


def _price_unit(cells: Mapping[str, Any]) -> str:
    once = f"{cells['currency']} / {cells['per']}"
    return once if cells["every"] == "once" else f"{once} / {cells['every']}"


PRICE_FIELDS = tuple(each.name for each in fields(Price))
FOOTINGS = tuple(f"amount_{name}" for name in Normalised._fields)
