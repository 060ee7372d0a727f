"""Which system, and how much of it: the cheapest that meets a deadline, a budget, a demand, and a room's limits.

Candidates are the measured sizes of every system under the rules asked, and sizes between two measured ones of a
family; sizes beyond the measured ones only when asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pricing.analysis.asking import ask
from pricing.analysis.fairness import OF_MANY, caveats
from pricing.analysis.gathering import gather
from pricing.analysis.notices import notices
from pricing.analysis.question import Choice, Question, Rules
from pricing.analysis.scene import Scene
from pricing.analysis.side import GIVEN, Side
from pricing.analysis.sizes import family_of
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion, Competing
from pricing.graph import graph, model_of
from pricing.quantities.models import RENTED
from schemas.caveat import Caveat

COST = "fleet_cost_per_year"
LIMITS = {
    "deadline_minutes": "time_to_train_minutes",
    "budget": "fleet_acquisition_cost",
    "budget_per_year": COST,
    "most_racks": "fleet_rack_count",
    "most_power_kw": "fleet_power_kw",
}
"""What may be limited, and the number that must not be above it."""
OF_ROOM = ("most_racks", "most_power_kw")
FRONT = ("time_to_train_minutes", COST, "fleet_rack_units", "energy_per_run_kwh")
"""Of these a buyer wants less: nothing on the Pareto front is worse in all that is known of it than another."""
SHOWN = (
    "time_to_train_minutes", "fleet_clusters", "fleet_acquisition_cost", COST, "cost_per_run", "runs_per_year",
    "fleet_rack_units", "fleet_rack_count", "fleet_power_kw", "energy_per_run_kwh", "carbon_per_run_kg",
)  # fmt: skip
ONE_CLUSTER = {"status": "derived", "source": "one cluster, since no runs_per_year was asked"}
DEMAND = "demanded_runs_per_year"
EVERY_SIZE_TO = 16
MOST_SHOWN = 6  # on the front, whose caveats and notices stand in the answer
BEYOND = 4  # times the largest measured size


class Left(NamedTuple):
    """A size that could not be judged, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A size with its numbers, and the limits that it breaks."""

    side: Side
    breaks: tuple[str, ...]
    on_front: bool

    @property
    def fits(self) -> bool:
        """Whether it is within all limits."""
        return not self.breaks

    @property
    def basis(self) -> str:
        """Whether its time was measured, interpolated or extrapolated."""
        origin = self.side.provenance["time_to_train_minutes"]
        return str(origin.get("basis") or origin["status"])


@dataclass(frozen=True, slots=True)
class Sizing:
    """The candidates, the cheapest that fit first; then those that do not.

    Caveats and notices are of the first on the front; the others say only whether they were measured.
    """

    catalogue: Catalogue
    question: Question
    limits: Mapping[str, float]
    demand: float | None
    candidates: tuple[Candidate, ...]
    left_out: tuple[Left, ...]
    caveats: tuple[Caveat, ...]
    notices: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        """The round and division of all results: those of the question."""
        return Rules(self.question.round, self.question.division)

    @property
    def best(self) -> Candidate | None:
        """The cheapest that is within all limits; None where none is."""
        return self.candidates[0] if self.candidates and self.candidates[0].fits else None


def sizing(catalogue: Catalogue, fields: Mapping[str, Any]) -> Sizing:
    """The cheapest system and size. Raises UnknownName, BadQuestion or ValidationError."""
    if not fields.get("benchmark"):
        raise BadQuestion("benchmark", "a size is found by the times of a benchmark")
    only = [catalogue.system(name).id for name in fields.get("only", ())]
    question = ask(catalogue, {**fields, "systems": ()})
    question = replace(question, time_estimate=question.time_estimate or "interpolate")
    question = replace(question, choices=tuple(_choices(catalogue, question, only)))
    limits = {name: float(fields[name]) for name in LIMITS if name in fields}
    demand = float(fields["runs_per_year"]) if "runs_per_year" in fields else None
    sides: list[Side] = []
    left_out: list[Left] = []
    for choice in question.choices:
        side = _judged(catalogue, question, choice, demand)
        if isinstance(side, Side):
            sides.append(side)
        else:
            left_out.append(side)
    found = _candidates(sides, limits)
    shown = [each.side for each in found if each.on_front][:MOST_SHOWN] or [each.side for each in found[:1]]
    return Sizing(
        catalogue=catalogue,
        question=question,
        limits=limits,
        demand=demand,
        candidates=tuple(found),
        left_out=tuple(left_out),
        caveats=tuple(caveats(Scene(catalogue, question, shown, shown[0]), OF_MANY) if shown else ()),
        notices=tuple(notices(catalogue, question, shown)),
    )


def _choices(catalogue: Catalogue, question: Question, only: Sequence[str]) -> Iterator[Choice]:
    """Every size that was measured under the rules, and those to estimate between or, if asked, beyond."""
    rows = catalogue.measured.get((question.benchmark or "", question.round or "", question.division), [])
    measured: dict[str, set[int]] = {}
    for row in rows:
        if row.system and row.units:
            measured.setdefault(row.system, set()).add(row.units)
    rented = model_of(question.bases) == RENTED
    for system, units in sorted(measured.items()):
        if only and system not in only:
            continue
        for count in sorted(units | set(_others(catalogue, question, system, measured))):
            yield Choice(system, count, bases=question.bases, rented=rented)


def _others(catalogue: Catalogue, question: Question, system: str, measured: Mapping[str, set[int]]) -> Iterator[int]:
    """Counts of a system that lie between two measured sizes of its family, or beyond them if asked.

    Up to 16 every count, from there on each power of two.
    """
    each = catalogue.system(system).accelerators
    if not each:
        return
    family = [other for other in family_of(catalogue, catalogue.system(system)) if other.id in measured]
    taken = {other.accelerators * units for other in family for units in measured[other.id]}
    least, most = min(taken), max(taken)
    if question.time_estimate == "extrapolate":
        least, most = each, most * BEYOND
    count = 1
    while count * each <= most:
        if count * each >= least and count * each not in taken:
            yield count
        step = 1
        while count >= EVERY_SIZE_TO * step:
            step *= 2
        count += 1 if count < EVERY_SIZE_TO else step * EVERY_SIZE_TO // 2


def _judged(catalogue: Catalogue, question: Question, choice: Choice, demand: float | None) -> Side | Left:
    """A size with its numbers, or why it cannot be judged."""
    try:
        side = gather(catalogue, question, choice)
    except Competing as error:
        return Left(choice.name, f"{error}; choose one by submitter" if error.field == "submitter" else str(error))
    if side.result.result and side.result.result.doubt_level == "high":
        return Left(side.name, f"its result is in doubt: {side.result.result.doubt}")
    if demand is None:
        side.put("fleet_clusters", 1.0, ONE_CLUSTER)
    else:
        side.put(DEMAND, demand, GIVEN)
    side.walk(graph(choice.bases), SHOWN)
    missing = next((name for name in ("time_to_train_minutes", COST) if name not in side.values), None)
    return side if missing is None else Left(side.name, side.gaps.get(missing) or f"no {missing}")


def _candidates(sides: Sequence[Side], limits: Mapping[str, float]) -> list[Candidate]:
    """All sizes: those within the limits first, the cheapest first; each with whether it is on the front."""
    broken = [tuple(_breaks(side, limits)) for side in sides]
    front = {id(side) for side in _front([side for side, breaks in zip(sides, broken, strict=True) if not breaks])}
    found = [Candidate(side, breaks, id(side) in front) for side, breaks in zip(sides, broken, strict=True)]
    return sorted(found, key=lambda each: (not each.fits, each.side.values[COST], each.side.name))


def _breaks(side: Side, limits: Mapping[str, float]) -> Iterator[str]:
    """The limits that a size does not keep, or of which it is not known; a rented one needs no room of one's own."""
    for name, most in limits.items():
        if name in OF_ROOM and side.choice.rented:
            continue
        value = side.values.get(LIMITS[name])
        if value is None:
            yield f"{name}: {side.gaps.get(LIMITS[name]) or 'not known'}"
        elif value > most:
            yield f"{name}: {value:,.6g} is above {most:,.6g}"


def _front(sides: Sequence[Side]) -> list[Side]:
    """The sizes that no other beats: as good in everything, and better in something."""
    return [side for side in sides if not any(_beats(other, side) for other in sides)]


def _beats(one: Side, other: Side) -> bool:
    """Whether the first is better in something that is known of both, and worse in nothing."""
    known = [name for name in FRONT if name in one.values and name in other.values]
    missing = any(name in other.values for name in FRONT if name not in one.values)
    if missing or any(one.values[name] > other.values[name] for name in known):
        return False
    return any(one.values[name] < other.values[name] for name in known)
