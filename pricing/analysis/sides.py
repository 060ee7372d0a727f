"""Which side of a question a name means, and which own figures and wishes belong to it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pricing.analysis.own import check_effect, check_wishes, rows_of, sort_own, whose, with_division
from pricing.analysis.question import Choice
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import Bases
from schemas.question import OWN, Asked, split_count


class Label(NamedTuple):
    """What tells a side from the others: its system, and how many of it."""

    system: str
    units: int

    def __str__(self) -> str:
        """Write it as it was asked."""
        return f"{self.units}*{self.system}" if self.units > 1 else self.system


def choices_of(catalogue: Catalogue, fields: Mapping[str, Any], bases: Bases) -> Iterator[Choice]:
    """The sides of a request, each with its own figures. Raises UnknownName, BadQuestion or ValidationError."""
    asked: Sequence[Asked] = fields["systems"]
    labels = [_label(catalogue, each) for each in asked]
    if len(set(labels)) < len(labels):
        raise BadQuestion("systems", "each system and size once: two sides would have the same name")
    own: dict[Label, list[tuple[str, Any]]] = {
        label: list(each.own.items()) for label, each in zip(labels, asked, strict=True)
    }
    benchmark = fields.get("benchmark")
    for system, name, value in fields.get("set", ()):
        own[find_side(catalogue, labels, system)].append((name, value))
    for system, figures in fields.get("overrides", {}).items():
        own[find_side(catalogue, labels, system)].extend(figures.items())
    for result in fields.get("result", ()):
        own[_side_of_result(catalogue, labels, result, benchmark)].append(("result", result))
    for label, each in zip(labels, asked, strict=True):
        given, wishes = sort_own(own[label], bases)
        choice = Choice(label.system, label.units, each.brought, given, wishes)
        check_wishes(catalogue, choice, benchmark)
        check_effect(catalogue, choice, bases)
        yield choice if "division" in fields else with_division(catalogue, choice, benchmark)


def _label(catalogue: Catalogue, each: Asked) -> Label:
    return Label(f"{OWN}{each.name}" if each.brought else catalogue.system(each.name).id, each.count)


def find_side(catalogue: Catalogue, labels: Sequence[Label], name: str) -> Label:
    """The side that a name means: exactly, or its system where only one side is of it. Raises UnknownName."""
    count, system = split_count(name)
    asked = {label.system for label in labels}
    if system not in asked:
        system = f"{OWN}{system}" if f"{OWN}{system}" in asked else catalogue.system(system).id
    exact = [label for label in labels if label == Label(system, count)]
    fits = exact or [label for label in labels if label.system == system and count == 1]
    if len(fits) > 1:
        raise BadQuestion("set", f"{name} is in the question as {' and '.join(map(str, fits))}: say which")
    if not fits:
        raise UnknownName("side of this question", name, [str(label) for label in labels])
    return fits[0]


def _side_of_result(catalogue: Catalogue, labels: Sequence[Label], result: str, benchmark: str | None) -> Label:
    """The side of which a result is, by its full id, or the only one that has a submission of that id."""
    rows = rows_of(catalogue, result, benchmark)
    fits = {label for label in labels for each in rows if (each.system, each.units) == label}
    if len(fits) != 1:
        raise BadQuestion("result", f"{result} is of {whose(rows)}, not of one side of this question")
    return fits.pop()
