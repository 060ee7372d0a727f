"""What all price rows of a file say together: the same offer twice, overlapping days, amounts unlike their neighbours.

A million rows pass here, so that only a few numbers of each are kept, in arrays.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pricing.catalogue.book_prices import BookPrices
from pricing.catalogue.books import Import, live
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.importing.nouns import OFFER, PRICES
from pricing.catalogue.per_unit import units_of
from pricing.catalogue.store import Store
from schemas.price import Price
from schemas.system import System

FAR = 1_000.0
FEWEST = 3  # amounts of other systems that are enough to compare a lone one with
MOST_NEIGHBOURS = 20_000  # rows of the book
OPEN = 4_000_000  # a day after all that can be asked, for a row without an end
Numbers = NDArray[Any]


class Clash(NamedTuple):
    """Two rows of one offer of which only one can hold; lines below 0 are rows of the book, from -1 down."""

    first: int
    second: int
    overlaps: bool


class Market(NamedTuple):
    """The neighbours of an amount: those of its system, those of all; and what part of it is for an accelerator."""

    unit: int
    market: int
    share: float


class Offers:
    """The offers of a file, and of the book beside it."""

    def __init__(self, systems: Mapping[str, System]) -> None:
        self._systems = systems
        self._known: dict[tuple[str, str, str, str], Market] = {}
        self._offer, self._begins, self._ends, self._line = array("q"), array("i"), array("i"), array("i")
        self._unit, self._market, self._amount, self._of = array("q"), array("q"), array("d"), array("i")

    def add(self, line: int, values: Mapping[str, Any]) -> None:
        """Take part of a row in, of the file where its line is above 0, else of the book."""
        self.add_days(line, values)
        self.add_amount(line, values)

    def add_days(self, line: int, values: Mapping[str, Any]) -> None:
        """Take in from when to when an offer holds."""
        ends = values.get("valid_to")
        self._offer.append(hash(tuple(map(values.get, OFFER))))
        self._begins.append(values["valid_from"].toordinal())
        self._ends.append(ends.toordinal() if ends else OPEN)
        self._line.append(line)

    def add_amount(self, line: int, values: Mapping[str, Any]) -> None:
        """Take in the amount for each accelerator, as the neighbour of others."""
        amount = values.get("amount")
        if amount is None:
            return
        market = (values["system"], values["every"], values["currency"], values["per"])
        known = self._known.get(market)
        if known is None:
            known = self._known[market] = self._market_of(*market)
        self._amount.append(float(amount) * known.share)
        self._unit.append(known.unit)
        self._market.append(known.market)
        self._of.append(line)

    def _market_of(self, system: str, every: str, currency: str, per: str) -> "Market":
        """Where an amount has its neighbours, and what part of it is for one accelerator."""
        held = self._systems[system]
        share = units_of(per, held) / (held.accelerators or 1)
        return Market(hash((system, every, currency)), hash((every, currency)), share or 1.0)

    def add_prices(self, prices: Iterable[Price]) -> None:
        """Take in the amounts of other prices, as neighbours only."""
        for each in prices:
            if each.amount is not None and each.system in self._systems:
                cells = {"system": each.system, "every": each.every, "currency": each.currency, "per": each.per}
                self.add_amount(0, {**cells, "amount": each.amount})

    def add_book(self, catalogue: Catalogue, store: Store, name: str, imports: Sequence[Import]) -> None:
        """Take in the amounts of the shipped facts and of the book, which are neighbours of the file's."""
        self.add_prices(each for prices in catalogue.prices.values() for each in prices)
        held = BookPrices(store, name, live(imports, PRICES.name))
        self.add_prices(each for _, each in islice(held.each(), MOST_NEIGHBOURS))

    def mark(self) -> tuple[int, int]:
        """How much was taken in so far."""
        return len(self._offer), len(self._amount)

    def keep(self, mark: tuple[int, int]) -> None:
        """Forget what was taken in since."""
        days, amounts = mark
        for each in (self._offer, self._begins, self._ends, self._line):
            del each[days:]
        for other in (self._unit, self._market, self._amount, self._of):
            del other[amounts:]

    def clashes(self, most: int) -> list[Clash]:
        """The same offer twice on one day, or one whose end lies after the next one's beginning."""
        offer, begins, ends, line = (np.asarray(each) for each in (self._offer, self._begins, self._ends, self._line))
        order = np.lexsort((line, begins, offer))
        offer, begins, ends, line = offer[order], begins[order], ends[order], line[order]
        same = offer[1:] == offer[:-1]
        twice = same & (begins[1:] == begins[:-1])
        overlaps = same & ~twice & (ends[:-1] != OPEN) & (ends[:-1] > begins[1:])
        found = np.flatnonzero(twice | overlaps)[:most]
        return [Clash(int(line[at]), int(line[at + 1]), bool(overlaps[at])) for at in found]

    def outliers(self, most: int) -> list[tuple[int, float]]:
        """Lines of the file whose amount is far from its neighbours', and how many times theirs it is."""
        unit, amount, line = np.asarray(self._unit), np.asarray(self._amount), np.asarray(self._of)
        order = np.argsort(unit, kind="stable")
        starts = np.flatnonzero(np.r_[True, unit[order][1:] != unit[order][:-1]]) if len(order) else order
        found: list[tuple[int, float]] = []
        for group in self._suspicious(amount[order], starts, len(order)):
            members = order[group]
            others = self._others(members, amount)
            found += [(int(line[at]), ratio) for at in members if line[at] > 0 and _far(ratio := others(at))]
            if len(found) >= most:
                break
        return sorted(found[:most])

    def _suspicious(self, amounts: Numbers, starts: Numbers, total: int) -> Iterator[slice]:
        """Groups of one system's amounts that are far apart, and those with a single one."""
        if not total:
            return
        ends = np.r_[starts[1:], total]
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.maximum.reduceat(amounts, starts) / np.minimum.reduceat(amounts, starts)
        for at in np.flatnonzero((spread >= FAR) | np.isnan(spread) | (ends - starts == 1)):
            yield slice(int(starts[at]), int(ends[at]))

    def _others(self, members: Numbers, amount: Numbers) -> Any:
        """How many times the median of its neighbours an amount is: the system's others, else those of its market."""
        if len(members) > 1:
            return lambda at: _times(float(amount[at]), float(np.median(amount[members[members != at]])))
        market = self._markets().get(self._market[int(members[0])], 0.0)
        return lambda at: _times(float(amount[at]), market) if market else 1.0

    def _markets(self) -> dict[int, float]:
        """The median amount for an accelerator in each market, of those with enough amounts."""
        if not hasattr(self, "_medians"):
            market, amount = np.asarray(self._market), np.asarray(self._amount)
            kinds, counts = np.unique(market, return_counts=True)
            enough = kinds[counts > FEWEST]
            self._medians = {int(kind): float(np.median(amount[market == kind])) for kind in enough}
        return self._medians


def _times(amount: float, median: float) -> float:
    if amount == median:
        return 1.0
    return float(amount / median) if median else float("inf")


def _far(ratio: float) -> bool:
    return ratio >= FAR or ratio <= 1 / FAR
