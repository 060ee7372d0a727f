"""The same systems over rounds: how much faster the software made them, as speed-up and as time reduction.

The two are often confused: a time cut by 24 % is a speed-up of 31 %. Both stand here, side by side.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pricing.analysis.asking import settle
from pricing.analysis.comparable import objections
from pricing.analysis.question import Question
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.resolution import Wanted, choose_result
from pricing.errors import BadQuestion, Competing
from schemas.benchmark_result import BenchmarkResult
from schemas.question import split_count
from schemas.system import System

HIGH = "high"


class Change(NamedTuple):
    """From one time to a later one: a speed-up of 1.25 is a time reduction of 0.2. None where they do not compare."""

    speed_up: float | None
    time_reduction: float | None
    reason: str | None


class Step(NamedTuple):
    """A round, with the change since the first round and since the one before; None in the first."""

    result: BenchmarkResult
    since_first: Change | None
    since_before: Change | None


class Missing(NamedTuple):
    """A round without a result to show, and why."""

    round: str
    reason: str


@dataclass(frozen=True, slots=True)
class Progress:
    """So many of a system over the rounds of a benchmark, oldest first."""

    catalogue: Catalogue
    question: Question
    system: System
    count: int
    steps: tuple[Step, ...]
    missing: tuple[Missing, ...]


def progress(catalogue: Catalogue, fields: Mapping[str, Any]) -> Progress:
    """The progress of a system over rounds. Raises UnknownName or BadQuestion."""
    count, name = split_count(fields["system"])
    system = catalogue.system(name)
    rounds = catalogue.rounds(fields["benchmark"])
    question = settle(catalogue, {**fields, "systems": (), "round": rounds[-1]})
    found = list(_results(catalogue, question, system, count))
    results = [each for each in found if isinstance(each, BenchmarkResult)]
    if not results:
        what = f"{question.division} {question.benchmark} result of {count}*{system.id}"
        raise BadQuestion("system", f"no round has a {what}")
    missing = tuple(each for each in found if isinstance(each, Missing))
    return Progress(catalogue, question, system, count, tuple(_steps(catalogue, results)), missing)


def _results(
    catalogue: Catalogue, question: Question, system: System, count: int
) -> Iterator[BenchmarkResult | Missing]:
    """For each round the result that wins, by the rule of every answer."""
    benchmark = question.benchmark or ""
    for each_round in catalogue.rounds(benchmark):
        wanted = Wanted(benchmark, each_round, question.division, question.submitter)
        try:
            chosen = choose_result(catalogue, system, count, wanted)
        except Competing as error:
            yield Missing(each_round, f"{error}; choose one by submitter")
            continue
        result = chosen.result
        if result and result.doubt_level == HIGH:
            yield Missing(each_round, f"{result.id} is in doubt: {result.doubt}")
        else:
            yield result or Missing(each_round, chosen.reason)


def _steps(catalogue: Catalogue, results: list[BenchmarkResult]) -> Iterator[Step]:
    before: BenchmarkResult | None = None
    for each in results:
        since_first = _change(catalogue, results[0], each) if before else None
        yield Step(each, since_first, _change(catalogue, before, each) if before else None)
        before = each


def _change(catalogue: Catalogue, one: BenchmarkResult, other: BenchmarkResult) -> Change:
    reasons = list(objections(catalogue, one, other))
    if one.organisation != other.organisation:
        reasons.append(f"another submitter: {other.organisation}, and {one.organisation} in {one.row.round}")
    if reasons:
        return Change(None, None, "; ".join(reasons))
    before, after = one.time_to_train_minutes or 0.0, other.time_to_train_minutes or 0.0
    return Change(before / after, 1 - after / before, None)
