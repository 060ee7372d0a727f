"""Estimates, made only when asked for and labelled with their rule."""

from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from pricing.analysis.question import Choice, Question
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.per_unit import amount_per_system
from pricing.catalogue.resolution import BOUGHT_KINDS, RENTED_KINDS, choose_price, is_whole
from schemas.price import RENTED, Offer, Price
from schemas.system import System


def kinds_of(question: Question, choice: Choice) -> tuple[str, ...]:
    """The kinds of price wanted of a side: its own wish, else of those asked the ones that it can be paid by."""
    if kind := choice.wishes.get("price_kind"):
        return (kind,)
    asked = question.price_kinds
    fits = tuple(kind for kind in asked if (kind in RENTED) is choice.rented)
    if asked and not fits and all(each.rented is choice.rented for each in question.choices):
        return asked  # nobody here can be paid so: the answer says why
    return fits or (RENTED_KINDS if choice.rented else BOUGHT_KINDS)


def offer(question: Question, system: str, kinds: tuple[str, ...], choice: Choice) -> Offer:
    """The price that a question wants of a system for a side."""
    quantity = question.quantity or choice.count
    return Offer(system, kinds, question.as_of, question.region, quantity, rented=choice.rented)


class Estimate(NamedTuple):
    """An estimated price, the row that it stems from and its rule in words."""

    amount: Decimal
    price: Price
    rule: str


def estimate_linear(
    catalogue: Catalogue, system: System, kinds: tuple[str, ...], asked: tuple[Question, Choice]
) -> Estimate | None:
    """Price a system by the price per accelerator of its sibling that has a price of these kinds.

    The sibling is of the same family with the same accelerator, the nearest in size; of two equally near
    the larger. Its price must hold a host if the system has one. None where no sibling has such a price.
    """
    question, choice = asked
    siblings = []
    for other in catalogue.systems.values():
        alike = other.family == system.family and other.accelerator_model == system.accelerator_model
        if alike and other.id != system.id and other.accelerators and system.accelerators:
            found = choose_price(
                catalogue, offer(question, other.id, kinds, replace(choice, count=1)), question.currency
            )
            if found.price and is_whole(found.price, system):
                siblings.append((other, found.price))
    if not siblings:
        return None
    sibling, price = min(
        siblings, key=lambda each: (abs(each[0].accelerators - system.accelerators), -each[0].accelerators)
    )
    each = amount_per_system(price, sibling) / sibling.accelerators
    rule = (
        f"linear in accelerators: {system.accelerators} × {each:,} {price.currency}, which is the {price.kind} "
        f"price of {sibling.id} over its {sibling.accelerators} accelerators"
    )
    return Estimate(each * system.accelerators, price, rule)
