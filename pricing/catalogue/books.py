"""Books as they are at a head: which imports are live, and their rows."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from pricing.catalogue.book_prices import BookPrices
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import book, fact, import_


class Head(NamedTuple):
    """A book and the number of its last publication; up to `purged` nothing is left."""

    id: int
    name: str
    head: int
    purged: int

    @property
    def is_purged(self) -> bool:
        """Whether nothing was published since the last purge."""
        return self.head <= self.purged


@dataclass(frozen=True, slots=True)
class Import:
    """One published load of a source into a book."""

    id: int
    noun: str
    source: str
    replaces: bool
    head: int
    number_of_rows: int
    number_of_withdrawals: int
    largest_quantity: int
    file: str | None
    entered_by: str | None
    digest: str | None
    published_at: datetime | None


def heads(store: Store) -> dict[str, Head]:
    """Every book by its name, as it is now. Raises StoreUnavailable."""
    if not store.exists():
        return {}
    with store.reading() as connection:
        rows = connection.execute(select(book.c.id, book.c.name, book.c.head, book.c.purged_head))
        return {row.name: Head(*row) for row in rows if row.head}


def head_of(connection: Connection, name: str) -> int:
    """The head of a book as a transaction sees it; 0 where there is none."""
    return connection.execute(select(book.c.head).where(book.c.name == name)).scalar() or 0


def imports_of(store: Store, book_id: int, head: int) -> tuple[Import, ...]:
    """All imports that a book had published at a head, oldest first."""
    with store.reading() as connection:
        return imports_in(connection, book_id, head)


def imports_in(connection: Connection, book_id: int, head: int) -> tuple[Import, ...]:
    """The same, as a transaction sees it."""
    names = [column for column in import_.c if column.name in Import.__slots__]
    published = select(*names).where(import_.c.book_id == book_id, import_.c.head <= head).order_by(import_.c.head)
    return tuple(Import(**row._mapping) for row in connection.execute(published))


def live(imports: Sequence[Import], noun: str) -> tuple[Import, ...]:
    """The imports of a noun whose rows hold: of each source its last replacing one, and what was merged after it."""
    last = {each.source: each.head for each in imports if each.noun == noun and each.replaces}
    return tuple(each for each in imports if each.noun == noun and each.head >= last.get(each.source, 0))


def live_of_source(imports: Sequence[Import], noun: str, source: str) -> tuple[Import, ...]:
    """The live imports of one source."""
    return tuple(each for each in live(imports, noun) if each.source == source)


class BookAt:
    """A book at a head; it never changes."""

    def __init__(self, store: Store, named: Head, head: int) -> None:
        self.store, self.name, self.head = store, named.name, head
        self.imports = imports_of(store, named.id, head)
        self.prices = BookPrices(store, named.name, live(self.imports, "prices"))

    def facts(self, noun: str, source: str | None = None) -> dict[str, dict[str, Any]]:
        """Rows of systems, results or assumptions by their key, of one source or of all.

        A later import's row takes the place of an earlier one's.
        """
        found: dict[str, dict[str, Any]] = {}
        held = {each.id: each for each in live(self.imports, noun) if source in (None, each.source)}
        if not held:
            return {}
        rows = select(fact).where(fact.c.import_id.in_(held)).order_by(fact.c.id)
        with self.store.reading() as connection:
            ordered = sorted(connection.execute(rows), key=lambda row: (held[row.import_id].head, row.id))
        for row in ordered:
            found.pop(row.key, None)
            if row.cells is not None:
                place = f"{self.name}.{held[row.import_id].head}:{row.line}"
                found[row.key] = {**json.loads(row.cells), "book": self.name, "row": place}
        return found
