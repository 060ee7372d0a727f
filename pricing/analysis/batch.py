"""One question of many: the figures that are wanted of one side, and nothing else is evaluated."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from pricing.analysis.asking import ASSUMPTIONS, ask
from pricing.analysis.compare import Comparison, choice_named, compared
from pricing.analysis.converting import AGE
from pricing.analysis.gathering import FACTS, gather
from pricing.analysis.own import in_range
from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import nearest
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import Bases, figures

RELATIVE = "relative."
ASSUMED = frozenset(ASSUMPTIONS)
MOST_KNOWN = 1_000


class Answered(NamedTuple):
    """A side with the figures wanted of it, in their order; None where there is none, with why in `gaps`."""

    comparison: Comparison
    side: Side
    values: Mapping[str, float | None]
    gaps: Mapping[str, str]


class Answers:
    """Answers to questions of one catalogue for the same figures.

    Rows that differ in the values of assumptions only share what is known of their sides, which is looked up once.
    """

    def __init__(self, catalogue: Catalogue, wanted: Sequence[str]) -> None:
        self.catalogue, self.wanted = catalogue, tuple(wanted)
        self._known: dict[Any, Prepared] = {}

    def to(self, fields: Mapping[str, Any]) -> Answered:
        """Answer a question for figures of one side. Raises UnknownName, BadQuestion, Competing or ValidationError."""
        given = {name: fields[name] for name in fields.keys() & ASSUMED}
        if AGE in given:  # it decides on what is known of a side
            return self._answered(self._prepared(fields), fields, {})
        key = tuple((name, repr(value)) for name, value in sorted(fields.items()) if name not in given)
        prepared = self._known.get((key, frozenset(given)))
        if prepared is not None:
            return self._answered(prepared, fields, {name: in_range(name, value) for name, value in given.items()})
        prepared = self._prepared(fields)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[(key, frozenset(given))] = prepared
        return self._answered(prepared, fields, {})

    def _prepared(self, fields: Mapping[str, Any]) -> "Prepared":
        """The question for the side that is meant, and the baseline where a ratio is wanted."""
        question = ask(self.catalogue, fields)
        choices = question.choices
        if "system" not in fields and len(choices) > 1:
            raise BadQuestion("system", "it says of which of the systems the figures are wanted")
        choice = choice_named(self.catalogue, choices, fields["system"]) if "system" in fields else choices[0]
        is_ratio = any(name.startswith(RELATIVE) for name in self.wanted)
        named = fields.get("baseline")
        against = (choice_named(self.catalogue, choices, named) if named else choices[0],) if is_ratio else ()
        about = tuple(dict.fromkeys((choice, *against)))
        asked = replace(question, choices=about, targets=_targets(choice.bases, self.wanted))
        return Prepared(asked, tuple(gather(self.catalogue, asked, each) for each in about))

    def _answered(self, prepared: "Prepared", fields: Mapping[str, Any], given: Mapping[str, float]) -> Answered:
        """The figures, with these assumptions in place of those with which the sides were put together."""
        question = replace(prepared.question, assumptions=given) if given else prepared.question
        sides = tuple(each.again(given) for each in prepared.sides)
        comparison = compared(self.catalogue, question, sides, sides[-1])
        found = {name: _value(comparison, name) for name in self.wanted}
        gaps = {name: _reason(comparison, name) for name in self.wanted if found[name] is None}
        return Answered(comparison, sides[0], found, gaps)


class Prepared(NamedTuple):
    """A question with its sides as they are before anything is computed."""

    question: Question
    sides: tuple[Side, ...]


@lru_cache(maxsize=1024)
def _targets(bases: Bases, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The numbers that the fields name. Raises UnknownName with the nearest."""
    known = {*FACTS, *figures(bases)}
    for field in wanted:
        if field.removeprefix(RELATIVE) not in known:
            raise UnknownName("field", field, nearest(field, sorted(known)))
    return tuple(dict.fromkeys(field.removeprefix(RELATIVE) for field in wanted))


def _value(comparison: Comparison, field: str) -> float | None:
    """A figure of the first side, or its ratio to the baseline."""
    side, name = comparison.sides[0], field.removeprefix(RELATIVE)
    return comparison.relative[0].get(name) if field.startswith(RELATIVE) else side.values.get(name)


def _reason(comparison: Comparison, field: str) -> str:
    """Why there is no such figure."""
    side, name = comparison.sides[0], field.removeprefix(RELATIVE)
    if name not in side.values:
        return side.gaps.get(name) or f"no {name}"
    held = comparison.baseline.values.get(name)
    return comparison.baseline.gaps.get(name) or f"the baseline has {'none' if held is None else 'a 0'}"
