"""What books there are and what was published when, as far as one may read."""

from typing import Any

from sqlalchemy import select

from pricing.catalogue.books import BookAt, Head, live
from pricing.catalogue.importing.nouns import NOUNS
from pricing.catalogue.library import Library, Reader
from pricing.catalogue.names import find
from pricing.catalogue.store_tables import book, import_

Document = dict[str, Any]


def books_of(library: Library, reader: Reader) -> list[Document]:
    """The books that one may read, the public one first."""
    heads = library.heads(exact=True)
    return [_book(library, heads[name]) for name in library.readable(reader)]


def _book(library: Library, named: Head) -> Document:
    if library.store is None:
        raise LookupError(named.name)
    held = BookAt(library.store, named, named.head)
    imports = [each for each in held.imports if each.head > named.purged]
    now = [each for noun in NOUNS for each in live(imports, noun)]
    last = imports[-1].published_at if imports else None
    return {
        "book": named.name,
        "head": named.head,
        "purged_up_to": named.purged,
        "prices": held.prices.total,
        "sources": len({(each.noun, each.source) for each in now if each.number_of_rows}),
        "published_at": last.isoformat(timespec="seconds") if last else None,
    }


def publications(library: Library, reader: Reader, name: str | None = None) -> list[Document]:
    """Every publication in the books that one may read, the newest first. Raises UnknownName."""
    readable = library.readable(reader)
    if name is not None:
        readable = [find("book", name, dict.fromkeys(readable, name))]
    if library.store is None or not readable:
        return []
    columns = [each for each in import_.c if each.name not in ("id", "book_id", "digest", "started_at")]
    rows = (
        select(book.c.name, *columns)
        .join(book, import_.c.book_id == book.c.id)
        .where(book.c.name.in_(readable), import_.c.head.is_not(None))
        .order_by(import_.c.published_at.desc(), import_.c.id.desc())
    )
    with library.store.reading() as connection:
        return [_publication(library, row._mapping) for row in connection.execute(rows)]


def _publication(library: Library, row: Any) -> Document:
    return {
        "version": f"{library.facts.version}+{row['name']}.{row['head']}",
        "book": row["name"],
        "head": row["head"],
        "noun": row["noun"],
        "source": row["source"],
        "replaces": row["replaces"],
        "rows": row["number_of_rows"],
        "withdrawals": row["number_of_withdrawals"],
        "file": row["file"],
        "entered_by": row["entered_by"],
        "published_at": row["published_at"].isoformat(timespec="seconds"),
    }
