"""One question of many: the figures that are wanted of one side, and nothing else is evaluated."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from pricing.analysis.asking import ask
from pricing.analysis.compare import Comparison, choice_named, compare
from pricing.analysis.gathering import FACTS
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import nearest
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import Bases, figures

RELATIVE = "relative."


class Answered(NamedTuple):
    """A side with the figures wanted of it, in their order; None where there is none, with why in `gaps`."""

    comparison: Comparison
    side: Side
    values: Mapping[str, float | None]
    gaps: Mapping[str, str]


def answered(catalogue: Catalogue, fields: Mapping[str, Any], wanted: Sequence[str]) -> Answered:
    """Answer a question for figures of one side. Raises UnknownName, BadQuestion, Competing or ValidationError."""
    question = ask(catalogue, fields)
    choices = question.choices
    if "system" not in fields and len(choices) > 1:
        raise BadQuestion("system", "it says of which of the systems the figures are wanted")
    choice = choice_named(catalogue, choices, fields["system"]) if "system" in fields else choices[0]
    is_ratio = any(name.startswith(RELATIVE) for name in wanted)
    against = (choice_named(catalogue, choices, fields["baseline"]) if "baseline" in fields else choices[0],)
    about = tuple(dict.fromkeys((choice, *(against if is_ratio else ()))))
    targets = _targets(choice.bases, tuple(wanted))
    comparison = compare(catalogue, replace(question, choices=about, targets=targets), about[-1].name)
    side = comparison.sides[0]
    found = {name: _value(comparison, name) for name in wanted}
    return Answered(
        comparison, side, found, {name: _reason(comparison, name) for name in wanted if found[name] is None}
    )


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
