"""One figure of one system as an answer: what a spreadsheet cell asks for."""

from typing import Any

from pricing.analysis.compare import Comparison
from pricing.analysis.side import Side
from pricing.catalogue.names import nearest
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import unit_of
from service.answers.answer import Block, Cell, Line, Page, Records
from service.answers.documents import caveat_document, cited, explanation, heading, provenance, warned
from service.answers.saying import notes_of, told
from service.answers.words import label

RELATIVE = "relative."


class FigureAnswer:
    """One number, with its unit, where it is from and what to mind. A gap is an error, never a blank."""

    def __init__(self, comparison: Comparison, side: Side, field: str, *, explain: bool = False) -> None:
        self.comparison, self.side, self.field, self.explain = comparison, side, field, explain
        self.name = field.removeprefix(RELATIVE)
        self.relative = field != self.name

    @property
    def value(self) -> float:
        """The number. Raises BadQuestion with the reason where there is none."""
        index = self.comparison.sides.index(self.side)
        numbers = self.comparison.relative[index] if self.relative else self.side.values
        if self.name in numbers:
            return numbers[self.name]
        reason = self.side.gaps.get(self.name) or self.comparison.baseline.gaps.get(self.name)
        why = reason or f"the baseline's {self.name} is 0"
        raise BadQuestion("field", f"no {self.field} for {self.side.name}: {why}")

    @property
    def unit(self) -> str:
        """The unit of the number; a ratio has 1."""
        asked = self.comparison.question
        return "1" if self.relative else unit_of(self.name, asked.currency)

    def document(self) -> dict[str, Any]:
        """The figure as JSON holds it."""
        each = self.comparison
        found: dict[str, Any] = {
            **heading(each.catalogue, each.question),
            "baseline": each.baseline.name,
            "system": self.side.choice.system,
            "count": self.side.choice.count,
            "field": self.field,
            "value": self.value,
            "unit": self.unit,
            "provenance": provenance(each, self.side, (self.name,)).get(self.name),
            "caveats": [caveat_document(caveat) for caveat in each.caveats],
            "notices": list(each.notices),
        }
        if self.explain:
            found["explanation"] = explanation(each, self.side, (self.name,))
        return found

    def records(self) -> Records:
        """One row."""
        if self.explain:
            raise BadQuestion("explain", "an explanation has no rows: ask for json, table or md")
        each = self.comparison
        row: dict[str, Cell] = {
            "system": self.side.name,
            "field": self.field,
            "value": self.value,
            "baseline": each.baseline.name,
            "caveats": warned(each.caveats),
            "notices": " ".join(each.notices),
            **cited(each.catalogue, each.question),
        }
        units = {"value": self.unit}
        return Records(tuple((name, units.get(name)) for name in row), [list(row.values())])

    def page(self) -> Page:
        """The figure on a line, and what must be said with it."""
        line = Line(label(self.name), self.unit, [self.value])
        ratios = frozenset({0}) if self.relative else frozenset()
        sums = told(self.comparison, self.side, (self.name,)) if self.explain else []
        return Page([self.side.name], [Block((self.side.name,), [line], ratios)], [*sums, *notes_of(self.comparison)])


def target_of(field: str, known: tuple[str, ...]) -> str:
    """The number that a field names. Raises UnknownName with the nearest."""
    name = field.removeprefix(RELATIVE)
    if name not in known:
        fields = [*known, *(f"{RELATIVE}{each}" for each in known)]
        raise UnknownName("field", field, nearest(field, fields))
    return name
