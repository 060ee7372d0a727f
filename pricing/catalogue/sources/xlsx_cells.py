"""A cell of a sheet: refused where openpyxl would not tell it from another, and as a value that is exactly itself."""

import re
from collections.abc import Container
from datetime import date, datetime, time
from decimal import Decimal
from xml.etree.ElementTree import Element

from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG

from pricing.catalogue.sources.base import Cell

LONGEST_TEXT = 32_767  # characters, as in Excel; one text can be shared by every row
LAST_DAY = 2_957_003  # 9999-12-31 where days count from 1904; where they count from 1900, four years before it
WHOLE = 2**53  # every whole number below it is a float of its own

ESCAPED = re.compile(r"_x(?!0000|[dD][89a-fA-F])([0-9a-fA-F]{4})_")  # left alone: NUL, and half a character
ANY = re.compile(r".*", re.DOTALL)
FORMS = {  # of the value, by the type of its cell; int() and openpyxl would take 1_000 and other scripts' digits
    "n": re.compile(r"(?=.{1,64}\Z)[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?"),
    "s": re.compile(r"[0-9]{1,9}"),
    "b": re.compile(r"[01]"),
    "d": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?Z?)?"),
    "str": ANY,
    "inlineStr": ANY,
}


class CellFault(ValueError):
    """A cell that we do not accept; the message says why, and not where."""


def check_cell(cell: Element, date_styles: Container[int]) -> None:
    """Refuse errors, formulas without a value, and values that are not of their cell's type. Raises CellFault.

    `date_styles` are the numbers of the styles that show a number as a date.
    """
    kind, value = cell.get("t", "n"), cell.findtext(VALUE_TAG)
    if kind == "e":
        raise CellFault(f"the cell holds the error {(value or '')[:20]}")
    if not value and (kind != "str" or value is None) and cell.find(FORMULA_TAG) is not None:
        raise CellFault("a formula without its value: open the file in a spreadsheet program and save it")
    if kind not in FORMS or (value and not FORMS[kind].fullmatch(value)):
        raise CellFault(f"{(value or '')[:40]!r} in a cell of type {kind[:20]!r}: the workbook is damaged")
    style = cell.get("s", "0")
    if not FORMS["s"].fullmatch(style):
        raise CellFault(f"{style[:40]!r} as a style: the workbook is damaged")
    if kind == "n" and value and int(style) in date_styles and not 0 <= float(value) <= LAST_DAY:
        raise CellFault(f"{value} is no date: a spreadsheet counts days up to the year 9999")


def plain(value: object) -> Cell:
    """What openpyxl read, as a cell: numbers exact, whole days as dates, no text as no value. Raises CellFault."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise CellFault(f"the text has more than {LONGEST_TEXT:,} characters")
        return value or None
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, datetime):
        return value if value.time() != time.min else value.date()
    if value is None or isinstance(value, bool | int | date):
        return value
    raise CellFault(f"a time or a duration ({value}); a date expected")


def _number(value: float) -> int | Decimal:
    """The number that the shortest text of this float names; a whole one as an int."""
    if value.is_integer() and abs(value) < WHOLE:
        return int(value)
    number = Decimal(repr(value))
    if not number.is_finite():
        raise CellFault("the number is larger than a spreadsheet holds")
    return number


def unescaped(text: str) -> str:
    """A text of a workbook, in which `_x000D_` stands for the character with that number."""
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
