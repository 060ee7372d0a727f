"""Every quantity there is: the formulas of `quantities/`, and the sums generated from a model's components."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import add
from types import ModuleType

from pricing.quantities import (
    acquisition,
    energy,
    estimation,
    financing,
    operations,
    performance,
    rental,
    space,
    totals,
)
from pricing.quantities.models import MODELS, Model
from pricing.quantities.tag import TAGS, Better, Formula
from pricing.symbols import write

TOPICS: tuple[ModuleType, ...] = (
    performance, estimation, acquisition, financing, energy, space, operations, rental, totals,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quantity:
    """A formula with its name, unit and inputs. `text` is the formula written out.

    `divisors` are the inputs whose zero would divide. A `basis` is (choice, option) where there are
    several ways to the quantity. What belongs to a single component or year is a `detail`.
    """

    name: str
    unit: str
    inputs: tuple[str, ...]
    formula: Formula
    text: str
    divisors: tuple[str, ...]
    about: str
    topic: str = "totals"
    basis: tuple[str, str] | None = None
    better: Better | None = None
    detail: bool = False


def make(name: str, unit: str, formula: Formula, inputs: tuple[str, ...] | None = None) -> Quantity:
    """Make a quantity from its formula; the parameter names are the inputs where none are named."""
    inputs = inputs or tuple(inspect.signature(formula).parameters)
    symbol = write(formula, inputs)
    divisors = tuple(each for each in inputs if each in symbol.divisors)
    return Quantity(name, unit, inputs, formula, symbol.text, divisors, inspect.getdoc(formula) or "")


@cache
def written() -> tuple[Quantity, ...]:
    """Every formula of `quantities/`, in the order of the files, all bases."""
    found = []
    for module in TOPICS:
        topic = module.__name__.rpartition(".")[2]
        for formula in vars(module).values():
            tag = TAGS.get(formula) if inspect.isfunction(formula) else None
            if tag and formula.__module__ == module.__name__:
                made = make(tag.name or formula.__name__, tag.unit, formula)
                found.append(
                    replace(made, topic=topic, basis=tag.basis, better=tag.better, detail="year" in made.inputs)
                )
    return tuple(found)


@cache
def choices() -> dict[str, tuple[str, ...]]:
    """What may be chosen: for each choice its options, the default first."""
    found: dict[str, dict[str, None]] = {}
    for each in written():
        if each.basis:
            found.setdefault(each.basis[0], {})[each.basis[1]] = None
    return {choice: tuple(options) for choice, options in found.items()}


def ways_to(choice: str) -> str:
    """The quantities that a choice of basis is about."""
    names = dict.fromkeys(each.name for each in written() if each.basis and each.basis[0] == choice)
    return ", ".join(names)


@cache
def units() -> dict[str, str]:
    """The unit of every quantity, on whatever basis."""
    return {
        each.name: each.unit for each in (*written(), *(sums for model in MODELS.values() for sums in generated(model)))
    }


@cache
def divisors() -> frozenset[str]:
    """Names whose zero would divide somewhere."""
    return frozenset(name for each in written() for name in each.divisors)


def generated(model: Model) -> Iterator[Quantity]:
    """The sums over the model's components, and each component's present value and share of a year."""
    paid = _total("acquisition_cost", "money", model.upfront, "All that is paid on the day of purchase.")
    yield replace(paid, better="less")
    running = _total("operating_cost_per_year", "money / year", model.yearly, "All that is paid each year.")
    yield replace(running, better="less")
    back = _total("recovered_value", "money", model.returned, "All that comes back at the end of life.")
    yield replace(back, better="more")
    for part in model.upfront:
        yield _detail(f"{part}_present_value", "money", _paid_now, (part,))
    for part in model.yearly:
        stem = part.removesuffix("_per_year")
        yield _detail(f"{stem}_present_value", "money", _times, (part, "annuity_factor"))
        yield _detail(f"{stem}_in_year", "money / year", _times, (part, "year_share"))
    for part in model.returned:
        yield _detail(f"{part}_present_value", "money", _paid_back, (part, "terminal_discount_factor"))


def _total(name: str, unit: str, parts: tuple[str, ...], about: str) -> Quantity:
    return replace(make(name, unit, _sum, parts), about=about)


def _detail(name: str, unit: str, formula: Formula, inputs: tuple[str, ...]) -> Quantity:
    return replace(make(name, unit, formula, inputs), detail=True)


def _sum(*terms: float) -> float:
    """Sum of all terms."""
    return reduce(add, terms)


def _paid_now(cost: float) -> float:
    """What is paid on the day of purchase is its own present value."""
    return cost


def _times(cost: float, factor: float) -> float:
    """A yearly cost over all years at present value, or in one year."""
    return cost * factor


def _paid_back(value: float, factor: float) -> float:
    """What comes back at the end of life, as a negative cost of today."""
    return 0.0 - value * factor
