"""An answer: one content, three shapes. JSON takes the document, CSV the records, people the page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Cell = str | float | int | bool | None


class About(float):
    """A number whose source itself says about."""


@dataclass(frozen=True, slots=True)
class Records:
    """Rows for a machine that reads tables; a column's unit stands in its header, not in its cells."""

    columns: tuple[tuple[str, str | None], ...]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table for people: what it is, in which unit, and a number or text for each column."""

    label: str
    unit: str
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Block:
    """A table for people under one set of column heads.

    `units` are those of the columns, where the lines have none. `ratios` are columns of ratios.
    """

    heads: tuple[str, ...]
    lines: Sequence[Line]
    ratios: frozenset[int] = frozenset()
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """What a person sees: a title, tables, and what must be said with them."""

    title: Sequence[str]
    blocks: Sequence[Block]
    notes: Sequence[str] = field(default_factory=tuple)


class Answer(Protocol):
    """Anything that can be shown in every format."""

    def document(self) -> dict[str, Any]:
        """The whole answer as JSON holds it."""

    def records(self) -> Records:
        """The answer as rows."""

    def page(self) -> Page:
        """The answer for people."""
