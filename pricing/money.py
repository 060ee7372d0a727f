"""Money in units such as EUR/kWh, and in sentences."""

from collections.abc import Callable

ISO_LENGTH = 3  # of a currency code (ISO 4217)


def currency_of(unit: str) -> str | None:
    """The ISO currency that a unit such as EUR/kWh starts with, if any."""
    head = unit.partition("/")[0].strip()
    return head if len(head) == ISO_LENGTH and head.isupper() and head.isalpha() else None


def limit(amount: float, rounding: Callable[[float], int]) -> str:
    """A limit to a tenth of a cent, rounded to the side on which it still holds."""
    return f"{rounding(amount * 1000) / 1000:,.3f}"


def money(amount: float, currency: str) -> str:
    """An amount in a sentence, to the cent where it has cents."""
    return f"{amount:,.2f} {currency}".replace(".00 ", " ")
