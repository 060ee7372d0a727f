"""What is exported is imported again unchanged, whatever texts it holds; no spreadsheet takes any for a formula."""

import csv
import io
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from pricing.catalogue.exporting import EXPORTS, export_of, plain, template_of
from pricing.catalogue.importing.nouns import NOUNS, PRICES
from pricing.catalogue.library import Library
from pricing.catalogue.sources.delimited import guarded, unguarded
from tests.pricing.catalogue.books.imports import DGX, HEADER, opened, prices, take_in

NASTY = ["=1+1", "+1", "-2+3", "@SUM(A1)", "'=1", "''+x", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x")', "-5", "'", "a'b", "00123",
         'say "hi"', "a,b;c", "</script><img onerror=x>", "🚀 Größe €", "NA", "TRUE", "12E5", "1.10", "2026-01", "\tx".strip()]  # fmt: skip
HEAD = f"{HEADER},sku,region,note,low,high,includes,about,valid_to,minimum_quantity,tax_scope,confidence,mpn,gtin,unspsc,observed_until,entered_by"


def held(library: Library, book: str) -> list[Any]:
    """A book's rows without where they stand."""
    (one,) = opened(library, book).books
    return [replace(each, book="", row="") for _, each in one.prices.each()]


def fill(library: Library, texts: list[str]) -> None:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, HEAD.split(","))
    writer.writeheader()
    for number, text in enumerate(texts):
        row = dict(zip(HEADER.split(","), DGX.split(","), strict=True))
        row |= {"sku": guarded(text), "note": guarded(text), "source": guarded(text), "valid_from": f"2026-01-{1 + number % 28:02}",
                "amount": f"25{number}.3330", "low": "1.50", "high": "999999", "includes": "host switches" if number % 2 else "none",
                "about": "yes", "valid_to": "2027-01-01" if number < 2 else "", "minimum_quantity": str(1 + number),
                "tax_scope": "excluded", "confidence": "low", "mpn": "920-22687", "gtin": "00012345600012", "unspsc": "43211501",
                "observed_until": "2026-06-01", "entered_by": "M. Muster"}  # fmt: skip
        writer.writerow(row)
    report = take_in(library, buffer.getvalue(), book="one", accept=("outlier",))
    assert report.faults == [], report.faults[:3]


@pytest.mark.parametrize("form", EXPORTS)
def test_what_is_exported_is_imported_unchanged(library: Library, form: str) -> None:
    fill(library, NASTY)
    assert [each.sku for each in held(library, "one")] == NASTY
    exported = b"".join(export_of(opened(library, "one"), "prices", "one", form))
    report = take_in(library, exported, name=f"list.{form}", book="two", accept=("outlier",))
    assert report.faults == []
    assert held(library, "two") == held(library, "one")
    assert b"".join(export_of(opened(library, "two"), "prices", "two", form)) == exported or form == "xlsx"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(
        st.characters(
            codec="utf-8",
            exclude_categories=["Cc", "Cs", "Zl", "Zp"],
            exclude_characters="\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
        ),
        max_size=20,
    )
)
def test_a_guarded_text_is_no_formula_and_comes_back(text: str) -> None:
    safe = guarded(text)
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unguarded(safe) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("1.234", "1.2340"),
        ("149995.00", "149995.00"),
        ("0.025", "0.0250"),
        ("1234.567", "1234.567"),
        ("149995", "149995"),
    ],
)
def test_an_amount_is_written_so_that_nobody_takes_it_for_thousands(number: str, text: str) -> None:
    from decimal import Decimal  # noqa: PLC0415

    assert plain(Decimal(number)) == text


@pytest.mark.parametrize(("noun", "content"), [
    ("systems", "id,name,vendor,accelerator_model,accelerators,hosts,source,rack_units,aliases\nrig-8,=Rig,Acme,X1,8,1,ours,4.5,a rig;b rig\n".replace("=Rig", "'=Rig")),
    ("results", "benchmark,round,division,submitter,system,units,time_to_train_minutes,source\nresnet,v1.0,closed,Acme,dgx-2,1,25.1250,a log\n"),
    ("assumptions", "name,value,unit,source,year,preset\npue_ratio,1.25,1,a contract,2026,us-colo\npue_ratio,1.5,1,a contract,2026,\n"),
])  # fmt: skip
def test_other_facts_come_back_too(library: Library, noun: str, content: str) -> None:
    assert take_in(library, content, noun, book="one").faults == []
    for form in EXPORTS:
        exported = b"".join(export_of(opened(library, "one"), noun, "one", form))
        book = f"two-{form}"
        assert take_in(library, exported, noun, name=f"list.{form}", book=book).faults == []
        (one,), (two,) = opened(library, "one").books, opened(library, book).books
        drop = ("row", "book")
        assert [{k: v for k, v in each.items() if k not in drop} for each in two.facts(noun).values()] == [
            {k: v for k, v in each.items() if k not in drop} for each in one.facts(noun).values()
        ]


def test_no_cell_of_an_export_is_a_formula(library: Library) -> None:
    fill(library, NASTY)
    catalogue = opened(library, "one")
    book = load_workbook(io.BytesIO(b"".join(export_of(catalogue, "prices", "one", "xlsx"))))
    assert {cell.data_type for row in book.active.iter_rows() for cell in row} <= {"s", "n"}  # type: ignore[union-attr]
    rows = list(csv.reader(io.StringIO(b"".join(export_of(catalogue, "prices", "one", "csv")).decode())))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


@pytest.mark.needs("soffice")
def test_a_spreadsheet_program_shows_our_texts_and_no_formula(library: Library, tmp_path: Path) -> None:
    fill(library, NASTY)
    for form in ("csv", "xlsx"):
        path = tmp_path / f"book.{form}"
        path.write_bytes(b"".join(export_of(opened(library, "one"), "prices", "one", form)))
        with tempfile.TemporaryDirectory() as home:
            command = [
                "soffice",
                f"-env:UserInstallation=file://{home}",
                "--headless",
                "--convert-to",
                "fods",
                "--outdir",
                str(tmp_path),
                str(path),
            ]
            subprocess.run(command, check=True, capture_output=True, timeout=120)
        text = (tmp_path / "book.fods").read_text()
        assert "table:formula" not in text
        assert "cmd|" in text
        shutil.move(tmp_path / "book.fods", tmp_path / f"seen-{form}.fods")


@pytest.mark.parametrize("noun", NOUNS)
def test_a_template_has_every_column_and_says_what_each_means(noun: str) -> None:
    header = template_of(noun, "csv").decode().strip().split(",")
    assert header == list(NOUNS[noun].columns)
    sheet = load_workbook(io.BytesIO(template_of(noun, "xlsx"))).active
    assert sheet is not None
    assert [cell.value for cell in sheet[1]] == header
    assert all(cell.comment and cell.comment.text for cell in sheet[1])
    assert [cell.comment.text.startswith("Required") for cell in sheet[1]] == [
        name in NOUNS[noun].required for name in header
    ]


def test_a_million_rows_are_exported_without_holding_them(library: Library) -> None:
    prices(library, *(DGX.replace("2026-01-01", f"2026-01-{day:02}") for day in range(1, 29)))
    parts = export_of(opened(library, "public"), "prices", "public", "csv")
    assert next(iter(parts)).count(b"\n") == 2, "the header and one row, before the others are read"
    assert PRICES.columns[0] == "system"
