"""The tag that makes a plain function a quantity."""

from collections.abc import Callable
from typing import NamedTuple

Formula = Callable[..., float]


class Tag(NamedTuple):
    """What the tag adds to a formula: its unit, and which basis of which quantity it computes."""

    unit: str
    name: str | None = None
    basis: tuple[str, str] | None = None


TAGS: dict[Formula, Tag] = {}


def quantity(
    unit: str, *, name: str | None = None, basis: tuple[str, str] | None = None
) -> Callable[[Formula], Formula]:
    """Tag a function with the unit of its value.

    Where a quantity can be had on several bases (space by kW or by rack), each basis is a function of its
    own that gives the quantity's `name` and its `basis` as (choice, option).
    """

    def mark(formula: Formula) -> Formula:
        TAGS[formula] = Tag(unit, name, basis)
        return formula

    return mark
