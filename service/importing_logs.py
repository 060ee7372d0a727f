"""From a path of result logs to an import: a checkout, an archive or a folder; the command line enters here."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from pricing.catalogue.importing.nouns import NOUNS
from pricing.catalogue.importing.report import Report
from pricing.catalogue.importing.run import Request, take_in
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.names import nearest
from pricing.catalogue.sources.base import Row
from pricing.catalogue.sources.files import FORMS, slug
from pricing.dawnbench.booking import DawnBooking
from pricing.dawnbench.entries import read_entries
from pricing.errors import BadQuestion
from pricing.mlperf.booking import Booking
from pricing.mlperf.layout import Skipped, root_of
from pricing.mlperf.repository import UNKNOWN_ROUND, Repository, read_repository
from pricing.mlperf.tying import Given
from pricing.mlperf.unpacking import is_archive, unpacked
from schemas.question import check_name, split_count
from service.importing import codes

LONGEST_SOURCE, HASHED = 64, 8
Tell = Callable[[int, int], None]


class Read(Protocol):
    """What was read and can be imported."""

    def rows(self) -> Iterator[Row]:
        """A row for each result."""

    def skip(self, bad: Mapping[int, str]) -> None:
        """Leave out the rows of these numbers, from 1, for these reasons."""

    def document(self) -> dict[str, Any]:
        """An object with `results` and `skipped`."""

    def lines(self) -> list[str]:
        """The same for a terminal."""


def holds_logs(path: Path, form: str | None) -> bool:
    """Whether a path is read as result logs or entries, not as a table of results."""
    known = [suffix for each in FORMS for suffix in each.suffixes]
    absent = not path.exists() and path.suffix.casefold() not in known
    return form is not None or path.is_dir() or is_archive(path) or absent


OF_TABLES = ("mapping", "fill", "ignore", "decimal", "thousands", "delimiter", "sheet")
OF_LOGS = ("round", "tie")
ROUND = re.compile(r"v\d{1,2}\.\d{1,2}", re.ASCII)
LOGS, DAWNBENCH = "logs", "dawnbench"
MOST_TOLD = 3


def check_options(given: Mapping[str, Any], *, of_logs: bool) -> None:
    """Refuse an option that has no effect on what is read. Raises BadQuestion."""
    for name in OF_TABLES if of_logs else OF_LOGS:
        if given.get(name):
            what = "result logs" if of_logs else "a table"
            raise BadQuestion("map" if name == "mapping" else name, f"it has no effect on {what}")


def import_logs(library: Library, path: Path, given: Mapping[str, Any], tell: Tell) -> tuple[Report, Read]:
    """Read result logs, or DAWNBench's entries, and import what they say.

    Raises BadQuestion, UnknownName, StoreUnavailable or OSError.
    """
    if not path.exists():
        raise BadQuestion("path", f"there is no {path}")
    book = given.get("book") or "public"
    catalogue = library.open(EVERYTHING, (book,) if book in library.readable(EVERYTHING) else None)
    if given.get("round") and not ROUND.fullmatch(given["round"]):
        raise BadQuestion("round", f"{given['round'][:50]!r} is no round, such as v1.1")
    ties = _ties(given.get("tie") or (), catalogue.system)
    if given.get("form_of") == DAWNBENCH:
        if is_archive(path):
            raise BadQuestion("path", "an archive of DAWNBench's entries is not read: unpack it, and name the folder")
        name, place = path.resolve().name, ""
        booking: Read = DawnBooking(list(read_entries(path)), ties)
    else:
        repository, name, place = _read(path, given.get("round"), tell)
        booking = Booking(catalogue, repository, ties, name)
    read = booking.document()
    if not read["results"]:
        told = [f"{each['path']}: {each['reason']}" for each in read["skipped"][:MOST_TOLD]]
        raise BadQuestion("path", "; ".join(["no results were found", *told]))
    _check_read(read["results"], ties)
    request = Request(
        noun=NOUNS["results"],
        book=book,
        source=given.get("source") or _source_of(name, place),
        file=path.name,
        replaces=not given.get("merge"),
        accepted=codes(given.get("accept") or ()),
        dry_run=bool(given.get("dry_run")),
        entered_by=check_name(given["entered_by"]) if given.get("entered_by") else None,
    )
    return _take_in_what_can_be(library, request, booking), booking


def _check_read(results: Sequence[Mapping[str, Any]], ties: Given) -> None:
    """Refuse a round that nothing tells, and a tie of what is not there. Raises BadQuestion."""
    if any(each["round"] == UNKNOWN_ROUND for each in results):
        raise BadQuestion("round", "no folder's name tells it, as training_results_v1.1 does: give it, as v1.1")
    known = {str(each[name]) for each in results for name in ("system_id", "system_name")}
    for name in ties:
        if name not in known:
            hint = f"; nearest: {', '.join(near)}" if (near := nearest(name, known)) else ""
            raise BadQuestion("tie", f"no submission has the id {name!r}{hint}")


def _read(path: Path, in_round: str | None, tell: Tell) -> tuple[Repository, str, str]:
    """What the logs say, the name of their repository, and the place in it that was asked."""
    with ExitStack() as stack:
        left_out: tuple[Skipped, ...] = ()
        folder = path
        if is_archive(path) and path.is_file():
            folder, left_out = stack.enter_context(unpacked(path))
        root = root_of(folder)
        place = folder.resolve().relative_to(root).as_posix()
        found = read_repository(folder, in_round, tell)
        found = found._replace(skipped=(*left_out, *found.skipped))
        return found, root.name, "" if place == "." else place


def _take_in_what_can_be(library: Library, request: Request, booking: Read) -> Report:
    """Import the rows; one that a book cannot hold is skipped with the reason, and never stops the rest."""
    while True:
        report = take_in(library, request, booking.rows(), lambda _: None)
        bad = {each.line: each.detail for each in report.faults if each.line is not None}
        if not bad or len(bad) >= report.rows:
            return report
        booking.skip(bad)


def _source_of(name: str, place: str) -> str:
    """The name under which the rows stand: each part of a repository has its own, so that none replaces another."""
    whole = f"{name}/{place}"
    text = slug(whole)
    if len(text) < LONGEST_SOURCE:
        return text
    return f"{text[: LONGEST_SOURCE - HASHED - 1].rstrip('-')}-{sha256(whole.encode()).hexdigest()[:HASHED]}"


def _ties(texts: tuple[str, ...], find: Callable[[str], Any]) -> Given:
    """Texts SYSTEM_ID=UNITS*SYSTEM as systems and counts. Raises BadQuestion or UnknownName."""
    found: dict[str, tuple[str, int]] = {}
    for text in texts:
        theirs, equals, ours = text.rpartition("=")
        if not (theirs and equals and ours):
            raise BadQuestion("tie", f"{text[:100]!r} is not SYSTEM_ID=UNITS*SYSTEM, such as my_pod=2*dgx-a100-640gb")
        count, name = split_count(ours)
        if found.setdefault(theirs, (find(name).id, count)) != (find(name).id, count):
            raise BadQuestion("tie", f"{theirs} is tied twice")
    return found
