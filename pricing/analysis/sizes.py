"""The measured sizes of a family of systems, the curves through them, and the times of sizes that nobody measured."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pricing.analysis.comparable import cautions_among, kind_of_source
from pricing.analysis.curves import UNKNOWNS, Curve, Point, between, fit
from pricing.analysis.question import Question
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.resolution import Wanted, choose_result
from pricing.errors import BadQuestion, Competing
from schemas.benchmark_result import BenchmarkResult
from schemas.price import FACTS
from schemas.system import System

INTERPOLATED, EXTRAPOLATED = "interpolated", "extrapolated"
HIGH = "high"
WON = "of this size another result is used"


class Size(NamedTuple):
    """A measured size. Speed-ups are over the smallest size, and over the size before."""

    result: BenchmarkResult
    accelerators: int
    minutes: float
    speed_up: float
    scaling_efficiency: float
    step_speed_up: float | None
    step_efficiency: float | None


class LeftOut(NamedTuple):
    """A size that is no point of the curve, and why."""

    name: str
    reason: str


class Estimate(NamedTuple):
    """A time that nobody measured [min], and how it came about; the interval holds 90 of 100 new measurements."""

    accelerators: int
    minutes: float
    low: float | None
    high: float | None
    status: str
    rule: str
    results: tuple[BenchmarkResult, ...]
    """The measured times that it rests on."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """Measured sizes of one family under one set of rules, smallest first. `curves` has the best first."""

    catalogue: Catalogue
    question: Question
    system: System
    sizes: tuple[Size, ...]
    left_out: tuple[LeftOut, ...]
    curves: tuple[Curve, ...]
    estimate: Estimate | None
    cautions: tuple[str, ...]
    """What must be said of these results beside each other."""


def family_of(catalogue: Catalogue, system: System) -> list[System]:
    """The systems that are the same machine in other sizes: vendor, family and accelerator are alike."""
    kind = (system.vendor, system.family, system.accelerator_model)
    return [each for each in catalogue.systems.values() if (each.vendor, each.family, each.accelerator_model) == kind]


def measured_sizes(catalogue: Catalogue, question: Question, system: System) -> Scaling:
    """Every size of the family that was measured under the question's rules, one point each. Raises BadQuestion."""
    if not system.accelerators:
        raise BadQuestion("system", f"{system.id} has no accelerators, by which sizes are counted")
    chosen = list(_chosen(catalogue, question, family_of(catalogue, system)))
    results = [each for each in chosen if isinstance(each, BenchmarkResult)]
    left_out = [each for each in chosen if isinstance(each, LeftOut)]
    alike, others = _of_one_kind(results)
    unlike = "its kind of source, {kind}, does not compare with that of the others"
    left_out += [LeftOut(each.id, unlike.format(kind=each.kind)) for each in others]
    points, slower = _one_a_size(catalogue, alike)
    sizes = tuple(_sizes(points))
    curves = fit([Point(each.accelerators, each.minutes) for each in sizes])
    cautions = cautions_among([each.result for each in sizes])
    return Scaling(catalogue, question, system, sizes, (*left_out, *slower), tuple(curves), None, cautions)


def _of_one_kind(results: Sequence[BenchmarkResult]) -> tuple[list[BenchmarkResult], list[BenchmarkResult]]:
    """Results whose kinds of source compare, and the others; a book's own count first, as in every answer."""
    kinds = [kind_of_source(each) for each in sorted(results, key=lambda each: each.book == FACTS)]
    alike = [each for each in results if kind_of_source(each) == kinds[0]]
    return alike, [each for each in results if each not in alike]


def _one_a_size(
    catalogue: Catalogue, results: Sequence[BenchmarkResult]
) -> tuple[dict[int, BenchmarkResult], list[LeftOut]]:
    """The fastest result of each number of accelerators, and the others."""
    found: dict[int, BenchmarkResult] = {}
    slower: list[LeftOut] = []
    for each in sorted(results, key=lambda each: each.time_to_train_minutes or 0.0):
        size = catalogue.systems[each.system or ""].accelerators * (each.units or 0)
        if found.setdefault(size, each) is not each:
            slower.append(LeftOut(each.id, f"of this size {found[size].id} is faster"))
    return found, slower


def _chosen(catalogue: Catalogue, question: Question, systems: list[System]) -> Iterator[BenchmarkResult | LeftOut]:
    """For each size of each system the result that wins, by the rule of every answer, and those that it won over."""
    rows = catalogue.measured.get((question.benchmark or "", question.round or "", question.division), [])
    wanted = Wanted(question.benchmark or "", question.round or "", question.division, question.submitter)
    for system in systems:
        for units in sorted({each.units or 0 for each in rows if each.system == system.id}):
            try:
                found = choose_result(catalogue, system, units, wanted)
            except Competing as error:
                yield LeftOut(f"{units}*{system.id}", f"{error}; choose one by submitter")
                continue
            yield from (LeftOut(each.id, f"{each.time_to_train_minutes} min; {WON}") for each in found.competing)
            if found.result is None:
                yield LeftOut(f"{units}*{system.id}", found.reason)
            elif found.result.doubt_level == HIGH:
                yield LeftOut(found.result.id, f"in doubt: {found.result.doubt}")
            else:
                yield found.result


def _sizes(results: Mapping[int, BenchmarkResult]) -> Iterator[Size]:
    """The points in the order of their sizes, each set against the first and the one before."""
    first: Size | None = None
    before: Size | None = None
    for accelerators, result in sorted(results.items()):
        minutes = result.time_to_train_minutes or math.nan
        speed_up = first.minutes / minutes if first else 1.0
        step = before.minutes / minutes if before else None
        size = Size(
            result, accelerators, minutes, speed_up,
            speed_up / (accelerators / first.accelerators) if first else 1.0,
            step, step / (accelerators / before.accelerators) if step and before else None,
        )  # fmt: skip
        first, before = first or size, size
        yield size


def estimated(found: Scaling, accelerators: int, *, beyond: bool) -> Estimate | None:
    """The time of a size that was not measured; None of one that was. Raises BadQuestion.

    Between two measured sizes it lies on the power curve through both; beyond them, if asked, it goes on from the
    nearest one as the best curve goes.
    """
    if any(each.accelerators == accelerators for each in found.sizes):
        return None
    below = [each for each in found.sizes if each.accelerators < accelerators]
    above = [each for each in found.sizes if each.accelerators > accelerators]
    if below and above:
        return _interpolated(found, (below[-1], above[0]), accelerators)
    _check_curve(found, accelerators, beyond=beyond)
    curve, end = found.curves[0], (below[-1] if below else above[0])
    minutes = end.minutes * curve.minutes(accelerators) / curve.minutes(end.accelerators)
    through = f"{len(found.sizes)} sizes, {curve.form.formula}"
    rule = f"extrapolated from {end.accelerators:,} accelerators along the {curve.form.name} curve through {through}"
    unsure = "" if curve.deviation is not None else "; two sizes say nothing of its error"
    results = tuple(each.result for each in found.sizes)
    return _with_interval(found, accelerators, minutes, (EXTRAPOLATED, f"{rule}{unsure}", results))


def _interpolated(found: Scaling, ends: tuple[Size, Size], accelerators: int) -> Estimate:
    low, high = (Point(each.accelerators, each.minutes) for each in ends)
    if high.minutes > low.minutes:
        rises = f"from {low.size:,} to {high.size:,} accelerators the measured time rises"
        raise BadQuestion("accelerators", f"{rises}, {low.minutes:g} to {high.minutes:g} min: nothing lies between")
    rule = f"interpolated between {low.size:,} and {high.size:,} accelerators, as a power of the size"
    results = tuple(each.result for each in ends)
    return _with_interval(found, accelerators, between(low, high, accelerators), (INTERPOLATED, rule, results))


def _check_curve(found: Scaling, accelerators: int, *, beyond: bool) -> None:
    """Refuse to go beyond the measured sizes where that is not asked, or where no curve leads. Raises BadQuestion."""
    sizes = [each.accelerators for each in found.sizes]
    if len(sizes) < UNKNOWNS:
        measured = "one measured size gives" if sizes else "no measured size gives"
        raise BadQuestion("accelerators", f"{measured} no curve: at least two of the family are needed")
    if not found.curves:
        raise BadQuestion("accelerators", "the time does not fall as the family grows, so that no curve is fitted")
    if not beyond:
        outside = f"{accelerators:,} lies outside the measured sizes, {sizes[0]:,} to {sizes[-1]:,}"
        raise BadQuestion("accelerators", f"{outside}: ask for extrapolate")


How = tuple[str, str, tuple[BenchmarkResult, ...]]


def _with_interval(found: Scaling, accelerators: int, minutes: float, how: How) -> Estimate:
    spread = found.curves[0].spread(accelerators) if found.curves else None
    if spread is None:
        return Estimate(accelerators, minutes, None, None, *how)
    return Estimate(accelerators, minutes, minutes * math.exp(-spread), minutes * math.exp(spread), *how)


def size_estimate(catalogue: Catalogue, question: Question, system: System, count: int) -> Estimate:
    """The time of so many systems, as the question lets it be estimated. Raises BadQuestion."""
    found = measured_sizes(catalogue, question, system)
    asked = system.accelerators * count
    estimate = estimated(found, asked, beyond=question.time_estimate == "extrapolate")
    if estimate is None:
        same = next(each.result for each in found.sizes if each.accelerators == asked)
        raise BadQuestion("systems", f"{asked:,} accelerators were measured as {same.units}*{same.system}: ask for it")
    return estimate


def can_estimate(catalogue: Catalogue, question: Question, system: System, count: int) -> bool:
    """Whether the time of so many systems can be estimated under the question's rules."""
    try:
        size_estimate(catalogue, question, system, count)
    except BadQuestion:
        return False
    return True
