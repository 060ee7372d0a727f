"""The operations of `ops` on float64 arrays."""

import numpy as np
from numpy.typing import NDArray

from pricing.ops import TOUCH

Array = NDArray[np.float64]


def annuity(rate: Array, years: Array) -> Array:
    """Present value of 1 a year, elementwise; `years` where the rate is 0."""
    rate, years = np.broadcast_arrays(np.asarray(rate, float), np.asarray(years, float))
    safe = np.where(rate == 0, 1.0, rate)
    return np.where(rate == 0, years, -np.expm1(-years * np.log1p(safe)) / safe)


def discount(rate: Array, years: Array) -> Array:
    """Present value of 1 paid once, elementwise."""
    result: Array = np.exp(-np.asarray(years) * np.log1p(rate))
    return result


def ceil(number: Array) -> Array:
    """Next whole number, elementwise."""
    result: Array = np.ceil(number - TOUCH)
    return result


def larger(one: Array, other: Array) -> Array:
    """Elementwise maximum."""
    result: Array = np.maximum(one, other)
    return result


def smaller(one: Array, other: Array) -> Array:
    """Elementwise minimum."""
    result: Array = np.minimum(one, other)
    return result


def power(base: Array, exponent: Array) -> Array:
    """Elementwise power."""
    result: Array = np.power(base, exponent)
    return result


def root(number: Array) -> Array:
    """Elementwise square root."""
    result: Array = np.sqrt(number)
    return result


def log(number: Array) -> Array:
    """Elementwise natural logarithm."""
    result: Array = np.log(number)
    return result
