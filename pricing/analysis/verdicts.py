"""Verdicts: does our figure agree with the one that was printed, and in which sense."""

import math
from collections.abc import Callable, Iterable
from decimal import Decimal

from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from schemas.benchmark_result import BenchmarkResult
from schemas.claim import ClaimRow

HALF = 0.5
NEAR = 0.01  # a figure further from the printed one than this agrees only thanks to rounding

Verdict = tuple[float | None, str, str]


def round_as(value: float, printed: Decimal) -> Decimal:
    """Round half up to as many digits after the point as were printed."""
    exponent = printed.as_tuple().exponent
    digits = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    return Decimal(math.floor(Decimal(repr(value)).scaleb(digits) + Decimal("0.5"))).scaleb(-digits)


def agree(computed: float, row: ClaimRow) -> Verdict:
    """Say whether our figure agrees with the printed one, outright or only once rounded as printed."""
    printed = row.published or Decimal(0)
    rounded = round_as(computed, printed)
    if rounded != printed:
        return (
            computed,
            "does_not_hold",
            f"ours is {computed:.10g}, which is printed as {rounded}, not {printed}",
        )
    apart = abs(computed - float(printed)) / abs(float(printed))
    if apart <= NEAR:
        return computed, "holds", f"ours is {computed:.4f}, {apart:.1%} from the printed {printed}"
    return (
        computed,
        "holds_after_rounding",
        f"ours is {computed:.4f}; only rounded as printed it is {printed}",
    )


def _figure(row: ClaimRow, which: str, side: Side) -> float:
    return side.values[str(getattr(row, f"figure_{which}"))]


def _value(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    return agree(_figure(row, "a", a), row)


def _floor(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """Just over the printed number: less than half a unit above it."""
    value = _figure(row, "a", a)
    holds = 0 < value - float(row.published or 0) < HALF
    return value, "holds" if holds else "does_not_hold", f"ours is {value:.4f}"


def _ratio(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    assert b is not None
    return agree(_figure(row, "a", a) / _figure(row, "b", b), row)


def _improvement(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """A gain in per cent: of speed, which is what the word says, or else of time saved."""
    assert b is not None
    before, after = _figure(row, "a", a), _figure(row, "b", b)
    gain, saved = before / after - 1.0, 1.0 - after / before
    reason = f"speed-up {before / after:.4f} (+{gain:.2%}), time reduction {saved:.2%}"
    printed = row.published or Decimal(0)
    if round_as(gain * 100, printed) == printed:
        return gain * 100, "holds", reason
    verdict = "holds_as_time_reduction" if round_as(saved * 100, printed) == printed else "does_not_hold"
    return gain * 100, verdict, reason


def _ahead(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """The time of a is shorter than that of b."""
    assert b is not None
    ours, theirs = _figure(row, "a", a), _figure(row, "b", b)
    holds = "holds" if ours < theirs else "does_not_hold"
    return ours / theirs, holds, f"{ours:.4f} against {theirs:.4f} minutes"


def _fastest(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """The rank among all results with one host server."""
    ours = _figure(row, "a", a)
    key = (row.benchmark or "", row.round_a or "", row.division_a or "")
    rivals = [each for each in catalogue.measured.get(key, []) if each.hosts == 1 and each.system]
    times = sorted((each.time_to_train_minutes or 0.0, each.id) for each in rivals if each.system != row.system_a)
    rank = 1 + sum(minutes < ours for minutes, _ in times)
    reason = f"{ours:.4f} minutes; the fastest other with one host: {times[0][0]:.4f} ({times[0][1]})"
    return float(rank), "holds" if rank == row.published else "does_not_hold", reason


def _hosts(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    hosts = _figure(row, "a", a)
    verdict = "holds" if hosts == row.published else "does_not_hold"
    return hosts, verdict, f"hosts: {hosts:g}"


def _system(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """The result that we use is of that system with that many accelerators."""
    result = a.result.result
    if result is None:
        return None, "not_checkable", "the time was given by the caller"
    total = float(result.row.accelerators_total or 0)
    reason = f"{result.id}: {total:g} × {result.row.accelerator_model}"
    return total, "holds" if total == row.published else "does_not_hold", reason


def _uncheckable(catalogue: Catalogue, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    reason = "the only source is the vendor that claims it; it is no MLPerf result"
    return _figure(row, "a", a) / 60.0, "not_checkable", reason


Form = Callable[[Catalogue, ClaimRow, Side, Side | None], Verdict]
FORMS: dict[str, Form] = {
    "value": _value,
    "floor": _floor,
    "ratio": _ratio,
    "improvement": _improvement,
    "ahead": _ahead,
    "fastest": _fastest,
    "hosts": _hosts,
    "system": _system,
    "uncheckable": _uncheckable,
}


def host_ratio(catalogue: Catalogue, row: ClaimRow) -> Verdict:
    """Accelerators for each host processor, of one organisation and of all others, in a round."""
    own, others = _per_processor(catalogue.results, row)
    figures = {"own_minimum": min(own), "others_maximum": max(others), "others_minimum": min(others)}
    computed = figures[str(row.figure_a)]
    published = float(row.published or 0)
    holds = computed < published if row.figure_a == "others_maximum" else computed == published
    reason = f"{row.system_a}: {min(own):g} to {max(own):g}; others: {min(others):g} to {max(others):g}"
    return computed, "holds" if holds else "does_not_hold", reason


def _per_processor(results: Iterable[BenchmarkResult], row: ClaimRow) -> tuple[list[float], list[float]]:
    own: list[float] = []
    others: list[float] = []
    for each in results:
        total, processors = each.row.accelerators_total, each.row.host_processors_total
        if each.row.round == row.round_a and total and processors:
            (own if each.organisation == row.system_a else others).append(total / processors)
    return own, others
