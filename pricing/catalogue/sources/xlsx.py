"""XLSX workbooks: one sheet of rows below a header, its cells exactly as they are, nothing in it hidden."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

from openpyxl.utils import get_column_letter

from pricing.catalogue.sources.base import Cell, Row, SourceFault, check_header
from pricing.catalogue.sources.delimited import open_file
from pricing.catalogue.sources.xlsx_book import open_sheet
from pricing.catalogue.sources.xlsx_sheet import Sheet
from pricing.catalogue.sources.zip_checks import LARGEST_FILE

CHUNK = 1_000_000  # bytes of a file read at a time


@dataclass(slots=True)
class XlsxFile:
    """A sheet of a workbook, with a header in its first row; without `sheet`, the only one that there is."""

    kind: ClassVar[str] = "xlsx"
    name: str
    path: Path
    sheet: str | None = None

    def prices(self) -> Iterator[Row]:
        """Every row of the sheet. Raises SourceFault."""
        with open_file(self.path) as file:
            content = _read(file)
        yield from xlsx_rows(content, self.sheet)


class SheetRow(Row):
    """A row of a sheet; `line` is its number there."""

    __slots__ = ("sheet",)

    def __init__(self, line: int, cells: dict[str, Cell], sheet: str) -> None:
        super().__init__(line, cells)
        self.sheet = sheet

    def at(self, column: str | None = None) -> str:
        """The address of a cell, such as `Sheet1!C7`."""
        if column is not None and column in self.cells:
            return f"{self.sheet}!{get_column_letter(list(self.cells).index(column) + 1)}{self.line}"
        return f"{self.sheet}, row {self.line}" + (f", column {column}" if column else "")


def xlsx_rows(file: IO[bytes] | bytes | bytearray | memoryview, sheet: str | None = None) -> Iterator[Row]:
    """Rows of a workbook that was received; its first row names the columns. Raises SourceFault with the address."""
    content = bytes(file) if isinstance(file, bytes | bytearray | memoryview) else _read(file)
    found = open_sheet(content, sheet)
    label = found.label
    header: list[str] = []
    for line, (number, cells) in enumerate(found.rows(), 1):
        if number != line:
            found_there = "it is blank" if number > line else f"row {number} stands there"
            raise SourceFault(f"{label}, row {line}", f"{found_there}; a header and rows without gaps expected")
        if not header:
            header = _header(found, cells)
        elif len(cells) > len(header):
            raise SourceFault(found.address(len(cells), number), f"the header has {len(header)} columns only")
        else:
            blank: list[Cell] = [None] * (len(header) - len(cells))
            yield SheetRow(number, dict(zip(header, cells + blank, strict=True)), label)
    if not header:
        raise SourceFault(f"{label}, row 1", "a header with the names of the columns expected")


def _read(file: IO[bytes]) -> bytes:
    """The file, or as much of it as shows that it is too large."""
    content = bytearray()
    while len(content) <= LARGEST_FILE and (chunk := file.read(CHUNK)):
        content += chunk
    return bytes(content)


def _header(sheet: Sheet, cells: list[Cell]) -> list[str]:
    for column, name in enumerate(cells, 1):
        if not isinstance(name, str | None):
            raise SourceFault(sheet.address(column, 1), f"the name of a column is a text, not {name}")
    header = [name or "" for name in cells if isinstance(name, str | None)]
    check_header(header, f"{sheet.label}, row 1")
    return header
