"""The little statistics that answers need: Student's t, and what a few repeated measurements say of their mean."""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

TWO_SIDED = 0.90
"""The share of cases that every interval of an answer is meant to hold."""
FEWEST = 2
STEPS = 80  # halvings, after which nothing is left to halve


@cache
def student(freedom: int, share: float = TWO_SIDED) -> float:
    """The t within which a share of Student's distribution lies, both sides together. `freedom` is from 1.

    Source: Abramowitz and Stegun, 26.7.3 and 26.7.4, for whole degrees of freedom, halved until it fits.
    """
    low, high = 0.0, math.pi / 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _within(middle, freedom) < share:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """The share between -t and t, where t = tan(angle) × √freedom."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * power / (power + 1)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


class Spread(NamedTuple):
    """What repeated measurements say: their standard deviation, and the half-width of the interval of their mean."""

    measured: int
    deviation: float
    half_width: float


def spread(values: Sequence[float]) -> Spread | None:
    """The spread of measurements; None of fewer than two. The interval holds the mean in 90 of 100 cases.

    Source: JCGM 100:2008 (GUM), 4.2 (Type A evaluation) and Annex G: t × s / √n.
    """
    count = len(values)
    if count < FEWEST:
        return None
    mean = math.fsum(values) / count
    deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in values) / (count - 1))
    return Spread(count, deviation, student(count - 1) * deviation / math.sqrt(count))
