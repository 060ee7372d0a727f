"""What an import of systems, results, runs or assumptions changes in its source: rows added, gone, changed."""

import json
from collections.abc import Mapping
from typing import Any

from pricing.catalogue.books import BookAt, heads
from pricing.catalogue.importing.nouns import Noun
from pricing.catalogue.importing.staging import fact_cells
from pricing.catalogue.store import Store

PLACE = ("book", "row")
MOST_EXAMPLES = 10
Rows = Mapping[str, Mapping[str, Any]]


class FactChanges:
    """The rows of a file by their keys; None where a row is withdrawn."""

    def __init__(self, noun: Noun) -> None:
        self.noun = noun
        self._rows: dict[str, Mapping[str, Any] | None] = {}

    def add(self, values: Mapping[str, Any], *, withdrawn: bool = False) -> None:
        """Take in a row."""
        made = fact_cells(self.noun, values, withdrawn=withdrawn)
        self._rows[made["key"]] = json.loads(made["cells"]) if made["cells"] else None

    def against(self, held: Rows, *, replaces: bool) -> tuple[dict[str, int], list[str]]:
        """How many rows differ from those that the source has now, and the first of them in words."""
        before = {key: {name: cell for name, cell in row.items() if name not in PLACE} for key, row in held.items()}
        now = {key: row for key, row in self._rows.items() if row is not None}
        ended = before.keys() - now.keys() if replaces else before.keys() & (self._rows.keys() - now.keys())
        found = {
            "added": [key for key in now if key not in before],
            "gone": [key for key in before if key in ended],
            "changed": [key for key in now if key in before and now[key] != before[key]],
        }
        examples = [f"changed: {_name(key)}: {_cells(before[key], now[key])}" for key in found["changed"]]
        if before:
            examples += [f"{word}: {_name(key)}" for word in ("gone", "added") for key in found[word]]
        return {word: len(keys) for word, keys in found.items()}, examples[:MOST_EXAMPLES]


def held_facts(store: Store, book: str, noun: Noun, source: str) -> Rows:
    """The rows that a source has in a book now."""
    named = heads(store).get(book)
    return BookAt(store, named, named.head).facts(noun.name, source) if named else {}


def _name(key: str) -> str:
    return " ".join(part for part in json.loads(key) if part)


def _cells(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    names = [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]
    return ", ".join(f"{name} {before.get(name, 'blank')} → {after.get(name, 'blank')}" for name in names)
