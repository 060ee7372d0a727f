"""Damaged and hostile workbooks: refused, soon, in little memory, and before a parser opens anything."""

import random
import re
import resource
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pricing.catalogue.sources.base import SourceFault
from pricing.catalogue.sources.xlsx import xlsx_rows
from pricing.catalogue.sources.xlsx_book import open_sheet
from tests.pricing.catalogue.sources.workbooks import (
    HEADER,
    MAIN,
    PLAIN,
    ROW,
    SHEET,
    STYLES,
    WORKBOOK,
    fault,
    packed,
    unpacked,
    with_part,
    with_sheet,
    xlsxwritten,
)

GOOD = packed(PLAIN, zipfile.ZIP_DEFLATED)
READ = "import sys; from pricing.catalogue.sources.xlsx import xlsx_rows; list(xlsx_rows(sys.stdin.buffer))"


def in_a_child(content: bytes, code: str = READ, *arguments: str, **environment: str) -> str:
    """What a child says at its end that has 1 GB of memory and 30 s of a processor."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))

    child = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=content,
        capture_output=True,
        timeout=300,
        preexec_fn=limit,
        env={"OPENBLAS_NUM_THREADS": "1", **environment},
        check=False,
    )
    return child.stderr.decode() or f"exit {child.returncode}"


@pytest.mark.parametrize("part", range(20))
def test_a_file_cut_short_anywhere_is_a_fault(part: int) -> None:
    assert str(fault(GOOD[: len(GOOD) * part // 20]))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no zip"),
        (b"sku,price\na,1\n", "no zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "password"),
        (b"PK\x03\x04" + random.Random(1).randbytes(10_000), "not a zip"),
        (packed({"a.txt": "a"}), "[Content_Types].xml"),
        (packed({name: part for name, part in PLAIN.items() if name != WORKBOOK}), WORKBOOK),
        (packed({name: part for name, part in PLAIN.items() if name != SHEET}), SHEET),
        (with_part(SHEET, "<worksheet"), "XML is damaged"),
        (with_part(SHEET, b"\x89PNG\0\0"), "XML is damaged"),
        (with_part(STYLES, "<a/>" * 2), "junk after document element"),
        (with_part(STYLES, PLAIN[STYLES].replace(b'fontId="0"', b'fontId="99999999999"')), "greater than maximum"),
        (b"a" * 50_000_001, "larger than 50,000,000 bytes"),
    ],
)
def test_what_is_no_workbook_is_a_fault_that_says_so(content: bytes, told: str) -> None:
    assert told in str(fault(content))


def damaged(chance: random.Random, content: bytes) -> bytes:
    """A file with some bytes changed, dropped or put in."""
    file = bytearray(content)
    for _ in range(chance.choice([1, 1, 3, 20])):
        at = chance.randrange(len(file))
        file[at : at + chance.choice([0, 1, 30])] = chance.randbytes(chance.choice([0, 1, 5]))
    return bytes(file)


VALUES = [b"", b"-1", b"x", b"1e999", b"9" * 5000, b"ZZZ1", b"d", b"inlineStr", b"\xff", b"true"]
PIECES = (rb'="([^"]*)"', rb">([^<]+)<", rb"(<[^>]*/>)", rb"( [\w:]+=\"[^\"]*\")", rb"\b([a-zA-Z]+)\b", rb"(.{1,50})")


def with_damaged_part(chance: random.Random, parts: dict[str, bytes]) -> bytes:
    """A workbook in whose XML some attributes, texts, tags or names are others or gone."""
    name = chance.choice([name for name in parts if re.search(r"Types|workbook|styles|shared|sheets/", name)])
    part = parts[name]
    for _ in range(chance.choice([1, 1, 3])):
        found = list(re.finditer(chance.choice(PIECES), part))
        if found:
            piece = chance.choice(found)
            part = part[: piece.start(1)] + chance.choice(VALUES) + part[piece.end(1) :]
    return packed({**parts, name: part})


def rich() -> bytes:
    """A workbook with a bit of all that is read."""

    def fill(book: Any) -> None:
        sheet, day = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, ["sku", "price", "day", "sold"])
        for row in range(1, 5):
            sheet.write_row(row, 0, [f"{row:03}", row * 1.1])
            sheet.write_number(row, 2, 46000 + row, day)
            sheet.write_boolean(row, 3, True)
        sheet.write_formula(4, 1, "=1+1", value=2)
        book.add_worksheet().hide()

    return xlsxwritten(fill)


@pytest.mark.parametrize("seed", range(0, 1500, 100))
def test_a_file_damaged_at_random_gives_rows_or_a_fault_and_nothing_else(seed: int) -> None:
    content = rich()
    parts, faults = unpacked(content), 0
    for number in range(seed, seed + 100):
        chance = random.Random(number)
        try:
            list(xlsx_rows(damaged(chance, content) if number % 2 else with_damaged_part(chance, parts)))
        except SourceFault:
            faults += 1
    assert 50 < faults < 100


WATCHED = """
import re, sys
from pricing.catalogue.sources import xlsx, zip_checks
secret, content = sys.argv[1], sys.stdin.buffer.read()
sys.addaudithook(lambda event, told: event == "open" and secret in str(told[0]) and print("OPENED", file=sys.stderr))
"""
UNSEARCHED = "zip_checks.FORBIDDEN = re.compile(b'(?!)')\n"


@pytest.mark.parametrize("prepare", ["", UNSEARCHED])
def test_no_file_is_opened_for_an_entity_even_if_the_search_had_missed_it(tmp_path: Path, prepare: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    content = with_part(SHEET, f'<!DOCTYPE a [<!ENTITY b SYSTEM "file://{secret}">]><a>&b;</a>')
    told = in_a_child(content, f"{WATCHED}{prepare}list(xlsx.xlsx_rows(content))", str(secret))
    assert ("EntitiesForbidden" if prepare else "document type or an entity") in told and "OPENED" not in told
    assert "OPENED" in in_a_child(content, f"{WATCHED}open(secret)", str(secret))


def test_openpyxl_without_defusedxml_is_refused_at_the_start() -> None:
    told = in_a_child(GOOD, OPENPYXL_DEFUSEDXML="False")
    assert "ImportError: openpyxl must read with defusedxml" in told


def many_rows() -> bytes:
    return with_sheet("".join(f'<row r="{row}"><c r="A{row}"><v>1</v></c></row>' for row in range(1, 500_001)))


def many_columns() -> bytes:
    return with_sheet('<row r="1">' + "<c><v>1</v></c>" * 20_000 + "</row>")


def endless_row() -> bytes:
    return with_sheet('<row r="1">' + "<c/>" * 3_000_000 + "</row>")


def endless_name() -> bytes:
    return with_sheet(HEADER + ROW, after="<" + "a" * 45_000_000)


def deep() -> bytes:
    return with_sheet(HEADER + ROW, after="<a>" * 1_500_000 + "</a>" * 1_500_000)


def many_elements() -> bytes:
    return with_sheet("<row/>" * 4_000_001)


def many_styles() -> bytes:
    return with_part(STYLES, f'<styleSheet xmlns="{MAIN}"><cellXfs>{"<xf/>" * 1_000_000}</cellXfs></styleSheet>')


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (many_rows, "at most 200,000 rows"),
        (many_columns, "more than 20,000 XML elements"),
        (endless_row, "more than 20,000 XML elements"),
        (endless_name, "XML is damaged"),
        (deep, "more than 100 deep"),
        (many_elements, "more than 4,000,000 XML elements"),
        (many_styles, "more than 100,000 XML elements"),
    ],
)
def test_what_would_take_memory_or_minutes_is_refused_in_a_small_child(make: Callable[[], bytes], told: str) -> None:
    assert told in in_a_child(make())


@pytest.mark.parametrize(("columns", "refused"), [(64, False), (65, True)])
def test_sixty_four_columns_are_the_most(columns: int, refused: bool) -> None:
    content = with_sheet('<row r="1">' + '<c t="str"><v>a</v></c>' * columns + "</row>")
    assert ("at most 64 cells" if refused else "same name") in str(fault(content))


def test_a_lone_cell_at_the_far_end_is_refused_by_address() -> None:
    content = with_sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    assert fault(content).where == "Sheet!XFD1048576"


@pytest.mark.parametrize(("row", "refused"), [(200_001, False), (200_002, True)])
def test_two_hundred_thousand_rows_below_the_header_are_the_most(row: int, refused: bool) -> None:
    told = str(fault(with_sheet(f'{HEADER}<row r="{row}"><c r="A{row}"><v>1</v></c></row>')))
    assert ("at most 200,001 rows" if refused else "row 2: it is blank") in told


def test_memory_does_not_grow_with_the_rows() -> None:
    row = '<row ht="12" customHeight="1">' + "<c><v>1</v></c>" * 4 + "</row>"
    sheet = open_sheet(with_sheet(row * 20_000), None)
    tracemalloc.start()
    try:
        assert sum(1 for _ in sheet.rows()) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 3_000_000  # 17 million if all elements stay
    finally:
        tracemalloc.stop()
    assert not sheet.parser.row_dimensions


def test_ranges_that_name_every_cell_cost_nothing() -> None:
    everything = '<hyperlinks><hyperlink ref="A1:XFD1048576"/></hyperlinks>'
    assert len(list(xlsx_rows(with_sheet(HEADER + ROW, after=everything)))) == 1


def test_a_text_longer_than_a_cell_can_hold_is_refused_by_address() -> None:
    text = f'<c r="A2" t="inlineStr"><is><t>{"a" * 32_768}</t></is></c>'
    assert fault(with_sheet(f'{HEADER}<row r="2">{text}</row>')).where == "Sheet!A2"
