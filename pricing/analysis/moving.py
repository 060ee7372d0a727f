"""What differs between two catalogue versions, and which named answers move: the claims and the rankings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any

from pricing.analysis.asking import today
from pricing.analysis.claims import claims
from pricing.analysis.ranking import rank
from pricing.catalogue.book_prices import BookPrices
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.differing import Difference
from pricing.catalogue.differing import difference as price_difference
from pricing.catalogue.facts import RESULTS, TABLES
from pricing.errors import BadQuestion

NOUNS = ("systems", "results", "runs", "assumptions")
Keyed = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Moved:
    """A named answer that differs."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TableChange:
    """How many rows of a table of facts, or of one noun of a book, differ; the keys of the first of them."""

    table: str
    added: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """Two versions with what differs between them."""

    before: Catalogue
    after: Catalogue
    tables: tuple[TableChange, ...]
    prices: Mapping[str, Difference]
    answers: tuple[Moved, ...]


def difference(before: Catalogue, after: Catalogue) -> VersionDifference:
    """Everything in which the versions differ; the answers are of today at both."""
    tables = (*_facts(before, after), *_own(before, after))
    return VersionDifference(before, after, tables, _prices(before, after), tuple(_answers(before, after)))


def _facts(before: Catalogue, after: Catalogue) -> Iterator[TableChange]:
    """Tables of the shipped facts that differ."""
    if before.facts.version == after.facts.version:
        return
    for file in sorted(before.facts.tables.keys() | after.facts.tables.keys()):
        _, key = TABLES.get(file, RESULTS)
        old, new = ({attrgetter(*key)(row): row for row in each.facts.of(file)} for each in (before, after))
        yield from _compared(file, old, new)


def _own(before: Catalogue, after: Catalogue) -> Iterator[TableChange]:
    """Systems, results and assumptions of books that differ."""
    for name in sorted({each.name for each in (*before.books, *after.books)}):
        for noun in NOUNS:
            old, new = (_rows(each, name, noun) for each in (before, after))
            yield from _compared(f"{name} {noun}", old, new)


def _rows(catalogue: Catalogue, name: str, noun: str) -> Keyed:
    held = [each.facts(noun) for each in catalogue.books if each.name == name]
    return {key: {**row, "row": None} for rows in held for key, row in rows.items()}


def _compared(table: str, old: Keyed, new: Keyed) -> Iterator[TableChange]:
    added, gone = (
        tuple(map(_shown, sorted(one.keys() - other.keys(), key=str))) for one, other in ((new, old), (old, new))
    )
    changed = tuple(_shown(key) for key in sorted(old.keys() & new.keys(), key=str) if old[key] != new[key])
    if added or gone or changed:
        yield TableChange(table, added, gone, changed)


def _ordered(keys: Iterable[Any]) -> tuple[str, ...]:
    return tuple(sorted(map(_shown, keys)))


def _shown(key: Any) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _prices(before: Catalogue, after: Catalogue) -> dict[str, Difference]:
    """The prices of books that differ, by book."""
    found = {}
    stores = [each.store for each in (*before.books, *after.books)]
    for name in dict.fromkeys(each.name for each in (*before.books, *after.books)):
        old, new = (
            next((book.prices for book in each.books if book.name == name), BookPrices(stores[0], name, ()))
            for each in (before, after)
        )
        differing = price_difference(old, new)
        if any(differing.counts.values()):
            found[name] = differing
    return found


def _answers(before: Catalogue, after: Catalogue) -> Iterator[Moved]:
    old, new = (dict(_named(each)) for each in (before, after))
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield Moved(name, old.get(name, "none"), new.get(name, "none"))


def _named(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Every claim with its figure and verdict, and every ranking with its order and values."""
    day = today()
    for claim in claims(catalogue, {"as_of": day}).claims:
        for check in claim.checks:
            part = f" part {check.row.part}" if check.row.part else ""
            computed = "" if check.computed is None else f" ({check.computed:.6g})"
            yield f"claim {claim.number}{part}", f"{check.verdict}{computed}"
    for benchmark in catalogue.by_benchmark:
        try:
            ranking = rank(catalogue, {"benchmark": benchmark, "as_of": day})
        except BadQuestion:
            continue  # no round of it has a closed result
        places = (f"{side.name} {side.values[ranking.metric]:.6g}" for side in ranking.sides)
        yield f"ranking {benchmark}", ", ".join(places) or "none"


def document(found: VersionDifference) -> dict[str, Any]:
    """The tables and answers as plain values."""
    return {"facts": [asdict(each) for each in found.tables], "answers": [asdict(each) for each in found.answers]}
