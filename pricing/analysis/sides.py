"""Which side of a question a name means, and which own figures and wishes belong to it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pricing.analysis.own import check_effect, check_wishes, rows_of, sort_own, whose, with_division
from pricing.analysis.question import Choice
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import Bases, model_of
from pricing.quantities.models import MODELS, RENTED
from pricing.registry import MODEL
from schemas.price import RENTED as RENTED_KINDS
from schemas.question import OWN, Asked, split_count, split_model


class Label(NamedTuple):
    """What tells a side from the others: its system, how many of it, and how it is paid for.

    `apart` is whether that is another way than the question's own, so that it is said.
    """

    system: str
    units: int
    model: str
    apart: bool = False

    def __str__(self) -> str:
        """Write it as it was asked."""
        system = f"{self.units}*{self.system}" if self.units > 1 else self.system
        return f"{system}@{self.model}" if self.apart else system


def label_of(choice: Choice) -> Label:
    """The label of a side."""
    return Label(choice.system, choice.count, model_of(choice.bases), choice.model is not None)


def choices_of(catalogue: Catalogue, fields: Mapping[str, Any], bases: Bases) -> Iterator[Choice]:
    """The sides of a request, each with its own figures. Raises UnknownName, BadQuestion or ValidationError."""
    asked: Sequence[Asked] = fields["systems"]
    labels = [_label(catalogue, each, bases) for each in asked]
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
        for label in _sides_of_result(catalogue, labels, result, benchmark):
            own[label].append(("result", result))
    for label, each in zip(labels, asked, strict=True):
        own_model = label.model if label.apart else None
        whole = bases_of(own_model, fields, bases, dict(own[label]))
        given, wishes = sort_own(own[label], whole)
        choice = Choice(label.system, label.units, each.brought, given, wishes, own_model, whole, label.model == RENTED)
        check_wishes(catalogue, choice, benchmark)
        check_effect(catalogue, choice, whole)
        yield choice if "division" in fields else with_division(catalogue, choice, benchmark)


def _label(catalogue: Catalogue, each: Asked, bases: Bases) -> Label:
    whole = model_of(bases)
    model = find("model", each.model or whole, {name: name for name in MODELS})
    return Label(
        f"{OWN}{each.name}" if each.brought else catalogue.system(each.name).id, each.count, model, model != whole
    )


RENTAL = "rental_basis"
OF_KIND = {"on_demand": "on_demand", "spot": "spot"}
"""How many hours are paid at which kind of rented price; what is reserved, or bought as a block, is paid whole."""


def bases_of(model: str | None, fields: Mapping[str, Any], bases: Bases, wishes: Mapping[str, Any]) -> Bases:
    """The bases of one side: its own model, and where it is rented the hours that its kind of price asks."""
    if model is None and "price_kind" not in wishes and "price_kind" not in fields:
        return bases
    found = dict(bases) if model is None else {**dict(bases), MODEL: model}
    kinds = [wishes["price_kind"]] if "price_kind" in wishes else list(fields.get("price_kind", ()))
    hours = {OF_KIND.get(kind, "reserved"): kind for kind in kinds if kind in RENTED_KINDS}
    if hours and RENTAL not in fields:
        if len(hours) > 1:
            raise BadQuestion("price_kind", f"{' and '.join(hours.values())} are paid for different hours: ask for one")
        (found[RENTAL],) = hours
    return bases if found == dict(bases) else tuple(found.items())


def find_side(catalogue: Catalogue, labels: Sequence[Label], name: str) -> Label:
    """The side that a name means: exactly, or its system where only one side is of it. Raises UnknownName."""
    plain, model = split_model(name)
    count, system = split_count(plain)
    asked = {label.system for label in labels}
    if system not in asked:
        system = f"{OWN}{system}" if f"{OWN}{system}" in asked else catalogue.system(system).id
    meant = [label for label in labels if label.system == system and model in (None, label.model)]
    exact = [label for label in meant if label.units == count and (model or not label.apart)]
    fits = exact or [label for label in meant if count in (1, label.units)]
    if len(fits) > 1:
        raise BadQuestion("set", f"{name} is in the question as {' and '.join(map(str, fits))}: say which")
    if not fits:
        raise UnknownName("side of this question", name, [str(label) for label in labels])
    return fits[0]


def _sides_of_result(catalogue: Catalogue, labels: Sequence[Label], result: str, benchmark: str | None) -> list[Label]:
    """The side of which a result is, by its full id, or the only one that has a submission of that id.

    They are several where one system is paid for in several ways.
    """
    rows = rows_of(catalogue, result, benchmark)
    of_rows = {(each.system, each.units) for each in rows}
    fits = [label for label in labels if (label.system, label.units) in of_rows]
    if len({(label.system, label.units) for label in fits}) != 1:
        raise BadQuestion("result", f"{result} is of {whose(rows)}, not of one side of this question")
    return fits
