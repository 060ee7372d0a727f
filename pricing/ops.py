"""The few operations beyond + - * /, for every reading of a formula.

A float takes the short path. Anything else (a symbol, a quantity with a unit) says by `apply` how it does
the operation; an array does it by numpy, which is imported only then.
"""

import math
from collections.abc import Callable
from typing import Any, cast

TOUCH = 1e-9  # a count this close above a whole number is that number: 7 racks that fit exactly stay 7


def annuity(rate: float, years: float) -> float:
    """Present value of 1 a year for `years` years at `rate` [1/year], exact and continuous at rate 0.

    (1 - (1 + rate)^-years) / rate, by expm1 and log1p so that nothing cancels near 0.
    """
    if type(rate) is float and type(years) is float:
        return -math.expm1(-years * math.log1p(rate)) / rate if rate else years
    return _other("annuity", rate, years)


def discount(rate: float, years: float) -> float:
    """Present value of 1 that is paid once after `years` years at `rate` [1/year]."""
    if type(rate) is float and type(years) is float:
        return math.exp(-years * math.log1p(rate))
    return _other("discount", rate, years)


def ceil(number: float) -> float:
    """The next whole number, forgiving a hair above one."""
    if type(number) is float:
        return float(math.ceil(number - TOUCH))
    return _other("ceil", number)


def larger(one: float, other: float) -> float:
    """The larger of two."""
    if type(one) is float and type(other) is float:
        return one if one >= other else other
    return _other("larger", one, other)


def smaller(one: float, other: float) -> float:
    """The smaller of two."""
    if type(one) is float and type(other) is float:
        return one if one <= other else other
    return _other("smaller", one, other)


def power(base: float, exponent: float) -> float:
    """A number from 0 raised to an exponent from 0; both are pure numbers."""
    if type(base) is float and type(exponent) is float:
        return math.pow(base, exponent)
    return _other("power", base, exponent)


def root(number: float) -> float:
    """The square root."""
    if type(number) is float:
        return math.sqrt(number)
    return _other("root", number)


def log(number: float) -> float:
    """The natural logarithm of a pure number above 0."""
    if type(number) is float:
        return math.log(number)
    return _other("log", number)


OPERATIONS: dict[str, Callable[..., float]] = {
    "annuity": annuity,
    "discount": discount,
    "ceil": ceil,
    "larger": larger,
    "smaller": smaller,
    "power": power,
    "root": root,
    "log": log,
}


def _other(name: str, *operands: Any) -> float:
    """Leave the operation to the operands' own kind."""
    for operand in operands:
        if hasattr(operand, "apply"):
            return cast(float, operand.apply(name, operands))
    if all(isinstance(operand, int | float) for operand in operands):
        return OPERATIONS[name](*map(float, operands))
    from pricing import arrays  # noqa: PLC0415 (numpy is not imported to answer one question)

    return cast(float, getattr(arrays, name)(*operands))
