"""What differs between the prices of a book at two heads: rows added, gone, and changed.

Rows that both have by the same import are not read. Of the others a number for each is kept, so that the time grows
with their count and not with its square, whatever they hold.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import and_, not_, select

from pricing.catalogue.books import BookPrices
from pricing.catalogue.importing.nouns import OFFER
from pricing.catalogue.store_tables import price
from schemas.price import Price

KEY = (*OFFER, "valid_from")
CONTENT = tuple(column.name for column in price.c if column.name not in ("id", "import_id", "line", "entered_by"))
PLACES = tuple(CONTENT.index(name) for name in KEY)
MOST_SHOWN = 1_000


class Change(NamedTuple):
    """An offer whose row is another; the names of the cells that differ."""

    before: Price
    after: Price
    cells: tuple[str, ...]


class Difference(NamedTuple):
    """How many rows were added, are gone and have changed, and the first of each."""

    counts: dict[str, int]
    added: list[Price]
    gone: list[Price]
    changed: list[Change]


class Only(NamedTuple):
    """What one state has and the other has not: how many rows, their offers as numbers, and the first rows."""

    rows: int
    offers: set[int]
    first: dict[int, Price]


def difference(before: BookPrices, after: BookPrices, most: int = MOST_SHOWN) -> Difference:
    """Count what differs between two states of one book, and show up to `most` rows of it."""
    if not before.total:  # as with every first import
        return Difference({"added": after.total, "gone": 0, "changed": 0}, after.page({}, 0, most), [], [])
    gone = _only(before, after, {row_number for row_number, _ in _rows(after, before)}, most)
    added = _only(after, before, {row_number for row_number, _ in _rows(before, after)}, most)
    both = gone.offers & added.offers
    pairs = [(gone.first[key], new) for key, new in added.first.items() if key in gone.first]
    return Difference(
        {"added": added.rows - len(both), "gone": gone.rows - len(both), "changed": len(both)},
        [each for key, each in added.first.items() if key not in both],
        [each for key, each in gone.first.items() if key not in both],
        [Change(old, new, _unlike(old, new)) for old, new in pairs],
    )


def _only(one: BookPrices, other: BookPrices, others: set[int], most: int) -> Only:
    """The rows of one state of which the other has no equal."""
    count = 0
    offers: set[int] = set()
    ids: dict[int, int] = {}
    for number, row in _rows(one, other):
        if number not in others:
            count += 1
            key = hash(tuple([row[place] for place in PLACES]))
            offers.add(key)
            if len(ids) < most:
                ids[row[-1]] = key
    return Only(count, offers, {ids[number]: each for number, each in one.of_ids(list(ids))})


def _rows(one: BookPrices, other: BookPrices) -> Iterator[tuple[int, Any]]:
    """Rows that the states do not share, each with a number that equal rows have in common."""
    columns = [price.c[name] for name in CONTENT]
    apart = and_(one.live_in(price), not_(other.live_in(price)))
    statement = select(*columns, price.c.id).where(apart).execution_options(yield_per=5_000)
    with one.store.streaming() as connection, connection.execute(statement) as rows:
        for row in rows:
            yield hash(tuple(row[:-1])), row


def _unlike(before: Price, after: Price) -> tuple[str, ...]:
    return tuple(name for name in CONTENT if getattr(before, name) != getattr(after, name))
