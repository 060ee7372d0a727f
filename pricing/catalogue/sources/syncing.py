"""Taking in what sources have now. One that fails keeps its last good rows, and stops no other."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import insert, select, update

from pricing.catalogue.books import heads, imports_of, live_of_source
from pricing.catalogue.importing.nouns import PRICES
from pricing.catalogue.importing.report import Report
from pricing.catalogue.importing.run import Request, take_in
from pricing.catalogue.library import Library
from pricing.catalogue.names import find
from pricing.catalogue.sources.base import Unchanged, numbered
from pricing.catalogue.sources.configuring import Configured
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import source_state
from pricing.errors import NoStore, StoreMismatch, StoreUnavailable, TraincostError

LOG = logging.getLogger("traincost")
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one source: a report, nothing new, or a fault."""

    name: str
    report: Report | None = None
    fault: str | None = None

    @property
    def good(self) -> bool:
        """Whether the book now holds what the source has."""
        return self.fault is None and (self.report is None or not self.report.refused)

    def lines(self) -> list[str]:
        """The outcome for a terminal."""
        if self.fault:
            return [f"{self.name}: failed, its last good rows stay: {self.fault}"]
        if self.report is None:
            return [f"{self.name}: nothing new"]
        return [f"{self.name}: {line}" for line in self.report.lines()]

    def document(self) -> dict[str, Any]:
        """The outcome as JSON holds it."""
        report = self.report.document() if self.report else None
        return {"source": self.name, "good": self.good, "fault": self.fault, "report": report}


@dataclass(frozen=True, slots=True)
class Wish:
    """How sources are taken in: warnings that are accepted, and whether only to try."""

    accepted: tuple[str, ...] = ()
    dry_run: bool = False


def sync(
    library: Library, sources: Sequence[Configured], name: str | None, wish: Wish, progress: Progress
) -> Iterator[Outcome]:
    """Take in every source, or the one of that name, one after the other. Raises UnknownName, NoStore."""
    if library.store is None:
        raise NoStore
    chosen = [find("source", name, {each.name: each for each in sources})] if name else sources
    for each in chosen:
        yield _sync_one(library, each, wish, progress)


def _sync_one(library: Library, each: Configured, wish: Wish, progress: Progress) -> Outcome:
    """Take one source in. The one broad catch of this code stands here: a guest may raise anything."""
    try:
        outcome = _taken(library, each, wish, progress)
    except Unchanged:
        outcome = Outcome(each.name)
    except (StoreUnavailable, StoreMismatch):
        raise
    except TraincostError as error:
        outcome = Outcome(each.name, fault=str(error))
    except Exception as error:
        LOG.exception("source %s", each.name)
        outcome = Outcome(each.name, fault=f"{type(error).__name__}: {str(error)[:300]}")
    if library.store and not wish.dry_run:
        _note(library.store, each, outcome)
    return outcome


def _taken(library: Library, each: Configured, wish: Wish, progress: Progress) -> Outcome:
    source: Any = each.source
    if library.store and hasattr(source, "state"):
        source.state = _state(library.store, each)
    request = Request(
        book=each.book,
        source=each.name,
        layout=each.layout,
        accepted=wish.accepted,
        dry_run=wish.dry_run,
        entered_by=f"source {each.name}",
    )
    return Outcome(each.name, take_in(library, request, numbered(source.prices()), progress))


def _state(store: Store, each: Configured) -> dict[str, str]:
    """What a source wanted to be told: nothing unless its rows of then, read in the same way, are in the book."""
    held = states(store).get(each.name)
    named = heads(store).get(each.book)
    if held is None or named is None or named.is_purged:
        return {}
    kept = json.loads(held["state"])
    imports = imports_of(store, named.id, named.head)
    is_there = bool(live_of_source(imports, PRICES.name, each.name))
    found: dict[str, str] = kept.get("state", {}) if is_there and kept.get("read_by") == _way(each) else {}
    return found


def _way(each: Configured) -> str:
    """How the rows of a source are read, as a digest."""
    return sha256(repr((each.source.kind, each.book, each.layout)).encode()).hexdigest()[:16]


def states(store: Store) -> dict[str, dict[str, Any]]:
    """What is known of each source that was taken in or tried."""
    if not store.exists():
        return {}
    with store.reading() as connection:
        return {row.name: dict(row._mapping) for row in connection.execute(select(source_state))}


def _note(store: Store, each: Configured, outcome: Outcome) -> None:
    """Remember when a source was tried, when it was last good, and what went wrong."""
    now = datetime.now(UTC)
    refused = outcome.report is not None and outcome.report.refused
    fault = outcome.fault or (" ".join(outcome.report.lines()[1:]) if outcome.report and refused else None)
    row: dict[str, Any] = {"book": each.book, "tried_at": now, "fault": fault[:2000] if fault else None}
    if outcome.good:
        kept = {"state": getattr(each.source, "state", {}), "read_by": _way(each)}
        row |= {"good_at": now, "state": json.dumps(kept)}
    with store.publishing() as connection:
        named = source_state.c.name == each.name
        if not connection.execute(update(source_state).where(named).values(row)).rowcount:
            connection.execute(insert(source_state).values({"state": "{}", **row, "name": each.name}))
