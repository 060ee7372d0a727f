"""Published claims recomputed: what was said, what the data gives, and the verdict derived from both."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pricing.analysis.asking import settle
from pricing.analysis.gathering import gather
from pricing.analysis.own import sort_own
from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.analysis.verdicts import FORMS, host_ratio
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.results import NOT_MLPERF
from pricing.errors import BadQuestion, Competing, UnknownName
from pricing.graph import graph
from schemas.claim import VERDICTS, ClaimRow
from schemas.question import Asked


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
        self.question = settle(catalogue, {**shared, "systems": ()})

    def side(self, row: ClaimRow, which: str) -> Side:
        """The side a or b of a claim with its figure evaluated."""
        name = getattr(row, f"system_{which}")
        figure = getattr(row, f"figure_{which}")
        own = [each for each in self.fields.get("set", ()) if self.catalogue.system(each[0]).id == name]
        own = [each for each in own if each[1] in self.read_by(figure)]
        rules: dict[str, Any] = {"benchmark": row.benchmark, "round": getattr(row, f"round_{which}")}
        if rules["round"] != NOT_MLPERF:
            rules["division"] = getattr(row, f"division_{which}")
        shared = {field: value for field, value in self.fields.items() if field != "claim"}
        question = settle(self.catalogue, {**shared, **rules, "set": own, "systems": (Asked(name),)})
        side = gather(self.catalogue, question, question.choices[0])
        side.walk(graph(side.choice.bases), (figure,))
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
    catalogue = catalogue.without_own_runs()  # a published claim is about published results
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
    _check_one_run(figures, rows, held, name)
    return held, name, given[name]


def _check_one_run(figures: Figures, rows: list[ClaimRow], system: str, name: str) -> None:
    """A time, and what is computed from one, must be of a single benchmark and round. Raises BadQuestion."""
    if name != "time_to_train_minutes" and name not in graph(figures.question.bases).above("time_to_train_minutes"):
        return
    touched = {
        (row.benchmark, getattr(row, f"round_{which}"), getattr(row, f"division_{which}")): row.claim
        for row in rows
        for which in "ab"
        if getattr(row, f"system_{which}") == system and name in figures.read_by(getattr(row, f"figure_{which}"))
    }
    if len(touched) > 1:
        runs = "; ".join(f"{' '.join(map(str, run))} in claim {claim}" for run, claim in touched.items())
        raise BadQuestion("set", f"{name} of {system} would be of several runs ({runs}): ask for one by claim=")


def check(figures: Figures, row: ClaimRow) -> Check:
    """Recompute one part of a claim."""
    if row.form == "host_ratio":
        return Check(row, *host_ratio(figures.catalogue, row), ())
    try:
        a = figures.side(row, "a")
        b = figures.side(row, "b") if row.system_b else None
    except Competing as error:
        return Check(row, None, "not_checkable", str(error), ())
    sides = [figures.shown(row, "a", a)] + ([figures.shown(row, "b", b)] if b else [])
    for each in sides:
        if each["value"] is None:
            return Check(row, None, "not_checkable", f"no figure: {each['gap']}", tuple(sides))
    computed, verdict, reason = FORMS[row.form](figures.catalogue, row, a, b)
    return Check(row, computed, verdict, reason, tuple(sides))
