"""Which results may be set beside a given one, and what must be said with it.

Two results compare where benchmark, version of its rules, division and kind of source are alike, and MLCommons' own
table of comparable rounds does not say otherwise. Source: MLPerf Results Messaging Guidelines and Compatibility
Table, mlcommons/policies.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import nearest
from pricing.errors import UnknownName
from schemas.benchmark_result import BenchmarkResult

OPEN = "open division: the models and methods may differ"


class Comparable(NamedTuple):
    """A result that compares with the one asked, and cautions."""

    result: BenchmarkResult
    cautions: tuple[str, ...]


def result_named(catalogue: Catalogue, name: str) -> BenchmarkResult:
    """The result of that id. Raises UnknownName."""
    if name not in catalogue.by_id:
        raise UnknownName("result", name, nearest(name, catalogue.by_id))
    return catalogue.by_id[name]


def comparable_with(catalogue: Catalogue, name: str) -> Iterator[Comparable]:
    """Every scored result that compares with the one of that id, itself left out. Raises UnknownName."""
    asked = result_named(catalogue, name)
    for each in catalogue.results:
        scored = each.time_to_train_minutes is not None and each.id != asked.id
        if scored and not list(objections(catalogue, asked, each)):
            yield Comparable(each, tuple(_cautions(asked, each)))


def objections(catalogue: Catalogue, one: BenchmarkResult, other: BenchmarkResult) -> Iterator[str]:
    """Why two results do not compare; nothing where they do."""
    if one.benchmark != other.benchmark:
        yield f"the benchmarks differ: {one.benchmark}, {other.benchmark}"
        return
    if one.version_group != other.version_group:
        yield f"the rules differ: {one.version_group}, {other.version_group}"
    groups = [catalogue.mlcommons_group(each.benchmark, each.row.round) for each in (one, other)]
    if groups[0] != groups[1]:
        yield f"MLCommons' table has {one.row.round} and {other.row.round} in different groups"
    if one.row.division != other.row.division:
        yield f"the divisions differ: {one.row.division}, {other.row.division}"
    if kind_of_source(one) != kind_of_source(other):
        yield f"the kinds of source differ: {one.kind}, {other.kind}"


def kind_of_source(result: BenchmarkResult) -> str:
    """Results of MLCommons' repositories compare with each other, and so do those of each other kind."""
    return "mlperf" if result.kind in ("mlperf", "logs") else result.kind


def _cautions(asked: BenchmarkResult, each: BenchmarkResult) -> Iterator[str]:
    """What differs between results that compare, and what is weak in the second."""
    pairs = {
        "round": (asked.row.round, each.row.round),
        "availability": (asked.availability, each.availability),
        "accelerators": (asked.row.accelerators_total, each.row.accelerators_total),
    }
    for name, (one, other) in pairs.items():
        if one != other:
            yield f"{name}: {one}, {other}"
    if asked.row.division == "open":
        yield OPEN
    if each.repeat_of:
        yield f"repeats {each.repeat_of}: no new measurement"
    if each.doubt:
        yield f"doubt ({each.doubt_level}): {each.doubt}"
    if each.kind == "logs":
        yield "read from logs of a book: traincost did not check that MLCommons published it"


def cautions_among(results: Sequence[BenchmarkResult]) -> tuple[str, ...]:
    """What must be said where results are joined in one curve or one estimate."""
    return tuple(_cautions_among(results))


def _cautions_among(results: Sequence[BenchmarkResult]) -> Iterator[str]:
    if any(each.row.division == "open" for each in results):
        yield OPEN
    for name, values in {
        "availability": [each.availability for each in results],
        "submitters": [each.organisation for each in results],
    }.items():
        if len(set(values)) > 1:
            yield f"{name} differ: {', '.join(dict.fromkeys(values))}"
    if repeated := [each.id for each in results if each.repeat_of]:
        yield f"submitted again, no new measurements: {', '.join(repeated)}"
    for each in results:
        if each.doubt:
            yield f"doubt ({each.doubt_level}) about {each.id}: {each.doubt}"
        if each.note:
            yield f"{each.id}: {each.note}"
