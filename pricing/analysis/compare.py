"""Systems side by side: every metric, absolute and against the baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pricing.analysis.fairness import caveats
from pricing.analysis.gathering import FACTS, gather
from pricing.analysis.notices import notices
from pricing.analysis.question import Choice, Question, Rules
from pricing.analysis.scene import Scene
from pricing.analysis.side import Side
from pricing.analysis.sides import find_side, label_of
from pricing.catalogue.catalogue import Catalogue, round_key
from pricing.errors import BadQuestion
from pricing.graph import Bases, graph, metrics
from schemas.caveat import Caveat


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sides with their numbers, the ratios to the baseline, and what must be said with them."""

    catalogue: Catalogue
    question: Question
    rules: Rules
    sides: tuple[Side, ...]
    baseline: Side
    relative: tuple[Mapping[str, float], ...]
    caveats: tuple[Caveat, ...]
    notices: tuple[str, ...]

    def shown(self) -> tuple[str, ...]:
        """Names of the numbers of a side, in the order in which they are shown."""
        all_bases = dict.fromkeys(side.choice.bases for side in self.sides)
        return tuple(dict.fromkeys(name for bases in all_bases for name in shown_under(bases)))


@cache
def shown_under(bases: Bases) -> tuple[str, ...]:
    """Names of the numbers of a side under these bases: facts, then what is computed."""
    return (*FACTS, *metrics(bases))


def choice_named(catalogue: Catalogue, choices: tuple[Choice, ...], name: str) -> Choice:
    """The side that a name means. Raises UnknownName, or BadQuestion where it means two."""
    labels = [label_of(each) for each in choices]
    return choices[labels.index(find_side(catalogue, labels, name))]


def compare(catalogue: Catalogue, question: Question, baseline: str | None = None) -> Comparison:
    """Compare the sides of a question; the first one is the baseline where none is named."""
    sides = tuple(gather(catalogue, question, choice) for choice in question.choices)
    chosen = choice_named(catalogue, question.choices, baseline) if baseline else question.choices[0]
    return compared(catalogue, question, sides, sides[question.choices.index(chosen)])


def compared(catalogue: Catalogue, question: Question, sides: tuple[Side, ...], base: Side) -> Comparison:
    """Compare sides that were put together; they are filled with what is computed."""
    for side in sides:
        side.walk(graph(side.choice.bases), question.targets or metrics(side.choice.bases))
        _check_residual(side)
    held = base.values
    asked = (*FACTS, *question.targets) if question.targets else shown_under(base.choice.bases)
    names = tuple([name for name in asked if held.get(name)])
    return Comparison(
        catalogue=catalogue,
        question=question,
        rules=rules_used(*sides),
        sides=sides,
        baseline=base,
        relative=tuple(dict.fromkeys(names, 1.0) if side is base else ratios(side, base, names) for side in sides),
        caveats=tuple(caveats(Scene(catalogue, question, sides, base))),
        notices=tuple(notices(catalogue, question, sides)),
    )


def _check_residual(side: Side) -> None:
    """What is given to come back must not be more than what was paid. Raises BadQuestion."""
    back, paid = side.choice.given.get("residual_value"), side.values.get("contracted_cost")
    if back is not None and paid is not None and back > paid:
        raise BadQuestion("residual_value", f"{back:,.10g} is more than what was paid for {side.name}, {paid:,.10g}")


def rules_used(*sides: Side) -> Rules:
    """The round and division of the results that sides use, whatever was asked; None where they use none."""
    rows = [side.ruling.row for side in sides if side.ruling]
    rounds = sorted({row.round for row in rows}, key=round_key)
    divisions = sorted({row.division or "none" for row in rows})
    return Rules(", ".join(rounds) or None, ", ".join(divisions) or None)


def ratios(side: Side, baseline: Side, names: tuple[str, ...]) -> dict[str, float]:
    """Each of the numbers over the baseline's, which is there and not 0; left out where the side has none."""
    ours, theirs = side.values, baseline.values
    return {name: ours[name] / theirs[name] for name in names if name in ours}
