"""From the options of a command, or the parameters of a request, to an import."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pricing.catalogue.importing.cells import Separators
from pricing.catalogue.importing.nouns import NOUNS
from pricing.catalogue.importing.reading import Layout
from pricing.catalogue.importing.report import WARNINGS, Report
from pricing.catalogue.importing.run import Request, take_in
from pricing.catalogue.library import Library
from pricing.catalogue.names import find
from pricing.catalogue.sources.base import Row
from pricing.catalogue.sources.files import Form, Reading, file_rows, form_of_file, received_rows, slug
from pricing.errors import BadQuestion
from schemas.question import check_name

Given = Mapping[str, Any]
Progress = Callable[[int], None]


def import_file(library: Library, noun: str, path: Path, given: Given, progress: Progress) -> Report:
    """Import a file of this machine. Raises SourceFault for one of a form that we do not read."""
    form_of_file(path)
    request = request_of(noun, path.name, given)
    return take_in(library, request, file_rows(path, reading_of(given)), progress)


def import_content(library: Library, noun: str, content: tuple[Form, bytes], given: Given) -> Report:
    """Import what was sent."""
    request = request_of(noun, None, given)
    rows: Iterator[Row] = received_rows(*content, reading_of(given))
    return take_in(library, request, rows, lambda _: None)


def reading_of(given: Given) -> Reading:
    """How the file is to be opened."""
    return Reading(given.get("delimiter"), given.get("sheet"))


def request_of(noun: str, file: str | None, given: Given) -> Request:
    """The import that is asked. Raises BadQuestion or UnknownName."""
    accepted = codes(given.get("accept") or ())
    return Request(
        noun=find("kind of fact", noun, NOUNS),
        book=given.get("book") or "public",
        source=given.get("source") or _source_of(file),
        file=file,
        layout=layout_of(given),
        replaces=not given.get("merge"),
        accepted=accepted,
        dry_run=bool(given.get("dry_run")),
        sees_book=given.get("sees_book", True),
        entered_by=check_name(given["entered_by"]) if given.get("entered_by") else None,
    )


def codes(texts: Sequence[str]) -> tuple[str, ...]:
    """Codes of warnings, several in a text with commas between. Raises UnknownName."""
    found = [code.strip() for text in texts for code in text.split(",")]
    return tuple(find("warning", code, dict.fromkeys(WARNINGS, code)) for code in found)


def _source_of(file: str | None) -> str:
    if file is None:
        raise BadQuestion("source", "the name under which the rows stand in the book is needed")
    return slug(Path(file).stem)


def layout_of(given: Given) -> Layout:
    """How the file says what a book wants. Raises BadQuestion."""
    separators = Separators(given.get("decimal"), given.get("thousands"))
    try:
        separators.check()
    except ValueError as error:
        raise BadQuestion("thousands", str(error)) from None
    return Layout(
        separators,
        _pairs("map", given.get("mapping") or ()),
        tuple(given.get("ignore") or ()),
        _pairs("fill", given.get("fill") or ()),
    )


def _pairs(name: str, texts: Sequence[str]) -> dict[str, str]:
    """Texts OURS=THEIRS as pairs. Raises BadQuestion."""
    found: dict[str, str] = {}
    for text in texts:
        ours, equals, theirs = text.partition("=")
        if not (ours and equals and theirs):
            raise BadQuestion(name, f"{text[:100]!r} is not OURS=THEIRS, such as amount=Net price")
        if ours in found:
            raise BadQuestion(name, f"{ours} is given twice")
        found[ours] = theirs
    return found
