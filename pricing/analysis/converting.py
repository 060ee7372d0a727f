"""Amounts of the catalogue in the currency of a question, with the rate that was used."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from pricing.analysis.question import Question
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.exchange import Rate, rate, source

AGE = "exchange_rate_age_days"


class Exchange(NamedTuple):
    """Into which currency, at the rate of which day, at most how many days old."""

    currency: str
    on: date
    most_days: int


class Converted(NamedTuple):
    """An amount in the currency asked. `rate` is None where nothing had to be done."""

    amount: float
    rate: Rate | None
    origin: Mapping[str, Any]


def exchanging(catalogue: Catalogue, question: Question, given: Mapping[str, float]) -> Exchange:
    """The exchange that a question asks for, with the caller's own limit where one was given."""
    days = given.get(AGE)
    if days is None:
        held = catalogue.preset(question.preset).get(AGE)
        days = held.value if held else 0.0
    return Exchange(question.currency, question.exchange_date or question.as_of, int(days))


def convert(amount: Decimal | float, base: str, exchange: Exchange) -> Converted:
    """An amount in the currency asked. Raises NoRate."""
    if base == exchange.currency:
        return Converted(float(amount), None, {})
    found = rate(base, exchange.currency, exchange.on, exchange.most_days)
    return Converted(float(Decimal(str(amount)) * found.rate), found, {"exchange": rate_document(found, exchange.on)})


def rate_document(found: Rate, on: date) -> dict[str, Any]:
    """A rate as answers show it."""
    return {
        "from": found.base,
        "to": found.target,
        "rate": float(found.rate),
        "date": found.day.isoformat(),
        "age_days": found.age_days(on),
        "source": source(),
    }
