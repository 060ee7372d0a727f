"""From the options of a command to the import of result logs or entries; tables of results go another way."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pricing.catalogue.importing.report import Report
from pricing.catalogue.importing.run import Request
from pricing.catalogue.library import Library
from pricing.catalogue.sources.files import FORMS
from pricing.errors import BadQuestion
from pricing.mlperf.importing import LOGS, Read, Tell, Wish, import_results
from pricing.mlperf.unpacking import is_archive
from schemas.question import check_name
from service.importing import codes

OF_TABLES = ("mapping", "fill", "ignore", "decimal", "thousands", "delimiter", "sheet")
OF_LOGS = ("round", "tie")


def holds_logs(path: Path, form: str | None) -> bool:
    """Whether a path is read as result logs or entries, not as a table of results."""
    known = [suffix for each in FORMS for suffix in each.suffixes]
    absent = not path.exists() and path.suffix.casefold() not in known
    return form is not None or path.is_dir() or is_archive(path) or absent


def check_options(given: Mapping[str, Any], *, of_logs: bool) -> None:
    """Refuse an option that has no effect on what is read. Raises BadQuestion."""
    for name in OF_TABLES if of_logs else OF_LOGS:
        if given.get(name):
            what = "result logs" if of_logs else "a table"
            raise BadQuestion("map" if name == "mapping" else name, f"it has no effect on {what}")


def import_logs(library: Library, path: Path, given: Mapping[str, Any], tell: Tell) -> tuple[Report, Read]:
    """Import what a path holds. Raises BadQuestion, UnknownName, StoreUnavailable or OSError."""
    wish = Wish(path, given.get("form_of") or LOGS, given.get("round"), tuple(given.get("tie") or ()))
    request = Request(
        book=given.get("book") or "public",
        source=given.get("source") or "",
        replaces=not given.get("merge"),
        accepted=codes(given.get("accept") or ()),
        dry_run=bool(given.get("dry_run")),
        entered_by=check_name(given["entered_by"]) if given.get("entered_by") else None,
    )
    return import_results(library, wish, request, tell)
