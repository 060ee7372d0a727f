"""Estimates, made only when asked for and labelled with their rule."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from pricing.analysis.question import Question
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.per_unit import amount_per_system
from pricing.catalogue.resolution import choose_price, is_whole
from schemas.price import Offer, Price
from schemas.system import System


def offer(question: Question, system: str, kinds: tuple[str, ...], count: int) -> Offer:
    """The price that a question wants of a system."""
    return Offer(system, kinds, question.as_of, question.region, question.quantity or count)


class Estimate(NamedTuple):
    """An estimated price, the row that it stems from and its rule in words."""

    amount: Decimal
    price: Price
    rule: str


def estimate_linear(catalogue: Catalogue, system: System, kinds: Sequence[str], question: Question) -> Estimate | None:
    """Price a system by the price per accelerator of its sibling that has a price of these kinds.

    The sibling is of the same family with the same accelerator, the nearest in size; of two equally near
    the larger. Its price must hold a host if the system has one. None where no sibling has such a price.
    """
    siblings = []
    for other in catalogue.systems.values():
        alike = other.family == system.family and other.accelerator_model == system.accelerator_model
        if alike and other.id != system.id and other.accelerators and system.accelerators:
            found = choose_price(catalogue, offer(question, other.id, tuple(kinds), 1), question.currency)
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
