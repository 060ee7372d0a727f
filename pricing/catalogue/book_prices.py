"""The prices of a book at a head, as statements that find the few which are asked for."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, FromClause, Select, bindparam, case, func, literal_column, or_, select, union_all

from pricing.catalogue.importing.cells import NOTHING
from pricing.catalogue.prepared import Prepared
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import price, withdrawal
from schemas.price import Offer, Price

if TYPE_CHECKING:
    from pricing.catalogue.books import Import

EVERYWHERE = ""  # the region of a price that has none
MOST_AT_ONCE = 500  # numbers in one statement
MOST_COUNTS = 1_000  # that are remembered
MOST_PARTS = 16  # imports × kinds × regions that are asked apart
MOST_OFFERS = 3  # rows of one offer that take part in a choice, the latest first

WITH_HOST: ColumnElement[str] = literal_column("'% host %'")
"""Of what a price includes. As a bound value the pattern would have SQLite plan the statement at each execution."""

OTHER_CURRENCY = case((price.c.currency == bindparam("currency_", ""), 0), else_=1)

Filters = Mapping[str, str]


class BookPrices:
    """The prices of a book at a head. Each question is one statement; nothing is kept."""

    def __init__(self, store: Store, name: str, imports: "tuple[Import, ...]") -> None:
        self.store, self.name = store, name
        self._heads = {each.id: each.head for each in imports}
        self._has_withdrawals = any(each.number_of_withdrawals for each in imports)
        self._has_tiers = any(each.largest_quantity > 1 for each in imports)
        self._ways: dict[Any, Prepared] = {}
        self._counts: dict[Any, int] = {}  # a head never changes, nor do its counts
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

    def _offers(self, wanted: Offer) -> Prepared:
        """Rows that hold on a day, in a region or everywhere, for a quantity; those to prefer first."""
        kinds, in_region = wanted.kinds, wanted.region is not None
        regions: tuple[Any, ...] = (EVERYWHERE, bindparam("region_", "")) if in_region else (EVERYWHERE,)
        holding = self._holding(with_host=wanted.with_host, rented=wanted.rented)
        rank = case({kind: place for place, kind in enumerate(kinds)}, value=price.c.kind)
        latest = price.c.valid_from.desc()
        preferred = (rank, price.c.region.desc(), price.c.minimum_quantity.desc(), latest, OTHER_CURRENCY)
        parts = [(number, kind, region) for number in self._heads for kind in kinds for region in regions]
        if self._has_tiers or len(parts) > MOST_PARTS:
            of_all = [self._live, price.c.kind.in_(kinds), or_(*(price.c.region == region for region in regions))]
            best: Any = select(price.c.id).where(*of_all, *holding).order_by(*preferred, price.c.id).limit(MOST_OFFERS)
        else:  # the index has the latest of each part at its end
            best = union_all(*(self._latest(part, holding) for part in parts))
        whole = select(price).where(price.c.id.in_(best))  # numbers are sorted there, not whole rows
        return Prepared(whole, self.store)

    def _holding(self, *, with_host: bool, rented: bool) -> list[ColumnElement[bool]]:
        """What a row must fulfil to be an offer that holds."""
        conditions = [
            price.c.system == bindparam("system_", ""),
            price.c.every != "once" if rented else price.c.every == "once",
            price.c.valid_from <= bindparam("as_of_", date.max),
            price.c.valid_to.is_(None) | (price.c.valid_to > bindparam("as_of_", date.max)),
            price.c.minimum_quantity <= bindparam("quantity_", 1),
        ]
        if with_host:
            conditions.append(price.c.includes.is_(None) | (" " + price.c.includes + " ").like(WITH_HOST))
        return conditions

    def _latest(self, part: tuple[int, str, Any], holding: list[ColumnElement[bool]]) -> Select[Any]:
        """The latest rows of one import, kind and region."""
        number, kind, region = part
        own = [self._live, price.c.import_id == number, price.c.kind == kind, price.c.region == region]
        latest = select(price.c.id).where(*own, *holding)
        latest = latest.order_by(price.c.valid_from.desc(), OTHER_CURRENCY, price.c.id.desc())
        return select(latest.limit(MOST_OFFERS).subquery().c.id)

    def offers(self, wanted: Offer) -> list[Price]:
        """Prices to buy or rent at, the best first: by kind as asked, the region's own, the largest tier, latest."""
        if not self._heads:
            return []
        way = (wanted.kinds, wanted.region is not None, wanted.with_host, wanted.rented)
        if way not in self._ways:
            self._ways[way] = self._offers(wanted)
        values = {"system_": wanted.system, "as_of_": wanted.as_of, "quantity_": wanted.quantity}
        values["currency_"] = wanted.currency
        if wanted.region is not None:
            values["region_"] = wanted.region
        found = [self.price(row) for row in self._ways[way].rows(values)]
        return sorted(found, key=lambda each: _preference(each, wanted.kinds))

    def _filtered(self, filters: Filters) -> list[ColumnElement[bool]]:
        return [self._live, *(price.c[name] == value for name, value in filters.items())]

    def count(self, filters: Filters) -> int:
        """How many rows have these values."""
        if not self._heads or not filters:
            return self.total if self._heads else 0
        asked = tuple(filters.items())
        if asked not in self._counts:
            if len(self._counts) >= MOST_COUNTS:
                self._counts = {}
            self._counts[asked] = self._count(filters)
        return self._counts[asked]

    def _count(self, filters: Filters) -> int:
        way = ("count", *filters)
        if way not in self._ways:
            counted = select(func.count()).select_from(price).where(*self._asked(filters))
            self._ways[way] = Prepared(counted, self.store)
        return int(self._ways[way].rows(filters)[0][0])

    def page(self, filters: Filters, offset: int, limit: int) -> list[Price]:
        """Rows with these values, by system, kind, region and date."""
        return [self.price(row) for row in self._page(filters, offset, limit)]

    def records(self, filters: Filters, offset: int, limit: int) -> list[dict[str, Any]]:
        """The same, each as its fields by name; days may be texts."""
        return [self._record(row) for row in self._page(filters, offset, limit)]

    def _page(self, filters: Filters, offset: int, limit: int) -> list[Any]:
        if not self._heads:
            return []
        way = ("page", *filters)
        if way not in self._ways:
            order = (price.c.system, price.c.kind, price.c.region, price.c.valid_from, price.c.id)
            found = select(price).where(*self._asked(filters)).order_by(*order)
            part = found.limit(bindparam("limit_", 1)).offset(bindparam("offset_", 0))
            self._ways[way] = Prepared(part, self.store)
        return self._ways[way].rows({**filters, "limit_": limit, "offset_": offset})

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

    def _record(self, row: Sequence[Any]) -> dict[str, Any]:
        """A row of the table as the fields of a price by name, its days as the engine has them."""
        cells = dict(zip(CELLS, row[3:], strict=True))
        if cells["amount"] is not None:
            cells["amount"] = Decimal(cells["amount"])
        if cells["low"] is not None:
            cells["low"], cells["high"] = Decimal(cells["low"]), Decimal(cells["high"])
        if cells["includes"] is not None:
            cells["includes"] = _included(cells["includes"])
        cells["about"] = cells["about"] == 1
        cells["region"] = cells["region"] or None
        cells["book"] = self.name
        cells["row"] = f"{self.name}.{self._heads[row[1]]}:{row[2]}"
        return cells

    def price(self, row: Sequence[Any]) -> Price:
        """A row of the table as a price, the fields of which its columns are in the order of."""
        cells = list(row[3:])
        for place in AMOUNT_PLACES:
            if cells[place] is not None:
                cells[place] = Decimal(cells[place])
        for place in DAY_PLACES:
            if cells[place].__class__ is str:  # SQLite has days as texts
                cells[place] = date.fromisoformat(cells[place])
        if cells[INCLUDES] is not None:
            cells[INCLUDES] = _included(cells[INCLUDES])
        cells[ABOUT] = cells[ABOUT] == 1
        cells[REGION] = cells[REGION] or None
        cells += (self.name, f"{self.name}.{self._heads[row[1]]}:{row[2]}")
        return Price(*cells)


def _preference(each: Price, kinds: tuple[str, ...]) -> tuple[Any, ...]:
    """What puts the offer to prefer first."""
    latest = -each.valid_from.toordinal()
    return kinds.index(each.kind), each.region is None, -each.minimum_quantity, latest, each.row


@lru_cache(maxsize=1000)
def _included(text: str) -> tuple[str, ...]:
    """What a price includes, out of its text in the table."""
    return tuple(part for part in text.split() if part != NOTHING)


CELLS = tuple(str(column.name) for column in price.c if column.name not in ("id", "import_id", "line"))
AMOUNTS, DAYS = ("amount", "low", "high"), ("valid_from", "observed_until", "valid_to")
AMOUNT_PLACES, DAY_PLACES = ([CELLS.index(name) for name in names] for names in (AMOUNTS, DAYS))
INCLUDES, ABOUT, REGION = (CELLS.index(name) for name in ("includes", "about", "region"))
