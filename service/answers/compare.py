"""A comparison as an answer."""

from collections.abc import Iterator
from typing import Any

from pricing.analysis.compare import Comparison, rules_used
from pricing.analysis.side import Side
from pricing.errors import BadQuestion
from pricing.graph import model_of
from service.answers.answer import Block, Line, Page, Records
from service.answers.documents import (
    cited,
    exact,
    explanation,
    footing,
    heading,
    price_of,
    provenance,
    result_of,
    units_of,
    warned,
)
from service.answers.saying import FOR_PEOPLE, WHERE_THERE, called, notes_of, shown, told, workload
from service.answers.words import label

SIDES_IN_A_BLOCK = 3
TWO = 2
MOST_IN_TITLE = 3


class CompareAnswer:
    """A comparison in every shape. With `explain` each side's sums are in the document, term by term."""

    def __init__(self, comparison: Comparison, *, explain: bool = False) -> None:
        self.comparison = comparison
        self.explain = explain
        self.names = comparison.shown()

    def document(self) -> dict[str, Any]:
        """The comparison as JSON holds it."""
        each = self.comparison
        return {
            **heading(each.catalogue, each.question, each.rules),
            "baseline": each.baseline.name,
            "systems": [self._side(side, dict(ratio)) for side, ratio in zip(each.sides, each.relative, strict=True)],
            **footing(each, self.names),
        }

    def _side(self, side: Side, relative: dict[str, float]) -> dict[str, Any]:
        found: dict[str, Any] = {
            "system": side.choice.system,
            "name": side.system.name if side.system else side.choice.system,
            "count": side.choice.count,
            "model": model_of(side.choice.bases),
            **{name: exact(side.values.get(name)) for name in self.names},
            "given": dict(side.choice.given),
            "relative": relative,
            "gaps": {name: side.gaps[name] for name in self.names if name in side.gaps},
            "power_basis": side.power_basis,
            "provenance": provenance(self.comparison, side, self.names),
            "result": result_of(side),
            "listed_price": price_of(side),
        }
        if self.explain:
            found["explanation"] = explanation(self.comparison, side, self.names)
        return found

    def records(self) -> Records:
        """One row a side: numbers, ratios, and notes on what is missing and what to mind."""
        self.refuse_rows_of_sums()
        units = units_of(self.comparison, self.names)
        columns: list[tuple[str, str | None]] = [("system", None), ("count", None), ("model", None)]
        columns += [(name, units[name]) for name in self.names]
        columns += [(f"relative.{name}", "1") for name in self.names]
        columns += [(name, None) for name in ("baseline", "result", "submitter", "gaps", "caveats", "notices")]
        columns += [
            (name, None) for name in cited(self.comparison.catalogue, self.comparison.question, self.comparison.rules)
        ]
        return Records(tuple(columns), list(self._rows()))

    def refuse_rows_of_sums(self) -> None:
        """Refuse to leave out the explanation that was asked for. Raises BadQuestion."""
        if self.explain:
            raise BadQuestion("explain", "an explanation has no rows: ask for json, table or md")

    def sums(self) -> list[str]:
        """Each side's sums for people, if they were asked for."""
        each = self.comparison
        return [line for side in each.sides for line in told(each, side, self.names)] if self.explain else []

    def _rows(self) -> Iterator[list[Any]]:
        each = self.comparison
        for side, relative in zip(each.sides, each.relative, strict=True):
            beside = cited(each.catalogue, each.question, rules_used(side)).values()
            result = side.result.result
            yield [
                side.choice.system,
                side.choice.count,
                model_of(side.choice.bases),
                *(side.values.get(name) for name in self.names),
                *(relative.get(name) for name in self.names),
                each.baseline.name,
                *((result.id, result.row.submitter) if result else (None, None)),
                "; ".join(f"{name}: {side.gaps[name]}" for name in self.names if name in side.gaps),
                warned(each.caveats, side.name),
                " ".join(each.notices),
                *beside,
            ]

    def page(self) -> Page:
        """Metrics down, systems across; with each system its ratio to the baseline."""
        each = self.comparison
        there = {name for side in each.sides for name in side.values}
        names = tuple(name for name in FOR_PEOPLE if name in self.names and (name not in WHERE_THERE or name in there))
        others = [side for side in each.sides if side is not each.baseline]
        step = SIDES_IN_A_BLOCK - 1
        groups = [others[start : start + step] for start in range(0, len(others), step)] or [[]]
        blocks = [self._block(names, self._columns(group)) for group in groups]
        return Page(self._title(), blocks, [*self.sums(), *notes_of(each)])

    def _columns(self, group: list[Side]) -> list[tuple[Side, bool]]:
        """Sides and ratios across: two as they were asked, more after the baseline."""
        each = self.comparison
        if len(each.sides) == TWO:
            return [*((side, False) for side in each.sides), (group[0], True)]
        return [(each.baseline, False), *((side, is_ratio) for side in group for is_ratio in (False, True))]

    def _title(self) -> list[str]:
        each = self.comparison
        asked = each.question
        names = [called(side) for side in each.sides]
        more = f" and {len(names) - MOST_IN_TITLE} more" if len(names) > MOST_IN_TITLE else ""
        return [
            " against ".join(names[:MOST_IN_TITLE]) + more,
            workload(each),
            f"baseline {each.baseline.name}, prices on {asked.as_of}, preset {asked.preset}",
        ]

    def _block(self, names: tuple[str, ...], columns: list[tuple[Side, bool]]) -> Block:
        each = self.comparison
        units = units_of(each, names)
        ratios = {id(side): ratio for side, ratio in zip(each.sides, each.relative, strict=True)}
        lines = [
            Line(
                label(name),
                units[name],
                [ratios[id(side)].get(name) if is_ratio else shown(side, name) for side, is_ratio in columns],
            )
            for name in names
        ]
        heads = tuple("ratio" if is_ratio else side.name for side, is_ratio in columns)
        return Block(heads, lines, frozenset(index for index, (_, is_ratio) in enumerate(columns) if is_ratio))
