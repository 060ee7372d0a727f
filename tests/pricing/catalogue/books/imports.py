"""What tests of books share: importing rows as a user would, from the text of a file."""

from pathlib import Path
from typing import Any

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.importing.report import Report
from pricing.catalogue.library import EVERYTHING, Library
from service.importing import import_file

HEADER = "system,amount,currency,kind,source,valid_from"
DGX = "dgx-a100-640gb,250000,USD,list,a test,2026-01-01"


def take_in(
    library: Library, content: str | bytes, noun: str = "prices", name: str = "list.csv", **given: Any
) -> Report:
    """Import the content of a file of that name."""
    import tempfile  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return import_file(library, noun, path, given, lambda _: None)


def prices(library: Library, *rows: str, header: str = HEADER, **given: Any) -> Report:
    """Import price rows as CSV."""
    return take_in(library, "\n".join((header, *rows)) + "\n", **given)


def faults(report: Report) -> str:
    """All faults in one text."""
    assert report.published is None
    return "; ".join(map(str, report.faults))


def opened(library: Library, *books: str, version: str | None = None) -> Catalogue:
    """The newest catalogue of these books, or that of a version."""
    library.heads(exact=True)
    return library.open(EVERYTHING, books or None, version)


def amounts(library: Library, book: str = "public", version: str | None = None) -> list[str]:
    """The amounts that a book holds, as texts."""
    held = opened(library, book, version=version).books
    return [str(each.amount) for one in held for _, each in one.prices.each()]
