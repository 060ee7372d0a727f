"""The tag that makes a plain function a quantity."""

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

Formula = Callable[..., float]
Better = Literal["more", "less"]


class Tag(NamedTuple):
    """What the tag adds to a formula; see `quantity`."""

    unit: str
    name: str | None = None
    basis: tuple[str, str] | None = None
    better: Better | None = None
    beside: bool = False
    models: tuple[str, ...] = ()


TAGS: dict[Formula, Tag] = {}


def quantity(
    unit: str,
    *,
    name: str | None = None,
    basis: tuple[str, str] | None = None,
    better: Better | None = None,
    beside: bool = False,
    models: tuple[str, ...] = (),
) -> Callable[[Formula], Formula]:
    """Tag a function with the unit of its value.

    Where a quantity can be had on several bases (space by kW or by rack), each basis is a function of its
    own that gives the quantity's `name` and its `basis` as (choice, option). `better` says whether a buyer
    wants more or less of it: by such a quantity systems can be ranked. What stands `beside` the totals that it
    is in is asked by name, or in a cost of ownership, and is no column of every comparison. `models` are the
    models of paying that it belongs to, all where none is named.
    """

    def mark(formula: Formula) -> Formula:
        TAGS[formula] = Tag(unit, name, basis, better, beside, models)
        return formula

    return mark


BOUGHT = ("owned", "borrowed", "leased", "finance_leased")
"""The models in which systems stand in one's own racks; what is rented by the hour has no such costs."""
bought = partial(quantity, models=BOUGHT)
