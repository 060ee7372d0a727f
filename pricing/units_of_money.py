"""Money in the units of facts, such as EUR/kWh."""

ISO_LENGTH = 3  # of a currency code (ISO 4217)


def currency_of(unit: str) -> str | None:
    """The ISO currency that a unit such as EUR/kWh starts with, if any."""
    head = unit.partition("/")[0].strip()
    return head if len(head) == ISO_LENGTH and head.isupper() and head.isalpha() else None
