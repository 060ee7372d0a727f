"""Own or rent: after how long owning has cost less, and where each number would have to be for both to be level.

The payback is the service life at which a year of owning costs what a year of renting does; the systems are resold
then, for what share of the price is assumed. Source: Lenovo Press LP2225, price over (rent - running cost).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pricing.analysis.asking import ask
from pricing.analysis.compare import Comparison, compare
from pricing.analysis.levels import Model, level
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from pricing.graph import Graph, graph
from pricing.quantities.inputs import BY_NAME

RATIO = "owned_over_rented_ratio"
TARGETS = (RATIO, "rented_cost_per_year", "rented_hours_per_year", "tco_equivalent_annual")
LIFE, RATE = "service_life_years", "discount_rate_share"
LONGEST_YEARS = BY_NAME[LIFE].high
OVER_LIFE = (RATIO, "tco_equivalent_annual", "tco_present_value", "capital_recovery_factor", "annuity_factor")
"""Given as they are, these hold for one service life only, so that no payback follows."""
MEETINGS = ("rental_price_per_hour", "price", "utilisation_share", "electricity_tariff_per_kwh")


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


@dataclass(frozen=True, slots=True)
class Breakeven:
    """Own or rent, for each side."""

    comparison: Comparison
    sides: tuple[OwnOrRent, ...]


def breakeven(catalogue: Catalogue, fields: Mapping[str, Any]) -> Breakeven:
    """Own or rent, each side for itself. Raises UnknownName, BadQuestion or ValidationError."""
    question = replace(ask(catalogue, fields), targets=TARGETS)
    comparison = compare(catalogue, question)
    whole = graph(question.bases)
    return Breakeven(comparison, tuple(_own_or_rent(whole, side) for side in comparison.sides))


def _own_or_rent(whole: Graph, side: Side) -> OwnOrRent:
    for name in OVER_LIFE:
        if name in side.choice.given:
            raise BadQuestion("set", f"{side.name}: no payback follows from a given {name}; give what it is made of")
    for name in TARGETS:
        if name not in side.values:
            raise BadQuestion("set", f"no {name} of {side.name}: {_advice(side, name)}")
    model = Model(whole, RATIO, side)
    simple, discounted = (_payback(model, side, fixed) for fixed in ({RATE: 0.0}, {}))
    return OwnOrRent(side, simple, discounted, tuple(_meetings(model, side)))


def _advice(side: Side, name: str) -> str:
    if "rental_price_per_hour" not in side.values:
        return f"give {side.name}.rental_price_per_hour, what one system costs an hour when rented"
    return side.gaps.get(name) or "it is missing"


def _payback(model: Model, side: Side, fixed: Mapping[str, float]) -> Payback:
    """The service life at which owning costs what renting does; at a rate of 0 it is the simple payback."""
    years = level(_apart(model, LIFE, fixed), LIFE, side.known[LIFE])
    return Payback(years, None if years is None else years * side.values["rented_hours_per_year"])


def _meetings(model: Model, side: Side) -> Iterator[Meeting]:
    for name in MEETINGS:
        if name in model.read and side.known[name] > 0:
            yield Meeting(name, side.known[name], level(_apart(model, name, {}), name, side.known[name]))


def _apart(model: Model, name: str, fixed: Mapping[str, float]) -> Callable[[float], float]:
    """How far owning and renting are apart where one number is another."""
    return lambda value: float(model.at({**fixed, name: value})[0]) - 1
