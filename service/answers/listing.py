"""A page of facts as an answer."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from service.answers.answer import Block, Cell, Line, Page, Records
from service.answers.words import label

Item = Mapping[str, Any]


class ListAnswer:
    """Items of one kind: which ones, of how many, and where the next are."""

    def __init__(
        self, kind: str, names: tuple[str, ...], columns: tuple[str, ...], items: Sequence[Item], paging: Item
    ) -> None:
        self.kind, self.names, self.columns, self.items, self.paging = kind, names, columns, items, paging

    def document(self) -> dict[str, Any]:
        """The items as JSON holds them."""
        return {**self.paging, self.kind: [dict(item) for item in self.items]}

    def records(self) -> Records:
        """One row an item."""
        names = self.names
        rows = [[_cell(item[name]) for name in names] for item in self.items]
        return Records(tuple((name, None) for name in names), rows)

    def page(self) -> Page:
        """The fields of each item that people look for."""
        labels, *heads = self.columns
        lines = [
            Line(" ".join(str(item[name]) for name in labels.split()), "", [_short(item[name]) for name in heads])
            for item in self.items
        ]
        more = f"{len(self.items)} of {self.paging['total']} {self.kind}, catalogue {self.paging['catalogue']}"
        cautions = [f"{item['id']}: {'; '.join(item['cautions'])}" for item in self.items if item.get("cautions")]
        next_page = [f"next: {self.paging['next']}"] if self.paging.get("next") else []
        return Page([self.kind], [Block(tuple(map(label, heads)), lines)], [*cautions, more, *next_page])


def _short(value: Any) -> Cell:
    """A cell for people: a unit without blanks."""
    if isinstance(value, Decimal):
        return f"{value:,f}"  # an amount of a list is exact
    cell = _cell(value)
    return cell.replace(" / ", "/") if isinstance(cell, str) else cell


def _cell(value: Any) -> Cell:
    if isinstance(value, list | tuple):
        return ";".join(str(each) for each in value)
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, str | float | int | bool) else float(value)
