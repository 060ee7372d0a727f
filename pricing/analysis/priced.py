"""What a side costs to buy, or an hour to rent, as the caller, the price that wins, or an estimate say."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from pricing.analysis.converting import Exchange, convert
from pricing.analysis.estimates import estimate_linear, kinds_of, offer
from pricing.analysis.question import Question
from pricing.analysis.side import Origin, Side
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.exchange import NoRate
from pricing.catalogue.per_unit import HOURS_CONVENTION, amount_per_system, normalised
from pricing.catalogue.resolution import choose_price
from schemas.price import Price
from schemas.system import System

BOUGHT, RENTED = "price", "rental_price_per_hour"


def add_price(side: Side, system: System, catalogue: Catalogue, asked: tuple[Question, Exchange]) -> None:
    """The price of one system, or where it is rented of an hour of it; else why there is none."""
    if asked[0].rent_from and not side.choice.rented and RENTED not in side.values:
        _add_rent_of_another(side, system, catalogue, asked)
    name = RENTED if side.choice.rented else BOUGHT
    if side.choice.rented:
        side.miss(BOUGHT, f"{side.name} is not bought")
    if name in side.values or (name == BOUGHT and "list_cost" in side.values):
        side.miss(BOUGHT, "list_cost was given")
        return
    found = (
        _rent(side, system, catalogue, asked[0]) if side.choice.rented else _price(side, system, catalogue, asked[0])
    )
    if found is None:
        side.miss(name, side.price.reason)
        return
    amount, origin = found
    base = str(origin["currency"])
    try:
        converted = convert(amount, base, asked[1])
    except NoRate as error:
        side.miss(name, f"priced in {base}: {error}")
        return
    if converted.rate:
        side.rates.add(converted.rate)
        origin = {**origin, **converted.origin}
    side.put(name, converted.amount, origin)


def _price(side: Side, system: System, catalogue: Catalogue, question: Question) -> tuple[Decimal, Origin] | None:
    """The amount for one system that is bought, in its own currency."""
    kinds = kinds_of(question, side.choice)
    side.price = choose_price(catalogue, offer(question, system.id, kinds, side.choice), question.currency)
    if side.price.price:
        return amount_per_system(side.price.price, system), _origin(side.price.price, "listed")
    if question.estimate != "linear":
        return None
    side.estimate = estimate_linear(catalogue, system, kinds, (question, side.choice))
    if side.estimate is None:
        return None
    return side.estimate.amount, {**_origin(side.estimate.price, "estimated"), "rule": side.estimate.rule}


def _rent(side: Side, system: System, catalogue: Catalogue, question: Question) -> tuple[Decimal, Origin] | None:
    """The amount for an hour of one system, in its own currency."""
    kinds = kinds_of(question, side.choice)
    side.price = choose_price(catalogue, offer(question, system.id, kinds, side.choice), question.currency)
    price = side.price.price
    if price is None:
        return None
    hour = normalised(price.amount, price.per, price.every, system).per_system_hour
    said = {} if price.every == "hour" else {"rule": HOURS_CONVENTION}
    return None if hour is None else (hour, {**_origin(price, "listed"), **said})


def _add_rent_of_another(side: Side, system: System, catalogue: Catalogue, asked: tuple[Question, Exchange]) -> None:
    """What renting would cost: the price of an accelerator-hour of another system, for as many accelerators."""
    question, exchange = asked
    other = catalogue.system(question.rent_from or "")
    choice = replace(side.choice, system=other.id, rented=True, given={}, wishes={})
    kinds = kinds_of(replace(question, choices=(choice, side.choice)), choice)
    found = choose_price(catalogue, offer(question, other.id, kinds, choice), question.currency).price
    each = normalised(found.amount, found.per, found.every, other).per_accelerator_hour if found else None
    accelerators = side.values.get("accelerators") or system.accelerators
    if found is None or each is None or not accelerators:
        side.miss(RENTED, f"the catalogue has no {' or '.join(kinds)} price of an hour of {other.id}")
        return
    try:
        converted = convert(each * int(accelerators), found.currency, exchange)
    except NoRate as error:
        side.miss(RENTED, f"priced in {found.currency}: {error}")
        return
    if converted.rate:
        side.rates.add(converted.rate)
    rule = (
        f"{accelerators:g} × {each:.10g} {found.currency}, the {found.kind} price of an accelerator-hour of {other.id}"
    )
    side.put(RENTED, converted.amount, {**_origin(found, "estimated"), "rule": rule, **converted.origin})


def _origin(price: Price, status: str) -> dict[str, Any]:
    """Where a price is from, as the answer shows it."""
    return {
        "status": status,
        "kind": price.kind,
        "currency": price.currency,
        "source": price.source,
        "url": price.url,
        "valid_from": price.valid_from.isoformat(),
        "about": price.about,
    }
