"""Cells of a workbook stay what they are; what has no value of its own is refused by address."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pricing.catalogue.sources.base import Cell, SourceFault
from pricing.catalogue.sources.xlsx import xlsx_rows
from tests.pricing.catalogue.sources.workbooks import HEADER, cells, fault, openpyxled, with_sheet, xlsxwritten

TEXTS = ["NA", "null", "00123", "12E5", "TRUE", "1.10", "2026-01", "1,234", " padded ", "=1+1", "two\nlines", "a\rb"]
ESCAPES = ["x005F_1", "_x0041_", "_xD800_", "\x01"]  # openpyxl itself reads others


def cell(xml: str) -> Cell:
    """The value of A2 in `Sheet`."""
    return next(iter(xlsx_rows(with_sheet(f'{HEADER}<row r="2">{xml}</row>')))).cells["sku"]


def texts(*texts: str, **options: Any) -> bytes:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        for number, text in enumerate(("sku", *texts)):
            sheet.write_string(number, 0, text)

    return xlsxwritten(fill, **options)


@pytest.mark.parametrize("inline", [False, True])
def test_a_text_cell_stays_exactly_that_text(inline: bool) -> None:
    assert cells(texts(*TEXTS, *ESCAPES, constant_memory=inline)) == [[text] for text in TEXTS + ESCAPES]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\ufffe\uffff"), min_size=1))
@settings(max_examples=50, deadline=None)
def test_any_text_comes_back_as_it_was_written(text: str) -> None:
    assert cells(texts(text)) == [[text]]


@pytest.mark.parametrize(
    ("written", "text"),
    [("_x000D_", "\r"), ("_x005F_x000D_", "_x000D_"), ("_xD800_", "_xD800_"), ("_x0000_", "_x0000_")],
)
def test_an_escaped_character_is_that_character_unless_no_text_can_hold_it(written: str, text: str) -> None:
    assert cell(f'<c r="A2" t="inlineStr"><is><t>{written}</t></is></c>') == text


def test_runs_of_different_fonts_are_one_text() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "sku")
        sheet.write_rich_string(1, 0, "DGX ", book.add_format({"bold": True}), "A100", " 640GB")

    assert cells(xlsxwritten(fill)) == [["DGX A100 640GB"]]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("149995", 149995),
        ("149995.0", 149995),
        ("1.1000000000000001", Decimal("1.1")),
        ("0.1", Decimal("0.1")),
        ("1E-07", Decimal("1E-7")),
        ("1.5E300", Decimal("1.5E+300")),
        ("-0.0", 0),
        ("12345678901234567890", 12345678901234567890),
    ],
)
def test_a_number_is_the_one_that_its_shortest_text_names(written: str, number: Cell) -> None:
    read = cell(f'<c r="A2"><v>{written}</v></c>')
    assert (read, type(read)) == (number, type(number))


@pytest.mark.parametrize("written", ["1_000", " 5", "١٢", "1E400", "nan", "inf", "0x10", "1,5", "1" * 65])
def test_a_number_that_no_spreadsheet_program_writes_is_refused_by_address(written: str) -> None:
    with pytest.raises(SourceFault, match=r"^Sheet!A2: "):
        cell(f'<c r="A2"><v>{written}</v></c>')


@pytest.mark.parametrize(
    "xml", ['t="s"><v>-1</v>', 't="s"><v>99</v>', 't="b"><v>2</v>', 't="d"><v>2026-1-5</v>', 't="x">']
)
def test_a_value_that_is_not_of_the_type_of_its_cell_is_refused(xml: str) -> None:
    with pytest.raises(SourceFault, match=r"Sheet(!A2|, row 2): .*damaged"):
        cell(f'<c r="A2" {xml}</c>')


@pytest.mark.parametrize("since_1904", [False, True])
def test_true_dates_are_dates_in_both_epochs_and_keep_a_time_of_day(since_1904: bool) -> None:
    def fill(book: Any) -> None:
        sheet, day = book.add_worksheet(), book.add_format({"num_format": "dd/mm/yyyy"})
        sheet.write(0, 0, "day")
        sheet.write_datetime(1, 0, date(2026, 2, 1), day)
        sheet.write_datetime(2, 0, datetime(2026, 2, 1, 12, 30), day)
        sheet.write_number(3, 0, 45000)

    read = cells(xlsxwritten(fill, date_1904=since_1904))
    assert read == [[date(2026, 2, 1)], [datetime(2026, 2, 1, 12, 30)], [45000]]
    assert type(read[0][0]) is date


@pytest.mark.parametrize(
    ("written", "day"), [("2026-02-01", date(2026, 2, 1)), ("2026-02-01T08:00:00", datetime(2026, 2, 1, 8))]
)
def test_a_date_that_is_written_as_a_text_of_iso_8601_is_one(written: str, day: Cell) -> None:
    assert cell(f'<c r="A2" t="d"><v>{written}</v></c>') == day


@pytest.mark.parametrize(("number", "style"), [(0.5, "h:mm"), (1.5, "[h]:mm"), (9e9, "yyyy-mm-dd"), (-1, "yyyy-mm-dd")])
def test_what_looks_like_a_date_and_is_none_is_refused_by_address(number: float, style: str) -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "day")
        sheet.write_number(1, 0, number, book.add_format({"num_format": style}))

    assert fault(xlsxwritten(fill)).where == "Sheet1!A2"


@pytest.mark.parametrize("style", ['0.00 "USD"', '#,##0.00 "days"', "[$$-409]#,##0.00", "[Red]0.00", "0.00E+00"])
def test_an_amount_of_money_is_no_date_whatever_its_format(style: str) -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "price")
        sheet.write_number(1, 0, 149995, book.add_format({"num_format": style}))

    assert cells(xlsxwritten(fill)) == [[149995]]


def test_truth_values_and_blanks_are_themselves() -> None:
    assert cells(openpyxled(["a", "b", "c"], [True, None, False], [1, None, None])) == [
        [True, None, False],
        [1, None, None],
    ]


def test_a_row_tells_the_addresses_of_its_cells() -> None:
    row = next(xlsx_rows(openpyxled(["sku", "price"], ["a", 1])))
    assert (row.line, row.at("price"), row.at(), row.at("currency")) == (
        2,
        "Sheet!B2",
        "Sheet, row 2",
        "Sheet, row 2, column currency",
    )


def test_a_sheet_name_that_needs_quotes_has_them() -> None:
    def fill(book: Any) -> None:
        book.add_worksheet("Bob's prices").write_column(0, 0, ["sku", "a"])

    row = next(xlsx_rows(xlsxwritten(fill)))
    assert (row.at("sku"), row.at()) == ("'Bob''s prices'!A2", "'Bob''s prices', row 2")


@pytest.mark.parametrize("error", ["#DIV/0!", "#N/A", "#REF!", "#VALUE!"])
def test_an_error_cell_is_refused_by_address(error: str) -> None:
    found = fault(openpyxled(["a", "b", "c"], [1, 2, 3], [4, 5, error]))
    assert found.where == "Sheet!C3" and f"holds the error {error}" in found.detail


def test_a_formula_with_its_value_is_that_value() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["a", "b", "c", "d"])
        for column, value in enumerate((149995, "00123", True, 1.1)):
            sheet.write_formula(1, column, "=1+1", value=value)

    assert cells(xlsxwritten(fill)) == [[149995, "00123", True, Decimal("1.1")]]


def test_a_formula_whose_value_is_no_text_is_blank() -> None:
    assert cell('<c r="A2" t="str"><f>IF(TRUE,"")</f><v></v></c><c r="B2"><v>1</v></c>') is None


@pytest.mark.parametrize("xml", ["><f>1+1</f><v/>", "><f>1+1</f>", '><f t="shared" si="0"/>', ' t="str"><f>A1</f>'])
def test_a_formula_without_its_value_is_refused_by_address(xml: str) -> None:
    with pytest.raises(SourceFault, match=r"^Sheet!A2: a formula without its value"):
        cell(f'<c r="A2"{xml}</c>')


def test_a_formula_that_openpyxl_wrote_is_refused_by_address() -> None:
    assert fault(openpyxled(["sku", "price"], ["a", 1], ["b", "=2*B2"])).where == "Sheet!B3"
