"""Workbooks for the tests: as programs write them, and as nobody should; and what is read of them."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import openpyxl
import pytest
import xlsxwriter

from pricing.catalogue.sources.base import Cell, SourceFault
from pricing.catalogue.sources.xlsx import xlsx_rows

SHEET = "xl/worksheets/sheet1.xml"
STYLES = "xl/styles.xml"
WORKBOOK = "xl/workbook.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
HEADER = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>sku</t></is></c><c r="B1" t="inlineStr"><is><t>price</t></is></c></row>'
)
ROW = '<row r="2"><c r="A2"><v>1</v></c></row>'


def xlsxwritten(fill: Callable[[Any], None], **options: Any) -> bytes:
    """What XlsxWriter writes when `fill` has filled its workbook."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True, **options}) as book:
        fill(book)
    return file.getvalue()


def openpyxled(*rows: list[Any], change: Callable[[Any], None] = lambda _: None) -> bytes:
    """What openpyxl writes of these rows of `Sheet`."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in rows:
        sheet.append(row)
    change(sheet)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


PLAIN = unpacked(openpyxled(["sku", "price"], ["a", 1]))


def with_part(name: str, part: bytes | str) -> bytes:
    """A good workbook with one part of it exchanged."""
    return packed({**PLAIN, name: part})


def with_sheet(rows: str, before: str = "", after: str = "") -> bytes:
    """A workbook whose only sheet, `Sheet`, has this XML."""
    return with_part(SHEET, f'<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>')


def cells(content: bytes, sheet: str | None = None) -> list[list[Cell]]:
    """The values of each row below the header."""
    return [list(row.cells.values()) for row in xlsx_rows(content, sheet)]


def fault(content: bytes, sheet: str | None = None) -> SourceFault:
    """The fault that reading a workbook gives."""
    with pytest.raises(SourceFault) as raised:
        list(xlsx_rows(content, sheet))
    return raised.value
