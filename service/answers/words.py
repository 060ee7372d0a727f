"""Names and numbers as people read them: rounded once, here, with thousands marks."""

import math

DIGITS = 6
MOST_PLACES = 12
TINY_RATIO = 1e-3
SPELLED = {"tco": "TCO", "kw": "kW", "it": "IT", "npv": "NPV"}


def label(name: str) -> str:
    """The name of a quantity as words, without the unit at its end."""
    words = name.removeprefix("cluster_").split("_")
    if words[-1] in ("minutes", "kw", "kwh", "kg") and words[-2] != "per":
        words = words[:-1]
    return " ".join(SPELLED.get(word, word) for word in words)


def number(value: float) -> str:
    """Six significant digits, or all digits before the point where there are more."""
    if value == 0 or not math.isfinite(value):
        return "0"
    places = max(0, DIGITS - 1 - math.floor(math.log10(abs(value))))
    if places > MOST_PLACES:
        return f"{value:.{DIGITS - 1}e}"
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def ratio(value: float) -> str:
    """A ratio with four digits after the point."""
    return f"{value:.4f}" if abs(value) >= TINY_RATIO else f"{value:.3g}"
