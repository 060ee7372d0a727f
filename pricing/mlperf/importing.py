"""The import of measured times from files: result logs of MLPerf, or DAWNBench's entries, into a book."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.importing.nouns import NOUNS
from pricing.catalogue.importing.report import Report
from pricing.catalogue.importing.run import Request, take_in
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.names import nearest
from pricing.catalogue.sources.base import Row
from pricing.catalogue.sources.files import slug
from pricing.dawnbench.booking import DawnBooking
from pricing.dawnbench.entries import read_entries
from pricing.errors import BadQuestion
from pricing.mlperf.booking import Booking
from pricing.mlperf.layout import Skipped, root_of
from pricing.mlperf.repository import UNKNOWN_ROUND, Repository, read_repository
from pricing.mlperf.tying import Given
from pricing.mlperf.unpacking import is_archive, unpacked
from schemas.question import split_count

LOGS, DAWNBENCH = "logs", "dawnbench"
ROUND = re.compile(r"v\d{1,2}\.\d{1,2}", re.ASCII)
LONGEST_SOURCE, HASHED = 64, 8
MOST_TOLD = 3
Tell = Callable[[int, int], None]


class Wish(NamedTuple):
    """What is read: a checkout, an archive or a folder, of logs or of entries.

    `round` is that of the folder's name unless given; `ties` are texts SYSTEM_ID=UNITS*SYSTEM.
    """

    path: Path
    form: str = LOGS
    round: str | None = None
    ties: tuple[str, ...] = ()


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


def import_results(
    library: Library, wish: Wish, request: Request, tell: Tell = lambda done, total: None
) -> tuple[Report, Read]:
    """Read what is wished and import it as `request` says; its source is that of the path where it names none.

    `tell` hears how many of how many logs were read. Raises BadQuestion, UnknownName, StoreUnavailable or OSError.
    """
    if not wish.path.exists():
        raise BadQuestion("path", f"there is no {wish.path}")
    if wish.round and not ROUND.fullmatch(wish.round):
        raise BadQuestion("round", f"{wish.round[:50]!r} is no round, such as v1.1")
    known = library.readable(EVERYTHING)
    catalogue = library.open(EVERYTHING, (request.book,) if request.book in known else None)
    booking, source = _booking(catalogue, wish, tell)
    read = booking.document()
    if not read["results"]:
        told = [f"{each['path']}: {each['reason']}" for each in read["skipped"][:MOST_TOLD]]
        raise BadQuestion("path", "; ".join(["no results were found", *told]))
    _check_read(read["results"], _ties(wish.ties, catalogue))
    own = replace(request, noun=NOUNS["results"], source=request.source or source, file=wish.path.name)
    return _take_in_what_can_be(library, own, booking), booking


def _booking(catalogue: Catalogue, wish: Wish, tell: Tell) -> tuple[Read, str]:
    """What was read, and the name under which it stands unless another is given."""
    ties = _ties(wish.ties, catalogue)
    if wish.form != DAWNBENCH:
        repository, name, place = _read(wish, tell)
        return Booking(catalogue, repository, ties, name), _source_of(name, place)
    if is_archive(wish.path):
        raise BadQuestion("path", "an archive of DAWNBench's entries is not read: unpack it, and name the folder")
    return DawnBooking(list(read_entries(wish.path)), ties), _source_of(wish.path.resolve().name, "")


def _read(wish: Wish, tell: Tell) -> tuple[Repository, str, str]:
    """What the logs say, the name of their repository, and the place in it that was asked."""
    with ExitStack() as stack:
        left_out: tuple[Skipped, ...] = ()
        folder = wish.path
        if is_archive(folder) and folder.is_file():
            folder, left_out = stack.enter_context(unpacked(folder))
        root = root_of(folder)
        place = folder.resolve().relative_to(root).as_posix()
        found = read_repository(folder, wish.round, tell)
        found = found._replace(skipped=(*left_out, *found.skipped))
        return found, root.name, "" if place == "." else place


def _check_read(results: Sequence[Mapping[str, Any]], ties: Given) -> None:
    """Refuse a round that nothing tells, and a tie of what is not there. Raises BadQuestion."""
    if any(each["round"] == UNKNOWN_ROUND for each in results):
        raise BadQuestion("round", "no folder's name tells it, as training_results_v1.1 does: give it, as v1.1")
    known = {str(each[name]) for each in results for name in ("system_id", "system_name")}
    for name in ties:
        if name not in known:
            hint = f"; nearest: {', '.join(near)}" if (near := nearest(name, known)) else ""
            raise BadQuestion("tie", f"no submission has the id {name!r}{hint}")


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


def _ties(texts: tuple[str, ...], catalogue: Catalogue) -> Given:
    """Texts SYSTEM_ID=UNITS*SYSTEM as systems and counts. Raises BadQuestion or UnknownName."""
    found: dict[str, tuple[str, int]] = {}
    for text in texts:
        theirs, equals, ours = text.rpartition("=")
        if not (theirs and equals and ours):
            raise BadQuestion("tie", f"{text[:100]!r} is not SYSTEM_ID=UNITS*SYSTEM, such as my_pod=2*dgx-a100-640gb")
        count, name = split_count(ours)
        system = catalogue.system(name).id
        if found.setdefault(theirs, (system, count)) != (system, count):
            raise BadQuestion("tie", f"{theirs} is tied twice")
    return found
