"""The facts with books before them: what a book says of systems, results and assumptions takes its place."""

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pricing.catalogue.books import BookAt
from pricing.catalogue.catalogue import Catalogue, by_benchmark, measured
from pricing.catalogue.own_results import own_result, results_of_runs
from pricing.catalogue.tables import readers
from schemas.assumption import Assumption
from schemas.benchmark_result import BenchmarkResult
from schemas.book_rows import OwnAssumption, OwnResult, OwnRun, OwnSystem
from schemas.price import FACTS
from schemas.system import System


def overlaid(base: Catalogue, version: str, books: tuple[BookAt, ...]) -> Catalogue:
    """The catalogue `base` at a version with these books, the first of which wins. It shares all that is alike."""
    made = copy.copy(base)
    made.version, made.books = version, books
    for book in reversed(books):
        _add_systems(made, book.facts("systems"))
        _add_assumptions(made, book.facts("assumptions"), book.name)
    results = [result for book in books for result in _results(made, book)]
    if results:
        made.official = base
        made.results = (*results, *base.results)
        made.by_id = {each.id: each for each in reversed(made.results)}
        made.by_benchmark = by_benchmark(made.results)
        made.measured = measured(tuple(each for each in made.results if not _is_known(each)))
    return made


def _typed(row_type: type, row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a stored row by the types of its fields."""
    return {name: read(row.get(name) or "") for name, read in readers(row_type).items()}


def _add_systems(made: Catalogue, rows: Mapping[str, Mapping[str, Any]]) -> None:
    if not rows:
        return
    own = (own_system(OwnSystem(**_typed(OwnSystem, row))) for row in rows.values())
    systems = {each.id: each for each in own}
    made.systems = {**made.systems, **systems}
    made.by_alias = dict(made.by_alias)
    for system in systems.values():
        for alias in (system.id, system.name, *system.aliases):
            made.by_alias[alias.casefold()] = system


def own_system(own: OwnSystem) -> System:
    """A book's system as the catalogue has systems."""
    return System(
        id=own.id, name=own.name, vendor=own.vendor, family=own.family or own.id,
        accelerator_model=own.accelerator_model, accelerators=own.accelerators, hosts=own.hosts,
        deployment=own.deployment or "on_premises", rack_units=own.rack_units, max_power_kw=own.max_power_kw,
        typical_power_kw=own.typical_power_kw, released=own.released, aliases=own.aliases, sources=own.source,
        result_rows=0,
    )  # fmt: skip


def _add_assumptions(made: Catalogue, rows: Mapping[str, Mapping[str, Any]], book: str) -> None:
    if not rows:
        return
    made.assumptions = dict(made.assumptions)
    made.presets = {name: dict(held) for name, held in made.presets.items()}
    every_preset_first = sorted(rows.values(), key=lambda row: bool(row.get("preset")))
    for row in every_preset_first:  # one for a single preset takes its place, wherever it stands in the list
        own = OwnAssumption(**_typed(OwnAssumption, row))
        for preset in [own.preset] if own.preset else list(made.presets):
            assumption = _assumption(own, f"{book} {preset}")
            made.assumptions[(own.name, assumption.setting)] = assumption
            made.presets[preset] = {**made.presets.get(preset, {}), own.name: assumption}


def _assumption(own: OwnAssumption, setting: str) -> Assumption:
    low = own.value if own.low is None else own.low
    high = own.value if own.high is None else own.high
    return Assumption(
        own.name, setting, low, own.value, high, own.unit, own.year, "sourced", own.source, own.url, own.note
    )


def _results(made: Catalogue, book: BookAt) -> list[BenchmarkResult]:
    """The book's results of systems that there are, or of none, and those that its runs make."""
    versions = {(each.id, name): each for each in made.benchmarks for name in each.rounds}
    sources = sorted({each.source for each in book.imports if each.noun == "runs"})
    runs = {name: [OwnRun(**_typed(OwnRun, row)) for row in book.facts("runs", name).values()] for name in sources}
    held = [OwnResult(**_typed(OwnResult, row)) for row in book.facts("results").values()]
    return [
        _repeating(made, own_result(each, made.systems.get(each.system or ""), versions, book.name))
        for each in (*held, *results_of_runs(runs, made.systems))
        if each.system is None or each.system in made.systems
    ]


def _repeating(made: Catalogue, result: BenchmarkResult) -> BenchmarkResult:
    """The result; where it is a shipped one, read again from its logs, it says so."""
    shipped = made.by_id.get(result.id.removeprefix(f"{result.book}/"))
    if result.kind != "logs" or shipped is None or shipped.time_to_train_minutes != result.time_to_train_minutes:
        return result
    return replace(result, repeat_of=shipped.id)


def _is_known(result: BenchmarkResult) -> bool:
    """Whether a book's result is a shipped one, which then is no new point."""
    return result.book != FACTS and result.repeat_of is not None
