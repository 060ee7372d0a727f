"""Exchange rates: the European Central Bank's reference rates, which the CurrencyConverter package holds, offline.

A rate is that of the day, or the last one before it: none is published on weekends and holidays. It carries its own
day, so that an old one is seen; beyond a limit it is refused. An amount is never relabelled.
"""

from datetime import date, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pricing.catalogue.currencies import ended, fault_of
from pricing.errors import TraincostError

if TYPE_CHECKING:
    from currency_converter import CurrencyConverter

SOURCE = "European Central Bank, euro foreign exchange reference rates"
FIRST = date(1999, 1, 4)
FRESH_DAYS = 7  # longer than the rates' longest pause, over Easter or the new year
PAUSE_DAYS = 400  # some currencies were not quoted for months


class Rate(NamedTuple):
    """How much of `target` one unit of `base` is; published on `day`."""

    base: str
    target: str
    rate: Decimal
    day: date

    def age_days(self, on: date) -> int:
        """Days from the rate's own to another."""
        return (on - self.day).days


class NoRate(TraincostError):
    """There is no exchange rate that may be used; says why."""


@cache
def source() -> str:
    """Where rates are from, with the package that holds them."""
    from importlib.metadata import version  # noqa: PLC0415

    return f"{SOURCE} (CurrencyConverter {version('currencyconverter')})"


@cache
def _converter() -> "CurrencyConverter":
    from currency_converter import CurrencyConverter  # noqa: PLC0415 (a fifth of a second, only for a currency)

    return CurrencyConverter(decimal=True)


@lru_cache(maxsize=4096)
def rate(base: str, target: str, on: date, most_days: int) -> Rate:
    """The rate on a day or the last before it, at most so many days old. Raises NoRate."""
    for code in (base, target):
        if fault := fault_of(code, on):
            raise NoRate(fault)
        if code not in _converter().bounds:
            raise NoRate(f"the European Central Bank publishes no rate of {code}: give amounts in another currency")
    last = min(on, *(_converter().bounds[code].last_date for code in (base, target)))
    for days in range(PAUSE_DAYS + 1):
        day = last - timedelta(days=days)
        if day >= FIRST and (found := _rate_of(base, target, day)) is not None:
            if (on - day).days > most_days:
                raise NoRate(_why(base, target, on, day, most_days))
            return Rate(base, target, found, day)
    raise NoRate(_why(base, target, on, last, most_days))


def _why(base: str, target: str, on: date, last: date, most_days: int) -> str:
    if on < FIRST:
        return f"there are no rates before {FIRST}, and {on} was asked"
    closed = next((f" ({code} ended on {ended(code)})" for code in (base, target) if ended(code)), "")
    return (
        f"the last rate of {base} in {target} before {on} is of {last}{closed}, older than "
        f"exchange_rate_age_days, {most_days}: give exchange_date, or amounts in {target}"
    )


def _rate_of(base: str, target: str, day: date) -> Decimal | None:
    """The rate published on exactly that day."""
    from currency_converter import RateNotFoundError  # noqa: PLC0415

    try:
        return Decimal(_converter().convert(Decimal(1), base, target, date=day))
    except RateNotFoundError:
        return None
