"""Every quantity there is: the formulas of `quantities/`, and the sums generated from a model's components."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import add, sub
from types import ModuleType

from pricing.quantities import (
    acquisition,
    borrowing,
    carbon,
    depreciation,
    energy,
    estimation,
    financing,
    leasing,
    operations,
    performance,
    rental,
    sizing,
    space,
    totals,
)
from pricing.quantities.models import MODELS, Model
from pricing.quantities.tag import TAGS, Better, Formula, Tag
from pricing.symbols import write

TOPICS: tuple[ModuleType, ...] = (
    performance, estimation, acquisition, financing, depreciation, borrowing, leasing, energy, space, operations,
    rental, carbon, totals, sizing,
)  # fmt: skip

MODEL = "model"
"""The choice of how the systems are paid for."""
ASIDE = {"year", "demanded_runs_per_year", "fleet_clusters"}
"""Inputs of one year of service, or of a demand for runs."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A formula with its name, unit and inputs. `text` is the formula written out.

    `divisors` are the inputs whose zero would divide. A `basis` is (choice, option) where there are
    several ways to the quantity. What belongs to a single component's present value or to a year is a `detail`.
    What stands `beside` a comparison, and the `models` it belongs to: see the tag.
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
    beside: bool = False
    models: tuple[str, ...] = ()


def make(name: str, unit: str, formula: Formula, inputs: tuple[str, ...] | None = None) -> Quantity:
    """Make a quantity from its formula; the parameter names are the inputs where none are named."""
    if inputs is None:
        inputs = tuple(inspect.signature(formula).parameters)
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
                found.append(_tagged(make(tag.name or formula.__name__, tag.unit, formula), tag, topic))
    return tuple(found)


def _tagged(made: Quantity, tag: Tag, topic: str) -> Quantity:
    """A quantity with what its tag says; what is of a year, or of a demand, is no figure of a system."""
    said = {"basis": tag.basis, "better": tag.better, "beside": tag.beside, "models": tag.models}
    return replace(made, topic=topic, detail=not ASIDE.isdisjoint(made.inputs), **said)  # type: ignore[arg-type]


@cache
def choices() -> dict[str, tuple[str, ...]]:
    """What may be chosen: for each choice its options, the default first."""
    found: dict[str, dict[str, None]] = {MODEL: dict.fromkeys(MODELS)}
    for each in written():
        if each.basis:
            found.setdefault(each.basis[0], {})[each.basis[1]] = None
    return {choice: tuple(options) for choice, options in found.items()}


def ways_to(choice: str) -> str:
    """The quantities that a choice of basis is about."""
    if choice == MODEL:
        return "pay"
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
    agreed = _total("agreed_cost_per_year", "money / year", model.agreed, "All that is paid each year as agreed.")
    yield replace(agreed, better="less", beside=True)
    about = "All else that is paid each year, in prices of the day of purchase; it grows with inflation."
    yield replace(_total("operating_cost_per_year", "money / year", model.yearly, about), better="less")
    back = make("recovered_value", "money", _net(len(model.returned)), (*model.returned, *model.closing))
    yield replace(back, about="What comes back at the end of life, less what is paid then.", better="more")
    for part in model.upfront:
        yield _detail(f"{part}_present_value", "money", _paid_now, (part,))
    grown = ("running_annuity_factor", "year_factor", "year_present_value_factor")
    level = ("annuity_factor", "year_share", "year_share_present_value_factor")
    for parts, factors in ((model.agreed, level), (model.yearly, grown)):
        for part in parts:
            stem = part.removesuffix("_per_year")
            for what, factor in zip(("present_value", "in_year", "in_year_present_value"), factors, strict=True):
                yield _detail(f"{stem}_{what}", "money", _times, (part, factor))
    for part in model.closing:
        yield _detail(f"{part}_present_value", "money", _times, (part, "terminal_discount_factor"))
    for part in model.returned:
        yield _detail(f"{part}_present_value", "money", _paid_back, (part, "terminal_discount_factor"))


def _total(name: str, unit: str, parts: tuple[str, ...], about: str) -> Quantity:
    return replace(make(name, unit, _sum, parts), about=about)


def _detail(name: str, unit: str, formula: Formula, inputs: tuple[str, ...]) -> Quantity:
    return replace(make(name, unit, formula, inputs), detail=True)


def _net(returned: int) -> Formula:
    """The first so many terms less the others."""

    def net(*terms: float) -> float:
        back = reduce(add, terms[:returned]) if returned else 0.0
        return reduce(sub, terms[returned:], back)

    return net


def _sum(*terms: float) -> float:
    """Sum of all terms; 0 of none."""
    return reduce(add, terms) if terms else 0.0


def _paid_now(cost: float) -> float:
    """What is paid on the day of purchase is its own present value."""
    return cost


def _times(cost: float, factor: float) -> float:
    """A yearly cost over all years at present value, or in one year."""
    return cost * factor


def _paid_back(value: float, factor: float) -> float:
    """What comes back at the end of life, as a negative cost of today."""
    return 0.0 - value * factor
