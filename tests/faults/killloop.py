"""Kills imports at one moment after the other, and looks each time whether the book is wholly old or wholly new."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import update

from pricing.catalogue.importing.staging import sweep
from pricing.catalogue.library import ANYONE, Library
from pricing.catalogue.store_tables import import_
from service.importing import import_file
from tests.faults.children import Child, address, settle
from tests.faults.contents import Content, expected, head_of, shown, version_of, write
from tests.faults.work import End, importing, merging

BEGUN, MOST_MOMENTS = "INSERT INTO import", 100
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


class Kill(NamedTuple):
    """Whether a kill hit a running import, the last moment that this told, whether it had begun, and was published."""

    hit: bool
    last: str
    begun: bool
    published: bool


class State(NamedTuple):
    """What a book shows: the generation that is published under a head."""

    head: int
    generation: int


class KillLoop:
    """A book whose generations follow each other, each from a file that replaces the last or is merged over it."""

    def __init__(self, library: Library, folder: Path, *, merge: bool = False) -> None:
        self.library, self.folder, self.merge = library, folder, merge
        self.state, self.number = State(0, 0), 0
        self.kills: list[Kill] = []
        self.follow()

    @property
    def database(self) -> str:
        return address(str(self.library.database))

    def file(self) -> Path:
        """The file of the next generation."""
        self.number += 1
        return write(self.folder, self.number, self.state.generation if self.merge else 0)

    def child(self, end: End | None = None) -> Child:
        """An import of the next generation that ends as wished."""
        return Child(merging if self.merge else importing, self.database, self.file(), end)

    def content(self, state: State) -> Content:
        return expected(*state, merged=self.merge and state.head > 1)

    def check(self) -> None:
        assert head_of(self.library) == self.state.head
        assert shown(self.library) == self.content(self.state)

    def follow(self) -> None:
        """An import that nobody kills is published under the next head, and is what the book shows then."""
        report = import_file(self.library, "prices", self.file(), {"merge": self.merge}, lambda _: None)
        self.state = State(self.state.head + 1, self.number)
        assert report.published == version_of(self.library, self.state.head), report.lines()
        self.check()

    def whole_life(self) -> list[str]:
        """The moments of an import that nobody kills."""
        child = self.child()
        found = child.rest()
        assert child.ended_well
        assert len(found) < MOST_MOMENTS, "rows are written in batches"
        settle(str(self.library.database))
        self.state = State(self.state.head + 1, self.number)
        self.check()
        return found

    def kill_at(self, moment: int) -> None:
        """Import, and die by the import's own hand at a moment."""
        child = self.child(End(moment))
        self.judge(child, child.rest())

    def kill_after(self, moment: int) -> None:
        """Import, and kill from outside as soon as a moment is told, somewhere in what follows."""
        child = self.child(End(moment, from_outside=True))
        told = [child.next() for _ in range(moment)]
        child.kill()
        self.judge(child, [*told, *child.rest()])

    def judge(self, child: Child, told: list[str]) -> None:
        """The book is exactly as it was, or has exactly the next generation; and it goes on from there."""
        settle(str(self.library.database))
        before = self.state
        published = head_of(self.library) != before.head
        self.kills.append(Kill(child.was_killed, told[-1], BEGUN in told, published))
        if published:
            self.state = State(before.head + 1, self.number)
        self.check()
        with closing(Library(database=self.library.database)) as other:
            assert other.open(ANYONE).version == version_of(other, self.state.head)
            assert shown(other, version_of(other, before.head)) == self.content(before), (
                "the old version answers as ever"
            )
        self.follow()

    def sweep(self) -> int:
        """Make what killed imports left behind a day old, and have it swept."""
        assert self.library.store is not None
        with self.library.store.writing() as connection:
            connection.execute(update(import_).where(import_.c.head.is_(None)).values(started_at=LONG_AGO))
        return sweep(self.library.store)
