"""DAWNBench's entries as rows of a book's results."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pricing.catalogue.results import NOT_MLPERF
from pricing.catalogue.sources.base import Row
from pricing.dawnbench.entries import Entry
from pricing.mlperf.booking import LogRow
from pricing.mlperf.layout import Skipped
from pricing.mlperf.tying import Given

CURRENCY = "USD"


class DawnBooking:
    """The entries with their systems, as the caller ties them; nothing else says what their hardware is."""

    def __init__(self, found: Sequence[Entry | Skipped], given: Given) -> None:
        self.entries = [each for each in found if isinstance(each, Entry)]
        self.skipped = [each for each in found if isinstance(each, Skipped)]
        self.given = given

    def rows(self) -> Iterator[Row]:
        """A row for each entry, with its file."""
        for line, entry in enumerate(self.entries, 1):
            yield LogRow(line, self.cells(entry), entry.path.name)

    def skip(self, bad: Mapping[int, str]) -> None:
        """Leave out the rows of these numbers, from 1, for these reasons."""
        for line, detail in bad.items():
            self.skipped.append(Skipped(self.entries[line - 1].path.name, detail))
        self.entries = [each for line, each in enumerate(self.entries, 1) if line not in bad]

    def cells(self, entry: Entry) -> dict[str, Any]:
        """The entry as a book has it."""
        system, units = self.given.get(entry.path.stem) or self.given.get(entry.hardware) or (None, None)
        return {
            "benchmark": entry.task.benchmark,
            "round": NOT_MLPERF,
            "submitter": entry.author,
            "source": f"DAWNBench entry {entry.path.stem} of {entry.submitted}",
            "kind": "dawnbench",
            "system": system,
            "units": units,
            "system_id": entry.path.stem,
            "system_name": entry.hardware,
            "time_to_train_minutes": entry.minutes,
            "url": entry.code_url,
            "framework": entry.framework,
            "price_per_hour": entry.price_per_hour,
            "currency": CURRENCY if entry.price_per_hour else None,
            "note": f"epoch {entry.epoch} is the first with {entry.task.column} of {entry.task.target:g} or more",
        }

    def document(self) -> dict[str, Any]:
        """What was read and what was skipped, as JSON holds it; with what each run cost, by its entry."""
        shown = [
            {**self.cells(entry), "entry": entry.path.stem, "cost_per_run": entry.cost_usd} for entry in self.entries
        ]
        return {"results": shown, "skipped": [{"path": each.path, "reason": each.reason} for each in self.skipped]}

    def lines(self) -> list[str]:
        """What was read and what was skipped, for a terminal."""
        found = [f"{len(self.entries):,} {'entry' if len(self.entries) == 1 else 'entries'} read"]
        found += [f"{entry.path.stem}: {_told(entry)}" for entry in self.entries]
        if any(self.cells(entry)["system"] is None for entry in self.entries):
            found.append("tie entries to systems, to compare them, with --tie 'ENTRY or HARDWARE=UNITS*SYSTEM'")
        return [*found, *(f"skipped: {each.path}: {each.reason}" for each in self.skipped)]


def _told(entry: Entry) -> str:
    cost = "" if entry.cost_usd is None else f", {entry.cost_usd:,.2f} {CURRENCY}"
    return f"{entry.minutes:,.2f} min{cost}, on {entry.hardware}"
