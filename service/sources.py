"""The sources that the settings name, and what is known of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pricing.catalogue.library import Library, Reader
from pricing.catalogue.listing_books import publications
from pricing.catalogue.sources import configuring
from pricing.catalogue.sources.configuring import Configured
from pricing.catalogue.sources.syncing import Outcome, Wish, sync
from pricing.catalogue.sources.syncing import states as known_states
from service.importing import codes
from service.settings import Settings, from_environment


def configured(settings: Settings | None = None) -> list[Configured]:
    """The sources of the settings. Raises BadConfiguration."""
    settings = settings or from_environment()
    return configuring.configured(settings.sources, settings.price_lists)


def states(library: Library, sources: Sequence[Configured], others: Reader | None = None) -> list[dict[str, Any]]:
    """Each source with when it was last good, how long ago that is, and what is wrong since.

    With `others`, also those that no setting names and that have rows in a book which that reader may read.
    """
    known = known_states(library.store) if library.store and library.has_books() else {}
    found = [_state(each, known.get(each.name, {})) for each in sources]
    named = {(each.name, each.book) for each in sources}
    if others is None:
        return found
    held = publications(library, others)
    live: dict[tuple[str, str], dict[str, Any]] = {}
    for each in held:  # the newest first
        live.setdefault((each["source"], each["book"]), each)
    return found + [_imported(each) for key, each in live.items() if key not in named and each["rows"]]


def _imported(each: Mapping[str, Any]) -> dict[str, Any]:
    """A source that was imported by hand, or is configured no longer."""
    at = datetime.fromisoformat(each["published_at"])
    good = {"tried_at": each["published_at"], "good_at": each["published_at"], "age": _age(datetime.now(UTC) - at)}
    return {"name": each["source"], "kind": "imported", "book": each["book"], **good, "fault": None}


def _state(each: Configured, known: dict[str, Any]) -> dict[str, Any]:
    good: datetime | None = known.get("good_at")
    tried: datetime | None = known.get("tried_at")
    return {
        "name": each.name,
        "kind": each.source.kind,
        "book": each.book,
        "tried_at": tried.isoformat(timespec="seconds") if tried else None,
        "good_at": good.isoformat(timespec="seconds") if good else None,
        "age": _age(datetime.now(UTC) - good) if good else None,
        "fault": known.get("fault"),
    }


def _age(since: timedelta) -> str:
    """How long ago, in the unit that people would use."""
    for unit, seconds in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if (count := int(since.total_seconds() // seconds)) >= 1:
            return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
    return "now"


def sync_all(
    library: Library, sources: Sequence[Configured], name: str | None, wish: Wish, progress: Callable[[int], None]
) -> Iterator[Outcome]:
    """Take in all sources, or the one of a name."""
    return sync(library, sources, name, replace(wish, accepted=codes(wish.accepted)), progress)
