"""Reading a table: strict CSV, each cell by the type of its field, or an error with file and line."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pricing.errors import DamagedTable
from schemas.numbers import parse_number

Cell = Callable[[str], Any]


class Table(list[Any]):
    """The rows of a table, each with the line on which it ends."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.lines: list[int] = []

    def damage(self, index: int, detail: str) -> DamagedTable:
        """The error that the row at an index is not right."""
        return DamagedTable(self.path, self.lines[index], detail)

    def numbered(self) -> Iterator[tuple[int, Any]]:
        """Rows with their index."""
        return enumerate(self)


def _text(cell: str) -> str:
    if not cell.strip():
        raise ValueError("a text expected, not a blank cell")
    return cell


def _whole(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError(f"a whole number expected, not {cell!r}")
    return int(cell)


def _number(cell: str) -> float:
    return float(parse_number(cell))


def _flag(cell: str) -> bool:
    if cell not in ("yes", "no"):
        raise ValueError(f"yes or no expected, not {cell!r}")
    return cell == "yes"


DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def _day(cell: str) -> date:
    if DAY.fullmatch(cell):
        try:
            return date.fromisoformat(cell)
        except ValueError:
            pass
    raise ValueError(f"a date as 2021-06-30 expected, not {cell!r}")


PLAIN: dict[Any, Cell] = {
    str: _text, int: _whole, float: _number, Decimal: parse_number, bool: _flag, date: _day,
}  # fmt: skip
SEPARATORS = {"aliases": ";"}  # other lists are split at blanks


def _reader(name: str, kind: Any) -> Cell:
    """How a cell of this type is read; a blank one is None, or an empty list, where the type allows it."""
    if get_origin(kind) in (UnionType, Union):
        inner = next(each for each in get_args(kind) if each is not NoneType)
        read = _reader(name, inner)
        if get_origin(inner) is tuple:
            return read  # in a table of facts a blank list is an empty one
        return lambda cell: read(cell) if cell else None
    if get_origin(kind) is tuple:
        separator = SEPARATORS.get(name)
        return lambda cell: tuple(part.strip() for part in cell.split(separator) if part.strip())
    if get_origin(kind) is Literal:
        options = get_args(kind)
        return lambda cell: _one_of(cell, options)
    return PLAIN[kind]


def _one_of(cell: str, options: tuple[str, ...]) -> str:
    if cell not in options:
        raise ValueError(f"one of {', '.join(options)} expected, not {cell!r}")
    return cell


@cache
def readers(row_type: Any) -> dict[str, Cell]:
    """The columns of a table of such rows, and how each is read."""
    return {name: _reader(name, kind) for name, kind in get_type_hints(row_type).items()}


def read_table(path: Path, content: bytes, row_type: Any) -> Table:
    """Read every row of a table into dataclasses of `row_type`. Raises DamagedTable at the first wrong one."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedTable(path, content[: error.start].count(b"\n") + 1, "not UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = Table(path)
    try:
        columns = _columns(next(reader, []), readers(row_type), row_type)
        for line in reader:
            rows.append(row_type(**_read(line, columns)))
            rows.lines.append(reader.line_num)
    except (ValueError, csv.Error) as error:
        raise DamagedTable(path, max(reader.line_num, 1), str(error)) from None
    return rows


def _columns(header: list[str], known: dict[str, Cell], row_type: Any) -> dict[str, Cell]:
    """How each column of the header is read. Only fields with a default may be left out, in the order of the fields."""
    left_out = {each.name for each in fields(row_type) if each.default is not MISSING} - set(header)
    expected = [name for name in known if name not in left_out]
    if header != expected:
        raise ValueError(f"columns {', '.join(expected)} expected, not {', '.join(header)[:300]}")
    return {name: known[name] for name in header}


def _read(line: list[str], columns: dict[str, Cell]) -> dict[str, Any]:
    if len(line) != len(columns):
        raise ValueError(f"{len(columns)} cells expected, not {len(line)}")
    found = {}
    for (name, read), cell in zip(columns.items(), line, strict=True):
        try:
            found[name] = read(cell)
        except ValueError as error:
            raise ValueError(f"column {name}: {error}") from None
    return found
