"""A page of facts as an answer."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from service.answers.answer import Block, Cell, Line, Page, Records

ACROSS = 3
Item = Mapping[str, Any]


class ListAnswer:
    """Items of one kind: which ones, of how many, and where the next are."""

    def __init__(self, kind: str, names: tuple[str, ...], items: Sequence[Item], paging: Item) -> None:
        self.kind, self.names, self.items, self.paging = kind, names, items, paging

    def document(self) -> dict[str, Any]:
        """The items as JSON holds them."""
        return {**self.paging, self.kind: [dict(item) for item in self.items]}

    def records(self) -> Records:
        """One row an item."""
        names = self.names
        rows = [[_cell(item[name]) for name in names] for item in self.items]
        return Records(tuple((name, None) for name in names), rows)

    def page(self) -> Page:
        """The first few fields of each item."""
        names = self.names
        heads = names[1 : ACROSS + 1]
        lines = [Line(str(item[names[0]]), "", [_cell(item[name]) for name in heads]) for item in self.items]
        more = f"{len(self.items)} of {self.paging['total']} {self.kind}, catalogue {self.paging['catalogue']}"
        next_page = [f"next: {self.paging['next']}"] if self.paging.get("next") else []
        return Page([self.kind], [Block(heads, lines)], [more, *next_page])


def _cell(value: Any) -> Cell:
    if isinstance(value, list | tuple):
        return ";".join(str(each) for each in value)
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, str | float | int | bool) else float(value)
