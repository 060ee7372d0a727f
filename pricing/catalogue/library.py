"""All catalogues that can be asked: the shipped facts and the books, now or at an earlier version."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pricing.catalogue.catalogue import Catalogue, shipped
from pricing.catalogue.facts import DATA
from pricing.catalogue.names import nearest
from pricing.catalogue.versions import FORM, PUBLIC, RESERVED, Version, is_book_name, parse_version
from pricing.errors import BadQuestion, Purged, UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pricing.catalogue.books import Head
    from pricing.catalogue.store import Store

LAG_SECONDS = 1.0  # a new head is seen after at most so long
MOST_STATES = 1_000  # readers whose state is remembered
MOST_KEPT = 16  # catalogues in memory


class Reader(NamedTuple):
    """Who asks: which books they may read. `name` tells apart those who may read unlike books."""

    name: str
    may_read: Callable[[str], bool]


def _public_only(book: str) -> bool:
    return book == PUBLIC


ANYONE = Reader("", _public_only)
EVERYTHING = Reader("*", lambda _: True)


class Library:
    """The facts of a folder, and the books of a database where there is one. Safe for threads."""

    def __init__(self, folder: Path = DATA, database: str | None = None) -> None:
        self.folder, self.database = folder, database
        self._lock = threading.Lock()
        self._kept: OrderedDict[Version, Catalogue] = OrderedDict()
        self._heads: tuple[float, dict[str, Head]] | None = None
        self._states: dict[str, tuple[dict[str, Head], str]] = {}

    @cached_property
    def facts(self) -> Catalogue:
        """The catalogue of the facts alone."""
        return shipped(self.folder)

    @cached_property
    def store(self) -> "Store | None":
        """The database; None where none is set. SQLAlchemy is imported only when there is one."""
        if self.database is None:
            return None
        from pricing.catalogue.store import Store  # noqa: PLC0415 (a third of a second)

        return Store(self.database)

    def close(self) -> None:
        """Close the connections to the database."""
        if self.database is not None and "store" in self.__dict__ and self.store:
            self.store.close()

    def has_books(self) -> bool:
        """Whether there may be books, without importing what reads them."""
        if self.database is None:
            return False
        return not self.database.startswith("sqlite:///") or Path(self.database.removeprefix("sqlite:///")).exists()

    def heads(self, *, exact: bool = False) -> "dict[str, Head]":
        """Every book by its name; at most a second old unless it must be exact. Raises StoreUnavailable."""
        now = time.monotonic()
        held = self._heads
        if held and not exact and now - held[0] < LAG_SECONDS:
            return held[1]
        if not self.has_books() or self.store is None:
            found: dict[str, Head] = {}
        else:
            from pricing.catalogue.books import heads  # noqa: PLC0415

            found = heads(self.store)
        if held and held[1] == found:
            found = held[1]  # the same object says that nothing changed
        self._forget_purged(found)
        self._heads = (now, found)
        return found

    def look_again(self) -> None:
        """Ask the database at the next use: this process has just published, and must see it at once."""
        if held := self._heads:
            self._heads = (-math.inf, held[1])

    def _forget_purged(self, found: "dict[str, Head]") -> None:
        """Drop the catalogues that hold what a purge took away."""
        with self._lock:
            for version in list(self._kept):
                if any(name in found and head <= found[name].purged for name, head in version.heads):
                    del self._kept[version]

    def state(self, reader: Reader) -> str:
        """A text that changes whenever an answer to this reader may: no book that they may not read is in it."""
        heads = self.heads()
        held = self._states.get(reader.name)
        if held and held[0] is heads:  # a key's rights do not change
            return held[1]
        seen = [each for name, each in heads.items() if reader.may_read(name)]
        listed = ",".join(f"{each.name}.{each.head}.{each.purged}" for each in seen)
        text = f"{self.facts.version} {reader.name} {listed}"
        self._states = {**(self._states if len(self._states) < MOST_STATES else {}), reader.name: (heads, text)}
        return text

    def readable(self, reader: Reader) -> list[str]:
        """The books that there are and that the reader may read, the public one first."""
        return sorted((name for name in self.heads() if reader.may_read(name)), key=lambda name: (name != PUBLIC, name))

    def open(
        self, reader: Reader = ANYONE, books: Sequence[str] | None = None, version: str | None = None
    ) -> Catalogue:
        """The catalogue of these books, the first of which wins; of the public one where none are named.

        With a version, as it was then. Raises UnknownName for what is not there or may not be read, which look
        alike; Purged for what was there; BadQuestion where books and version do not agree.
        """
        if version is None:
            return self._at(self._newest(reader, books))
        wanted = parse_version(version.replace(" ", "+"))  # in an address a plus sign is a blank
        if wanted is None:
            raise BadQuestion("catalogue", f"{version[:100]!r} is not of the form {FORM}")
        if books is not None and tuple(books) != (named := tuple(name for name, _ in wanted.heads)):
            raise BadQuestion("books", f"the version asked is of the books {', '.join(named) or 'none'}, in this order")
        if any(not reader.may_read(name) for name, _ in wanted.heads):
            raise self._no_version(reader, version)
        return self._at(wanted, reader)

    def _newest(self, reader: Reader, books: Sequence[str] | None) -> Version:
        heads = self.heads()
        if books is None:
            held = PUBLIC in heads and not heads[PUBLIC].is_purged and reader.may_read(PUBLIC)
            books = (PUBLIC,) if held else ()
        elif len(set(books)) < len(books):
            raise BadQuestion("books", "each book once")
        for name in books:
            if not (name == PUBLIC or (name in heads and reader.may_read(name))) or not is_book_name(name):
                raise UnknownName("book", name, nearest(name, [*self.readable(reader), *RESERVED]))
        return Version(self.facts.version, tuple((name, heads[name].head) for name in books if name in heads))

    def _at(self, version: Version, reader: Reader = ANYONE) -> Catalogue:
        if version == (self.facts.version, ()):
            return self.facts
        with self._lock:
            if version in self._kept:
                self._kept.move_to_end(version)
                return self._kept[version]
        made = self._make(version, reader)
        with self._lock:
            self._kept[version] = made
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    def _make(self, version: Version, reader: Reader) -> Catalogue:
        """Put a version together: its facts, shipped or archived, and its books."""
        heads = self.heads()
        if not all(name in heads and head <= heads[name].head for name, head in version.heads):
            heads = self.heads(exact=True)  # an explicit version is exact
        for name, head in version.heads:
            if name not in heads or head > heads[name].head:
                raise self._no_version(reader, str(version))
            if head <= heads[name].purged:
                raise Purged(f"{name}.{head}")
        base = self.facts if version.facts == self.facts.version else self._archived(version, reader)
        if not version.heads or self.store is None:
            return base
        from pricing.catalogue.books import BookAt  # noqa: PLC0415

        return base.with_books(
            str(version), tuple(BookAt(self.store, heads[name], head) for name, head in version.heads)
        )

    def _archived(self, version: Version, reader: Reader) -> Catalogue:
        """The catalogue of facts that shipped earlier, if they were archived."""
        if self.has_books() and self.store is not None:
            from pricing.catalogue.archive import archived_facts  # noqa: PLC0415

            found = archived_facts(self.store, version.facts)
            if found is not None:
                return Catalogue(found)
        raise self._no_version(reader, str(version))

    def known_facts(self) -> list[str]:
        """The versions of the facts that can be asked, the newest first."""
        if not self.has_books() or self.store is None:
            return [self.facts.version]
        from pricing.catalogue.archive import archived_versions  # noqa: PLC0415

        kept = [each for each in archived_versions(self.store) if each != self.facts.version]
        return [self.facts.version, *reversed(kept)]

    def _no_version(self, reader: Reader, version: str) -> UnknownName:
        return UnknownName("catalogue version", version, [self.open(reader).version])
