"""What differs between the prices of a book at two heads: rows added, gone, and changed.

Rows that both have by the same import are not read. Of the others a number for each is kept, so that the time grows
with their count and not with its square, whatever they hold.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import and_, not_, select

from pricing.catalogue.book_prices import BookPrices
from pricing.catalogue.importing.nouns import OFFER
from pricing.catalogue.store_tables import price
from schemas.price import Price

CONTENT = tuple(column.name for column in price.c if column.name not in ("id", "import_id", "line", "entered_by"))
PLACES = tuple(CONTENT.index(name) for name in OFFER)
AMOUNT, BEGINS = CONTENT.index("amount"), CONTENT.index("valid_from")
JUMP = Decimal(10)
MOST_JUMPS, MOST_WATCHED = 100, 300_000
MOST_SHOWN = 1_000


class Change(NamedTuple):
    """An offer whose row is another; the names of the cells that differ."""

    before: Price
    after: Price
    cells: tuple[str, ...]


class Jump(NamedTuple):
    """A row whose amount is far from the latest of the same offer before."""

    before: Decimal
    after: Price


class Difference(NamedTuple):
    """How many rows were added, are gone and have changed, and the first of each; amounts that jump."""

    counts: dict[str, int]
    added: list[Price]
    gone: list[Price]
    changed: list[Change]
    jumps: list[Jump]


class Only(NamedTuple):
    """What one state has and the other has not: how many rows, their offers as numbers, and the first rows."""

    rows: int
    offers: set[int]
    first: dict[int, Price]


def difference(before: BookPrices, after: BookPrices, most: int = MOST_SHOWN) -> Difference:
    """Count what differs between two states of one book, and show up to `most` rows of it."""
    if not before.total:  # as with every first import
        return Difference({"added": after.total, "gone": 0, "changed": 0}, after.page({}, 0, most), [], [], [])
    watched, equal = Watched(), set()
    for number, row in _rows(before, None):
        equal.add(number)
        watched.note(row)
    added = _only(after, before, equal, most, watched)
    gone = _only(before, after, {number for number, _ in _rows(after, before)}, most)
    both = gone.offers & added.offers
    pairs = [(gone.first[key], new) for key, new in added.first.items() if key in gone.first]
    return Difference(
        {"added": added.rows - len(both), "gone": gone.rows - len(both), "changed": len(both)},
        [each for key, each in added.first.items() if key not in both],
        [each for key, each in gone.first.items() if key not in both],
        [Change(old, new, _unlike(old, new)) for old, new in pairs],
        [Jump(watched.jumps[number], each) for number, each in after.of_ids(list(watched.jumps))],
    )


class Watched:
    """The latest amount of each offer, and rows whose amount is far from it."""

    def __init__(self) -> None:
        self._latest: dict[int, tuple[Any, Decimal]] = {}
        self.jumps: dict[int, Decimal] = {}

    def note(self, row: Any) -> None:
        """Take a row of before in."""
        amount = _value(row[AMOUNT])
        key = _offer(row)
        held = self._latest.get(key)
        room = len(self._latest) < MOST_WATCHED
        if amount is not None and (held[0] < row[BEGINS] if held else room):
            self._latest[key] = (row[BEGINS], amount)

    def check(self, row: Any) -> None:
        """Note a new row whose amount jumps."""
        held, amount = self._latest.get(_offer(row)), _value(row[AMOUNT])
        if held and held[1] and amount and not 1 / JUMP <= amount / held[1] <= JUMP and len(self.jumps) < MOST_JUMPS:
            self.jumps[row[-1]] = held[1]


def _only(one: BookPrices, other: BookPrices, others: set[int], most: int, watched: Watched | None = None) -> Only:
    """The rows of one state of which the other has no equal."""
    count = 0
    offers: set[int] = set()
    ids: dict[int, int] = {}
    for number, row in _rows(one, other):
        if number not in others:
            count += 1
            key = hash((_offer(row), row[BEGINS]))
            offers.add(key)
            if len(ids) < most:
                ids[row[-1]] = key
            if watched:
                watched.check(row)
    return Only(count, offers, {ids[number]: each for number, each in one.of_ids(list(ids))})


def _rows(one: BookPrices, other: BookPrices | None) -> Iterator[tuple[int, Any]]:
    """Rows that the states do not share, or all, each with a number that equal rows have in common."""
    columns = [price.c[name] for name in CONTENT]
    held = one.live_in(price) if other is None else and_(one.live_in(price), not_(other.live_in(price)))
    statement = select(*columns, price.c.id).where(held).execution_options(yield_per=5_000)
    with one.store.streaming() as connection, connection.execute(statement) as rows:
        for row in rows:
            yield hash((row[0], *map(_value, row[1:4]), *row[4:-1])), row


def _offer(row: Any) -> int:
    """What makes rows of different days the same offer, as a number."""
    return hash(tuple([row[place] for place in PLACES]))


def _value(amount: str | None) -> Decimal | None:
    """An amount as a number: 255000.00 is 255000."""
    return None if amount is None else Decimal(amount)


def _unlike(before: Price, after: Price) -> tuple[str, ...]:
    return tuple(name for name in CONTENT if getattr(before, name) != getattr(after, name))
