"""The readings of a formula that the tests hold equal: floats, arrays, units, explanation, compiled."""

import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pint

from pricing import ops
from pricing.explain import evaluate
from pricing.graph import compiled
from pricing.quantities import units
from pricing.quantities.inputs import BY_NAME
from pricing.registry import Quantity

REGISTRY = pint.UnitRegistry()
for _name in (
    "run",
    "money",
    "system",
    "accelerator",
    "machine",
    "server",
    "FTE",
    "group",
    "rack",
    "rack_unit",
    "parameter",
    "token",
    "FLOP",
):
    REGISTRY.define(f"{_name} = [{_name}]")
REGISTRY.define("TFLOP = 1e12 FLOP")


class WithUnit:
    """A number with a unit, as the formulas and `ops` see it."""

    def __init__(self, quantity: Any) -> None:
        self.quantity = quantity

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> "WithUnit":
        return WithUnit(operation(self.quantity, plain(other)))

    def __add__(self, other: Any) -> "WithUnit":
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> "WithUnit":
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> "WithUnit":
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> "WithUnit":
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> "WithUnit":
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "WithUnit":
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> "WithUnit":
        return self._with(other, lambda a, b: b / a)

    def apply(self, operation: str, operands: Sequence[Any]) -> "WithUnit":
        one, *rest = [plain(operand) for operand in operands]
        if operation == "annuity":  # of years, or of months by the rate of a month
            time = rest[0].units
            return WithUnit(ops.annuity(one.to(1 / time).magnitude, rest[0].magnitude) * time)
        if operation == "discount":
            return WithUnit(REGISTRY.Quantity(ops.discount(one.to("1/year").magnitude, rest[0].to("year").magnitude)))
        if operation == "ceil":
            return WithUnit(REGISTRY.Quantity(ops.ceil(float(one.magnitude)), one.units))
        if operation == "root":
            return WithUnit(one**0.5)
        if operation in ("power", "log"):  # of pure numbers
            plain_ones = [float(each.to("dimensionless").magnitude) for each in (one, *rest)]
            return WithUnit(REGISTRY.Quantity(ops.OPERATIONS[operation](*plain_ones)))
        other = rest[0] if hasattr(rest[0], "to") else REGISTRY.Quantity(rest[0])
        one = one if hasattr(one, "to") else REGISTRY.Quantity(one)
        pick = {"larger": max, "smaller": min}[operation]
        return WithUnit(pick(one, other.to(one.units)))


CONSTANTS = {  # what the named unit factors really are
    "MINUTES_PER_HOUR": WithUnit(REGISTRY("60 minute / hour")),
    "HOURS_PER_YEAR": WithUnit(REGISTRY("8760 hour / year")),
    "MONTHS_PER_YEAR": WithUnit(REGISTRY("12 month / year")),
    "WATTS_PER_KW": WithUnit(REGISTRY("1000 watt / kilowatt")),
    "SECONDS_PER_MINUTE": WithUnit(REGISTRY("60 second / minute")),
    "FLOP_PER_TFLOP": WithUnit(REGISTRY("1e12 FLOP / TFLOP")),
    "HOURS_PER_JULIAN_YEAR": WithUnit(REGISTRY("8766 hour / year")),
    "HOURS_PER_30_DAYS": WithUnit(REGISTRY("720 hour")),
    "GB_PER_TB": WithUnit(REGISTRY("1000 GB / TB")),
    "GRAMS_PER_KG": WithUnit(REGISTRY("1000 gram / kg")),
    "ONE": 1.0,
    "TWICE": 2.0,
    "ONE_YEAR": WithUnit(REGISTRY("1 year")),
}
assert set(CONSTANTS) == {name for name in vars(units) if name.isupper()}


def plain(value: Any) -> Any:
    return value.quantity if isinstance(value, WithUnit) else value


def unit(text: str) -> Any:
    return REGISTRY.Unit("dimensionless" if text == "1" else text)


def unit_of(name: str, quantities: dict[str, Quantity]) -> Any:
    return unit(quantities[name].unit if name in quantities else BY_NAME[name].unit)


def as_float(quantity: Quantity, inputs: Sequence[float]) -> float:
    return quantity.formula(*inputs)


def as_array(quantity: Quantity, inputs: Sequence[float]) -> float:
    result = quantity.formula(*[np.full(3, value) for value in inputs])
    assert len(set(np.broadcast_to(result, 3).tolist())) == 1
    return float(np.broadcast_to(result, 3)[0])


def as_explanation(quantity: Quantity, inputs: Sequence[float]) -> float:
    return evaluate(quantity.text, dict(zip(quantity.inputs, inputs, strict=True)))


def as_compiled(quantity: Quantity, inputs: Sequence[float]) -> float:
    return compiled([quantity])(dict(zip(quantity.inputs, inputs, strict=True)))[quantity.name]


def as_units(quantity: Quantity, inputs: Sequence[float], quantities: dict[str, Quantity]) -> float:
    """Call the formula with real units and unit factors; the result in the unit that the tag promises."""
    formula = quantity.formula
    rebound = types.FunctionType(
        formula.__code__, {**formula.__globals__, **CONSTANTS}, formula.__name__, closure=formula.__closure__
    )
    rebound.__kwdefaults__ = formula.__kwdefaults__
    given = [
        WithUnit(REGISTRY.Quantity(value, unit_of(name, quantities)))
        for name, value in zip(quantity.inputs, inputs, strict=True)
    ]
    result = plain(rebound(*given))
    if result == 0:  # the sum of no terms is none of anything
        return 0.0
    result = result if hasattr(result, "to") else REGISTRY.Quantity(result)
    return float(result.to(unit(quantity.unit)).magnitude)
