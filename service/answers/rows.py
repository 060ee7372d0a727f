"""Rows of one kind that administration shows: books, publications, sources, keys."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.answers.answer import Block, Cell, Line, Page, Records
from service.answers.words import label

Row = Mapping[str, Any]


class RowsAnswer:
    """Rows with the same names in every shape; people see the `columns`, the first of which names the row."""

    def __init__(
        self,
        kind: str,
        rows: Sequence[Mapping[str, Any]],
        columns: tuple[str, ...],
        more: Mapping[str, Any] | None = None,
    ) -> None:
        self.kind, self.rows, self.columns, self.more = kind, rows, columns, dict(more or {})

    def document(self) -> dict[str, Any]:
        """The rows as JSON holds them."""
        return {**self.more, self.kind: [dict(row) for row in self.rows]}

    def records(self) -> Records:
        """The rows."""
        names = tuple(self.rows[0]) if self.rows else self.columns
        return Records(
            tuple((name, None) for name in names), [[_cell(row[name]) for name in names] for row in self.rows]
        )

    def page(self) -> Page:
        """What people look for."""
        first, *others = self.columns
        lines = [Line(str(row[first]), "", [_cell(row[name]) for name in others]) for row in self.rows]
        notes = [f"{name}: {_cell(value)}" for name, value in self.more.items()]
        notes += [] if lines else ["none"]
        return Page([self.kind], [Block(tuple(map(label, others)), lines)] if lines else [], notes)


def _cell(value: Any) -> Cell:
    return " ".join(map(str, value)) if isinstance(value, list | tuple | frozenset) else value
