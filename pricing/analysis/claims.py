"""Published claims recomputed: what was said, what the data gives, and the verdict derived from both."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from pricing.analysis.asking import ask
from pricing.analysis.gathering import gather
from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.analysis.sides import sort_own
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.results import NOT_MLPERF
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import graph
from schemas.benchmark_result import BenchmarkResult
from schemas.claim import VERDICTS, ClaimRow
from schemas.question import Asked

HALF = 0.5
NEAR = 0.01  # a figure further from the printed one than this agrees only thanks to rounding


@dataclass(frozen=True, slots=True)
class Check:
    """One part of a claim with its verdict. `sides` are the figures it rests on."""

    row: ClaimRow
    computed: float | None
    verdict: str
    reason: str
    sides: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim and its parts; the verdict is the worst of theirs."""

    number: int
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> str:
        """The least good verdict of all parts."""
        return max((check.verdict for check in self.checks), key=VERDICTS.index)


class Figures:
    """Looks up the figures that claims rest on, under the caller's own prices and times."""

    def __init__(self, catalogue: Catalogue, fields: Mapping[str, Any]) -> None:
        self.catalogue, self.fields = catalogue, fields
        shared = {field: value for field, value in fields.items() if field not in ("claim", "set")}
        self.question = ask(catalogue, {**shared, "systems": ()})

    def side(self, row: ClaimRow, which: str) -> Side:
        """The side a or b of a claim with its figure evaluated."""
        name = getattr(row, f"system_{which}")
        figure = getattr(row, f"figure_{which}")
        own = [each for each in self.fields.get("set", ()) if self.catalogue.system(each[0]).id == name]
        own = [each for each in own if each[1] in self.read_by(figure)]
        rules = {"benchmark": row.benchmark, "round": getattr(row, f"round_{which}")}
        if rules["round"] != NOT_MLPERF:
            rules["division"] = getattr(row, f"division_{which}")
        shared = {field: value for field, value in self.fields.items() if field != "claim"}
        question = ask(self.catalogue, {**shared, **rules, "set": own, "systems": (Asked(name),)})
        side = gather(self.catalogue, question, question.choices[0])
        side.walk(graph(question.bases), (figure,))
        return side

    def read_by(self, figure: str) -> frozenset[str]:
        """The figure and every number that it is computed from."""
        whole = graph(self.question.bases)
        return whole.needs((figure,)) | {figure, *(each.name for each in whole.order((figure,)))}

    def shown(self, row: ClaimRow, which: str, side: Side) -> dict[str, Any]:
        """What the answer shows of a side."""
        name = getattr(row, f"figure_{which}")
        result = side.result.result
        return {
            "system": side.name,
            "figure": name,
            "value": side.values.get(name),
            "gap": side.gaps.get(name),
            "given": dict(side.choice.given),
            "result": result.id if result else None,
            "provenance": dict(side.provenance.get(name, {"status": "derived"})),
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """Claims recomputed, under which question, and with which figures of the caller's."""

    catalogue: Catalogue
    question: Question
    given: tuple[tuple[str, str, float], ...]
    claims: tuple[Claim, ...]


def claims(catalogue: Catalogue, fields: Mapping[str, Any]) -> Checked:
    """Recompute every claim, or the one asked, with the caller's `set` in place of the catalogue's figures."""
    rows = _asked(catalogue, fields.get("claim"))
    figures = Figures(catalogue, fields)
    given = tuple(_own(figures, rows, *each) for each in fields.get("set", ()))
    found = (
        Claim(number, tuple(check(figures, row) for row in parts))
        for number, parts in groupby(rows, key=lambda row: row.claim)
    )
    return Checked(catalogue, figures.question, given, tuple(found))


def _asked(catalogue: Catalogue, number: int | None) -> list[ClaimRow]:
    rows: Iterable[ClaimRow] = catalogue.facts.of("claims.csv")
    found = [row for row in rows if number in (None, row.claim)]
    if not found:
        raise UnknownName("claim", str(number), [str(name) for name in dict.fromkeys(row.claim for row in rows)])
    return found


def _own(figures: Figures, rows: list[ClaimRow], system: str, name: str, value: str) -> tuple[str, str, float]:
    """An own figure must be a number, of a system that a claim is about, that the claim reads."""
    names = [(getattr(row, f"system_{which}"), getattr(row, f"figure_{which}")) for row in rows for which in "ab"]
    about = {each: [figure for of, figure in names if of == each] for each, _ in names}
    about = {each: about[each] for each in about if each in figures.catalogue.systems}
    held = figures.catalogue.system(system).id
    if held not in about:
        raise UnknownName("system of a claim", system, sorted(about))
    given, _ = sort_own([(name, value)], figures.question.bases)
    if not given:
        raise BadQuestion("set", f"{name} of a claim is its own; only numbers may be given")
    read = {each for figure in about[held] for each in figures.read_by(figure)}
    if name not in read:
        listed = ", ".join(sorted(read - {"system_count"}))
        raise BadQuestion("set", f"no claim about {held} reads {name}; read are {listed}")
    return held, name, given[name]


def check(figures: Figures, row: ClaimRow) -> Check:
    """Recompute one part of a claim."""
    if row.form == "host_ratio":
        return _host_ratio(figures.catalogue, row)
    a = figures.side(row, "a")
    b = figures.side(row, "b") if row.system_b else None
    sides = [figures.shown(row, "a", a)] + ([figures.shown(row, "b", b)] if b else [])
    for each in sides:
        if each["value"] is None:
            return Check(row, None, "not_checkable", f"no figure: {each['gap']}", tuple(sides))
    computed, verdict, reason = FORMS[row.form](figures, row, a, b)
    return Check(row, computed, verdict, reason, tuple(sides))


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


def _value(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    return agree(_figure(row, "a", a), row)


def _floor(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """Just over the printed number: less than half a unit above it."""
    value = _figure(row, "a", a)
    holds = 0 < value - float(row.published or 0) < HALF
    return value, "holds" if holds else "does_not_hold", f"ours is {value:.4f}"


def _ratio(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    assert b is not None
    return agree(_figure(row, "a", a) / _figure(row, "b", b), row)


def _improvement(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
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


def _ahead(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """The time of a is shorter than that of b."""
    assert b is not None
    ours, theirs = _figure(row, "a", a), _figure(row, "b", b)
    holds = "holds" if ours < theirs else "does_not_hold"
    return ours / theirs, holds, f"{ours:.4f} against {theirs:.4f} minutes"


def _fastest(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """The rank among all results with one host server."""
    ours = _figure(row, "a", a)
    key = (row.benchmark or "", row.round_a or "", row.division_a or "")
    rivals = [each for each in figures.catalogue.measured.get(key, []) if each.hosts == 1 and each.system]
    times = sorted((each.time_to_train_minutes or 0.0, each.id) for each in rivals if each.system != row.system_a)
    rank = 1 + sum(minutes < ours for minutes, _ in times)
    reason = f"{ours:.4f} minutes; the fastest other with one host: {times[0][0]:.4f} ({times[0][1]})"
    return float(rank), "holds" if rank == row.published else "does_not_hold", reason


def _hosts(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    hosts = _figure(row, "a", a)
    verdict = "holds" if hosts == row.published else "does_not_hold"
    return hosts, verdict, f"hosts: {hosts:g}"


def _system(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    """The result that we use is of that system with that many accelerators."""
    result = a.result.result
    if result is None:
        return None, "not_checkable", "the time was given by the caller"
    total = float(result.row.accelerators_total or 0)
    reason = f"{result.id}: {total:g} × {result.row.accelerator_model}"
    return total, "holds" if total == row.published else "does_not_hold", reason


def _uncheckable(figures: Figures, row: ClaimRow, a: Side, b: Side | None) -> Verdict:
    reason = "the only source is the vendor that claims it; it is no MLPerf result"
    return _figure(row, "a", a) / 60.0, "not_checkable", reason


FORMS = {
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


def _host_ratio(catalogue: Catalogue, row: ClaimRow) -> Check:
    """Accelerators for each host processor, of one organisation and of all others, in a round."""
    own, others = _per_processor(catalogue.results, row)
    figures = {"own_minimum": min(own), "others_maximum": max(others), "others_minimum": min(others)}
    computed = figures[str(row.figure_a)]
    published = float(row.published or 0)
    holds = computed < published if row.figure_a == "others_maximum" else computed == published
    reason = f"{row.system_a}: {min(own):g} to {max(own):g}; others: {min(others):g} to {max(others):g}"
    return Check(row, computed, "holds" if holds else "does_not_hold", reason, ())


def _per_processor(results: Iterable[BenchmarkResult], row: ClaimRow) -> tuple[list[float], list[float]]:
    own: list[float] = []
    others: list[float] = []
    for each in results:
        total, processors = each.row.accelerators_total, each.row.host_processors_total
        if each.row.round == row.round_a and total and processors:
            (own if each.organisation == row.system_a else others).append(total / processors)
    return own, others
