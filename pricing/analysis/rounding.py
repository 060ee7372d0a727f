"""Where a ratio's one-digit rounding hangs on a price that is not firm."""

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.graph import Graph, Plan, Values, graph
from pricing.money import limit, money
from schemas.caveat import Caveat

RATIOS = {"performance_per_dollar": -1, "list_cost": 1, "cost_per_run": 1}
"""The ratios that people quote with one digit, and the power of each that is straight in the price."""


def tenths(ratio: float) -> int:
    """The ratio as people quote it with one digit after the point, in tenths, half up: 1.5504 is 16."""
    return math.floor(ratio * 10 + 0.5)


def rounding_boundaries(question: Question, sides: Sequence[Side], baseline: Side) -> Iterator[Caveat]:
    """A caveat for each quoted ratio that another price within its uncertainty would round otherwise."""
    names = tuple(name for name in RATIOS if not question.targets or name in question.targets)
    unsure = {
        id(side): Unsure(graph(side.choice.bases), side, span, names) for side in sides if (span := price_span(side))
    }
    for side in sides:
        same = side.choice.system == baseline.choice.system  # its price is one and the same, however it is paid
        alike = side is baseline or (same and side.price_row == baseline.price_row)
        for other in (side, baseline) if unsure and not alike else ():
            for name in names if id(other) in unsure else ():
                if name in side.values and baseline.values.get(name) and name not in other.known:
                    quoted = Quoted(name, side, baseline, unsure[id(other)], question.currency)
                    yield from quoted.caveat()


def price_span(side: Side) -> tuple[float, float] | None:
    """The range of a price whose source gives one, or says about; else None."""
    price = side.price_row
    amount = side.amount
    if price is None or not amount or price.amount is None:
        return None
    if price.low is not None and price.high is not None:
        return amount * float(price.low / price.amount), amount * float(price.high / price.amount)
    spread = side.values.get("about_price_spread_share", 0.0)
    return (amount * (1 - spread), amount * (1 + spread)) if price.about and spread else None


@cache
def _above_price(whole: Graph, name: str) -> frozenset[str]:
    return whole.above(name)


@lru_cache(maxsize=256)
def _changing(whole: Graph, price: str, there: tuple[str, ...], given: frozenset[str]) -> Plan:
    """How to get these names anew when only the price is another; what is given does not change with it."""
    changing = _above_price(whole, price) - given
    unchanged = {name for each in whole.order(there, given) for name in each.inputs} | whole.quantities.keys()
    return whole.plan(tuple(name for name in there if name in changing), frozenset(unchanged - changing))


class Unsure:
    """A side whose price may be anything within a span, with what does not depend on it."""

    def __init__(self, whole: Graph, side: Side, span: tuple[float, float], names: tuple[str, ...]) -> None:
        self.side, self.span = side, span
        self.name = side.price_name
        given = _above_price(whole, self.name).intersection(side.known)
        there = tuple([name for name in names if name in side.values and name not in given])
        plan = _changing(whole, self.name, there, given)
        self.fixed = {name: side.values[name] for name in plan.reads}
        self._run = plan.run
        self._at: dict[float, Values] = {}

    def at(self, name: str, price: float) -> float:
        """The side's quantity of that name if its price were this."""
        if price not in self._at:
            self.fixed[self.name] = price
            self._at[price] = self._run(self.fixed)
        return self._at[price][name]


class Quoted(NamedTuple):
    """A ratio of two sides that someone may quote, one of which has an unsure price."""

    name: str
    side: Side
    baseline: Side
    unsure: Unsure
    currency: str

    def ratio(self, price: float) -> float:
        """The ratio if the unsure price were this."""
        if self.unsure.side is self.side:
            return self.unsure.at(self.name, price) / self.baseline.values[self.name]
        return self.side.values[self.name] / self.unsure.at(self.name, price)

    def caveat(self) -> Iterator[Caveat]:
        """Name the prices between which the ratio rounds as it does, if they are within the range."""
        quoted = tenths(self.side.values[self.name] / self.baseline.values[self.name])
        low, high = (self._edge(quoted, end) for end in self.unsure.span)
        if not quoted or not (low or high):
            return
        unsure, currency = self.unsure.side, self.currency
        limits = (
            low and f"at least {limit(low, math.ceil)} {currency}",
            high and f"at most {limit(high, math.floor)} {currency}",
        )
        detail = (
            f"{self.name} of {self.side.name} is {quoted / 10} times that of {self.baseline.name} only while the "
            f"price of {unsure.name} is {' and '.join(limit for limit in limits if limit)}; it is about "
            f"{money(unsure.amount or 0.0, currency)}."
        )
        sides = tuple(dict.fromkeys((self.side.name, unsure.name)))
        yield Caveat("rounding_boundary", sides, "caution", detail)

    def _edge(self, quoted: int, end: float) -> float | None:
        """The price, on the way to the end of the range, at which the ratio starts to round otherwise."""
        away = self.ratio(end)
        if tenths(away) == quoted:
            return None
        at = (quoted + (0.5 if tenths(away) > quoted else -0.5)) / 10
        power = RATIOS[self.name] if self.unsure.side is self.side else -RATIOS[self.name]
        now = self.side.values[self.name] / self.baseline.values[self.name]
        share = (at**power - now**power) / (away**power - now**power)
        price = self.unsure.side.amount or 0.0
        return price + share * (end - price)
