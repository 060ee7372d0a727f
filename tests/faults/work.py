"""What children do: they import, migrate or purge, tell each moment, and end at one if they are to."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pricing.catalogue.importing import staging
from pricing.catalogue.library import Library
from pricing.catalogue.purging import purge_book
from service.cli import main
from service.importing import import_file
from tests.faults.children import Tell
from tests.faults.contents import BATCH
from tests.faults.moments import moments

LEAD = 2


class End(NamedTuple):
    """At which moment a child ends: by its own hand; or from outside, so that it goes on, by `LEAD` moments at most."""

    moment: int
    from_outside: bool = False


@contextmanager
def watched(tell: Tell, end: End | None) -> Iterator[None]:
    """Tell each moment by its name, and end as wished."""

    def act(number: int, name: str) -> None:
        tell(name)
        if end and not end.from_outside and number == end.moment:
            os.kill(os.getpid(), signal.SIGKILL)
        if end and end.from_outside and number == end.moment + LEAD:
            signal.pause()

    with moments(act):
        yield
    if end and end.from_outside:
        signal.pause()


def importing(tell: Tell, database: str, path: Path, end: End | None = None, **given: Any) -> None:
    """Import a file in small batches."""
    staging.BATCH = BATCH
    with watched(tell, end):
        import_file(Library(database=database), "prices", path, given, lambda _: None)


def merging(tell: Tell, database: str, path: Path, end: End | None = None) -> None:
    """The same as a merge."""
    importing(tell, database, path, end, merge=True)


def migrating(tell: Tell, database: str, end: End | None = None) -> None:
    """`traincost migrate`."""
    os.environ["TRAINCOST_DATABASE_URL"] = database
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with watched(tell, end):
        main(["migrate"], standalone_mode=False)


def purging(tell: Tell, database: str, book: str, end: End | None = None) -> None:
    """`traincost purge`."""
    with watched(tell, end):
        purge_book(Library(database=database), book)
