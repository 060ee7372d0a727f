"""The tag that makes a plain function a quantity."""

from collections.abc import Callable
from typing import Literal, NamedTuple

Formula = Callable[..., float]
Better = Literal["more", "less"]


class Tag(NamedTuple):
    """What the tag adds to a formula; see `quantity`."""

    unit: str
    name: str | None = None
    basis: tuple[str, str] | None = None
    better: Better | None = None


TAGS: dict[Formula, Tag] = {}


def quantity(
    unit: str, *, name: str | None = None, basis: tuple[str, str] | None = None, better: Better | None = None
) -> Callable[[Formula], Formula]:
    """Tag a function with the unit of its value.

    Where a quantity can be had on several bases (space by kW or by rack), each basis is a function of its
    own that gives the quantity's `name` and its `basis` as (choice, option). `better` says whether a buyer
    wants more or less of it: by such a quantity systems can be ranked.
    """

    def mark(formula: Formula) -> Formula:
        TAGS[formula] = Tag(unit, name, basis, better)
        return formula

    return mark
