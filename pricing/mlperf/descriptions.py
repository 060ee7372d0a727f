"""What a submission says of its system: a JSON file, in the forms of all rounds and with the faults met in them.

Trailing commas, keys with blanks or stray quotes, keys twice, numbers as texts; v0.5's entry with a list of nodes;
v0.6's lines `key: {json}` whose entry is a Python literal. What cannot be read is said, and never guessed.
"""

import ast
import json
import re
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

MOST_BYTES = 1_000_000
DIVISIONS = {"closed": "closed", "close": "closed", "open": "open"}
"""Spellings met; another is no division."""
TRAILING_COMMA = re.compile(r",(\s*[}\]])")
TIMES = re.compile(r"^(\d+)\s*x\s+(?=\S)")
NOTHING = ("", "-", "tbd", "todo")


class Description(NamedTuple):
    """A system as its submitter describes it; None where nothing is said. Accelerators are 0 where there are none."""

    submitter: str | None = None
    name: str | None = None
    division: str | None = None
    status: str | None = None
    nodes: int | None = None
    accelerators: int | None = None
    """In all nodes together."""
    accelerator_model: str | None = None
    host_processors: int | None = None
    host_processor_model: str | None = None
    framework: str | None = None


class BadDescription(ValueError):
    """A description that cannot be read; says why."""


def read_description(path: Path) -> Description:
    """The description in a file. Raises BadDescription."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadDescription(f"it cannot be read: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise BadDescription(f"it is larger than {MOST_BYTES:,} bytes")
    held = _loads(content.decode("utf-8-sig", errors="replace"))
    return _of_nodes(held) if "nodes" in held and "accelerators_per_node" not in held else _plain(held)


def _loads(text: str) -> Mapping[str, Any]:
    try:
        held = json.loads(TRAILING_COMMA.sub(r"\1", text), object_pairs_hook=_pairs)
    except (ValueError, RecursionError):
        held = _loads_lines(text)
    if not isinstance(held, dict) or not held:
        raise BadDescription("it is no JSON object")
    return held


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; its keys without blanks at the ends or stray quotes, the last of two alike holds."""
    return {key.strip(" \t'\"").replace(" ", "_"): value for key, value in pairs}


def _loads_lines(text: str) -> dict[str, Any]:
    """The lines `key: {"value": …}` of v0.6, whose `entry` is a Python literal with literals in it."""
    found: dict[str, Any] = {}
    for line in text.splitlines():
        key, colon, rest = line.partition(":")
        if not (colon and rest.strip().startswith("{")):
            continue
        try:
            found[key.strip()] = json.loads(rest).get("value")
        except (ValueError, RecursionError):
            continue
    entry = _literal(found.get("entry"))
    if isinstance(entry, dict):
        entry["nodes"] = _literal(entry.get("nodes"))
        found.update(entry)
    return found


def _literal(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _plain(held: Mapping[str, Any]) -> Description:
    """The form since v0.7: so many nodes, with so much in each."""
    nodes = _whole(held.get("number_of_nodes"))
    return Description(
        submitter=_words(held.get("submitter") or held.get("sumitter")),
        name=_words(held.get("system_name")),
        division=_division(held),
        status=_words(held.get("status")),
        nodes=nodes,
        accelerators=_times(nodes, _whole(held.get("accelerators_per_node"))),
        accelerator_model=_words(held.get("accelerator_model_name")),
        host_processors=_times(nodes, _whole(held.get("host_processors_per_node"))),
        host_processor_model=_words(held.get("host_processor_model_name")),
        framework=_words(held.get("framework")),
    )


def _of_nodes(held: Mapping[str, Any]) -> Description:
    """The form of v0.5, and of some in v0.6: a list of kinds of node."""
    nodes = held["nodes"] if isinstance(held["nodes"], list) else [held["nodes"]]
    kinds = [each for each in nodes if isinstance(each, dict)]
    counts = [_whole(each.get("num_nodes")) for each in kinds]
    models = [_words(each.get("accelerator")) for each in kinds]
    processors = [_words(each.get("cpu")) or "" for each in kinds]
    sockets = [int(found[1]) if (found := TIMES.match(each)) else None for each in processors]
    each_has = [_whole(each.get("num_accelerators")) for each in kinds]
    return Description(
        submitter=_words(held.get("org")),
        name=_words(held.get("platform") or held.get("system_name") or held.get("hardware")),
        division=_division(held),
        status=_words(held.get("status")),
        nodes=_sum(counts),
        accelerators=_sum([_times(*pair) for pair in zip(counts, each_has, strict=True)]),
        accelerator_model=" + ".join(dict.fromkeys(each for each in models if each)) or None,
        host_processors=_sum([_times(*pair) for pair in zip(counts, sockets, strict=True)]),
        host_processor_model=" + ".join(dict.fromkeys(TIMES.sub("", each) for each in processors if each)) or None,
        framework=_words(held.get("framework")),
    )


def _division(held: Mapping[str, Any]) -> str | None:
    said = _words(held.get("division") or held.get("divison"))
    return DIVISIONS.get(said.lower()) if said else None


def _words(value: Any) -> str | None:
    """A text in one line without blanks at its ends; None where it says nothing."""
    text = " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
    return None if text.lower() in NOTHING else text


def _whole(value: Any) -> int | None:
    """A count, also as a text or as 1.0; None where it is none."""
    try:
        number = float(str(value).strip())
    except ValueError:
        return None
    return int(number) if isfinite(number) and number >= 0 and number == int(number) else None


def _times(count: int | None, each: int | None) -> int | None:
    return None if count is None or each is None else count * each


def _sum(counts: list[int | None]) -> int | None:
    known = [each for each in counts if each is not None]
    return sum(known) if known and len(known) == len(counts) else None
