"""The graph of quantities: puts formulas in order by their parameter names and evaluates them."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from typing import cast

from pricing.ops import OPERATIONS
from pricing.quantities.inputs import BY_NAME
from pricing.quantities.models import MODELS, OWNED
from pricing.registry import MODEL, Quantity, generated, units, written

Bases = tuple[tuple[str, str], ...]
Values = dict[str, float]
Gaps = dict[str, str]
MOST_PLANS = 1000  # which numbers are given is the asker's choice, so that their number has no other end


class Plan:
    """How to get some targets from what is known: which to evaluate in which order, and what must stay a gap.

    `fill` adds them to the values and returns their sum, so that one look tells whether all are finite. `reads` names
    what the order takes from outside.
    """

    def __init__(self, order: tuple[Quantity, ...], gaps: tuple[tuple[str, str], ...]) -> None:
        self.order, self.gaps = order, gaps
        made = {each.name for each in order}
        self.reads = frozenset(name for each in order for name in each.inputs if name not in made)
        missing = {name for name, _ in gaps}
        self._there = [each for each in order if each.name not in missing]
        self.fill = filling(self._there)

    @cached_property
    def run(self) -> Callable[[Values], Values]:
        """The same as a dict of its own, for numbers as for arrays."""
        return compiled(self._there)


class Graph:
    """Quantities under one choice of bases, ready to be evaluated."""

    def __init__(self, quantities: Iterable[Quantity]) -> None:
        self.quantities = {each.name: each for each in quantities}
        self._plans: dict[tuple[Sequence[str], frozenset[str]], Plan] = {}

    def order(self, targets: Iterable[str], known: frozenset[str] = frozenset()) -> tuple[Quantity, ...]:
        """The quantities to evaluate for the targets, inputs before what needs them.

        A quantity that is known already, and what only it needs, is left out.
        """
        done: dict[str, Quantity] = {}
        for name in targets:
            self._visit(name, known, done)
        return tuple(done.values())

    def _visit(self, name: str, known: frozenset[str], done: dict[str, Quantity]) -> None:
        quantity = self.quantities.get(name)
        if quantity is None or name in done or name in known:
            return
        for each in quantity.inputs:
            self._visit(each, known, done)
        done[name] = quantity

    def evaluate(self, values: Values, gaps: Gaps, targets: Sequence[str]) -> None:
        """Add the targets, and what they need, to `values`; what cannot be had goes to `gaps`, with why."""
        plan = self.plan(targets, frozenset(values))
        try:
            total = plan.fill(values)
        except ZeroDivisionError:
            total = math.nan
        if not math.isfinite(total):
            for quantity in plan.order:
                values.pop(quantity.name, None)
            _step_by_step(plan.order, values, gaps)  # it tells which one divides by 0 or is too large
            return
        for name, missing in plan.gaps:
            gaps[name] = gaps.get(missing) or f"no {missing}"

    def plan(self, targets: Sequence[str], known: frozenset[str]) -> Plan:
        """How to get the targets when just these names are known; made once and kept."""
        plan = self._plans.get((targets, known))
        if plan is None:
            order = self.order(targets, known)
            had, gaps = set(known), []
            for quantity in order:
                missing = next((name for name in quantity.inputs if name not in had), None)
                if missing is None:
                    had.add(quantity.name)
                else:
                    gaps.append((quantity.name, missing))
            plan = Plan(order, tuple(gaps))
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            self._plans[(targets, known)] = plan
        return plan

    def above(self, name: str) -> frozenset[str]:
        """Names of the quantities that change when this one does."""
        found = {name}
        for quantity in self.order(self.quantities):
            if not found.isdisjoint(quantity.inputs):
                found.add(quantity.name)
        return frozenset(found - {name})

    def needs(self, targets: Sequence[str]) -> frozenset[str]:
        """Names of the inputs below the targets."""
        used = (name for each in self.order(targets) for name in each.inputs)
        return frozenset(name for name in used if name not in self.quantities)


def compiled(order: Sequence[Quantity]) -> Callable[[Values], Values]:
    """One function that evaluates these in this order, made of the formulas' own text.

    It has no checks: a zero that divides raises ZeroDivisionError.
    """
    lines = [f"    {each.name} = {each.text}" for each in order]
    result = ", ".join(f"{name!r}: {name}" for name in dict.fromkeys(each.name for each in order))
    return cast(Callable[[Values], Values], _function(order, lines, f"{{{result}}}"))


def filling(order: Sequence[Quantity]) -> Callable[[Values], float]:
    """The same, but it adds the numbers to those that it reads, and returns their sum."""
    lines = [f"    values[{each.name!r}] = {each.name} = {each.text}" for each in order]
    return cast(Callable[[Values], float], _function(order, lines, " + ".join(each.name for each in order) or "0.0"))


def _function(order: Sequence[Quantity], lines: Sequence[str], result: str) -> object:
    """A function of what the order reads from outside, with these lines and this result."""
    inner = {each.name for each in order}
    outer = dict.fromkeys(name for each in order for name in each.inputs if name not in inner)
    reads = [f"    {name} = values[{name!r}]" for name in outer]
    scope: dict[str, object] = dict(OPERATIONS)
    exec("\n".join(["def made(values):", *reads, *lines, f"    return {result}"]), scope)
    return scope["made"]


def _step_by_step(order: Iterable[Quantity], values: Values, gaps: Gaps) -> None:
    for quantity in order:
        reason = _gap(quantity, values, gaps)
        if reason is None:
            value = quantity.formula(*[values[name] for name in quantity.inputs])
            if math.isfinite(value):
                values[quantity.name] = value
                continue
            reason = f"{quantity.name} is larger than a number can be"
        gaps[quantity.name] = reason


def _gap(quantity: Quantity, values: Values, gaps: Gaps) -> str | None:
    """Why the quantity cannot be had: the first input that is missing, or a divisor that is 0."""
    for name in quantity.inputs:
        if name not in values:
            return gaps.get(name) or f"no {name}"
    for name in quantity.divisors:
        if values[name] == 0.0:
            return f"{name} is 0 and would divide"
    return None


def model_of(bases: Bases) -> str:
    """The model of paying among the bases; owned where there is none."""
    return next((option for choice, option in bases if choice == MODEL), OWNED.name)


@cache
def chooses(bases: Bases, choice: str) -> bool:
    """Whether anything under these bases hangs on that choice."""
    return any(each.basis and each.basis[0] == choice for each in graph(bases).quantities.values())


@cache
def graph(bases: Bases) -> Graph:
    """The graph under the bases chosen, as pairs of (choice, option); the model of paying is one of them."""
    model = model_of(bases)
    own = [
        each
        for each in written()
        if (each.basis is None or each.basis in bases) and (not each.models or model in each.models)
    ]
    return Graph([*own, *generated(MODELS[model])])


@cache
def read_under(bases: Bases) -> frozenset[str]:
    """The inputs that some figure reads under these bases."""
    whole = graph(bases)
    return whole.needs(tuple(whole.quantities))


@cache
def figures(bases: Bases) -> tuple[str, ...]:
    """Names of all quantities that describe a system under these bases; those of a year or a component left out."""
    return tuple(name for name, each in graph(bases).quantities.items() if not each.detail)


@cache
def metrics(bases: Bases) -> tuple[str, ...]:
    """Names of those by which systems are compared; what the totals are made of is left out."""
    quantities = graph(bases).quantities
    return tuple(name for name in figures(bases) if not quantities[name].beside)


@cache
def unit_of(name: str, currency: str) -> str:
    """The unit of an input or quantity, with the currency for `money`."""
    unit = units().get(name) or BY_NAME[name].unit
    return unit.replace("money", currency)
