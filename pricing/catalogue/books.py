"""Books as they are at a head: which imports are live, and their rows."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, bindparam, case, func, select

from pricing.catalogue.importing.cells import NOTHING
from pricing.catalogue.prepared import Prepared
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import book, fact, import_, price, withdrawal
from schemas.price import Offer, Price

EVERYWHERE = ""  # the region of a price that has none
MOST_AT_ONCE = 500  # numbers in one statement
MOST_OFFERS = 10  # rows of one offer that take part in a choice, the latest first

Filters = Mapping[str, str]


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


def imports_of(store: Store, book_id: int, head: int) -> tuple[Import, ...]:
    """All imports that a book had published at a head, oldest first."""
    names = [column for column in import_.c if column.name in Import.__slots__]
    published = select(*names).where(import_.c.book_id == book_id, import_.c.head <= head).order_by(import_.c.head)
    with store.reading() as connection:
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

    def facts(self, noun: str) -> dict[str, dict[str, Any]]:
        """Rows of systems, results or assumptions by their key; a later import's row takes the place of an earlier."""
        found: dict[str, dict[str, Any]] = {}
        held = {each.id: each for each in live(self.imports, noun)}
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


class BookPrices:
    """The prices of a book at a head. Each question is one statement; nothing is kept."""

    def __init__(self, store: Store, name: str, imports: tuple[Import, ...]) -> None:
        self.store, self.name = store, name
        self._heads = {each.id: each.head for each in imports}
        self._has_withdrawals = any(each.number_of_withdrawals for each in imports)
        self._ways: dict[Any, Prepared] = {}
        self.total = sum(each.number_of_rows - each.number_of_withdrawals for each in imports)

    def live_in(self, table: FromClause) -> ColumnElement[bool]:
        """What a row of the price table, or of an alias of it, must fulfil to hold at this head."""
        ids = list(self._heads)
        held = table.c.import_id.in_(ids)
        if not self._has_withdrawals:
            return held
        ended = select(withdrawal.c.price_id).where(
            withdrawal.c.price_id == table.c.id, withdrawal.c.import_id.in_(ids)
        )
        return held & ~ended.exists()

    @cached_property
    def _live(self) -> ColumnElement[bool]:
        return self.live_in(price)

    def _offers(self, kinds: tuple[str, ...], *, in_region: bool, with_host: bool) -> Prepared:
        """Rows that hold on a day, in a region or everywhere, for a quantity; those to prefer first."""
        rank = case({kind: place for place, kind in enumerate(kinds)}, value=price.c.kind)
        everywhere = price.c.region == EVERYWHERE
        conditions = [
            self._live,
            price.c.system == bindparam("system_", ""),
            price.c.kind.in_(kinds),
            everywhere | (price.c.region == bindparam("region_", "")) if in_region else everywhere,
            price.c.every == "once",
            price.c.valid_from <= bindparam("as_of_", date.max),
            price.c.valid_to.is_(None) | (price.c.valid_to > bindparam("as_of_", date.max)),
            price.c.minimum_quantity <= bindparam("quantity_", 1),
        ]
        if with_host:
            conditions.append(price.c.includes.is_(None) | (" " + price.c.includes + " ").like("% host %"))
        preferred = (rank, price.c.region.desc(), price.c.minimum_quantity.desc(), price.c.valid_from.desc())
        best = select(price.c.id).where(*conditions).order_by(*preferred, price.c.id).limit(MOST_OFFERS)
        statement = select(price).where(price.c.id.in_(best)).order_by(*preferred, price.c.id)
        return Prepared(statement, self.store)  # the inner one sorts numbers of rows, and not whole rows

    def offers(self, wanted: Offer) -> list[Price]:
        """Prices to buy at, the best first: by kind as asked, the region's own, the largest tier, the latest."""
        if not self._heads:
            return []
        way = (wanted.kinds, wanted.region is not None, wanted.with_host)
        if way not in self._ways:
            self._ways[way] = self._offers(wanted.kinds, in_region=way[1], with_host=way[2])
        values = {"system_": wanted.system, "as_of_": wanted.as_of, "quantity_": wanted.quantity}
        if wanted.region is not None:
            values["region_"] = wanted.region
        return [self.price(row) for row in self._ways[way].rows(values)]

    def _filtered(self, filters: Filters) -> list[ColumnElement[bool]]:
        return [self._live, *(price.c[name] == value for name, value in filters.items())]

    def count(self, filters: Filters) -> int:
        """How many rows have these values."""
        if not self._heads or not filters:
            return self.total if self._heads else 0
        way = ("count", *filters)
        if way not in self._ways:
            counted = select(func.count()).select_from(price).where(*self._asked(filters))
            self._ways[way] = Prepared(counted, self.store)
        return int(self._ways[way].rows(filters)[0][0])

    def page(self, filters: Filters, offset: int, limit: int) -> list[Price]:
        """Rows with these values, by system, kind, region and date."""
        return [Price(*cells) for cells in self._page(filters, offset, limit)]

    def records(self, filters: Filters, offset: int, limit: int) -> list[dict[str, Any]]:
        """The same, each as its fields by name."""
        return [dict(zip(FIELDS, cells, strict=True)) for cells in self._page(filters, offset, limit)]

    def _page(self, filters: Filters, offset: int, limit: int) -> list[list[Any]]:
        if not self._heads:
            return []
        way = ("page", *filters)
        if way not in self._ways:
            order = (price.c.system, price.c.kind, price.c.region, price.c.valid_from, price.c.id)
            found = select(price).where(*self._asked(filters)).order_by(*order)
            part = found.limit(bindparam("limit_", 1)).offset(bindparam("offset_", 0))
            self._ways[way] = Prepared(part, self.store)
        return [self._typed(row) for row in self._ways[way].rows({**filters, "limit_": limit, "offset_": offset})]

    def _asked(self, filters: Filters) -> list[ColumnElement[bool]]:
        """The filters, with their values open."""
        return [self._live, *(price.c[name] == bindparam(name, "") for name in filters)]

    def values(self, name: str, filters: Filters | None = None, most: int = 1000) -> list[str]:
        """The different values of a column, in order; at most so many."""
        if not self._heads:
            return []
        column = price.c[name]
        distinct = select(column).where(*self._filtered(filters or {})).distinct().order_by(column).limit(most)
        with self.store.reading() as connection:
            return [value for (value,) in connection.execute(distinct)]

    def each(self) -> Iterator[tuple[int, Price]]:
        """Every row with its number, in the order of its imports and lines, without holding them all."""
        if not self._heads:
            return
        rows = select(price).where(self._live).order_by(price.c.id).execution_options(yield_per=5_000)
        with self.store.streaming() as connection, connection.execute(rows) as found:
            for row in found:
                yield row.id, self.price(row)

    def of_ids(self, ids: Sequence[int]) -> list[tuple[int, Price]]:
        """Rows by their numbers, in the order of the book."""
        found = []
        for start in range(0, len(ids), MOST_AT_ONCE):
            rows = select(price).where(price.c.id.in_(ids[start : start + MOST_AT_ONCE])).order_by(price.c.id)
            with self.store.reading() as connection:
                found += [(row.id, self.price(row)) for row in connection.execute(rows)]
        return found

    def price(self, row: Sequence[Any]) -> Price:
        """A row of the table as a price."""
        return Price(*self._typed(row))

    def _typed(self, row: Sequence[Any]) -> list[Any]:
        """A row of the table as the fields of a price, which its columns are in the order of."""
        cells = list(row[3:])
        for place in AMOUNTS:
            if cells[place] is not None:
                cells[place] = Decimal(cells[place])
        if cells[BEGINS].__class__ is str:  # SQLite has days as texts
            cells[BEGINS] = date.fromisoformat(cells[BEGINS])
            for place in OTHER_DAYS:
                if cells[place] is not None:
                    cells[place] = date.fromisoformat(cells[place])
        if cells[INCLUDES] is not None:
            cells[INCLUDES] = _included(cells[INCLUDES])
        cells[ABOUT] = cells[ABOUT] == 1
        cells[REGION] = cells[REGION] or None
        cells.append(self.name)
        cells.append(f"{self.name}.{self._heads[row[1]]}:{row[2]}")
        return cells


@lru_cache(maxsize=1000)
def _included(text: str) -> tuple[str, ...]:
    """What a price includes, out of its text in the table."""
    return tuple(part for part in text.split() if part != NOTHING)


CELLS = [column.name for column in price.c if column.name not in ("id", "import_id", "line")]
FIELDS = tuple(each.name for each in fields(Price))
AMOUNTS = [CELLS.index(name) for name in ("amount", "low", "high")]
OTHER_DAYS = [CELLS.index(name) for name in ("observed_until", "valid_to")]
BEGINS, INCLUDES, ABOUT, REGION = (CELLS.index(name) for name in ("valid_from", "includes", "about", "region"))
