"""A page of facts as an answer."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from pricing.analysis.wording import few
from service.answers.answer import Block, Cell, Line, Page, Records
from service.answers.words import label

Item = Mapping[str, Any]


class Shown(NamedTuple):
    """The names of an item's fields: all, and those that people see, the first of which may be two names."""

    names: tuple[str, ...]
    columns: tuple[str, ...]


class ListAnswer:
    """Items of one kind: which ones, of how many, where the next are, and what must be said with them."""

    def __init__(self, kind: str, fields: Shown, items: Sequence[Item], paging: Item, notices: Sequence[str]) -> None:
        self.kind, self.names, self.columns = kind, fields.names, fields.columns
        self.items, self.paging, self.notices = items, paging, notices

    def document(self) -> dict[str, Any]:
        """The items as JSON holds them."""
        return {**self.paging, self.kind: [dict(item) for item in self.items], "notices": list(self.notices)}

    def records(self) -> Records:
        """One row an item."""
        names = self.names
        rows = [[_cell(item[name]) for name in names] for item in self.items]
        return Records(tuple((name, None) for name in names), rows)

    def page(self) -> Page:
        """The fields of each item that people look for."""
        heads = self.columns[1:]
        lines = [Line(self._called(item), "", [_short(item[name]) for name in heads]) for item in self.items]
        more = f"{len(self.items)} of {self.paging['total']} {self.kind}, catalogue {self.paging['catalogue']}"
        cautions = [f"{item['id']}: {'; '.join(item['cautions'])}" for item in self.items if item.get("cautions")]
        next_page = [f"next: {self.paging['next']}"] if self.paging.get("next") else []
        notes = [*cautions, *self._reasons(heads), more, *next_page, *self.notices]
        return Page([self.kind], [Block(tuple(map(label, heads)), lines)], notes)

    def _called(self, item: Item) -> str:
        return " ".join(str(item[name]) for name in self.columns[0].split())

    def _reasons(self, heads: Sequence[str]) -> Iterator[str]:
        """Why figures that people look for are missing or in doubt, where the items say so."""
        found: dict[str, list[str]] = {}
        for item in self.items:
            if item.get("note") and any(item[name] is None for name in heads):
                found.setdefault(item["note"], []).append(self._called(item))
            if item.get("doubt"):
                found.setdefault(f"in doubt ({item['doubt_level']}): {item['doubt']}", []).append(self._called(item))
        for reason, names in found.items():
            yield f"{few(names)}: {reason}"


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
