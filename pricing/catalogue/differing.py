"""What differs between the prices of a book at two heads: rows added, gone, and changed."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, and_, func, not_, select

from pricing.catalogue.books import BookPrices
from pricing.catalogue.importing.nouns import OFFER
from pricing.catalogue.store_tables import price
from schemas.price import Price

KEY = (*OFFER, "valid_from")
CONTENT = tuple(column.name for column in price.c if column.name not in ("id", "import_id", "line", "entered_by"))
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


class Comparing:
    """Two states of one book's prices."""

    def __init__(self, before: BookPrices, after: BookPrices) -> None:
        self.before, self.after = before, after

    def difference(self, most: int = MOST_SHOWN) -> Difference:
        """Count what differs, and show up to `most` rows of it."""
        counts = self._counts()
        gone, added = (self._rows(*sides, most) for sides in (self._backward, self._forward))
        by_key = {_key(each): each for each in gone}
        changed = [Change(old, each, _unlike(old, each)) for each in added if (old := by_key.pop(_key(each), None))]
        pairs = {_key(change.after) for change in changed}
        return Difference(counts, [each for each in added if _key(each) not in pairs], list(by_key.values()), changed)

    @property
    def _forward(self) -> tuple[BookPrices, BookPrices]:
        return self.after, self.before

    @property
    def _backward(self) -> tuple[BookPrices, BookPrices]:
        return self.before, self.after

    def _counts(self) -> dict[str, int]:
        added, gone = self._count(*self._forward), self._count(*self._backward)
        changed = self._count(*self._forward, same_key=True) if added and gone else 0
        return {"added": added - changed, "gone": gone - changed, "changed": changed}

    def _count(self, one: BookPrices, other: BookPrices, *, same_key: bool = False) -> int:
        condition = _only(one, other)
        if same_key:
            twin = price.alias()
            condition = and_(condition, _exists(twin, other, one, KEY))
        with one.store.reading() as connection:
            return connection.execute(select(func.count()).select_from(price).where(condition)).scalar_one()

    def _rows(self, one: BookPrices, other: BookPrices, most: int) -> list[Price]:
        order = (price.c.system, price.c.kind, price.c.region, price.c.valid_from, price.c.id)
        rows: Select[Any] = select(price).where(_only(one, other)).order_by(*order).limit(most)
        with one.store.reading() as connection:
            return [one.price(row) for row in connection.execute(rows)]

    def ratios(self) -> Iterator[tuple[Price, Price]]:
        """Offers that have another amount than before, with both rows."""
        for change in self.difference().changed:
            if "amount" in change.cells:
                yield change.before, change.after


def _only(one: BookPrices, other: BookPrices) -> ColumnElement[bool]:
    """Rows of one state of which the other has no equal."""
    twin = price.alias()
    return and_(one.live_in(price), not_(other.live_in(price)), not_(_exists(twin, other, one, CONTENT)))


def _exists(twin: FromClause, other: BookPrices, one: BookPrices, names: tuple[str, ...]) -> ColumnElement[bool]:
    """Whether the other state has a row, not shared with this one, that has the same cells of these names."""
    same = [twin.c[name].is_not_distinct_from(price.c[name]) for name in names]
    return (
        select(twin.c.id)
        .where(other.live_in(twin), not_(one.live_in(twin)), *same, *_indexed(twin))
        .correlate(price)
        .exists()
    )


def _indexed(twin: FromClause) -> list[ColumnElement[bool]]:
    """The same again as plain equality, which the index serves."""
    return [twin.c[name] == price.c[name] for name in ("system", "kind", "region", "valid_from")]


def _key(each: Price) -> tuple[Any, ...]:
    return tuple(getattr(each, name) for name in KEY)


def _unlike(before: Price, after: Price) -> tuple[str, ...]:
    names = (*CONTENT,)
    return tuple(name for name in names if getattr(before, name) != getattr(after, name))
