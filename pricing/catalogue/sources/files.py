"""Files of prices by their form: which suffixes and media types each has, and how its rows are read."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from pricing.catalogue.sources.base import Row, SourceFault
from pricing.catalogue.sources.delimited import DELIMITERS, delimited_rows, open_file
from pricing.catalogue.sources.json_file import LONGEST, LONGEST_LINE, json_rows, ndjson_rows


class Reading(NamedTuple):
    """What some forms need to be told."""

    delimiter: str | None = None
    sheet: str | None = None


class Form(NamedTuple):
    """A form of file."""

    name: str
    suffixes: tuple[str, ...]
    mimetypes: tuple[str, ...]
    rows: Callable[[IO[bytes], Reading], Iterator[Row]]


def _xlsx(file: IO[bytes], reading: Reading) -> Iterator[Row]:
    from pricing.catalogue.sources.xlsx import xlsx_rows  # noqa: PLC0415 (openpyxl is slow to import)

    return xlsx_rows(file, reading.sheet)


def _json(file: IO[bytes], _: Reading) -> Iterator[Row]:
    content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise SourceFault("", f"the file is larger than {LONGEST:,} bytes: use NDJSON")
    return json_rows(content)


FORMS = (
    Form(
        "csv", (".csv",), ("text/csv",),
        lambda file, reading: delimited_rows(file, DELIMITERS[reading.delimiter or "comma"]),
    ),
    Form("tsv", (".tsv", ".tab"), ("text/tab-separated-values",), lambda file, _: delimited_rows(file, "\t")),
    Form("xlsx", (".xlsx",), ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",), _xlsx),
    Form("json", (".json",), ("application/json",), _json),
    Form(
        "ndjson", (".ndjson", ".jsonl"), ("application/x-ndjson", "application/jsonl"),
        lambda file, _: ndjson_rows(iter(lambda: file.readline(LONGEST_LINE + 1), b"")),
    ),
)  # fmt: skip


def form_of_file(path: Path) -> Form:
    """The form of a file by its suffix. Raises SourceFault."""
    found = next((form for form in FORMS if path.suffix.casefold() in form.suffixes), None)
    if found is None:
        known = ", ".join(suffix for form in FORMS for suffix in form.suffixes)
        raise SourceFault("", f"the file {path.name[:100]!r} has none of the suffixes {known}")
    return found


def form_of_type(mimetype: str) -> Form | None:
    """The form that a media type means."""
    return next((form for form in FORMS if mimetype in form.mimetypes), None)


def file_rows(path: Path, reading: Reading) -> Iterator[Row]:
    """The rows of a file, which is opened once. Raises SourceFault."""
    form = form_of_file(path)
    with open_file(path) as file:
        yield from form.rows(file, reading)


def received_rows(form: Form, content: bytes, reading: Reading) -> Iterator[Row]:
    """The rows of what was sent to us. Raises SourceFault."""
    yield from form.rows(io.BytesIO(content), reading)


def slug(text: str) -> str:
    """A name for a source out of that of a file: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:64].rstrip("-")
