"""Every built-in source keeps the contract, and the kit finds those that do not."""

import sqlite3
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from pricing.catalogue.sources.base import PriceSource, Row
from pricing.catalogue.sources.configuring import built_in
from pricing.catalogue.sources.delimited import CsvFile, TsvFile
from pricing.catalogue.sources.http_feed import HttpFeed
from pricing.catalogue.sources.json_file import JsonFile, NdjsonFile
from pricing.catalogue.sources.sql_query import SqlQuery
from pricing.catalogue.sources.xlsx import XlsxFile
from pricing.testing import PriceSourceContract
from tests.guest.example_price_source import ExampleSource
from tests.servers import free_port

COLUMNS = ("system", "amount", "currency", "kind", "source", "valid_from")
ROWS = [
    ("dgx-a100-640gb", "250000.50", "USD", "list", "a test", "2026-01-01"),
    ("ipu-pod16", "140000", "USD", "list", "a test", "2026-01-01"),
]


class OfFile(PriceSourceContract):
    """What the sources of files share: a broken one is a file that is not there."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "list"
        self.write()

    def write(self) -> None:
        """Write the file."""
        raise NotImplementedError

    def of(self, path: Path) -> PriceSource:
        """The source of a file."""
        raise NotImplementedError

    def source(self) -> PriceSource:
        return self.of(self.path)

    def broken_source(self) -> PriceSource:
        return self.of(self.path.with_name("nothing"))


class TestCsv(OfFile):
    def write(self) -> None:
        self.path.write_text("\n".join(",".join(row) for row in (COLUMNS, *ROWS)))

    def of(self, path: Path) -> PriceSource:
        return CsvFile("a-list", path)


class TestTsv(OfFile):
    def write(self) -> None:
        self.path.write_text("\n".join("\t".join(row) for row in (COLUMNS, *ROWS)))

    def of(self, path: Path) -> PriceSource:
        return TsvFile("a-list", path)


class TestJson(OfFile):
    def write(self) -> None:
        import json  # noqa: PLC0415

        self.path.write_text(json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in ROWS]))

    def of(self, path: Path) -> PriceSource:
        return JsonFile("a-list", path)


class TestNdjson(OfFile):
    def write(self) -> None:
        import json  # noqa: PLC0415

        self.path.write_text("\n".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in ROWS))

    def of(self, path: Path) -> PriceSource:
        return NdjsonFile("a-list", path)


class TestXlsx(OfFile):
    def write(self) -> None:
        book = Workbook()
        for row in (COLUMNS, *ROWS):
            book.active.append(row)  # type: ignore[union-attr]
        book.save(self.path)

    def of(self, path: Path) -> PriceSource:
        return XlsxFile("a-list", path)


class TestSql(OfFile):
    def write(self) -> None:
        with sqlite3.connect(self.path) as connection:
            connection.execute(f"create table offers ({', '.join(COLUMNS)})")
            connection.executemany("insert into offers values (?, ?, ?, ?, ?, ?)", ROWS)
        connection.close()

    def of(self, path: Path) -> PriceSource:
        return SqlQuery("a-list", f"sqlite:///{path}", table="offers")


class TestGuest(PriceSourceContract):
    def source(self) -> PriceSource:
        return ExampleSource("example")

    def broken_source(self) -> PriceSource:
        return ExampleSource("example", is_open=False)


class TestHttp(PriceSourceContract):
    @pytest.fixture(autouse=True)
    def _server(self) -> Iterator[None]:
        import json  # noqa: PLC0415
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer  # noqa: PLC0415
        from threading import Thread  # noqa: PLC0415

        body = json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in ROWS]).encode()

        class Feed(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", free_port()), Feed)
        thread = Thread(target=server.serve_forever)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}/prices"
        yield
        server.shutdown()
        server.server_close()
        thread.join()

    def source(self) -> PriceSource:
        return HttpFeed("a-feed", self.url, allow_private=True)

    def broken_source(self) -> PriceSource:
        return HttpFeed("a-feed", f"http://127.0.0.1:{free_port()}/", allow_private=True, tries=1)


CHECKED = {
    TestCsv: "csv",
    TestTsv: "tsv",
    TestJson: "json",
    TestNdjson: "ndjson",
    TestXlsx: "xlsx",
    TestSql: "sql",
    TestHttp: "http",
}


def test_every_built_in_kind_is_checked_here() -> None:
    assert set(CHECKED.values()) == set(built_in())


class Listed:
    """A source that gives what it is told."""

    kind = "listed"

    def __init__(self, rows: list[Any], name: str = "listed") -> None:
        self.rows, self.name = rows, name

    def prices(self) -> list[Any]:
        return self.rows


GOOD = dict(zip(COLUMNS, ROWS[0], strict=True))


@pytest.mark.parametrize(
    ("check", "source"),
    [
        ("test_it_has_a_name_and_a_kind", Listed([GOOD], "A Name")),
        ("test_it_gives_rows", Listed([])),
        ("test_its_cells_are_texts_numbers_dates_and_truth_values", Listed([{**GOOD, "note": {"a": 1}}])),
        ("test_its_amounts_are_exact", Listed([{**GOOD, "amount": 250000.5}])),
        ("test_every_row_says_its_currency_day_and_source", Listed([{**GOOD, "currency": None}])),
        ("test_every_row_is_one_that_an_import_takes", Listed([{**GOOD, "system": "dgx-a100-6400gb"}])),
        ("test_every_row_is_one_that_an_import_takes", Listed([{**GOOD, "amount": Decimal(-1)}])),
        ("test_every_row_is_one_that_an_import_takes", Listed([{**GOOD, "colour": "red"}])),
        ("test_no_offer_stands_twice_or_overlaps_another", Listed([GOOD, {**GOOD, "amount": 1}])),
        ("test_when_it_is_broken_it_says_so", Listed([])),
    ],
)
def test_the_kit_finds_a_source_that_breaks_the_contract(check: str, source: Any) -> None:
    class Contract(PriceSourceContract):
        def source(self) -> PriceSource:
            return source  # type: ignore[no-any-return]

        def broken_source(self) -> PriceSource:
            return source  # type: ignore[no-any-return]

    with pytest.raises(AssertionError):
        getattr(Contract(), check)()


def test_the_kit_takes_dates_and_exact_numbers_as_they_are() -> None:
    class Contract(PriceSourceContract):
        def source(self) -> PriceSource:
            row = Row(
                1, {**GOOD, "amount": Decimal("250000.50"), "valid_from": date(2026, 1, 1), "includes": ("host",)}
            )
            return Listed([row])  # type: ignore[return-value]

    for name in dir(Contract):
        if name.startswith("test_"):
            getattr(Contract(), name)()
