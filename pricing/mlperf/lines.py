"""Lines of MLPerf logs: the three forms that rounds v0.5, v0.6 and v0.7 onwards write, read as events.

    :::MLLOG {"time_ms": 1636168821801, "key": "run_start", "value": null, "metadata": {…}}
    :::MLL 1560881700.827 run_start: {"value": null, "metadata": {…}}
    :::MLPv0.5.0 ncf 1542308773.108 (NeuralCFexample.scala:70) run_start: {…}

Source: mlcommons/logging and the result repositories of each round. A log may be large and its lines may hold anything,
so that a file is read line by line, and only lines of the keys asked are parsed.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

LONGEST_LINE = 1_000_000  # what follows in a line is not read as part of it
TOKEN = b":::ML"
LATEST_MS = 1e14  # some three thousand years
V06 = re.compile(r":::MLL\s+([\d.]+)\s+(\w+)\s*(?::\s*(.*))?$", re.DOTALL)
V05 = re.compile(r":::MLPv0\.5\.0\s+(\w+)\s+([\d.]+)\s+\([^)]*\)\s+(\w+)\s*(?::\s*(.*))?$", re.DOTALL)


class Event(NamedTuple):
    """What a line says: when [ms since 1970], which key, its value, and what stands beside it."""

    time_ms: float
    key: str
    value: Any
    metadata: dict[str, Any]
    is_v05: bool = False


def events(path: Path, keys: tuple[str, ...]) -> Iterator[Event]:
    """The events of these keys, in the order of the file; a line that is broken is none. Raises OSError."""
    fits = _pattern(keys).search
    with path.open("rb") as file:
        for line in iter(partial(file.readline, LONGEST_LINE), b""):
            start = line.find(TOKEN)
            if start >= 0 and fits(line, start) and (event := parse(_text(line[start:]))) and event.key in keys:
                yield event


@cache
def _pattern(keys: tuple[str, ...]) -> re.Pattern[bytes]:
    """What a line of one of these keys holds: cheap, and right too often rather than too seldom."""
    return re.compile(rb"\b(?:%s)\b" % b"|".join(key.encode() for key in keys))


def _text(line: bytes) -> str:
    """Most logs are UTF-8; where one is not, each byte is a character, as the official parser has it."""
    try:
        return line.decode("utf-8").strip()
    except UnicodeDecodeError:
        return line.decode("latin-1").strip()


def parse(line: str) -> Event | None:
    """A line, from its token on, as an event; None where it cannot be one."""
    read: Callable[[str], Event | None] = _old
    if line.startswith(":::MLLOG"):
        read = _mllog
    elif line.startswith(":::MLL"):
        read = _mll
    try:
        event = read(line)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None
    return event if event and abs(event.time_ms) < LATEST_MS else None


def _mllog(line: str) -> Event | None:
    held = json.loads(line.removeprefix(":::MLLOG").strip())
    if not isinstance(held, dict):
        return None
    time_ms = held["time_ms"] if "time_ms" in held else float(held.get("time_s", "none")) * 1000
    return Event(float(time_ms), str(held.get("key")), held.get("value"), _mapping(held.get("metadata")))


def _mll(line: str) -> Event | None:
    found = V06.match(line)
    if found is None:
        return None
    held = json.loads(found[3]) if found[3] else None
    inner = held if isinstance(held, dict) else {"value": held}
    return Event(float(found[1]) * 1000, found[2], inner.get("value"), _mapping(inner.get("metadata")))


def _old(line: str) -> Event | None:
    found = V05.match(line)
    if found is None:
        return None
    return Event(float(found[2]) * 1000, found[3], _loose(found[4]), {}, is_v05=True)


def _loose(text: str | None) -> Any:
    """A value of v0.5: JSON, or a bare text."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _mapping(held: Any) -> dict[str, Any]:
    return held if isinstance(held, dict) else {}
