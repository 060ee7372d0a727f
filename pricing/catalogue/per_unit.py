"""Amounts of prices on one footing: for a whole system, for one accelerator, by the hour."""

from decimal import Decimal
from typing import NamedTuple

from schemas.price import Price
from schemas.system import System


def amount_per_system(price: Price, system: System) -> Decimal:
    """The amount for one whole system, whatever the price is per."""
    if price.amount is None:
        raise ValueError(f"a range has no amount: {price.system}")
    return price.amount * units_of(price.per, system)


def units_of(per: str, system: System) -> int:
    """How many of what a price is per are in one system."""
    if per == "system":
        return 1
    return system.accelerators if per == "accelerator" else system.hosts


class Normalised(NamedTuple):
    """An amount on the footings on which prices compare; None where it has none, such as a single payment an hour."""

    per_system: Decimal | None
    per_accelerator: Decimal | None
    per_system_hour: Decimal | None
    per_accelerator_hour: Decimal | None


HOURS = {"hour": Decimal(1), "month": Decimal(730), "year": Decimal(8760)}
HOURS_CONVENTION = "a month is 730 hours, a year 8,760"


def normalised(amount: Decimal | None, per: str, every: str, system: System) -> Normalised:
    """An amount for one whole system and for one accelerator: once, or by the hour by `HOURS_CONVENTION`."""
    if amount is None:
        return Normalised(None, None, None, None)
    whole = amount * units_of(per, system)
    each = whole / system.accelerators if system.accelerators else None
    if every == "once":
        return Normalised(whole, each, None, None)
    hours = HOURS[every]
    return Normalised(None, None, whole / hours, None if each is None else each / hours)
