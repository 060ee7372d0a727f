"""Numbers as machines read them outside JSON: plain digits, decimal point, no exponent."""

from decimal import Decimal


def plain(number: float) -> str:
    """All digits of the number that tell it from its neighbours, without an exponent: 0.0000107776."""
    text = f"{Decimal(repr(float(number))):f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
