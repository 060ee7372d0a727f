"""One figure of one system as an answer: what a spreadsheet cell asks for."""

from typing import Any

from pricing.analysis.compare import Comparison
from pricing.analysis.side import Origin, Side
from pricing.catalogue.names import nearest
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import model_of, unit_of
from service.answers.answer import Block, Cell, Line, Page, Records
from service.answers.documents import caveat_document, cited, explanation, heading, named, provenance, warned
from service.answers.saying import called, notes_of, told, workload
from service.answers.words import label

RELATIVE = "relative."


class FigureAnswer:
    """One number, with its unit, where it is from and what to mind. A gap is an error, never a blank."""

    def __init__(self, comparison: Comparison, side: Side, field: str, *, explain: bool = False) -> None:
        self.comparison, self.side, self.field, self.explain = comparison, side, field, explain
        self.name = field.removeprefix(RELATIVE)
        self.relative = is_relative(field)

    @property
    def value(self) -> float:
        """The number. Raises BadQuestion with the reason where there is none."""
        index = self.comparison.sides.index(self.side)
        numbers = self.comparison.relative[index] if self.relative else self.side.values
        if self.name in numbers:
            return numbers[self.name]
        raise BadQuestion("field", f"no {self.field} for {self.side.name}: {self._why()}")

    def _why(self) -> str:
        """Why there is no number: a gap of the side, or of the baseline, or a baseline of 0."""
        baseline = self.comparison.baseline
        if self.name not in self.side.values:
            return _gap(self.side, self.name)
        if self.name not in baseline.values:
            return f"the baseline {baseline.name} has none, {_gap(baseline, self.name)}"
        return f"{self.name} of the baseline {baseline.name} is 0"

    @property
    def unit(self) -> str:
        """The unit of the number; a ratio has 1."""
        asked = self.comparison.question
        return "1" if self.relative else unit_of(self.name, asked.currency)

    def document(self) -> dict[str, Any]:
        """The figure as JSON holds it."""
        each = self.comparison
        found: dict[str, Any] = {
            **heading(each.catalogue, each.question, each.rules),
            "baseline": each.baseline.name if self.relative else None,
            **named(self.side),
            "field": self.field,
            "value": self.value,
            "unit": self.unit,
            "provenance": self._provenance(),
            "caveats": [caveat_document(caveat) for caveat in each.caveats],
            "notices": list(each.notices),
        }
        if self.explain:
            found["explanation"] = explanation(each, self.side, (self.name,))
            if self.relative:
                found["baseline_explanation"] = explanation(each, each.baseline, (self.name,))
        return found

    def _provenance(self) -> Origin:
        """Where the number is from; a ratio is of the two sides' numbers."""
        each = self.comparison
        if self.relative:
            return {"status": "derived", "formula": f"{self.name} / {self.name} of {each.baseline.name}"}
        return provenance(each, self.side, (self.name,))[self.name]

    def records(self) -> Records:
        """One row."""
        if self.explain:
            raise BadQuestion("explain", "an explanation has no rows: ask for json, table or md")
        each = self.comparison
        row: dict[str, Cell] = {
            "system": self.side.name,
            "field": self.field,
            "value": self.value,
            "baseline": each.baseline.name if self.relative else None,
            "caveats": warned(each.caveats),
            "notices": " ".join(each.notices),
            **cited(each.catalogue, each.question, each.rules),
        }
        units = {"value": self.unit}
        return Records(tuple((name, units.get(name)) for name in row), [list(row.values())])

    def page(self) -> Page:
        """The figure on a line, and what must be said with it."""
        each = self.comparison
        what = f"{label(self.name)}, ratio to {each.baseline.name}" if self.relative else label(self.name)
        sums = [line for side in each.sides for line in told(each, side, (self.name,))] if self.explain else []
        title = [called(self.side), workload(each), f"prices on {each.question.as_of}, preset {each.question.preset}"]
        ratios = frozenset({0}) if self.relative else frozenset()
        block = Block((self.side.name,), [Line(what, self.unit, [self.value])], ratios)
        return Page(title, [block], [*sums, *notes_of(each)])


def is_relative(field: str) -> bool:
    """Whether a field is a ratio to the baseline."""
    return field.startswith(RELATIVE)


def target_of(field: str, known: tuple[str, ...]) -> str:
    """The number that a field names. Raises UnknownName with the nearest."""
    name = field.removeprefix(RELATIVE)
    if name not in known:
        fields = [*known, *(f"{RELATIVE}{each}" for each in known)]
        raise UnknownName("field", field, nearest(field, fields))
    return name


def _gap(side: Side, name: str) -> str:
    """Why a side has no such number: a gap, or a model that knows none."""
    return side.gaps.get(name) or f"systems that are {model_of(side.choice.bases)} have none"
