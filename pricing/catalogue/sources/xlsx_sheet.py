"""One sheet of a workbook, row by row, each cell as openpyxl reads it, and every fault by its address.

Of openpyxl's reading only that of one row is used. Its sheets believe the file's own word about their size, drop rows
that stand out of order, and build every cell that a range names, up to 17 thousand million.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from xml.etree.ElementTree import Element

from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet._reader import COL_TAG, ROW_TAG, WorkSheetParser

from pricing.catalogue.sources.base import Cell, SourceFault
from pricing.catalogue.sources.xlsx_cells import CellFault, check_cell, plain, unescaped
from pricing.catalogue.sources.xlsx_xml import DAMAGE, damaged, whole_elements

MOST_ROWS = 200_000  # below the header
MOST_COLUMNS = 64
LAST_COLUMN = 16_384  # of a spreadsheet, XFD; no letters are made for what lies beyond
LONGEST_NAME = 60  # characters of a sheet's name in a message; Excel allows 31

PLAIN_NAME = re.compile(r"[^\W\d]\w*")
ROW_START = re.compile(rb"<(?:[^\s<>/:]+:)?row[\s/>]")
MERGED = re.compile(rb"<(?:[^\s<>/:]+:)?mergeCell\s[^<>]{0,200}?\bref\s*=\s*[\"']([A-Z0-9:$]{1,30})")
YES = ("1", "true")
OWN_TEXT = ("inlineStr", "str")  # the types of cells whose text is not shared


@dataclass(slots=True)
class Sheet:
    """A sheet: its name, its XML, and openpyxl's parser with the workbook's texts, epoch and formats."""

    name: str
    content: bytes
    parser: WorkSheetParser
    _hidden: set[int] = field(default_factory=set)

    @property
    def label(self) -> str:
        """The name as it stands before the `!` of an address."""
        name = self.name[:LONGEST_NAME]
        return name if PLAIN_NAME.fullmatch(name) else quote_sheetname(name)

    def address(self, column: int, row: int) -> str:
        """Where a cell stands, such as `Sheet1!C7`."""
        return f"{self.label}!{get_column_letter(min(column, LAST_COLUMN))}{row}"

    def rows(self) -> Iterator[tuple[int, list[Cell]]]:
        """Number and cells of each row that is not blank, up to its last cell that is not. Raises SourceFault.

        Rows come as they stand in the file; whoever reads them must look whether their numbers rise.
        """
        self._check_whole()
        for row in whole_elements(self.content, ROW_TAG, self.label, self._note_hidden):
            where = f"{self.label}, row {row.get('r', str(self.parser.row_counter + 1))[:9]}"
            number, cells = self._read(row, where)
            if cells:
                self._check_seen(row, number, cells)
                yield number, cells

    def _check_whole(self) -> None:
        """Refuse too many rows and merged cells before a row is read."""
        if sum(1 for _ in ROW_START.finditer(self.content)) > MOST_ROWS + 1:
            raise SourceFault(self.label, f"a sheet has at most {MOST_ROWS:,} rows below the header, blank ones too")
        if merged := MERGED.search(self.content):
            raise SourceFault(f"{self.label}!{merged[1].decode()}", "merged cells; each cell must have its own value")

    def _check_seen(self, row: Element, number: int, cells: list[Cell]) -> None:
        """Refuse values where nobody looks: below the last row, in a hidden row, in a hidden column."""
        if number > MOST_ROWS + 1:
            raise SourceFault(self.address(len(cells), number), f"a sheet has at most {MOST_ROWS + 1:,} rows")
        if row.get("hidden") in YES:
            raise SourceFault(f"{self.label}, row {number}", "the row is hidden, perhaps by a filter: show it")
        for column, cell in enumerate(cells if self._hidden else (), 1):
            if cell is not None and column in self._hidden:
                raise SourceFault(self.address(column, number), "the column is hidden: show it")

    def _note_hidden(self, element: Element) -> None:
        if element.tag == COL_TAG and (element.get("hidden") in YES or element.get("width") == "0"):
            try:
                first, last = int(element.get("min", "")), int(element.get("max", ""))
            except ValueError as error:
                raise SourceFault(self.label, damaged("a column", error)) from error
            self._hidden.update(range(max(first, 1), min(last, MOST_COLUMNS) + 1))

    def _read(self, row: Element, where: str) -> tuple[int, list[Cell]]:
        """The number and the cells of a row, without the blank ones at its end."""
        if len(row) > MOST_COLUMNS:
            raise SourceFault(where, f"a row has at most {MOST_COLUMNS} cells, blank ones too")
        for element in row:
            try:
                check_cell(element, self.parser.date_formats)
            except CellFault as fault:
                at = element.get("r", "")[:12]
                raise SourceFault(f"{self.label}!{at}" if at else where, str(fault)) from None
        try:
            number, found = self.parser.parse_row(cast(Any, row))
        except DAMAGE as error:
            raise SourceFault(where, damaged("the row", error)) from error
        self.parser.row_dimensions.clear()  # it would keep the attributes of all rows
        return number, self._cells(row, number, found)

    def _cells(self, row: Element, number: int, found: list[dict[str, Any]]) -> list[Cell]:
        """The values of a row by their columns."""
        cells: list[Cell] = []
        for element, cell in zip(row, found, strict=True):
            column, value = cell["column"], cell["value"]
            if cell["row"] != number or column <= len(cells):
                raise SourceFault(self.address(column, number), "cells stand out of order: the workbook is damaged")
            if element.get("t") in OWN_TEXT:
                value = unescaped(value or "")
            try:
                value = plain(value)
            except CellFault as fault:
                raise SourceFault(self.address(column, number), str(fault)) from None
            if value is not None:
                cells += [*[None] * (column - len(cells) - 1), value]
        return cells
