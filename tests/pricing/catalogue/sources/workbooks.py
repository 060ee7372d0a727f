"""Workbooks for the tests: as programs write them, and as nobody should."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import openpyxl
import xlsxwriter

SHEET = "xl/worksheets/sheet1.xml"
STYLES = "xl/styles.xml"
WORKBOOK = "xl/workbook.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
HEADER = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>sku</t></is></c><c r="B1" t="inlineStr"><is><t>price</t></is></c></row>'
)


def xlsxwritten(fill: Callable[[Any], None], **options: Any) -> bytes:
    """What XlsxWriter writes when `fill` has filled its workbook."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True, **options}) as book:
        fill(book)
    return file.getvalue()


def openpyxled(*rows: list[Any], change: Callable[[Any], None] = lambda _: None) -> bytes:
    """What openpyxl writes of these rows of `Sheet`."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    change(book.active)
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
