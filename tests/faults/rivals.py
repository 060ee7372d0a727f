"""What children do at the same time: each waits for the others at the moment that matters most."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from pricing.catalogue.archive import archive_facts
from pricing.catalogue.importing import staging
from pricing.catalogue.importing.run import Importing, Request, take_in
from pricing.catalogue.library import Library
from pricing.catalogue.sources.base import Row
from pricing.errors import TraincostError
from service.importing import import_file
from tests.faults.children import Tell

FEWEST_ROWS, MOST_ROWS = 100_000, 2_000_000
WRITTEN = "written"
SAFETY_SECONDS = 60.0  # after which a child whose rival has failed gives up
Given = Mapping[str, Any]
CELLS = {"system": "dgx-a100-640gb", "amount": "250000", "currency": "USD", "kind": "list", "source": "a test",
       "valid_from": "2026-01-01"}  # fmt: skip


class Outcome(NamedTuple):
    """Of an import in a child."""

    published: str | None
    faults: str


def racing(tell: Tell, database: str, path: Path, given: Given, ready: Barrier) -> None:
    """Import; all is checked, and nothing published, before all others are as far."""
    real, waiting = Importing._publish, [ready]

    def publish(importing: Importing, *more: Any) -> Any:
        if waiting:
            waiting.pop().wait(SAFETY_SECONDS)
        return real(importing, *more)

    with patch.object(Importing, "_publish", publish):
        report = import_file(Library(database=database), "prices", path, given, lambda _: None)
    tell(Outcome(report.published, "; ".join(map(str, report.faults))))


def migrating(tell: Tell, databases: tuple[str, ...], ready: Barrier) -> None:
    """Make the tables of each database and archive the facts, at once with others."""
    for each in databases:
        with closing(Library(database=each)) as library:
            facts = library.facts.facts
            assert library.store is not None
            ready.wait(SAFETY_SECONDS)
            try:
                tell((library.store.migrate(), archive_facts(library.store, facts)))
            except TraincostError as error:
                tell(f"{type(error).__name__}: {error}")


def first_imports(tell: Tell, databases: tuple[str, ...], path: Path, ready: Barrier) -> None:
    """Import where there is no database yet, at once with others."""
    for each in databases:
        with closing(Library(database=each)) as library:
            ready.wait(SAFETY_SECONDS)
            try:
                report = import_file(library, "prices", path, {"source": f"source-{os.getpid()}"}, lambda _: None)
                tell(report.published)
            except TraincostError as error:
                tell(f"{type(error).__name__}: {error}")


def endless(tell: Tell, database: str, enough: Event) -> None:
    """Import without a pause until it is enough, 100,000 rows at least; tell each batch when it is written and not committed."""

    def rows() -> Iterator[Row]:
        for number in range(1, MOST_ROWS):
            if number > FEWEST_ROWS and enough.is_set():
                return
            yield Row(number, {**CELLS, "sku": str(number)})
        raise AssertionError("nobody else could write meanwhile")

    real = staging.write_rows

    def write_rows(*given: Any) -> None:
        real(*given)
        tell(WRITTEN)

    with patch.object(staging, "write_rows", write_rows):
        report = take_in(Library(database=database), Request(book="large"), rows(), lambda _: None)
    tell(report.published)


def several(tell: Tell, database: str, paths: tuple[Path, ...]) -> None:
    """Import one file after the other."""
    library = Library(database=database)
    for path in paths:
        tell(import_file(library, "prices", path, {"source": "list"}, lambda _: None).published)
