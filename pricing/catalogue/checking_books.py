"""Are the books whole? Counts, heads, amounts and names, as a check after a crash or a restored backup would ask."""

from collections.abc import Iterator
from decimal import InvalidOperation

from sqlalchemy import func, select

from pricing.catalogue.books import Head, Import, imports_of
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import fact, import_, price

MOST_TOLD = 20


def check_books(library: Library) -> list[str]:
    """Everything that is wrong, a sentence each. Raises StoreUnavailable."""
    if library.store is None or not library.has_books():
        return []
    found: list[str] = []
    for named in library.heads(exact=True).values():
        if not named.is_purged:
            found += _book(library, library.store, named)
    return found


def _book(library: Library, store: Store, named: Head) -> Iterator[str]:
    imports = [each for each in imports_of(store, named.id, named.head) if each.head > named.purged]
    heads = [each.head for each in imports]
    if heads != list(range(named.purged + 1, named.head + 1)):
        yield f"{named.name}: the heads {heads} are not all from {named.purged + 1} to {named.head}"
    for each in imports:
        yield from _counts(store, named, each)
    yield from _rows(library, named)


def _counts(store: Store, named: Head, each: Import) -> Iterator[str]:
    table = price if each.noun == "prices" else fact
    with store.reading() as connection:
        rows = connection.execute(select(func.count()).where(table.c.import_id == each.id)).scalar_one()
        digest = connection.execute(select(import_.c.digest).where(import_.c.id == each.id)).scalar()
    if rows != each.number_of_rows:
        yield f"{named.name}.{each.head}: {each.number_of_rows} rows were published, and there are {rows}"
    if not digest:
        yield f"{named.name}.{each.head}: it was published without a digest"


def _rows(library: Library, named: Head) -> Iterator[str]:
    """Prices that cannot be read, or are of systems that are not there any more."""
    catalogue = library.open(EVERYTHING, (named.name,))
    missing: dict[str, None] = {}
    try:
        for _, each in catalogue.books[0].prices.each():
            if each.system not in catalogue.systems and each.system not in library.facts.systems:
                missing[each.system] = None
    except (ValueError, InvalidOperation) as error:
        yield f"{named.name}: a row cannot be read: {error}"
    yield from (f"{named.name}: prices of {system}, which is no system" for system in list(missing)[:MOST_TOLD])
