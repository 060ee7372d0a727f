"""From the fields of a request to a question: names looked up, ranges checked, what is open decided."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

from marshmallow import ValidationError

from pricing.analysis.question import Choice, Question
from pricing.catalogue.catalogue import Catalogue, round_key
from pricing.catalogue.names import find
from pricing.catalogue.resolution import BOUGHT_KINDS, rounds_of
from pricing.catalogue.results import NOT_MLPERF
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import Bases, graph
from pricing.quantities.inputs import BY_NAME
from pricing.registry import choices
from schemas.numbers import Bounds, NumberError
from schemas.price import Kind
from schemas.question import Asked, number_of

PRESET = "us-colo"
WISHES = ("round", "division", "submitter", "result", "price_kind")
ASSUMPTIONS = tuple(each.name for each in BY_NAME.values() if each.origin == "assumption")
KINDS: tuple[str, ...] = Kind.__args__  # type: ignore[attr-defined]


def today() -> date:
    """The day, UTC."""
    return datetime.now(UTC).date()


def ask(catalogue: Catalogue, fields: Mapping[str, Any]) -> Question:
    """Check a request against the catalogue and settle what it leaves open.

    Raises UnknownName, BadQuestion or marshmallow's ValidationError, each with what would be right.
    """
    _check_version(catalogue, fields.get("catalogue"))
    preset = fields.get("preset") or PRESET
    catalogue.preset(preset)
    bases = _bases(catalogue, preset, fields)
    kinds = tuple(find("price kind", kind, dict.fromkeys(KINDS, kind)) for kind in fields.get("price_kind", ()))
    question = Question(
        choices=tuple(_choices(catalogue, fields, bases)),
        benchmark=fields.get("benchmark"),
        round=fields.get("round"),
        division=fields.get("division") or "closed",
        as_of=fields.get("as_of") or today(),
        currency=fields.get("currency") or "USD",
        preset=preset,
        assumptions={name: _in_range(name, fields[name]) for name in ASSUMPTIONS if name in fields},
        bases=bases,
        price_kinds=kinds or BOUGHT_KINDS,
        estimate=fields.get("estimate"),
        submitter=fields.get("submitter"),
        result=fields.get("result"),
    )
    return settle_round(catalogue, question)


def _check_version(catalogue: Catalogue, wanted: str | None) -> None:
    if wanted and wanted != catalogue.version:
        raise UnknownName("catalogue version", wanted, [catalogue.version])


def _bases(catalogue: Catalogue, preset: str, fields: Mapping[str, Any]) -> Bases:
    """The option asked of each choice; else the first whose assumptions the preset holds."""
    held = catalogue.preset(preset).keys() | fields.keys()
    found = []
    for choice, options in choices().items():
        fits = (option for option in options if _needed(choice, option) <= held)
        found.append((choice, fields.get(choice) or next(fits, options[0])))
    return tuple(found)


@cache
def _settable(bases: Bases) -> tuple[str, ...]:
    return tuple(name for name in (*BY_NAME, *graph(bases).quantities) if name not in ("system_count", "year"))


@cache
def _needed(choice: str, option: str) -> frozenset[str]:
    """Assumptions that only this way to the quantity needs."""
    others = tuple((name, options[0]) for name, options in choices().items() if name != choice)
    target = (f"{choice.removesuffix('_basis')}_cost_per_year",)
    needs = graph((*others, (choice, option))).needs(target)
    return frozenset(name for name in needs if BY_NAME[name].origin == "assumption")


def _choices(catalogue: Catalogue, fields: Mapping[str, Any], bases: Bases) -> Iterator[Choice]:
    own = list(_own_figures(fields))
    asked: tuple[Asked, ...] = fields["systems"]
    names = [each.name if each.brought else catalogue.system(each.name).id for each in asked]
    sides = [(name, each.count) for name, each in zip(names, asked, strict=True)]
    if len(set(sides)) < len(sides):
        raise BadQuestion("systems", "each system once: two sides would have the same name")
    for system, name, _ in own:
        if _id(catalogue, system, names) not in names:
            raise UnknownName("system in set", f"{system}.{name}", names)
    for name, each in zip(names, asked, strict=True):
        figures = [*each.own.items(), *((n, v) for s, n, v in own if _id(catalogue, s, names) == name)]
        given, wishes = _sort(figures, bases)
        _check_wishes(catalogue, wishes, fields.get("benchmark"))
        yield Choice(name, each.count, each.brought, given, wishes)


def _id(catalogue: Catalogue, name: str, brought: list[str]) -> str:
    return name if name in brought else catalogue.system(name).id


def _own_figures(fields: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    yield from fields.get("set", ())
    for system, figures in fields.get("overrides", {}).items():
        for name, value in figures.items():
            yield system, name, value


def _sort(figures: list[tuple[str, Any]], bases: Bases) -> tuple[dict[str, float], dict[str, str]]:
    """Tell numbers from wishes such as another round; each name once."""
    given: dict[str, float] = {}
    wishes: dict[str, str] = {}
    settable = _settable(bases)
    for name, value in figures:
        if name in given or name in wishes:
            raise BadQuestion(name, f"{name} is given twice for one system")
        if name in WISHES:
            wishes[name] = str(value)
        elif name in settable:
            given[name] = _in_range(name, number_of(value, name))
        else:
            raise UnknownName("field", name, _near(name, [*settable, *WISHES]))
    return given, wishes


def _check_wishes(catalogue: Catalogue, wishes: Mapping[str, str], benchmark: str | None) -> None:
    """A wish for one system must exist, as it must for all."""
    known = {"division": ("closed", "open"), "price_kind": KINDS}
    if benchmark:
        known["round"] = catalogue.rounds(benchmark)
    for name, value in wishes.items():
        if name in known:
            find(name.replace("_", " "), value, dict.fromkeys(known[name], value))


def _near(name: str, known: list[str]) -> list[str]:
    from pricing.catalogue.names import nearest  # noqa: PLC0415 (only a wrong name pays for it)

    return nearest(name, known)


QUANTITY_BOUNDS = Bounds(0.0, 1e30)


def bounds_of(name: str) -> Bounds:
    """The range in which a given number must lie: an input's own, 0 or more for a quantity."""
    known = BY_NAME.get(name)
    return Bounds(known.low, known.high, known.open_low) if known else QUANTITY_BOUNDS


def _in_range(name: str, value: Any) -> float:
    try:
        bounds_of(name).check(float(value))
    except NumberError as error:
        raise ValidationError({name: [str(error)]}) from None
    return float(value)


def settle_round(catalogue: Catalogue, question: Question) -> Question:
    """Check the benchmark and its round; without a round take the latest that all systems share."""
    benchmark = question.benchmark
    if benchmark is None:
        return question
    rounds = catalogue.rounds(benchmark)
    if rounds == (NOT_MLPERF,):
        return replace(question, round=NOT_MLPERF, division=NOT_MLPERF)
    if question.round:
        found = find("round", question.round, {each: each for each in rounds})
        return replace(question, round=found)
    latest = _latest_shared(catalogue, question, benchmark)
    decided = f"round {latest}: the latest in which all systems have a {question.division} {benchmark} result"
    return replace(question, round=latest, decided=(*question.decided, decided))


def _latest_shared(catalogue: Catalogue, question: Question, benchmark: str) -> str:
    measured = {}
    for each in question.choices:
        needs_one = not each.brought and "time_to_train_minutes" not in each.given and "round" not in each.wishes
        if needs_one:
            division = each.wishes.get("division") or question.division
            measured[each.system] = rounds_of(catalogue, each.system, each.count, benchmark, division)
    shared = set(catalogue.rounds(benchmark)).intersection(*measured.values())
    if not shared:
        listed = "; ".join(f"{system}: {', '.join(rounds) or 'none'}" for system, rounds in measured.items())
        raise BadQuestion("round", f"no round in which all systems have such a result ({listed}); ask for one")
    return max(shared, key=round_key)
