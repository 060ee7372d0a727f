"""Deleting a book for good. Its heads stay counted, so that what was asked of them is answered with: gone."""

from sqlalchemy import delete, select, text, update

from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.names import find
from pricing.catalogue.quotes import redact
from pricing.catalogue.store_tables import book, fact, import_, price, source_state, withdrawal
from pricing.errors import NoStore

GONE = "purged"


def purge_book(library: Library, name: str) -> int:
    """Delete every row of a book, overwrite what they held, and return the head up to which nothing is left.

    Rows of imports that are not published yet go with it. Raises UnknownName or NoStore.
    """
    if library.store is None:
        raise NoStore
    find("book", name, dict.fromkeys(library.readable(EVERYTHING), name))
    store = library.store
    with store.publishing() as connection:
        if store.is_sqlite:
            connection.execute(text("PRAGMA secure_delete=ON"))
        named = connection.execute(select(book).where(book.c.name == name)).one()
        ids = select(import_.c.id).where(import_.c.book_id == named.id)
        connection.execute(ids.with_for_update()).all()  # an import that still runs can add no more rows to them
        for table in (withdrawal, price, fact):
            connection.execute(delete(table).where(table.c.import_id.in_(ids)))
        connection.execute(delete(source_state).where(source_state.c.book == name))
        connection.execute(delete(import_).where(import_.c.book_id == named.id, import_.c.head.is_(None)))
        blank = {"source": GONE, "file": None, "entered_by": None, "digest": None, "number_of_rows": 0}
        connection.execute(
            update(import_).where(import_.c.book_id == named.id).values(number_of_withdrawals=0, replaces=True, **blank)
        )
        connection.execute(update(book).where(book.c.id == named.id).values(purged_head=named.head))
        redact(connection, name)
    store.vacuum()
    library.heads(exact=True)
    return int(named.head)
