"""What differs between two catalogue versions as an answer."""

from collections.abc import Iterator, Sequence
from typing import Any

from pricing.analysis.moving import VersionDifference, document
from pricing.catalogue.differing import Change, Difference
from schemas.price import Price
from service.answers.answer import Page, Records
from service.answers.documents import price_document

MOST_TOLD = 40


class DifferenceAnswer:
    """A difference in every shape."""

    def __init__(self, difference: VersionDifference) -> None:
        self.difference = difference

    def document(self) -> dict[str, Any]:
        """The difference as JSON holds it."""
        each = self.difference
        prices = {name: _prices(held) for name, held in each.prices.items()}
        return {"before": each.before.version, "after": each.after.version, "prices": prices, **document(each)}

    def records(self) -> Records:
        """One row a price that differs, and one an answer that moves."""
        columns = ("what", "book", "change", "before", "after")
        return Records(tuple((name, None) for name in columns), list(self._rows()))

    def _rows(self) -> Iterator[Sequence[str | None]]:
        for name, held in self.difference.prices.items():
            yield from (["price", name, "added", None, _said(each)] for each in held.added)
            yield from (["price", name, "gone", _said(each), None] for each in held.gone)
            yield from (["price", name, "changed", _said(each.before), _said(each.after)] for each in held.changed)
        for table in self.difference.tables:
            for change, keys in (("added", table.added), ("gone", table.gone), ("changed", table.changed)):
                yield from (["row", table.table, change, None, key] for key in keys)
        yield from (["answer", None, each.name, each.before, each.after] for each in self.difference.answers)

    def page(self) -> Page:
        """The counts, the first rows, and the answers that move."""
        each = self.difference
        notes = [
            f"{name}: {', '.join(f'{count:,} {what}' for what, count in held.counts.items())}"
            for name, held in each.prices.items()
        ]
        rows = list(self._rows())
        notes += [_line(row) for row in rows[:MOST_TOLD]]
        notes += [f"and {len(rows) - MOST_TOLD} more: ask for json or csv"] if len(rows) > MOST_TOLD else []
        return Page([f"from {each.before.version}", f"to {each.after.version}"], [], notes or ["nothing differs"])


def _line(row: Sequence[str | None]) -> str:
    """A row of the difference in a sentence: what it was, and what it is."""
    *what, before, after = row
    named = " ".join(cell for cell in what if cell)
    return f"{named}: {' → '.join(cell for cell in (before, after) if cell)}"


def _prices(held: Difference) -> dict[str, Any]:
    return {
        **held.counts,
        "rows_added": [price_document(each) for each in held.added],
        "rows_gone": [price_document(each) for each in held.gone],
        "rows_changed": [_change(each) for each in held.changed],
    }


def _change(each: Change) -> dict[str, Any]:
    return {"before": price_document(each.before), "after": price_document(each.after), "cells": list(each.cells)}


def _said(each: Price) -> str:
    amount = f"{each.low}–{each.high}" if each.amount is None else f"{each.amount}"
    return f"{each.system} {each.kind} {amount} {each.currency} from {each.valid_from} ({each.row})"
