"""Total cost of ownership as an answer."""

from typing import Any

from pricing.analysis.tco import Component, Ownership, Year
from pricing.graph import unit_of
from service.answers.answer import Block, Line, Page, Records
from service.answers.compare import CompareAnswer
from service.answers.documents import footing, heading
from service.answers.saying import notes_of, workload
from service.answers.words import label

TOTALS = (
    "acquisition_cost", "operating_cost_per_year", "recovered_value", "tco_undiscounted", "tco_present_value",
    "tco_equivalent_annual", "cost_per_useful_hour", "cost_per_useful_accelerator_hour", "cost_per_run",
)  # fmt: skip


class TcoAnswer:
    """The cost of owning each side: components, years, totals."""

    def __init__(self, ownership: Ownership, *, explain: bool = False) -> None:
        self.ownership = ownership
        self.compared = CompareAnswer(ownership.comparison, explain=explain)

    def document(self) -> dict[str, Any]:
        """The costs as JSON holds them."""
        each = self.ownership.comparison
        whole = self.compared.document()
        systems = [
            {
                **side,
                "components": [_component(part) for part in parts],
                "years": [_year(year) for year in years],
            }
            for side, parts, years in zip(
                whole["systems"], self.ownership.components, self.ownership.years, strict=True
            )
        ]
        return {
            **heading(each),
            "model": self.ownership.model.name,
            "baseline": each.baseline.name,
            "systems": systems,
            **footing(each, self.compared.names),
        }

    def records(self) -> Records:
        """One row a component and side, then one a total."""
        each = self.ownership.comparison
        money = each.question.currency
        columns = (
            ("system", None), ("item", None), ("due", None), ("amount", None), ("amount_unit", None),
            ("present_value", money), ("note", None), ("catalogue", None),
        )  # fmt: skip
        rows: list[list[Any]] = []
        for side, parts in zip(each.sides, self.ownership.components, strict=True):
            for part in parts:
                unit = f"{money} / year" if part.due == "yearly" else money
                row = [side.name, part.name, part.due, part.amount, unit, part.present_value, part.reason]
                rows.append([*row, each.catalogue.version])
            for name in TOTALS:
                unit = unit_of(name, each.question.bases, money)
                row = [side.name, name, "total", side.values.get(name), unit, None, side.gaps.get(name)]
                rows.append([*row, each.catalogue.version])
        return Records(columns, rows)

    def page(self) -> Page:
        """Components and totals down, systems across, then the years."""
        each = self.ownership.comparison
        money = each.question.currency
        heads = tuple(side.name for side in each.sides)
        parts = [
            Line(
                label(same[0].name),
                f"{money} / year" if same[0].due == "yearly" else money,
                [part.amount for part in same],
            )
            for same in zip(*self.ownership.components, strict=True)
        ]
        totals = [
            Line(
                label(name),
                unit_of(name, each.question.bases, money),
                [side.values.get(name) for side in each.sides],
            )
            for name in TOTALS
        ]
        last = max((len(years) for years in self.ownership.years), default=0)
        years = [
            Line(f"year {year}, all so far", money, [_cumulative(rows, year) for rows in self.ownership.years])
            for year in range(last)
        ]
        title = [
            f"total cost of ownership: {', '.join(heads)}",
            workload(each),
            f"preset {each.question.preset}",
        ]
        blocks = [Block(heads[start : start + 3], _part(lines, start)) for start in range(0, len(heads), 3)
                  for lines in (parts, totals, years)]  # fmt: skip
        return Page(title, blocks, notes_of(each))


def _part(lines: list[Line], start: int) -> list[Line]:
    return [Line(line.label, line.unit, line.cells[start : start + 3]) for line in lines]


def _cumulative(rows: tuple[Year, ...], year: int) -> float | None:
    return rows[year].cumulative if year < len(rows) else None


def _component(part: Component) -> dict[str, Any]:
    return part._asdict()


def _year(year: Year) -> dict[str, Any]:
    return year._asdict()
