"""Total cost of ownership of each side: by component and by year."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from pricing.analysis.compare import Comparison, compare
from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from pricing.graph import graph
from pricing.quantities.models import MODELS, Model

TOTALS = ("tco_undiscounted", "tco_present_value", "tco_equivalent_annual")

SUMS = {"once": "acquisition_cost", "yearly": "operating_cost_per_year", "at the end": "recovered_value"}
"""The sum that a component belongs to, by when it is due."""


class Component(NamedTuple):
    """A cost component: what is paid when it is due, and what that is worth on the day of purchase.

    `amount` is per year where `due` is yearly. What comes back has a negative present value.
    """

    name: str
    due: str
    amount: float | None
    present_value: float | None
    reason: str | None


class Year(NamedTuple):
    """What is paid in a year of service, by component; year 0 is the day of purchase."""

    year: int
    costs: dict[str, float]
    total: float
    cumulative: float


@dataclass(frozen=True, slots=True)
class Ownership:
    """A comparison with, for each side, its components and years."""

    comparison: Comparison
    model: Model
    components: tuple[tuple[Component, ...], ...]
    years: tuple[tuple[Year, ...], ...]


def tco(catalogue: Catalogue, question: Question, baseline: str | None = None) -> Ownership:
    """Compute the cost of owning each side, by component and year. The benchmark may be left out."""
    comparison = compare(catalogue, question, baseline)
    model = MODELS["owned"]
    return Ownership(
        comparison=comparison,
        model=model,
        components=tuple(components(question, model, side) for side in comparison.sides),
        years=tuple(years(question, model, side) for side in comparison.sides),
    )


def components(question: Question, model: Model, side: Side) -> tuple[Component, ...]:
    """The model's components in their order; one under a total that the caller gave is left out, with why."""
    due = [*((name, "once") for name in model.upfront), *((name, "yearly") for name in model.yearly)]
    due += [(name, "at the end") for name in model.returned]
    worth = {name: f"{name.removesuffix('_per_year')}_present_value" for name, _ in due}
    values, gaps = dict(side.values), dict(side.gaps)
    graph(question.bases).evaluate(values, gaps, tuple(worth.values()))
    found = []
    for name, when in due:
        if SUMS[when] in side.choice.given:
            found.append(Component(name, when, None, None, f"{SUMS[when]} was given in its place"))
        elif "tco_present_value" in side.choice.given:
            reason = "tco_present_value was given, to which it does not add up"
            found.append(Component(name, when, values.get(name), None, gaps.get(name) or reason))
        else:
            found.append(Component(name, when, values.get(name), values.get(worth[name]), gaps.get(worth[name])))
    return tuple(found)


def years(question: Question, model: Model, side: Side) -> tuple[Year, ...]:
    """Year by year, undiscounted; the last year holds what comes back.

    Empty where a component is a gap, or a sum that the years would have to add up to was given.
    """
    needed = (*model.upfront, *model.yearly, *model.returned, "service_life_years")
    if any(name not in side.values for name in needed) or given_over_years(side):
        return ()
    last = math.ceil(side.values["service_life_years"])
    rows = [{name: side.values[name] for name in model.upfront}]
    rows += [_running(question, model, side, year) for year in range(1, last + 1)]
    rows[-1] |= {name: -side.values[name] for name in model.returned}
    found: list[Year] = []
    for year, costs in enumerate(rows):
        total = math.fsum(costs.values())
        found.append(Year(year, costs, total, total + (found[-1].cumulative if found else 0.0)))
    return tuple(found)


def given_over_years(side: Side) -> str | None:
    """A given sum that the years of the side would not add up to."""
    return next((name for name in ("tco_undiscounted", *SUMS.values()) if name in side.choice.given), None)


def _running(question: Question, model: Model, side: Side, year: int) -> dict[str, float]:
    names = {name: f"{name.removesuffix('_per_year')}_in_year" for name in model.yearly}
    values = {**side.values, "year": float(year)}
    graph(question.bases).evaluate(values, {}, tuple(names.values()))
    return {name: values[in_year] for name, in_year in names.items()}
