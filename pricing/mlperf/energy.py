"""Energy of a run from its power logs, by MLPerf's method: mean power of each node and switch, times the time to train.

    J = conversion efficiency × mean W × s

Source: mlcommons/logging, result_summarizer. Where a node's measurement is said to stop when it starts (met in v4.0),
the mean is taken up to the last reading instead, which is an estimate and said to be one.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pricing.mlperf.lines import Event, events
from pricing.mlperf.runs import Run

KEYS = ("power_measurement_start", "power_measurement_stop", "power_reading", "conversion_eff")
SWITCH_KEYS = ("interconnect_power_est", "conversion_eff")
MS_PER_SECOND = 1000.0
MOST_WATTS = 1e12


class Energy(NamedTuple):
    """The energy of a run [J], and whether it follows the official method to the letter."""

    joules: float
    estimated: bool


class NoEnergy(ValueError):
    """Power logs that give no energy; says why."""


def run_energy(folder: Path, run: Run) -> Energy:
    """The energy of a run whose power logs lie in a folder. Raises NoEnergy or OSError."""
    nodes = sorted(folder.glob("node_*.txt"))
    if not nodes:
        raise NoEnergy(f"no node_*.txt beside {run.file}")
    found = [_node(path) for path in nodes]
    watts = sum(each.joules for each in found) + sum(_switch(path) for path in sorted(folder.glob("sw_*.txt")))
    return Energy(watts * run.milliseconds / MS_PER_SECOND, any(each.estimated for each in found))


def _node(path: Path) -> Energy:
    """The mean power [W] of a node, where `Energy` says joules: that of one second."""
    meter = _Meter(path)
    for event in sorted(events(path, KEYS), key=lambda each: each.time_ms):
        meter.take(event)
    return meter.mean()


class _Meter:
    """What a node's events come to, taken in the order of their times."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.started: float | None = None
        self.stopped: float | None = None
        self.efficiency, self.total, self.last = 1.0, 0.0, 0.0

    def take(self, event: Event) -> None:
        """Take in one event. A stop at the very start is no stop: the readings after it count."""
        if event.key == "power_measurement_start":
            self.started = self.last = event.time_ms
        elif event.key == "power_measurement_stop":
            self.stopped = event.time_ms
        elif event.key == "conversion_eff":
            self.efficiency = _number(event, self.path)
        elif self.started is not None and self._stop_is_wrong():
            self.total += _number(event, self.path) * (event.time_ms - self.last)
            self.last = event.time_ms

    def _stop_is_wrong(self) -> bool:
        return self.stopped is None or self.started is None or self.stopped <= self.started

    def mean(self) -> Energy:
        """The mean power. Raises NoEnergy."""
        if self.started is None:
            raise NoEnergy(f"{self.path.name} has no power_measurement_start")
        estimated = self._stop_is_wrong()
        end = self.last if self.stopped is None or estimated else self.stopped
        if end <= self.started or self.total <= 0:
            raise NoEnergy(f"{self.path.name} has no readings of power")
        if self.efficiency <= 0:
            raise NoEnergy(f"{self.path.name}: conversion_eff is not above 0")
        return Energy(self.efficiency * self.total / (end - self.started), estimated)


def _switch(path: Path) -> float:
    """The estimated power [W] of a switch: the first that its file names, as the official code has it."""
    efficiency = 1.0
    for event in events(path, SWITCH_KEYS):
        if event.key == "interconnect_power_est":
            return efficiency * _number(event, path)
        efficiency = _number(event, path)
    return 0.0


def _number(event: Event, path: Path) -> float:
    """A number of watts; single readings of a meter may be below 0, as met in v4.0."""
    if isinstance(event.value, bool) or not isinstance(event.value, int | float) or not abs(event.value) < MOST_WATTS:
        raise NoEnergy(f"{path.name}: {event.key} is no number")
    return float(event.value)


def mean_energy(energies: Sequence[Energy]) -> Energy:
    """The mean over the runs that a score keeps."""
    return Energy(sum(each.joules for each in energies) / len(energies), any(each.estimated for each in energies))
