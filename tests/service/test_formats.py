"""How numbers and texts look in each format."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answers.answer import About, Block, Line, Page, Records
from service.formats import FORMATS, people
from service.formats.csv import text
from service.formats.plain import plain


class Shown:
    """An answer of one value in every shape."""

    def __init__(self, *cells: object, unit: str = "USD") -> None:
        self.cells, self.unit = cells, unit

    def document(self) -> dict[str, object]:
        return {"cells": list(self.cells)}

    def records(self) -> Records:
        return Records((("name", self.unit),), [[cell] for cell in self.cells])  # type: ignore[list-item]

    def page(self) -> Page:
        heads = tuple(f"column-{index}" for index in range(len(self.cells)))
        return Page(["title"], [Block(heads, [Line("label", self.unit, list(self.cells))])], ["a note"])  # type: ignore[arg-type]


def test_each_format_is_listed_and_writes() -> None:
    for name, each in FORMATS.items():
        if name != "value":
            assert each.write(Shown(1.5, "text", None)), name


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (12345678901.23, "12345678901.23"),
        (1e21, "1000000000000000000000"),
        (1.8e-7, "0.00000018"),
        (149995.0, "149995"),
        (0.1 + 0.2, "0.30000000000000004"),
        (-0.0, "0"),
    ],
)
def test_machines_get_plain_digits(number: float, shown: str) -> None:
    assert plain(number) == shown


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_plain_digits_are_all_digits(number: float) -> None:
    assert float(plain(number)) == number


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (149995.0, "149,995"), (1234567.8, "1,234,568"), (37.1152, "37.1152"), (0.025, "0.025"), (1.8e-7, "0.00000018"),
        (0.0, "0"), (-5.25, "-5.25"), (3e-15, "3.00000e-15"),
    ],
)  # fmt: skip
def test_people_get_six_significant_digits(number: float, shown: str) -> None:
    assert people.number(number) == shown


def test_what_is_tiny_per_unit_of_money_is_shown_per_million() -> None:
    cells, unit = people.scaled([1.0777614933444858e-05, None], "run / hour / USD")
    assert people.cell(cells[0]) == "10.7776"
    assert people.unit(unit) == "run/h/MUSD"
    assert people.scaled([2.5], "run / USD") == ([2.5], "run / USD")


def test_a_price_that_is_about_is_marked_for_people_only() -> None:
    assert people.cell(About(300000)) == "~ 300,000"
    assert text(About(300000)) == "300000"


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"), ("+49 30 123", "'+49 30 123"), ("-5+3", "'-5+3"), ("@SUM(A1)", "'@SUM(A1)"), (" =1", "' =1"),
        ("＝1+1", "'＝1+1"), ("\t=1", "'\t=1"), ("-12.5", "-12.5"), ("1e5", "1e5"), ("plain", "plain"), (-12.5, "-12.5"),
        (None, ""), (True, "yes"),
    ],
)  # fmt: skip
def test_no_text_becomes_a_formula_and_no_number_is_touched(cell: object, written: str) -> None:
    assert text(cell) == written  # type: ignore[arg-type]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1))
def test_csv_can_be_read_again(cells: list[str]) -> None:
    body = FORMATS["csv"].write(Shown(*cells)).decode()
    rows = list(csv.reader(io.StringIO(body, newline=""), strict=True))
    assert rows[0] == ["name [USD]"]
    back = [row[0] if row else "" for row in rows[1:]]
    assert [cell if each == cell else each[1:] for each, cell in zip(back, cells, strict=True)] == cells


def test_csv_has_no_bom_commas_and_crlf() -> None:
    body = FORMATS["csv"].write(Shown("Größe €", 1.5))
    assert body == "name [USD]\r\nGröße €\r\n1.5\r\n".encode()


def test_markdown_keeps_a_name_from_being_markup() -> None:
    body = FORMATS["md"].write(Shown("a|b*c<d>[e](f)`g`")).decode()
    assert "a\\|b\\*c\\<d>\\[e\\](f)\\`g\\`" in body
