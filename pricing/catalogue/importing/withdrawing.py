"""Withdrawals: rows of a merge that end rows of the same source which are in the book already."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert

from pricing.catalogue.book_prices import BookPrices
from pricing.catalogue.importing.nouns import PRICES
from pricing.catalogue.importing.report import Finding, Report
from pricing.catalogue.sources.base import Row
from pricing.catalogue.store_tables import withdrawal
from schemas.price import Price


class Withdrawals:
    """The offers that a file withdraws, and the rows that they are."""

    def __init__(self) -> None:
        self._wanted: dict[tuple[Any, ...], Row] = {}
        self._ids: list[int] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, row: Row, values: Mapping[str, Any]) -> None:
        """Withdraw the row of that offer and day."""
        self._wanted[tuple(values.get(name) for name in PRICES.key)] = row

    def kept(self, held: BookPrices, report: Report) -> list[tuple[int, Price]]:
        """The source's rows that stay. A withdrawal that fits no row is a fault."""
        kept, waiting = [], dict(self._wanted)
        self._ids = []
        for number, each in held.each():
            if waiting.pop(tuple(getattr(each, name) for name in PRICES.key), None):
                self._ids.append(number)
            else:
                kept.append((number, each))
        for row in waiting.values():
            detail = "the source has no row of this offer and day that could be withdrawn"
            report.fault(Finding(row.line, None, detail, row.at()))
        return kept

    def write(self, connection: Connection, import_id: int) -> None:
        """Note which rows end with an import."""
        if self._ids:
            rows = [{"import_id": import_id, "price_id": each} for each in self._ids]
            connection.execute(insert(withdrawal), rows)
