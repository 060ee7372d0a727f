"""All systems with a result for a benchmark, by a metric; those that cannot be ranked apart, with why."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from pricing.analysis.asking import ask
from pricing.analysis.fairness import OF_MANY, caveats
from pricing.analysis.gathering import gather
from pricing.analysis.notices import notices
from pricing.analysis.question import Choice, Question, Rules
from pricing.analysis.scene import Scene
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find
from pricing.errors import BadQuestion, Competing
from pricing.graph import Bases, graph, model_of
from pricing.quantities.models import RENTED
from schemas.caveat import Caveat

METRIC, RENTED_METRIC = "performance_per_dollar", "cost_per_run"
SHOWN = ("time_to_train_minutes", "list_cost", "cluster_rack_units")
RENTED_SHOWN = ("time_to_train_minutes", "rental_price_per_hour", "rented_cost_per_run")


class Unranked(NamedTuple):
    """A system, or several as one cluster, that has a result but no place, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """Sides in their order by the metric, best first."""

    catalogue: Catalogue
    question: Question
    metric: str
    sides: tuple[Side, ...]
    unranked: tuple[Unranked, ...]
    caveats: tuple[Caveat, ...]
    notices: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        """The round and division of all results: those of the question."""
        return Rules(self.question.round, self.question.division)

    def places(self) -> list[int]:
        """The rank of each side; equal values share one."""
        found: list[int] = []
        for index, side in enumerate(self.sides):
            same = index > 0 and side.values[self.metric] == self.sides[index - 1].values[self.metric]
            found.append(found[-1] if same else index + 1)
        return found


def rank(catalogue: Catalogue, fields: Mapping[str, Any]) -> Ranking:
    """Rank every system that has a result for the benchmark in the round and division asked."""
    if not fields.get("benchmark"):
        raise BadQuestion("benchmark", "a ranking needs a benchmark")
    question = ask(catalogue, {**fields, "systems": ()})
    metric = fields.get("metric") or default_metric(question.bases)
    sign = find("metric", metric, rankable(question.bases))
    sizes = _sizes(catalogue, question)
    rented = model_of(question.bases) == RENTED
    question = replace(
        question, choices=tuple(Choice(system, units, bases=question.bases, rented=rented) for system, units in sizes)
    )
    ranked: list[Side] = []
    unranked: list[Unranked] = []
    for choice in question.choices:
        side = _place(catalogue, question, choice, metric)
        if isinstance(side, Side):
            ranked.append(side)
        else:
            unranked.append(side)
    ranked.sort(key=lambda side: (side.values[metric] * sign, side.name))
    baseline = ranked[0] if ranked else None
    return Ranking(
        catalogue=catalogue,
        question=question,
        metric=metric,
        sides=tuple(ranked),
        unranked=tuple(unranked),
        caveats=tuple(caveats(Scene(catalogue, question, ranked, baseline), OF_MANY) if baseline else ()),
        notices=tuple(notices(catalogue, question, ranked)),
    )


def _sizes(catalogue: Catalogue, question: Question) -> list[tuple[str, int]]:
    """Every system and size that was measured."""
    key = (question.benchmark or "", question.round or "", question.division)
    rows = catalogue.measured.get(key, [])
    return sorted({(each.system, each.units) for each in rows if each.system and each.units})


def _place(catalogue: Catalogue, question: Question, choice: Choice, metric: str) -> Side | Unranked:
    """The side with its metric, or the reason why it has no place."""
    name = f"{choice.count}*{choice.system}" if choice.count > 1 else choice.system
    try:
        side = gather(catalogue, question, choice)
    except Competing as error:
        return Unranked(name, f"{error}; choose one by submitter" if error.field == "submitter" else str(error))
    result = side.result.result
    if result is None:
        return Unranked(name, side.result.reason)
    if result.doubt_level == "high":
        return Unranked(name, f"its result is in doubt: {result.doubt}")
    side.walk(graph(side.choice.bases), (metric, *(RENTED_SHOWN if choice.rented else SHOWN)))
    if metric not in side.values:
        return Unranked(name, side.gaps.get(metric) or f"no {metric}")
    return side


def default_metric(bases: Bases) -> str:
    """By what systems are compared unless asked: CapEx is no measure of what is rented."""
    return RENTED_METRIC if model_of(bases) == RENTED else METRIC


@cache
def rankable(bases: Bases) -> dict[str, float]:
    """The metrics of which a buyer wants more or less, and the sign that puts the best first."""
    quantities = graph(bases).quantities.values()
    signs = {each.name: -1.0 if each.better == "more" else 1.0 for each in quantities if each.better}
    return {"time_to_train_minutes": 1.0, **signs}
