"""The sources that the settings name, and what is known of each."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from pricing.catalogue.importing.report import WARNINGS
from pricing.catalogue.library import Library
from pricing.catalogue.names import find
from pricing.catalogue.sources import configuring
from pricing.catalogue.sources.configuring import Configured
from pricing.catalogue.sources.syncing import Outcome, Wish, sync
from pricing.catalogue.sources.syncing import states as known_states
from service.settings import Settings, from_environment


def configured(settings: Settings | None = None) -> list[Configured]:
    """The sources of the settings. Raises BadConfiguration."""
    settings = settings or from_environment()
    return configuring.configured(settings.sources, settings.price_lists)


def states(library: Library, sources: Sequence[Configured]) -> list[dict[str, Any]]:
    """Each source with when it was last good, how long ago that is, and what is wrong since."""
    known = known_states(library.store) if library.store and library.has_books() else {}
    return [_state(each, known.get(each.name, {})) for each in sources]


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


def _age(since: Any) -> str:
    """How long ago, in the unit that people would use."""
    for unit, seconds in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if since.total_seconds() >= seconds:
            return f"{int(since.total_seconds() // seconds)} {unit}"
    return "now"


def sync_all(
    library: Library, sources: Sequence[Configured], name: str | None, wish: Wish, progress: Callable[[int], None]
) -> Iterator[Outcome]:
    """Take in all sources, or the one of a name."""
    for code in wish.accepted:
        find("warning", code, dict.fromkeys(WARNINGS, code))
    return sync(library, sources, name, wish, progress)
