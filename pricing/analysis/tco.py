"""Total cost of each side, however it is paid for: by component and by year."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pricing.analysis.compare import Comparison, compare
from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from pricing.graph import figures, graph, model_of
from pricing.quantities.models import MODELS, Model

ONCE, YEARLY, AT_THE_END = "once", "yearly", "at the end"
ACQUISITION, AGREED, OPERATING, RECOVERED = SUMS = (
    "acquisition_cost", "agreed_cost_per_year", "operating_cost_per_year", "recovered_value",
)  # fmt: skip
BOOK = "book_value"


class Part(NamedTuple):
    """A component of a model: when it is due, and the sum that it belongs to; `comes_back` where it is no cost."""

    name: str
    due: str
    total: str
    comes_back: bool = False

    @property
    def stem(self) -> str:
        """Its name without the per year."""
        return self.name.removesuffix("_per_year")


class Component(NamedTuple):
    """A cost component: what is paid when it is due, and what that is worth on the day of purchase.

    `amount` is per year where `due` is yearly, in prices of the day of purchase. What comes back has a negative
    present value.
    """

    name: str
    due: str
    total: str
    amount: float | None
    present_value: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Year:
    """A year of service; year 0 is the day of purchase. Costs are negative where money comes back.

    By FOCUS 1.2: `list_cost` before discounts, `contracted_cost` after them, `billed_cost` what is paid in the year,
    `effective_cost` with what was bought spread over the years as the books have it. `book_value` is at the year's end.
    """

    year: int
    costs: Mapping[str, float]
    present_values: Mapping[str, float]
    list_cost: float
    contracted_cost: float
    billed_cost: float
    effective_cost: float
    depreciation: float
    book_value: float
    present_value: float
    cumulative: float
    cumulative_present_value: float


@dataclass(frozen=True, slots=True)
class Ownership:
    """A comparison with, for each side, its components and years."""

    comparison: Comparison
    components: tuple[tuple[Component, ...], ...]
    years: tuple[tuple[Year, ...], ...]


def tco(catalogue: Catalogue, question: Question, baseline: str | None = None) -> Ownership:
    """Compute the cost of each side, by component and year, and every figure. The benchmark may be left out."""
    comparison = compare(catalogue, question, baseline)
    for side in comparison.sides:
        graph(side.choice.bases).evaluate(side.values, side.gaps, figures(side.choice.bases))
    return Ownership(
        comparison=comparison,
        components=tuple(components(side) for side in comparison.sides),
        years=tuple(years(side) for side in comparison.sides),
    )


def model(side: Side) -> Model:
    """How the side is paid for."""
    return MODELS[model_of(side.choice.bases)]


def parts(whole: Model) -> Iterator[Part]:
    """The components of a model in their order."""
    yield from (Part(name, ONCE, ACQUISITION) for name in whole.upfront)
    yield from (Part(name, YEARLY, AGREED) for name in whole.agreed)
    yield from (Part(name, YEARLY, OPERATING) for name in whole.yearly)
    yield from (Part(name, AT_THE_END, RECOVERED) for name in whole.closing)
    yield from (Part(name, AT_THE_END, RECOVERED, comes_back=True) for name in whole.returned)


def components(side: Side) -> tuple[Component, ...]:
    """The model's components in their order; one under a total that the caller gave is left out, with why."""
    due = list(parts(model(side)))
    values, gaps = dict(side.values), dict(side.gaps)
    worths = tuple(f"{part.stem}_present_value" for part in due)
    graph(side.choice.bases).evaluate(values, gaps, (*worths, *(part.name for part in due)))
    found = []
    for part, worth in zip(due, worths, strict=True):
        if part.total in side.choice.given:
            found.append(Component(*part[:3], None, None, f"{part.total} was given in its place"))
        elif "tco_present_value" in side.choice.given:
            reason = "tco_present_value was given, to which it does not add up"
            found.append(Component(*part[:3], values.get(part.name), None, gaps.get(part.name) or reason))
        else:
            found.append(Component(*part[:3], values.get(part.name), values.get(worth), gaps.get(worth)))
    return tuple(found)


def years(side: Side) -> tuple[Year, ...]:
    """Year by year; the last year holds what is paid and what comes back at the end.

    Empty where a component is a gap, or a sum that the years would have to add up to was given.
    """
    due = list(parts(model(side)))
    values = dict(side.values)
    graph(side.choice.bases).evaluate(values, {}, tuple(part.name for part in due))
    if any(part.name not in values for part in due) or "service_life_years" not in values or given_over_years(side):
        return ()
    last = math.ceil(values["service_life_years"])
    first = _at(side, values, 0)
    if any(name not in first for part in due for name in _needed(part)):
        return ()
    found: list[Year] = []
    for year in range(last + 1):
        at = _at(side, values, year)
        found.append(_year(due, at, found, is_last=year == last))
    return tuple(found)


def _needed(part: Part) -> tuple[str, ...]:
    """What a year says of a part beside its name."""
    if part.due == YEARLY:
        return (f"{part.stem}_in_year", f"{part.stem}_in_year_present_value")
    return (f"{part.name}_present_value",)


def _at(side: Side, values: Mapping[str, float], year: int) -> dict[str, float]:
    """The numbers of a side in a year of service."""
    at = {**values, "year": float(year)}
    whole = graph(side.choice.bases)
    names = [name for name in whole.quantities if name.endswith(("_in_year", "_present_value"))]
    whole.evaluate(at, {}, (*names, BOOK, "list_cost"))
    return at


def _year(due: list[Part], at: Mapping[str, float], before: list[Year], *, is_last: bool) -> Year:
    """One year: what is paid in it, what that is worth on the day of purchase, and what the books say."""
    number = len(before)
    costs, worths = {}, {}
    for part in due:
        sign = -1.0 if part.comes_back else 1.0
        if (part.due == ONCE and number == 0) or (part.due == AT_THE_END and is_last):
            costs[part.name], worths[part.name] = sign * at[part.name], at[f"{part.name}_present_value"]
        elif part.due == YEARLY and number > 0:
            costs[part.name] = at[f"{part.stem}_in_year"]
            worths[part.name] = at[f"{part.stem}_in_year_present_value"]
    billed, worth = math.fsum(costs.values()), math.fsum(worths.values())
    book = at[RECOVERED] if is_last else at[BOOK]
    depreciation = before[-1].book_value - book if before else 0.0
    kept = [each for name, each in costs.items() if name not in _settled(due)]
    discount = at["list_cost"] - at["contracted_cost"] if number == 0 and "contracted_cost" in costs else 0.0
    return Year(
        year=number,
        costs=costs,
        present_values=worths,
        list_cost=billed + discount,
        contracted_cost=billed,
        billed_cost=billed,
        effective_cost=math.fsum([*kept, depreciation]),
        depreciation=depreciation,
        book_value=book,
        present_value=worth,
        cumulative=billed + (before[-1].cumulative if before else 0.0),
        cumulative_present_value=worth + (before[-1].cumulative_present_value if before else 0.0),
    )


def _settled(due: list[Part]) -> frozenset[str]:
    """What depreciation stands for: what is bought, and what of it comes back."""
    return frozenset(part.name for part in due if part.total in (ACQUISITION, RECOVERED))


def given_over_years(side: Side) -> str | None:
    """A given sum, of those looked at here, that the years of the side would not add up to."""
    return next((name for name in ("tco_undiscounted", *SUMS) if name in side.choice.given), None)
