"""Where costs meet: own or rent, and the price at which one system ties with, or wins over, another.

The payback is the service life at which a year of owning costs what a year of renting does; the systems are resold
then, for what share of the price is assumed. Source: Lenovo Press LP2225, price over (rent - running cost).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pricing.analysis.asking import ask
from pricing.analysis.compare import Comparison, compare
from pricing.analysis.levels import REACH, Model, level
from pricing.analysis.question import Question
from pricing.analysis.robustness import SAMPLES, SEED, SETTLED, draw, metric_asked
from pricing.analysis.side import Side
from pricing.analysis.uncertainty import spans
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from pricing.graph import model_of
from pricing.quantities.inputs import BY_NAME
from pricing.quantities.tag import Better
from pricing.quantities.units import HOURS_PER_YEAR

RATIO = "owned_over_rented_ratio"
TARGETS = (RATIO, "rented_cost_per_year", "rented_hours_per_year", "tco_equivalent_annual")
LIFE, RATE, PRICE = "service_life_years", "cost_of_capital_share", "price"
LONGEST_YEARS = BY_NAME[LIFE].high
SHORTEST_YEARS = 1 / HOURS_PER_YEAR
OVER_LIFE = (RATIO, "tco_equivalent_annual", "tco_present_value", "capital_recovery_factor", "annuity_factor")
"""Given as they are, these hold for one service life only, so that no payback follows."""
OWNED_ONLY = ("storage_tb", "software_licence_per_accelerator_year")
"""A year of renting is hours times their price: what is paid beside it either way would tilt the verdict."""
MEETINGS = ("rental_price_per_hour", PRICE, "utilisation_share", "electricity_tariff_per_kwh")


class Payback(NamedTuple):
    """When owning has cost as much as renting, in years and in paid hours; None: not within the longest life."""

    years: float | None
    hours: float | None


class Meeting(NamedTuple):
    """Where one number would have to be for owning and renting to cost the same; None: at none in reach."""

    name: str
    now: float
    level: float | None


@dataclass(frozen=True, slots=True)
class OwnOrRent:
    """A side owned against the same side rented. `simple` leaves the cost of capital out."""

    side: Side
    simple: Payback
    discounted: Payback
    meetings: tuple[Meeting, ...]

    @property
    def ratio(self) -> float:
        """A year of owning over a year of renting."""
        return self.side.values[RATIO]

    @property
    def verdict(self) -> str:
        """own, rent, or level, over the service life asked."""
        return "own" if self.ratio < 1 else "rent" if self.ratio > 1 else "level"


class Tie(NamedTuple):
    """The price of a side at which it ties with another, and at which it is ahead in 95 of 100 draws.

    None: at no price from a hundredth to a hundred times the one of now.
    """

    side: Side
    other: Side
    now: float
    to_tie: float | None
    to_win: float | None


@dataclass(frozen=True, slots=True)
class Breakeven:
    """Own or rent for each side that has a price of an hour, and the prices at which sides tie by a metric."""

    comparison: Comparison
    sides: tuple[OwnOrRent, ...]
    metric: str
    ties: tuple[Tie, ...]
    without_rent: Mapping[str, str]


def breakeven(catalogue: Catalogue, fields: Mapping[str, Any]) -> Breakeven:
    """Own or rent, each side for itself, and each against the baseline.

    Raises UnknownName, BadQuestion or ValidationError.
    """
    asked = ask(catalogue, fields)
    metric, better = metric_asked(asked.choices[0].bases, fields.get("metric"))
    question = replace(asked, targets=(*TARGETS, metric))
    comparison = compare(catalogue, question, fields.get("baseline"))
    ties = tuple(_ties(catalogue, comparison, metric, better))
    found, without = [], {}
    for side in comparison.sides:
        if reason := _no_rent(side):
            without[side.name] = reason
        else:
            found.append(_own_or_rent(side))
    if not found and not ties:
        raise BadQuestion("set", next(iter(without.values())))
    return Breakeven(comparison, tuple(found), metric, ties, without)


def _no_rent(side: Side) -> str | None:
    """Why a side cannot be set against itself rented; None where it can."""
    if model_of(side.choice.bases) not in ("owned", "borrowed"):
        return f"{side.name} is not bought"
    if uneven := [name for name in OWNED_ONLY if side.known.get(name, 0) > 0]:
        return (
            f"{' and '.join(uneven)} of {side.name} would count for owning alone, as renting is the price of hours "
            f"here: set it beside {side.choice.system}@rented in tco"
        )
    missing = next((name for name in TARGETS if name not in side.values), None)
    return missing and f"no {missing} of {side.name}: {_advice(side, missing)}"


def _own_or_rent(side: Side) -> OwnOrRent:
    for name in OVER_LIFE:
        if name in side.choice.given:
            raise BadQuestion("set", f"{side.name}: no payback follows from a given {name}; give what it is made of")
    model = Model(RATIO, side)
    simple = _payback(Model(RATIO, side, {RATE: 0.0}), side)
    return OwnOrRent(side, simple, _payback(model, side), tuple(_meetings(model, side)))


def _advice(side: Side, name: str) -> str:
    if "rental_price_per_hour" not in side.values:
        return (
            f"give {side.name}.rental_price_per_hour, what one system costs an hour when rented, or rent_from, a "
            "system of the catalogue that is"
        )
    return side.gaps.get(name) or "it is missing"


def _payback(model: Model, side: Side) -> Payback:
    """The service life at which owning costs what renting does; at a rate of 0 it is the simple payback."""
    apart, life = _apart(model, LIFE), side.known[LIFE]
    years = level(apart, LIFE, life)
    while years is None and apart(life := life / REACH) < 0:
        years = level(apart, LIFE, life) if life > SHORTEST_YEARS else 0.0  # ahead from the first hour on
    return Payback(years, None if years is None else years * side.values["rented_hours_per_year"])


def _meetings(model: Model, side: Side) -> Iterator[Meeting]:
    for name in MEETINGS:
        if name in model.read and side.known[name] > 0:
            yield Meeting(name, side.known[name], level(_apart(model, name), name, side.known[name]))


def _apart(model: Model, name: str) -> Callable[[float], float]:
    """How far owning and renting are apart where one number is another."""
    return lambda value: float(model.at({name: value})[0]) - 1


def _ties(catalogue: Catalogue, comparison: Comparison, metric: str, better: Better) -> Iterator[Tie]:
    """Each other side's price against the baseline, and the baseline's against each other side."""
    base = comparison.baseline
    for side in comparison.sides:
        if side.choice.hardware != base.choice.hardware and metric in side.values and metric in base.values:
            for one, other in ((side, base), (base, side)):
                if one.price_name in Model(metric, one).read:
                    yield _tie(catalogue, comparison.question, (one, other), (metric, better))


def _tie(catalogue: Catalogue, question: Question, pair: tuple[Side, Side], by: tuple[str, Better]) -> Tie:
    """The prices of the first at which it ties with the second, and at which it is ahead in most draws."""
    metric, better = by
    ours, theirs = (Model(metric, side) for side in pair)
    name = pair[0].price_name
    key, now = ours.key(name), pair[0].known[name]
    sign = 1 if better == "more" else -1

    def apart(price: float) -> float:
        return sign * (float(ours.at({key: price})[0]) - float(theirs.at({key: price})[0]))

    read = {side.name: model.read for side, model in zip(pair, (ours, theirs), strict=True)}
    unsure = [span for span in spans(catalogue, question, pair, read, ()) if span.key != key]
    drawn = {span.key: draw(span, SAMPLES, SEED) for span in unsure}

    def lead(price: float) -> float:
        """How far the leads in 95 of 100 draws are above none."""
        at = {**drawn, key: price}
        leads = sign * (ours.at(at, SAMPLES) - theirs.at(at, SAMPLES))
        return float(np.quantile(leads, 1 - SETTLED))

    return Tie(*pair, now, level(apart, name, now), level(lead, name, now))
