"""A formula read as text: called with symbols instead of numbers, it writes itself down.

The text is plain arithmetic with the names of `ops`. A right operand of equal rank keeps its brackets, so
that reading the text again does the same operations in the same order, to the last bit.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

SUM, PRODUCT, ATOM = 1, 2, 3


class Symbol:
    """An expression: its text, how tightly it binds, and the names that divide in it."""

    __slots__ = ("divisors", "names", "rank", "text")

    def __init__(self, text: str, rank: int = ATOM, names: frozenset[str] = frozenset()) -> None:
        self.text, self.rank, self.names = text, rank, names
        self.divisors: frozenset[str] = frozenset()

    def __add__(self, other: Any) -> "Symbol":
        """Write a sum."""
        return _join(self, "+", other, SUM)

    def __radd__(self, other: Any) -> "Symbol":
        """Write a sum with a number before it."""
        return _join(other, "+", self, SUM)

    def __sub__(self, other: Any) -> "Symbol":
        """Write a difference."""
        return _join(self, "-", other, SUM)

    def __rsub__(self, other: Any) -> "Symbol":
        """Write a difference from a number."""
        return _join(other, "-", self, SUM)

    def __mul__(self, other: Any) -> "Symbol":
        """Write a product."""
        return _join(self, "*", other, PRODUCT)

    def __rmul__(self, other: Any) -> "Symbol":
        """Write a product with a number before it."""
        return _join(other, "*", self, PRODUCT)

    def __truediv__(self, other: Any) -> "Symbol":
        """Write a quotient."""
        return _join(self, "/", other, PRODUCT)

    def __rtruediv__(self, other: Any) -> "Symbol":
        """Write a quotient of a number."""
        return _join(other, "/", self, PRODUCT)

    def apply(self, operation: str, operands: Sequence[Any]) -> "Symbol":
        """Write one of the operations of `ops`."""
        parts = [each if isinstance(each, Symbol) else Symbol(repr(float(each))) for each in operands]
        text = f"{operation}({', '.join(part.text for part in parts)})"
        result = _with(Symbol(text, ATOM), *parts)
        if operation == "annuity":
            result.names = parts[1].names  # at rate 0 it is the years: only they can make it 0
        return result


def _symbol(value: Any) -> Symbol:
    return value if isinstance(value, Symbol) else Symbol(repr(float(value)).removesuffix(".0"))


def _with(result: Symbol, *parts: Symbol) -> Symbol:
    result.names = frozenset().union(*(part.names for part in parts))
    result.divisors = frozenset().union(*(part.divisors for part in parts))
    return result


def _join(left: Any, sign: str, right: Any, rank: int) -> Symbol:
    one, other = _symbol(left), _symbol(right)
    before = one.text if one.rank >= rank else f"({one.text})"
    after = other.text if other.rank > rank else f"({other.text})"
    result = _with(Symbol(f"{before} {sign} {after}", rank), one, other)
    if sign == "/":
        result.divisors |= other.names
    return result


def write(formula: Callable[..., float], names: Sequence[str]) -> Symbol:
    """Read a formula as text; `divisors` of the result are the names that must not be 0."""
    symbols = [Symbol(name, ATOM, frozenset((name,))) for name in names]
    written = formula(*symbols)
    return cast(Symbol, written) if hasattr(written, "text") else Symbol(repr(written))
