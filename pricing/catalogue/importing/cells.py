"""Reading cells by the type of their field. A number has the separators that were declared; none are guessed."""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pricing.catalogue.sources.base import Cell
from schemas.numbers import NumberError, parse_number

LONGEST_TEXT, LONGEST_NAME = 2_000, 200
MOST_WHOLE = 1_000_000  # accelerators, servers, systems, years; the product of two stays a plain number
FREE = ("source", "url", "note", "framework", "run_minutes")  # texts that people wrote; the others are names
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
DAY = re.compile(r"(19[7-9]\d|20\d\d|21\d\d)-\d\d-\d\d", re.ASCII)
SIMPLE = re.compile(r"[1-9][0-9]{0,11}(\.[0-9]{1,4})?", re.ASCII)  # most numbers; they need no further look
AMBIGUOUS = re.compile(r"-?[0-9]{1,3}\.[0-9]{3}", re.ASCII)
MARKS = {"point": ".", "comma": ",", "space": " \u00a0\u202f", "apostrophe": "'’", "none": ""}
NOTHING = "none"  # in a list: that it is known to hold nothing
DecimalMark = Literal["point", "comma"]
ThousandsMark = Literal["none", "comma", "point", "space", "apostrophe"]

Reader = Callable[[Cell], Any]


class Separators(NamedTuple):
    """The marks in the numbers of a file; None where nobody declared them."""

    decimal: DecimalMark | None = None
    thousands: ThousandsMark | None = None

    def check(self) -> None:
        """Refuse one mark for both. Raises ValueError."""
        if self.thousands == (self.decimal or "point"):
            raise ValueError(f"thousands {self.thousands} needs another decimal mark: declare decimal, too")

    @property
    def declared(self) -> bool:
        """Whether the file says what its marks mean."""
        return self.decimal is not None or self.thousands is not None


def number_reader(separators: Separators) -> Reader:
    """Reads numbers: of a text by its separators, of JSON and spreadsheets as they are."""
    thousands = MARKS[separators.thousands or "none"]
    decimal = MARKS[separators.decimal or "point"]
    group = f"[{re.escape(thousands)}]" if thousands else ""
    whole = rf"[0-9]{{1,3}}({group}[0-9]{{3}})+|[0-9]+" if group else "[0-9]+"
    form = re.compile(rf"-?({whole})({re.escape(decimal)}[0-9]+)?([eE][+-]?[0-9]{{1,4}})?", re.ASCII)
    drop = str.maketrans({mark: None for mark in thousands} | {decimal: "."})

    simple = SIMPLE if decimal == "." else None

    def read(cell: Cell) -> Decimal:
        if not isinstance(cell, str):
            return _plain_number(cell)
        if simple and simple.fullmatch(cell) and (separators.declared or cell[-4:-3] != "."):
            return Decimal(cell)
        if not form.fullmatch(cell) or len(cell) > LONGEST_NAME:
            raise ValueError(_number_expected(cell, separators))
        if not separators.declared and AMBIGUOUS.fullmatch(cell):
            meant = cell.replace(".", "")
            raise ValueError(f"{cell!r} may be {cell} or {meant}: declare decimal point, or thousands point")
        return parse_number(cell.translate(drop))

    return read


def _plain_number(cell: Cell) -> Decimal:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        raise ValueError(f"a number expected, not {shown(cell)}")
    try:
        return parse_number(str(cell))
    except NumberError as error:
        raise ValueError(str(error)) from None


def _number_expected(cell: str, separators: Separators) -> str:
    if separators.declared:
        declared = f"decimal {separators.decimal or 'point'}, thousands {separators.thousands or 'none'}"
        return f"{cell[:50]!r} is no number with the separators declared ({declared})"
    return (
        f"{cell[:50]!r} is not a plain number such as 149995 or 149995.50, without currency signs or thousands marks; "
        "where the file has marks, declare them: decimal comma, thousands comma, point, space or apostrophe"
    )


def shown(cell: Cell) -> str:
    """A cell in an error, with its kind where that is the point."""
    if isinstance(cell, str):
        return repr(cell[:50])
    if isinstance(cell, list | tuple):
        return "a list"
    kind = {bool: "the truth value", date: "the date", datetime: "the time"}.get(type(cell), "the number")
    return f"{kind} {str(cell)[:50]}"


def _name(cell: Cell) -> str:
    text = _free_text(cell)
    if len(text) > LONGEST_NAME:
        raise ValueError(f"at most {LONGEST_NAME} characters expected, not {len(text)}")
    if text != text.strip() or "\n" in text or "\t" in text:
        raise ValueError(f"{text[:50]!r} has blanks around it, or line ends in it")
    return text


def _free_text(cell: Cell) -> str:
    if not isinstance(cell, str):
        raise ValueError(f"a text expected, not {shown(cell)}: format the cell as text, so that it stays as it is")
    if len(cell) > LONGEST_TEXT:
        raise ValueError(f"at most {LONGEST_TEXT} characters expected, not {len(cell)}")
    if found := CONTROL.search(cell):
        raise ValueError(f"the control character U+{ord(found[0]):04X} in a text")
    return cell


def _day(cell: Cell) -> date:
    if isinstance(cell, datetime):
        if (cell.hour, cell.minute, cell.second, cell.microsecond) != (0, 0, 0, 0):
            raise ValueError(f"a date expected, not the time {cell}")
        cell = cell.date()
    if isinstance(cell, date):
        cell = cell.isoformat()
    if isinstance(cell, str) and DAY.fullmatch(cell):
        try:
            return date.fromisoformat(cell)
        except ValueError:
            pass
    raise ValueError(f"a date as 2021-06-30, from 1970 to 2199, expected, not {shown(cell)}")


def _flag(cell: Cell) -> bool:
    if isinstance(cell, bool):
        return cell
    if cell not in ("yes", "no"):
        raise ValueError(f"yes or no expected, not {shown(cell)}")
    return cell == "yes"


def _list(cell: Cell) -> tuple[str, ...]:
    """Names with blanks between them; `none` is a list that is known to be empty."""
    parts = cell.replace(";", " ").split() if isinstance(cell, str) else cell
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise ValueError(f"names with blanks between them expected, not {shown(cell)}")
    found = tuple(_name(part) for part in parts)
    return () if found == (NOTHING,) else found


def _aliases(cell: Cell) -> tuple[str, ...]:
    parts = cell.split(";") if isinstance(cell, str) else cell
    if not isinstance(parts, list | tuple):
        raise ValueError(f"names with ; between them expected, not {shown(cell)}")
    return tuple(_name(part.strip() if isinstance(part, str) else part) for part in parts)


def reader_of(name: str, kind: Any, number: Reader) -> Reader:
    """How a cell of a field of this type is read. Raises ValueError with what was expected."""
    if get_origin(kind) in (UnionType, Union):
        return reader_of(name, next(each for each in get_args(kind) if each is not NoneType), number)
    if get_origin(kind) is tuple:
        return _aliases if name == "aliases" else _list
    if get_origin(kind) is Literal:
        return _one_of(get_args(kind))
    plain: dict[Any, Reader] = {
        str: _free_text if name in FREE else _name, Decimal: number, float: number, int: _whole(number), bool: _flag,
        date: _day,
    }  # fmt: skip
    return plain[kind]


def _one_of(options: tuple[str, ...]) -> Reader:
    def read(cell: Cell) -> str:
        if cell not in options:
            raise ValueError(f"one of {', '.join(options)} expected, not {shown(cell)}")
        return str(cell)

    return read


def _whole(number: Reader) -> Reader:
    def read(cell: Cell) -> int:
        found = number(cell)
        if not 0 <= found <= MOST_WHOLE or found != int(found):
            raise ValueError(f"a whole number from 0 to {MOST_WHOLE:,} expected, not {shown(cell)}")
        return int(found)

    return read


def readers_of(row_type: type, separators: Separators) -> dict[str, Reader]:
    """How each field of a row is read."""
    number = number_reader(separators)
    return {name: reader_of(name, kind, number) for name, kind in get_type_hints(row_type).items()}
