"""What a source of prices is: something with a name that gives rows, and says where each cell stands.

A source gives cells as it has them; what they mean (which column is which, which mark is the decimal one) is the
importer's question (`pricing/catalogue/importing.py`). A text stays a text: no source turns `NA`, `00123` or `12E5`
into anything else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import ClassVar, Protocol, TypeAlias

from pricing.errors import TraincostError

Cell: TypeAlias = str | int | float | Decimal | bool | date | datetime | Sequence[str] | None
MOST_FAULTS = 100


class Row:
    """One row: its cells by the columns of the source, and the line on which it ends there, from 1."""

    __slots__ = ("cells", "line")

    def __init__(self, line: int, cells: Mapping[str, Cell]) -> None:
        self.line = line
        self.cells = cells

    def at(self, column: str | None = None) -> str:
        """Where a cell of this row stands, for a person who looks for it."""
        return f"line {self.line}, column {column}" if column else f"line {self.line}"


class Record(Row):
    """A row whose cells stand in the order of a header that all rows of the source share."""

    __slots__ = ("header", "texts")

    def __init__(self, line: int, header: Sequence[str], texts: Sequence[str]) -> None:
        self.line = line
        self.header = header
        self.texts = texts

    @property
    def cells(self) -> Mapping[str, Cell]:  # type: ignore[override]
        """The cells by the columns; a large import goes by their places instead."""
        return dict(zip(self.header, self.texts, strict=True))


class PriceSource(Protocol):
    """A source of prices. Guests implement this; `pricing.testing` checks that they do it right.

    `kind` is the name by which `sources.toml` asks for the class; `name` is that of this one source, under which
    its rows stand in a book. `prices` gives `Row`s, or plain mappings of column to cell, which are then counted
    from 1. It raises `SourceFault` where what it reads is not whole: half a list is no list.
    """

    kind: ClassVar[str]
    name: str

    def prices(self) -> Iterable[Row | Mapping[str, Cell]]:
        """Every row that the source has now."""
        ...


class SourceFault(TraincostError):
    """What a source gave is not whole or not of the form that it must have; says where, and what was expected."""

    def __init__(self, where: str, detail: str) -> None:
        self.where, self.detail = where, detail
        super().__init__(f"{where}: {detail}" if where else detail)


class Unchanged(Exception):
    """Raised by `prices` of a source with a `state` when nothing has changed since that state."""


def check_header(header: Sequence[str], where: str) -> None:
    """Refuse a header with a blank name, or with two names that differ by case or blanks only."""
    seen: dict[str, str] = {}
    for number, name in enumerate(header, 1):
        plain = name.strip().casefold()
        if not plain:
            raise SourceFault(where, f"column {number} has no name")
        if plain in seen:
            raise SourceFault(where, f"columns {seen[plain]!r} and {name!r} have the same name")
        seen[plain] = name


def numbered(rows: Iterable[Row | Mapping[str, Cell]]) -> Iterator[Row]:
    """Rows as they are; plain mappings counted from 1."""
    for number, row in enumerate(rows, 1):
        yield row if isinstance(row, Row) else Row(number, row)
