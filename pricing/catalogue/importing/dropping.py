"""Taking a source out of a book: from the next head on it has no rows. Earlier heads keep them."""

from datetime import UTC, datetime

from sqlalchemy import insert, select, update

from pricing.catalogue.books import imports_in, live
from pricing.catalogue.importing.nouns import NOUNS
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.names import find
from pricing.catalogue.store_tables import book, import_
from pricing.errors import NoStore


def drop_source(library: Library, book_name: str, source: str, entered_by: str | None = None) -> str:
    """Publish that a source has no rows any more, of any kind. Returns the version. Raises UnknownName or NoStore."""
    if library.store is None:
        raise NoStore
    find("book", book_name, dict.fromkeys(library.readable(EVERYTHING), book_name))
    with library.store.publishing() as connection:
        named = connection.execute(select(book.c.id, book.c.head).where(book.c.name == book_name)).one()
        imports = imports_in(connection, named.id, named.head)
        held = [each for noun in NOUNS for each in live(imports, noun) if each.number_of_rows]
        find("source", source, {each.source: each for each in held})
        for noun in {each.noun for each in imports if each.source == source}:
            numbered = update(book).where(book.c.id == named.id).values(head=book.c.head + 1).returning(book.c.head)
            now = datetime.now(UTC)
            row = {
                "book_id": named.id, "noun": noun, "source": source, "replaces": True, "number_of_rows": 0,
                "number_of_withdrawals": 0, "largest_quantity": 1, "digest": "dropped", "entered_by": entered_by,
                "started_at": now, "published_at": now, "head": connection.execute(numbered).scalar_one(),
            }  # fmt: skip
            connection.execute(insert(import_).values(row))
    library.heads(exact=True)
    return library.open(EVERYTHING, (book_name,)).version
