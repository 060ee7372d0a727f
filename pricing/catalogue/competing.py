"""Offers of one source that another source of the same book has, too, with another amount."""

from typing import Any, NamedTuple

from sqlalchemy import and_, select

from pricing.catalogue.book_prices import BookPrices
from pricing.catalogue.importing.nouns import OFFER
from pricing.catalogue.store_tables import price

KEY = (*OFFER, "valid_from")
INDEXED = ("system", "kind", "region", "valid_from")


class Rival(NamedTuple):
    """A line of an import, and the row of another source that says another amount."""

    line: int
    system: str
    amount: str | None
    row: str
    other: str | None


def rivals(import_id: int, others: BookPrices, most: int) -> list[Rival]:
    """The first rows of an import of which other sources' live rows say another amount. Raises StoreUnavailable."""
    if not others.total:
        return []
    twin = price.alias()
    alike = [twin.c[name] == price.c[name] for name in INDEXED]
    same: list[Any] = [twin.c[name].is_not_distinct_from(price.c[name]) for name in KEY if name not in INDEXED]
    unlike = twin.c.amount.is_distinct_from(price.c.amount)
    found = (
        select(price.c.line, price.c.system, price.c.amount, twin)
        .join(twin, and_(*alike, *same, unlike))
        .where(price.c.import_id == import_id, others.live_in(twin))
        .order_by(price.c.line, twin.c.id)
        .limit(most)
    )
    with others.store.reading() as connection:
        return [_rival(others, row) for row in connection.execute(found)]


def _rival(others: BookPrices, row: Any) -> Rival:
    line, system, amount, *twin = row
    other = others.price(twin)
    return Rival(line, system, amount, other.row or "", str(other.amount))
