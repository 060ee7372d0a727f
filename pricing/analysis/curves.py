"""Curves of time over size: fitted to a few measured points, with what they leave unexplained.

Both are straight lines in two unknowns once written in the right way, so that least squares in closed form is all it
takes; errors count as shares of the time, since a small machine's minutes are many.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pricing.statistics import student

UNKNOWNS = 2


class Point(NamedTuple):
    """A size [accelerators] and the time measured at it [min]."""

    size: float
    minutes: float


class Terms(NamedTuple):
    """What the two unknowns are multiplied by at a point, and what their sum should come to."""

    first: float
    second: float
    target: float


@dataclass(frozen=True, slots=True)
class Form:
    """A form of curve: how a point is written as terms, and how the unknowns give a time."""

    name: str
    formula: str
    about: str
    terms: Callable[[float, float], Terms]
    minutes: Callable[[float, float, float], float]
    is_possible: Callable[[float, float], bool]


def _power_minutes(constant: float, exponent: float, size: float) -> float:
    return math.exp(constant + exponent * math.log(size))


def _serial_minutes(serial: float, parallel: float, size: float) -> float:
    return serial + parallel / size


POWER = Form(
    "power", "exp(a) × size^b", "each doubling of the size saves the same share of the time",
    lambda size, minutes: Terms(1.0, math.log(size), math.log(minutes)),
    _power_minutes,
    lambda _, exponent: exponent < 0,
)  # fmt: skip
AMDAHL = Form(
    "amdahl", "a + b / size", "a part that no size shortens, and one that is shared out (Amdahl, 1967)",
    lambda size, minutes: Terms(1 / minutes, 1 / (size * minutes), 1.0),
    _serial_minutes,
    lambda serial, parallel: serial >= 0 and parallel > 0,
)  # fmt: skip
FORMS = (AMDAHL, POWER)


@dataclass(frozen=True, slots=True)
class Curve:
    """A fitted curve. `deviation` is the standard deviation of its residuals as a share; None of two points."""

    form: Form
    a: float
    b: float
    points: tuple[Point, ...]
    deviation: float | None
    inverse: tuple[float, float, float]
    """Of the normal equations: first row, and last of the second, the matrix being symmetric."""

    def minutes(self, size: float) -> float:
        """The time at a size [min]."""
        return self.form.minutes(self.a, self.b, size)

    def residuals(self) -> tuple[float, ...]:
        """How far each point lies above the curve, as a share of it."""
        return tuple(each.minutes / self.minutes(each.size) - 1 for each in self.points)

    def spread(self, size: float) -> float | None:
        """Half the 90 % interval of a new measurement at a size, as a share; it grows away from the points."""
        if self.deviation is None:
            return None
        terms = self.form.terms(size, self.minutes(size))
        first, second = terms.first, terms.second
        left, across, right = self.inverse
        far = left * first * first + 2 * across * first * second + right * second * second
        return student(len(self.points) - UNKNOWNS) * self.deviation * math.sqrt(1 + max(far, 0.0))


def fit(points: Sequence[Point]) -> list[Curve]:
    """The curves that fit at least two sizes, the one that leaves least unexplained first; none of fewer."""
    if len({each.size for each in points}) < UNKNOWNS:
        return []
    curves = [curve for form in FORMS if (curve := _fit(form, tuple(points)))]
    return sorted(curves, key=lambda each: (each.deviation or 0.0, FORMS.index(each.form)))


def _fit(form: Form, points: tuple[Point, ...]) -> Curve | None:
    """Least squares by the normal equations; None where the form cannot be that of these points."""
    rows = [form.terms(each.size, each.minutes) for each in points]
    aa = math.fsum(each.first * each.first for each in rows)
    ab = math.fsum(each.first * each.second for each in rows)
    bb = math.fsum(each.second * each.second for each in rows)
    ay = math.fsum(each.first * each.target for each in rows)
    by = math.fsum(each.second * each.target for each in rows)
    determinant = aa * bb - ab * ab
    if not determinant > 0:
        return None
    a, b = (bb * ay - ab * by) / determinant, (aa * by - ab * ay) / determinant
    if not form.is_possible(a, b):
        return None
    left_over = math.fsum((each.first * a + each.second * b - each.target) ** 2 for each in rows)
    free = len(rows) - UNKNOWNS
    deviation = math.sqrt(left_over / free) if free else None
    return Curve(form, a, b, points, deviation, (bb / determinant, -ab / determinant, aa / determinant))


def between(low: Point, high: Point, size: float) -> float:
    """The time at a size between two points, on the power curve through both [min]."""
    share = math.log(size / low.size) / math.log(high.size / low.size)
    return low.minutes * math.exp(share * math.log(high.minutes / low.minutes))
