"""Rows on their way into a book: written in small transactions, seen by nobody until they are published."""

import json
import marshal
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from pricing.catalogue.importing.cells import NOTHING
from pricing.catalogue.importing.nouns import PRICES, Noun
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import book, fact, import_, price, withdrawal
from pricing.errors import StoreConflict, StoreUnavailable

BATCH = 100_000  # each batch writes most leaves of the index, so that few large ones are faster; a second at most
GONE = "the book was purged, or the import swept away, while it ran: nothing was imported"
ABANDONED = timedelta(days=1)  # what was staged so long ago is of an import that was killed
Values = Mapping[str, Any]


class Staged:
    """One import while it is made."""

    def __init__(self, store: Store, noun: Noun, book_name: str, source: str) -> None:
        self.store, self.noun = store, noun
        self.digest = sha256()
        self._waiting: list[tuple[Any, ...]] = []
        self._plan: list[tuple[str, Callable[[Any], Any] | None, str | None]] = []
        self._columns: dict[str, None] = {}  # those that any row so far has
        self.largest_quantity = 1
        with store.writing() as connection:
            self.book_id = book_id(connection, book_name)
            row = {
                "book_id": self.book_id, "noun": noun.name, "source": source, "replaces": True, "number_of_rows": 0,
                "number_of_withdrawals": 0, "largest_quantity": 1, "started_at": datetime.now(UTC),
            }  # fmt: skip
            made = connection.execute(insert(import_).values(row).returning(import_.c.id))
            self.id: int = made.scalar_one()

    def add(self, line: int, values: Values, *, withdrawn: bool = False) -> None:
        """Stage a row, or, among facts, that one is withdrawn."""
        cells = values if self.noun is PRICES else fact_cells(self.noun, values, withdrawn=withdrawn)
        if not cells.keys() <= self._columns.keys():
            self._learn(cells)
        if cells.get("minimum_quantity", 1) > self.largest_quantity:
            self.largest_quantity = cells["minimum_quantity"]
        get = cells.get
        row = [
            blank if (cell := get(name)) is None else cell if convert is None else convert(cell)
            for name, convert, blank in self._plan
        ]
        self._waiting.append((line, *row))
        if len(self._waiting) >= BATCH:
            self.flush()

    def _learn(self, cells: Values) -> None:
        """Take in columns that no row had before."""
        self.flush()
        self._columns |= dict.fromkeys(cells)
        if self.noun is PRICES:
            self._columns["region"] = None  # not blank in the table: everywhere
        self._plan = [(name, CONVERTERS.get(name), "" if name == "region" else None) for name in self._columns]

    def flush(self) -> None:
        """Write what waits."""
        if not self._waiting:
            return
        table = price if self.noun is PRICES else fact
        self.digest.update(marshal.dumps((tuple(self._columns), self._waiting), MARSHAL))
        with self.store.writing(durable=False) as connection:
            self._hold(connection)
            write_rows(connection, (table.name, ("line", *self._columns)), self.id, self._waiting)
        self._waiting.clear()

    def _hold(self, connection: Connection) -> None:
        """Let nobody discard the import until the transaction ends. Raises StoreConflict where somebody has."""
        ours = select(import_.c.id).where(import_.c.id == self.id, import_.c.discarded.is_(False))
        if connection.execute(ours.with_for_update(read=True)).scalar() is None:
            raise StoreConflict(GONE)


def write_rows(
    connection: Connection, into: tuple[str, Sequence[str]], import_id: int, rows: list[tuple[Any, ...]]
) -> None:
    """Write rows of an import into the columns of a table, by the driver's fastest way. The names are our own."""
    table, names = into
    columns = ", ".join(f'"{name}"' for name in ("import_id", *names))
    if connection.dialect.name == "sqlite":
        places = ", ".join("?" * len(names))
        connection.exec_driver_sql(f'INSERT INTO "{table}" ({columns}) VALUES ({import_id}, {places})', rows)
        return
    driver: Any = connection.connection.driver_connection
    dbapi: Any = connection.dialect.dbapi
    try:
        with driver.cursor().copy(f'COPY "{table}" ({columns}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row((import_id, *row))
    except dbapi.IntegrityError as error:
        raise StoreConflict(GONE) from error
    except dbapi.Error as error:
        raise StoreUnavailable(str(error).splitlines()[0]) from error


@lru_cache(maxsize=10_000)
def _text_of_day(day: date) -> str:
    return day.isoformat()


def _text_of_number(number: Decimal) -> str:
    return format(number, "f")


def _text_of_list(parts: tuple[str, ...]) -> str:
    return " ".join(parts) or NOTHING


CONVERTERS: dict[str, Callable[[Any], Any]] = {  # from a value to the table's cell: exact decimals and days as texts
    **dict.fromkeys(("amount", "low", "high"), _text_of_number),
    **dict.fromkeys(("valid_from", "valid_to", "observed_until"), _text_of_day),
    "includes": _text_of_list,
}
MARSHAL = 2  # a format that depends on the values alone


def fact_cells(noun: Noun, values: Values, *, withdrawn: bool) -> dict[str, Any]:
    """A row of facts as the table has it: what tells it from others, and its cells as texts."""
    key = json.dumps([str(values.get(name, "")) for name in noun.key], ensure_ascii=False)
    if withdrawn:
        return {"key": key, "cells": None}
    cells = {name: ";".join(cell) if isinstance(cell, tuple) else str(cell) for name, cell in values.items()}
    return {"key": key, "cells": json.dumps(cells, ensure_ascii=False)}


def book_id(connection: Connection, name: str) -> int:
    """The number of a book; it is made where there is none, with no head, so that nobody sees it yet."""
    if (found := connection.execute(select(book.c.id).where(book.c.name == name)).scalar()) is None:
        row = {"name": name, "head": 0, "purged_head": 0, "created_at": datetime.now(UTC)}
        insert_new = (sqlite_insert if connection.dialect.name == "sqlite" else postgresql_insert)(book)
        connection.execute(insert_new.values(row).on_conflict_do_nothing(index_elements=["name"]))
        found = connection.execute(select(book.c.id).where(book.c.name == name)).scalar_one()
    return int(found)


def discard(store: Store, import_id: int) -> None:
    """Delete the rows of an import that was not published, in small transactions, then the import.

    One that was published stays, even where nobody heard of it: a commit may be done and its answer lost. One whose
    publication is under way is waited for.
    """
    unpublished = import_.c.id == import_id, import_.c.head.is_(None)
    with store.writing() as connection:
        if not connection.execute(update(import_).where(*unpublished).values(discarded=True)).rowcount:
            return
    for table in (price, fact):
        while True:
            with store.writing() as connection:
                ids = select(table.c.id).where(table.c.import_id == import_id).limit(BATCH)
                if not connection.execute(delete(table).where(table.c.id.in_(ids))).rowcount:
                    break
    with store.writing() as connection:
        connection.execute(delete(withdrawal).where(withdrawal.c.import_id == import_id))
        connection.execute(delete(import_).where(*unpublished))


def sweep(store: Store) -> int:
    """Discard what imports that were killed left behind. Returns how many there were."""
    if not store.exists():
        return 0
    before = datetime.now(UTC) - ABANDONED
    with store.reading() as connection:
        old = select(import_.c.id).where(import_.c.head.is_(None), import_.c.started_at < before)
        ids = list(connection.execute(old).scalars())
    for each in ids:
        discard(store, each)
    return len(ids)


def publish(connection: Connection, staged: Staged, about: Mapping[str, Any]) -> int:
    """Give the import its book's next head. The caller's transaction is `publishing`."""
    numbered = update(book).where(book.c.id == staged.book_id).values(head=book.c.head + 1).returning(book.c.head)
    head = int(connection.execute(numbered).scalar_one())
    row = {
        **about,
        "largest_quantity": staged.largest_quantity,
        "head": head,
        "digest": staged.digest.hexdigest(),
        "published_at": datetime.now(UTC),
    }
    ours = import_.c.id == staged.id, import_.c.head.is_(None), import_.c.discarded.is_(False)
    published = update(import_).where(*ours).values(row)
    if connection.execute(published).rowcount != 1:
        raise StoreConflict(GONE)
    return head
