"""Total cost of ownership as an answer."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from pricing.analysis.compare import rules_used
from pricing.analysis.side import Side
from pricing.analysis.tco import YEARLY, Component, Ownership, Year, given_over_years, model
from pricing.graph import figures, unit_of
from service.answers.answer import Block, Line, Page, Records
from service.answers.compare import CompareAnswer
from service.answers.documents import cited, exact, footing, heading, warned
from service.answers.saying import notes_of, workload
from service.answers.words import label

ACROSS = 3
TOTALS = (
    "acquisition_cost", "agreed_cost_per_year", "operating_cost_per_year", "recovered_value", "tco_undiscounted",
    "tco_present_value", "tco_equivalent_annual", "cost_per_useful_hour", "cost_per_useful_accelerator_hour",
    "cost_per_run",
)  # fmt: skip


class TcoAnswer:
    """The cost of each side: components, years, totals, and every figure beside them."""

    def __init__(self, ownership: Ownership, *, explain: bool = False) -> None:
        self.ownership = ownership
        self.compared = CompareAnswer(ownership.comparison, explain=explain)
        sides = ownership.comparison.sides
        names = (name for side in sides for name in figures(side.choice.bases))
        self.compared.names = tuple(dict.fromkeys((*self.compared.names, *names)))

    def document(self) -> dict[str, Any]:
        """The costs as JSON holds them."""
        each = self.ownership.comparison
        whole = self.compared.document()
        beside = zip(self.ownership.components, self.ownership.years, strict=True)
        systems = [
            {
                **document,
                "components": [part._asdict() for part in parts],
                "years": [asdict(year) for year in years],
            }
            for document, (parts, years) in zip(whole["systems"], beside, strict=True)
        ]
        return {
            **heading(each.catalogue, each.question, each.rules),
            "baseline": each.baseline.name,
            "systems": systems,
            **footing(each, self.compared.names),
        }

    def records(self) -> Records:
        """One row a component and side, then one a total, then one for each year and component."""
        self.compared.refuse_rows_of_sums()
        each = self.ownership.comparison
        money = each.question.currency
        beside = tuple(cited(each.catalogue, each.question, each.rules))
        names = ("system", "item", "due", "amount", "amount_unit", "present_value", "note", "caveats", *beside)
        rows = [
            [
                side.name,
                *row,
                warned(each.caveats, side.name),
                *cited(each.catalogue, each.question, rules_used(side)).values(),
            ]
            for side, parts, years in zip(each.sides, self.ownership.components, self.ownership.years, strict=True)
            for row in (*_parts(parts, money), *_totals(side, money), *_years(years, money))
        ]
        return Records(tuple((name, money if name == "present_value" else None) for name in names), rows)

    def page(self) -> Page:
        """Components and totals down, systems across, then the years."""
        each = self.ownership.comparison
        heads = tuple(side.name for side in each.sides)
        paid = "; ".join(dict.fromkeys(model(side).about for side in each.sides))
        title = [
            f"total cost of ownership: {', '.join(heads)}", paid, workload(each), f"preset {each.question.preset}",
        ]  # fmt: skip
        tables = (self._components(), self._sums(), self._years())
        blocks = [
            Block(heads[start : start + ACROSS], _part(lines, start))
            for start in range(0, len(heads), ACROSS)
            for lines in tables
        ]
        return Page(title, blocks, [*self.compared.sums(), *self._missing(), *notes_of(each, tuple(self._amounts()))])

    def _missing(self) -> Iterator[str]:
        """What has no amount, or no years, since the caller gave a sum in its place; and what counts nothing."""
        for side, parts in zip(self.ownership.comparison.sides, self.ownership.components, strict=True):
            for total in dict.fromkeys(part.total for part in parts if part.total in side.choice.given):
                names = ", ".join(label(part.name) for part in parts if part.total == total)
                yield f"missing for {side.name}: {names}; {label(total)} was given in its place"
            if over := given_over_years(side):
                yield f"missing for {side.name}: years; {label(over)} was given, to which they need not add up"
        if nothing := [label(name) for name, cells in self._amounts().items() if _is_nothing(cells)]:
            yield f"nothing is counted for: {', '.join(nothing)}"

    def _amounts(self) -> dict[str, list[float | None]]:
        """The amount of each component that some side has, in the order of the models, across the sides."""
        sides: list[Mapping[str, Component]] = [{part.name: part for part in one} for one in self.ownership.components]
        names = dict.fromkeys(name for side in sides for name in side)
        return {name: [side[name].amount if name in side else None for side in sides] for name in names}

    def _components(self) -> list[Line]:
        """Those of which some side has an amount that is not 0."""
        money = self.ownership.comparison.question.currency
        return [
            Line(label(name), unit_of(name, money), cells)
            for name, cells in self._amounts().items()
            if not _is_nothing(cells)
        ]

    def _sums(self) -> list[Line]:
        each = self.ownership.comparison
        return [
            Line(label(name), unit_of(name, each.question.currency), [side.values.get(name) for side in each.sides])
            for name in TOTALS
        ]

    def _years(self) -> list[Line]:
        rows = self.ownership.years
        money = self.ownership.comparison.question.currency
        last = max((len(years) for years in rows), default=0)
        return [
            Line(f"year {year}, all so far", money, [_cumulative(years, year) for years in rows])
            for year in range(last)
        ]


def _is_nothing(cells: list[float | None]) -> bool:
    """Whether no side has an amount, or lacks one that it would count."""
    return not any(cells) and 0 in cells


def _unit(part: Component, money: str) -> str:
    return f"{money} / year" if part.due == YEARLY else money


def _parts(parts: tuple[Component, ...], money: str) -> Iterator[list[Any]]:
    for part in parts:
        yield [part.name, part.due, part.amount, _unit(part, money), part.present_value, part.reason]


def _totals(side: Side, money: str) -> Iterator[list[Any]]:
    for name in TOTALS:
        yield [name, "total", exact(side.values.get(name)), unit_of(name, money), None, side.gaps.get(name)]


def _years(years: tuple[Year, ...], money: str) -> Iterator[list[Any]]:
    for each in years:
        for name, cost in each.costs.items():
            yield [name, f"year {each.year}", cost, money, each.present_values[name], None]
        for name in ("list_cost", "contracted_cost", "billed_cost", "effective_cost", "depreciation", "book_value"):
            yield [name, f"year {each.year}", getattr(each, name), money, None, None]


def _part(lines: list[Line], start: int) -> list[Line]:
    return [Line(line.label, line.unit, line.cells[start : start + ACROSS]) for line in lines]


def _cumulative(rows: tuple[Year, ...], year: int) -> float | None:
    return rows[year].cumulative if year < len(rows) else None
