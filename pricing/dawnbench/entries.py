"""Entries of DAWNBench: a JSON file that says who, on what and at which price, and a TSV file of progress by epoch.

The time is that of the first epoch at the task's target; the cost is that time × the price of the machines an hour.
Source: stanford-futuredata/dawn-bench-entries, README. It is no MLPerf benchmark, and compares with none.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pricing.mlperf.layout import Skipped
from pricing.quantities.rental import rented_cost_per_run
from pricing.quantities.units import MINUTES_PER_HOUR

MOST_BYTES = 10_000_000
NEEDED = ("author", "hardware", "timestamp")


class Task(NamedTuple):
    """A task by the name of its folder: which column of the progress must reach which value."""

    benchmark: str
    column: str
    target: float


TASKS = {
    "CIFAR10": Task("dawnbench-cifar10", "top1Accuracy", 94.0),
    "ImageNet": Task("dawnbench-imagenet", "top5Accuracy", 93.0),
    "SQuAD": Task("dawnbench-squad", "f1Score", 0.73),
}


class Entry(NamedTuple):
    """An entry: the time to the target, and what it cost where it gives a price."""

    path: Path
    task: Task
    author: str
    hardware: str
    framework: str | None
    code_url: str | None
    submitted: str
    epoch: str
    hours: float
    price_per_hour: float | None

    @property
    def minutes(self) -> float:
        """The time to the target [min]."""
        return self.hours * MINUTES_PER_HOUR

    @property
    def cost_usd(self) -> float | None:
        """What the run cost [USD]; None without a price."""
        return None if self.price_per_hour is None else rented_cost_per_run(self.price_per_hour, 1.0, self.minutes)


class BadEntry(ValueError):
    """An entry that cannot be read; says why."""


def read_entries(path: Path) -> Iterator[Entry | Skipped]:
    """The entry of a JSON file, or every one below a folder; a bad one is skipped, and never stops the rest."""
    files = (
        [path] if path.is_file() else sorted(each for each in path.rglob("*.json") if each.parent.name != "inference")
    )
    for each in files:
        where = each.relative_to(path).as_posix() if each != path else each.name
        try:
            yield read_entry(each)
        except BadEntry as error:
            yield Skipped(where, str(error))


def read_entry(path: Path) -> Entry:
    """An entry, with the TSV file beside it. Raises BadEntry."""
    said = _said(path)
    task = next((TASKS[part] for part in reversed(path.resolve().parts) if part in TASKS), None)
    if task is None:
        raise BadEntry(f"no folder above it names its task: {', '.join(TASKS)}")
    epoch, hours = _reached(path.with_suffix(".tsv"), task)
    return Entry(
        path, task, said["author"], said["hardware"], said.get("framework"), said.get("codeURL"), said["timestamp"],
        epoch, hours, _price(said.get("costPerHour")),
    )  # fmt: skip


def _said(path: Path) -> Mapping[str, Any]:
    try:
        held = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise BadEntry(f"no JSON: {error}") from None
    if not isinstance(held, dict):
        raise BadEntry("no JSON object")
    found = {name: " ".join(value.split()) for name, value in held.items() if isinstance(value, str) and value.strip()}
    if missing := [name for name in NEEDED if name not in found]:
        raise BadEntry(f"no entry: it does not say its {missing[0]}")
    return {**found, "costPerHour": held.get("costPerHour")}


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadEntry(f"{path.name} cannot be read: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise BadEntry(f"{path.name} is larger than {MOST_BYTES:,} bytes")
    return content.decode("utf-8-sig", errors="replace")


def _reached(path: Path, task: Task) -> tuple[str, float]:
    """The first epoch at the target, and the hours until then."""
    rows = csv.DictReader(_text(path).splitlines(), delimiter="\t")
    for row in rows:
        try:
            reached, hours = float(row[task.column]), float(row["hours"])
        except (KeyError, TypeError, ValueError):
            raise BadEntry(f"{path.name}: columns epoch, hours and {task.column} with numbers expected") from None
        if reached >= task.target:
            if not 0 < hours < float("inf"):
                raise BadEntry(f"{path.name}: {hours} hours are no time")
            return str(row.get("epoch", "")), hours
    raise BadEntry(f"no epoch reaches {task.column} {task.target:g}")


def _price(said: Any) -> float | None:
    """The price an hour; None where there is none. Raises BadEntry."""
    if said in (None, "", "N/A"):
        return None
    try:
        price = float(said)
    except (TypeError, ValueError):
        raise BadEntry(f"costPerHour {said!r} is no number") from None
    if not 0 < price < float("inf"):
        return None
    return price
