"""Freezing an answer, and giving it back as it was."""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from marshmallow import Schema

from pricing.analysis.asking import ask, today
from pricing.analysis.resolving import resolved
from pricing.catalogue import quotes as kept
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find
from pricing.catalogue.quotes import ENGINE, Quote
from pricing.errors import BadQuestion
from service.answers.answer import Answer
from service.formats import FORMATS
from service.formats.plain import plain
from service.parameters import body_of, breakeven_parameters, compare_body, robustness_parameters
from service.questions import breakeven_answer, compare_answer, robustness_answer, tco_answer

FORMS = ("json", "csv", "tsv", "table", "md")
RELATIVE = "relative."


class Noun(NamedTuple):
    """A question that can be frozen: the schema of its fields, and what answers it."""

    schema: Callable[[], type[Schema]]
    answer: Callable[[Catalogue, Mapping[str, Any]], Answer]


NOUNS = {
    "compare": Noun(compare_body, compare_answer),
    "tco": Noun(compare_body, tco_answer),
    "breakeven": Noun(lambda: body_of(breakeven_parameters()), breakeven_answer),
    "robustness": Noun(lambda: body_of(robustness_parameters()), robustness_answer),
}


class Frozen(NamedTuple):
    """A quote with its bytes by format."""

    quote: Quote
    bodies: Mapping[str, bytes]


def loaded(noun: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a question. Raises UnknownName or ValidationError."""
    if "format" in given:
        raise BadQuestion("format", "a quote is kept in every format: ask for one when you read it")
    fields: dict[str, Any] = find("question", noun, NOUNS).schema()().load(dict(given))
    return fields


def freeze(catalogue: Catalogue, noun: str, given: Mapping[str, Any], more: Mapping[str, Any]) -> Frozen:
    """Answer a question, with its day decided, and hold the bytes. Raises UnknownName, BadQuestion or ValidationError.

    `more` has the day until which it is valid, and who asked.
    """
    fields = {"as_of": today(), **loaded(noun, given)}
    answer = NOUNS[noun].answer(catalogue, fields)
    whole = resolved(noun, ask(catalogue, fields), fields, catalogue.version)
    asked = json.dumps({**given, "as_of": fields["as_of"].isoformat(), "catalogue": catalogue.version}, default=str)
    quote = Quote(
        id=kept.quote_id(whole), noun=noun, asked=asked, resolved=whole, version=catalogue.version, engine=ENGINE,
        books=tuple(each.name for each in catalogue.books), valid_until=more.get("valid_until"),
        made_by=more.get("made_by"), made_at=kept.made_now(), redacted=False,
    )  # fmt: skip
    forms = ("json", "table", "md") if fields.get("explain") else FORMS
    return Frozen(quote, {form: FORMATS[form].write(answer) for form in forms})


def figure(body: bytes, field: str, system: str | None) -> bytes:
    """One figure of a frozen answer as a bare number. Raises BadQuestion or UnknownName."""
    sides = json.loads(body).get("systems", [])
    named = {_name(side): side for side in sides}
    if system is None and len(sides) != 1:
        raise BadQuestion("system", f"say which: {', '.join(named)}")
    side = sides[0] if system is None else find("system", system, named)
    held = side.get("relative", {}) if field.startswith(RELATIVE) else side
    name = field.removeprefix(RELATIVE)
    value = held.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadQuestion("field", side.get("gaps", {}).get(name) or f"this quote has no number {field}")
    return plain(float(value)).encode()


def _name(side: Mapping[str, Any]) -> str:
    """A side as it is called."""
    many = f"{side['count']}*{side['system']}" if side.get("count", 1) > 1 else side["system"]
    return f"{many}@{side['model']}" if side.get("model", "owned") != "owned" else many


class Difference(NamedTuple):
    """A value of a frozen answer that comes out otherwise now."""

    path: str
    frozen: Any
    now: Any


def replayed(catalogue: Catalogue, quote: Quote, body: bytes) -> list[Difference]:
    """Compute a quote again on its catalogue version, with the engine of now: what comes out otherwise."""
    given = json.loads(quote.asked)
    fields = loaded(quote.noun, {name: value for name, value in given.items() if name != "catalogue"})
    again = FORMATS["json"].write(NOUNS[quote.noun].answer(catalogue, fields))
    return list(_differences(json.loads(body), json.loads(again), ""))


def _differences(frozen: Any, now: Any, path: str) -> Any:
    if isinstance(frozen, dict) and isinstance(now, dict):
        for name in dict.fromkeys((*frozen, *now)):
            yield from _differences(frozen.get(name), now.get(name), f"{path}.{name}" if path else name)
    elif isinstance(frozen, list) and isinstance(now, list) and len(frozen) == len(now):
        for number, (one, other) in enumerate(zip(frozen, now, strict=True)):
            yield from _differences(one, other, f"{path}[{number}]")
    elif frozen != now:
        yield Difference(path, frozen, now)


def is_valid(quote: Quote, on: date) -> bool | None:
    """Whether a quote still holds; None where it has no end."""
    return None if quote.valid_until is None else on <= quote.valid_until
