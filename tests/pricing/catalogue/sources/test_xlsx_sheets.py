"""Sheets of a workbook: which one is meant, its header and rows, and nothing that a person would not see."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pricing.catalogue.sources.base import SourceFault
from pricing.catalogue.sources.xlsx import XlsxFile, xlsx_rows
from tests.pricing.catalogue.sources.workbooks import (
    HEADER,
    MAIN,
    PLAIN,
    ROW,
    SHEET,
    WORKBOOK,
    cells,
    fault,
    openpyxled,
    packed,
    with_part,
    with_sheet,
    xlsxwritten,
)


def test_merged_cells_are_refused_by_address() -> None:
    content = openpyxled(["a", "b", "c"], [1, 2, 3], change=lambda sheet: sheet.merge_cells("B2:C2"))
    assert fault(content).where == "Sheet!B2:C2"


def hide_row(sheet: Any) -> None:
    sheet.row_dimensions[3].hidden = True


def hide_column(sheet: Any) -> None:
    sheet.column_dimensions["B"].hidden = True


@pytest.mark.parametrize(("hide", "where"), [(hide_row, "Sheet, row 3"), (hide_column, "Sheet!B1")])
def test_a_hidden_row_or_column_with_values_is_refused(hide: Callable[[Any], None], where: str) -> None:
    found = fault(openpyxled(["a", "b"], [1, 2], [3, 4], change=hide))
    assert found.where == where and "hidden" in found.detail


def test_a_column_without_width_is_hidden() -> None:
    assert (
        fault(with_sheet(HEADER, '<cols><col min="2" max="2" width="0" customWidth="1"/></cols>')).where == "Sheet!B1"
    )


def test_hidden_columns_in_which_nothing_stands_are_nobodys_concern() -> None:
    content = with_sheet(
        f'{HEADER}<row r="2"><c r="A2"><v>1</v></c></row>', '<cols><col min="3" max="16384" hidden="1"/></cols>'
    )
    assert cells(content) == [[1, None]]


@pytest.mark.parametrize(
    ("header", "where", "detail"),
    [
        (["sku", None, "price"], "Sheet, row 1", "column 2 has no name"),
        (["sku", "SKU "], "Sheet, row 1", "same name"),
        (["sku", 2026], "Sheet!B1", "not 2026"),
        ([None], "Sheet, row 1", "header"),
    ],
)
def test_a_header_that_does_not_name_each_column_once_is_refused(header: list[Any], where: str, detail: str) -> None:
    found = fault(openpyxled(header, ["a", 1]))
    assert found.where == where and detail in found.detail


def test_a_sheet_without_anything_has_no_header() -> None:
    assert fault(openpyxled()).where == "Sheet, row 1"


def test_a_value_beyond_the_header_is_refused_by_address() -> None:
    assert fault(openpyxled(["sku"], ["a"], ["b", None, 5])).where == "Sheet!C3"


def test_a_blank_row_between_rows_is_refused() -> None:
    assert fault(openpyxled(["sku"], ["a"], [None], [""], ["b"])).where == "Sheet, row 3"


def test_blank_rows_at_the_end_and_cells_that_have_a_format_only_are_nothing() -> None:
    blank = '<row r="3"><c r="A3" s="0"/><c r="Z3" s="0"/></row><row r="1048576"><c r="XFD1048576"/></row>'
    assert cells(with_sheet(f'{HEADER}<row r="2"><c r="A2"><v>1</v></c></row>{blank}')) == [[1, None]]


def test_rows_that_the_sheet_does_not_count_are_read() -> None:
    row = '<row r="2"><c r="A2"><v>1</v></c></row>'
    assert cells(with_sheet(HEADER + row, before='<dimension ref="A1:A1"/>')) == [[1, None]]


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="2"><c r="A2"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>',
        '<row r="3"><c r="A3"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>',
        '<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>',
        '<row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>2</v></c></row>',
        '<row r="2"><c r="A3"><v>1</v></c></row>',
    ],
)
def test_rows_and_cells_out_of_order_are_refused(rows: str) -> None:
    assert fault(with_sheet(HEADER + rows)).where.startswith("Sheet")


def test_a_cell_beyond_all_letters_is_refused() -> None:
    assert fault(with_sheet(HEADER + '<row r="2"><c r="ZZZ2"/><c t="e"/></row>')).where == "Sheet, row 2"
    assert fault(with_sheet(HEADER + '<row r="2"><c r="ZZZ2"/><c><v>1</v></c></row>')).where == "Sheet!XFD2"


def test_rows_and_cells_without_numbers_are_counted() -> None:
    assert cells(with_sheet(HEADER + "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>")) == [
        [1, 2],
        [3, None],
    ]


def prefixed(rows: str, after: str = "") -> bytes:
    """A sheet as the Open XML SDK writes it, with a prefix on each name."""
    sheet = f"<worksheet><sheetData>{HEADER}{rows}</sheetData>{after}</worksheet>"
    named = re.sub(r"<(/?)(\w)", r"<\1x:\2", sheet)
    return with_part(SHEET, named.replace("<x:worksheet", f'<x:worksheet xmlns:x="{MAIN}"', 1))


def test_prefixes_of_xml_names_change_nothing() -> None:
    assert cells(prefixed(ROW)) == [[1, None]]
    assert fault(prefixed(ROW, '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>')).where == "Sheet!A1:B1"
    assert "200,000 rows" in fault(prefixed("<row/>" * 200_001)).detail


def sheets(book: Any) -> None:
    for name in ("First", "Second"):
        book.add_worksheet(name).write_column(0, 0, ["sku", name])


def with_hidden(book: Any) -> None:
    sheets(book)
    book.get_worksheet_by_name("Second").hide()


def with_empty_and_chart(book: Any) -> None:
    book.add_worksheet("First").write_column(0, 0, ["sku", "First"])
    book.add_worksheet("Empty").hide()
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": "=First!$A$1:$A$2"})
    book.add_chartsheet("Chart").set_chart(chart)


def test_a_hidden_sheet_with_nothing_and_a_chart_are_no_second_sheets() -> None:
    assert cells(xlsxwritten(with_empty_and_chart)) == [["First"]]


@pytest.mark.parametrize(
    ("fill", "sheet", "told"),
    [
        (sheets, None, ["'First', 'Second'", "name the sheet"]),
        (with_hidden, None, ["'Second'", "hidden", "name the sheet"]),
        (sheets, "Third", ["'Third'", "'First', 'Second'"]),
        (with_empty_and_chart, "Chart", ["'First', 'Empty'"]),
    ],
)
def test_which_sheet_is_meant_is_never_guessed(fill: Callable[[Any], None], sheet: str | None, told: list[str]) -> None:
    detail = fault(xlsxwritten(fill), sheet).detail
    assert all(words in detail for words in told)


def test_one_part_is_not_two_sheets() -> None:
    twice = PLAIN[WORKBOOK].replace(
        b"</sheets>", PLAIN[WORKBOOK].partition(b"<sheets>")[2].partition(b"/>")[0] + b"/></sheets>"
    )
    assert "two of its sheets are the same" in fault(with_part(WORKBOOK, twice)).detail


def test_a_name_without_end_is_told_in_part() -> None:
    named = PLAIN[WORKBOOK].replace(b'name="Sheet"', b'name="%s"' % (b"x" * 5000))
    content = packed({**PLAIN, WORKBOOK: named, SHEET: PLAIN[SHEET].replace(b"<v>1</v>", b"<v>x</v>")})
    assert len(str(fault(content))) < 200 and len(str(fault(content, "Prices"))) < 200


@pytest.mark.parametrize("fill", [sheets, with_hidden])
def test_a_sheet_that_is_named_is_read_hidden_or_not(fill: Callable[[Any], None]) -> None:
    assert cells(xlsxwritten(fill), "Second") == [["Second"]]


def test_a_file_is_read_whole_before_its_first_row(tmp_path: Path) -> None:
    path = tmp_path / "prices.xlsx"
    path.write_bytes(openpyxled(["sku"], ["a"], ["b"]))
    rows = XlsxFile("quotes", path).prices()
    read = [next(rows).cells["sku"]]
    path.write_bytes(b"something else")
    assert [*read, *(row.cells["sku"] for row in rows)] == ["a", "b"]


def test_bytes_and_open_files_are_read_alike() -> None:
    content = openpyxled(["sku"], ["a"])
    for file in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
        assert [row.cells for row in xlsx_rows(file)] == [{"sku": "a"}]


@pytest.mark.parametrize("name", ["none.xlsx", "a\0b.xlsx", "a\nb.xlsx", "x" * 300, "../../none.xlsx", "."])
def test_a_file_that_cannot_be_opened_is_a_fault(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceFault, match="cannot be read"):
        list(XlsxFile("quotes", tmp_path / name).prices())
