"""From the fields of a request to a question: names looked up, ranges checked, what is open decided."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import Any

from marshmallow import ValidationError

from pricing.analysis.own import (
    KINDS,
    TIMES,
    check_read,
    in_range,
    needed_by,
    reads_prices,
    reads_results,
    submitter_names,
)
from pricing.analysis.question import Choice, Question
from pricing.analysis.sides import choices_of
from pricing.analysis.sizes import can_estimate
from pricing.analysis.timing import sized_as
from pricing.analysis.training import training_of
from pricing.catalogue.catalogue import Catalogue, round_key
from pricing.catalogue.names import find
from pricing.catalogue.resolution import by_submitter, rounds_of
from pricing.catalogue.results import NOT_MLPERF
from pricing.errors import BadQuestion
from pricing.graph import Bases, chooses, model_of
from pricing.quantities.inputs import BY_NAME
from pricing.quantities.models import OWNED, RENTED
from pricing.registry import MODEL, choices

PRESET = "us-colo"
CURRENCY = "USD"
MODELS_OF_PRESETS = {"cloud": RENTED}
"""The model of paying that is meant where a preset is asked and no model."""
ASSUMPTIONS = tuple(each.name for each in BY_NAME.values() if each.origin == "assumption")


def today() -> date:
    """The day, UTC."""
    return datetime.now(UTC).date()


def ask(catalogue: Catalogue, fields: Mapping[str, Any]) -> Question:
    """Check a request against the catalogue, settle what it leaves open, say what of it has no effect.

    Raises UnknownName, BadQuestion or marshmallow's ValidationError, each with what would be right.
    """
    question = settle(catalogue, fields)
    unread = tuple(_without_effect(catalogue, fields, question.choices))
    return replace(question, decided=question.decided + unread) if unread else question


def _without_effect(catalogue: Catalogue, fields: Mapping[str, Any], sides: tuple[Choice, ...]) -> Iterator[str]:
    """A sentence for each wish for all sides that means something to none of them."""
    if sides:
        yield from _unread_of_prices(fields, [each for each in sides if reads_prices(each)])
        yield from _unread_of_times(catalogue, fields, sides)


def _unread_of_prices(fields: Mapping[str, Any], priced: list[Choice]) -> Iterator[str]:
    if "estimate" in fields and not priced:
        yield "estimate has no effect: every side has its own price."
    if "price_kind" in fields and not any("price_kind" not in each.wishes for each in priced):
        yield "price_kind has no effect: every side has its own price or kind of price."
    for name in ("region", "quantity"):
        if name in fields and not priced:
            yield f"{name} has no effect: every side has its own price."


def _unread_of_times(catalogue: Catalogue, fields: Mapping[str, Any], sides: tuple[Choice, ...]) -> Iterator[str]:
    timed = [each for each in sides if reads_results(each) and each.wishes.get("result") not in catalogue.by_id]
    if "time_estimate" in fields and not timed:
        yield "time_estimate has no effect: every side has its own time."
    if "parameters" in fields and all(set(TIMES) & each.given.keys() for each in sides):
        yield "parameters and tokens have no effect: every side has its own time."
    for name in ("round", "division", "submitter"):
        if name in fields and not any(name not in each.wishes for each in timed):
            yield f"{name} {fields[name]} has no effect: every side has its own {name}, time or result named in full."


def settle(catalogue: Catalogue, fields: Mapping[str, Any]) -> Question:
    """The question that a request is, names looked up and what it leaves open decided; see `ask`."""
    _check_names(catalogue, fields)
    preset = fields.get("preset") or PRESET
    own = fields.keys() & _open_names()
    bases = _bases(catalogue, preset, fields, own)
    sides = tuple(choices_of(catalogue, fields, bases))
    question = Question(
        choices=sides,
        benchmark=fields.get("benchmark"),
        round=fields.get("round"),
        division=fields.get("division") or "closed",
        as_of=fields.get("as_of") or today(),
        currency=fields.get("currency") or CURRENCY,
        preset=preset,
        assumptions=_assumptions(fields, own, sides, bases) if own else {},
        bases=bases,
        price_kinds=_kinds(fields.get("price_kind", ())),
        estimate=fields.get("estimate"),
        submitter=fields.get("submitter"),
        region=fields.get("region"),
        quantity=fields.get("quantity"),
        exchange_date=fields.get("exchange_date"),
        time_estimate=fields.get("time_estimate"),
        training=training_of(fields),
        time_from=catalogue.system(fields["time_from"]).id if "time_from" in fields else None,
        rent_from=catalogue.system(fields["rent_from"]).id if "rent_from" in fields else None,
        grid=fields.get("grid"),
        decided=tuple(_decided(preset, fields)),
    )
    _check_training(question)
    return settle_round(catalogue, question, asked_division="division" in fields)


def _check_training(question: Question) -> None:
    """What only an estimate from parameters and tokens reads needs them. Raises BadQuestion."""
    given = [name for each in question.choices for name in each.given] if question.training is None else []
    for name in ("peak_tflops", "mfu_share"):
        if name in given:
            raise BadQuestion(name, "no effect without parameters and tokens, from which a time would be estimated")


def _decided(preset: str, fields: Mapping[str, Any]) -> Iterator[str]:
    if preset in MODELS_OF_PRESETS and MODEL not in fields:
        yield f"model {MODELS_OF_PRESETS[preset]}: that of preset {preset}"


def _assumptions(fields: Mapping[str, Any], own: Set[str], sides: Sequence[Choice], whole: Bases) -> dict[str, float]:
    """The caller's own assumptions for all sides; each, and each choice of a basis, must be read for one of them."""
    bases = tuple(dict.fromkeys(each.bases for each in sides)) or (whole,)
    given = {name: in_range(name, fields[name]) for name in ASSUMPTIONS if name in own}
    for name in given:
        check_read(name, *bases)
    for choice in choices():
        if choice in own and choice != MODEL and not any(chooses(each, choice) for each in bases):
            models = " and ".join(dict.fromkeys(model_of(each) for each in bases))
            raise BadQuestion(choice, f"no effect where systems are {models}")
    return given


def _check_names(catalogue: Catalogue, fields: Mapping[str, Any]) -> None:
    """What is named for the whole question must exist, and must mean something in it."""
    catalogue.preset(fields.get("preset") or PRESET)
    if "grid" in fields:
        catalogue.grid(fields["grid"])
    _check_currency(fields)
    if "submitter" in fields:
        known = submitter_names(catalogue)
        find("submitter", fields["submitter"], dict(zip(known, known, strict=True)))
    if "benchmark" not in fields:
        for name in ("round", "division", "submitter", "result", "time_estimate", "time_from"):
            if name in fields:
                raise BadQuestion(name, "it needs a benchmark")


def _check_currency(fields: Mapping[str, Any]) -> None:
    """The currency must be one that is tender on the day of the prices."""
    if "currency" in fields and fields["currency"] != CURRENCY:
        from pricing.catalogue.currencies import fault_of  # noqa: PLC0415 (Babel, only where a currency is asked)

        if fault := fault_of(fields["currency"], fields.get("as_of") or today()):
            raise ValidationError({"currency": [fault]})


def _kinds(asked: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(asked)) < len(asked):
        raise BadQuestion("price_kind", "each kind once")
    return tuple(find("price kind", kind, dict.fromkeys(KINDS, kind)) for kind in asked)


def _bases(catalogue: Catalogue, preset: str, fields: Mapping[str, Any], own: Set[str]) -> Bases:
    """The option asked of each choice; else the first whose assumptions the preset, or the caller, holds."""
    found = default_bases(catalogue, preset, frozenset(own & _deciding()) if own else frozenset())
    if own.isdisjoint(choices()):
        return found
    return tuple((choice, fields.get(choice) or option) for choice, option in found)


@cache
def _open_names() -> frozenset[str]:
    """Every name of an assumption or a choice."""
    return frozenset((*ASSUMPTIONS, *choices()))


@cache
def _deciding() -> frozenset[str]:
    """The assumptions that an option of some choice needs."""
    needed = (needed_by(choice, option) for choice, options in choices().items() for option in options)
    return frozenset[str]().union(*needed)


@lru_cache(maxsize=256)
def default_bases(catalogue: Catalogue, preset: str, given: frozenset[str]) -> Bases:
    """For each choice the first option whose assumptions the preset or the caller holds."""
    held = catalogue.preset(preset).keys() | given
    found = {}
    for choice, options in choices().items():
        found[choice] = next((option for option in options if needed_by(choice, option) <= held), options[0])
    found[MODEL] = MODELS_OF_PRESETS.get(preset, OWNED.name)
    return tuple(found.items())


def settle_round(catalogue: Catalogue, question: Question, *, asked_division: bool) -> Question:
    """Check the benchmark and its round; without a round take the latest that fits, and say so."""
    benchmark = question.benchmark
    if benchmark is None:
        return question
    rounds = catalogue.rounds(benchmark)
    if question.round:
        find("round", question.round, {each: each for each in rounds})
    if rounds == (NOT_MLPERF,):
        if asked_division:
            raise BadQuestion("division", f"{benchmark} is no MLPerf benchmark and has no divisions")
        return replace(question, round=NOT_MLPERF, division=NOT_MLPERF)
    if question.round:
        return question
    latest, why = _latest(catalogue, question, benchmark)
    decided = (*question.decided, f"round {latest}: the latest {why}") if latest else question.decided
    return replace(question, round=latest, decided=decided)


def _latest(catalogue: Catalogue, question: Question, benchmark: str) -> tuple[str | None, str]:
    """The latest round in which all sides that need one have a result, or that has any where there is no side."""
    if not question.choices:
        kind = _kind(question.division, benchmark, question.submitter)
        whose, rules = question.submitter, (benchmark, question.division)
        held = {
            key[1]
            for key, rows in catalogue.measured.items()
            if (key[0], key[2]) == rules and (whose is None or by_submitter(catalogue, rows, whose))
        }
        if not held:
            raise BadQuestion("division", f"no round has {kind}")
        return max(held, key=round_key), f"that has {kind}"
    needing = [each for each in question.choices if _needs_round(catalogue, each)]
    if not needing:
        return None, ""
    measured = {each: _rounds(catalogue, question, each, benchmark) for each in needing}
    kinds = {
        each: _kind(_division(question, each), benchmark, _submitter(question, each), each.wishes.get("result"))
        for each in needing
    }
    shared = set(catalogue.rounds(benchmark)).intersection(*measured.values())
    if not shared:
        raise _no_common_round(measured, kinds)
    if question.time_estimate:
        return max(shared, key=round_key), "in which every side has the result asked, or sizes to estimate it from"
    if len(set(kinds.values())) == 1 and len(needing) == len(question.choices) > 1:
        return max(shared, key=round_key), f"in which all systems have {kinds[needing[0]]}"
    have = " and ".join(f"{each.name} has {kinds[each]}" for each in needing)
    return max(shared, key=round_key), f"in which {have}"


def _no_common_round(measured: Mapping[Choice, list[str]], kinds: Mapping[Choice, str]) -> BadQuestion:
    """The error that there is no round that all sides have, with the rounds that each has."""
    alike = len(set(kinds.values())) == 1
    what = f"all systems have {next(iter(kinds.values()))}" if alike else "every side has the result asked"
    names = {each: each.name if alike else f"{each.name}, {kind}" for each, kind in kinds.items()}
    listed = "; ".join(f"{names[each]}: {', '.join(rounds) or 'none'}" for each, rounds in measured.items())
    return BadQuestion("round", f"no round in which {what} ({listed}); ask for one")


def _kind(division: str, benchmark: str, submitter: str | None, submission: str | None = None) -> str:
    """A kind of result in words, such as: a closed bert result by NVIDIA."""
    by = f" by {submitter}" if submitter else ""
    of = f" of submission {submission}" if submission else ""
    return f"{'an' if division == 'open' else 'a'} {division} {benchmark} result{by}{of}"


def _needs_round(catalogue: Catalogue, each: Choice) -> bool:
    """A side with its own time or round, or with a result named in full, does not take part in the choice."""
    return reads_results(each) and "round" not in each.wishes and each.wishes.get("result") not in catalogue.by_id


def _division(question: Question, each: Choice) -> str:
    return each.wishes.get("division") or question.division


def _submitter(question: Question, each: Choice) -> str | None:
    return each.wishes.get("submitter") or question.submitter


def _rounds(catalogue: Catalogue, question: Question, each: Choice, benchmark: str) -> list[str]:
    """The rounds that have a result of the side, or of the submission wished for it."""
    rules = (benchmark, _division(question, each))
    side, submitter, submission = (each.system, each.count), _submitter(question, each), each.wishes.get("result")
    found = rounds_of(catalogue, side, rules, submitter, submission)
    if submission:
        return found
    if not found and question.time_from:
        found = rounds_of(catalogue, sized_as(catalogue, each, question.time_from), rules, submitter, submission)
    if question.time_estimate is None:
        return found
    system = catalogue.system(each.system)
    others = (name for name in catalogue.rounds(benchmark) if name not in found)
    under = replace(question, division=rules[1], submitter=submitter)
    likely = [name for name in others if can_estimate(catalogue, replace(under, round=name), system, each.count)]
    return sorted((*found, *likely), key=round_key)
