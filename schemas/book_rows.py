"""What the rows of a book are, beside prices: systems, results and assumptions that a user brings."""

from dataclasses import dataclass
from typing import Literal

from schemas.system import Deployment


@dataclass(frozen=True, slots=True)
class OwnSystem:
    """A system that the facts do not hold. Heights in U, power in kW, for one system."""

    id: str
    name: str
    vendor: str
    accelerator_model: str
    accelerators: int
    hosts: int
    source: str
    family: str | None
    deployment: Deployment | None
    rack_units: float | None
    max_power_kw: float | None
    typical_power_kw: float | None
    released: str | None
    aliases: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse a height or power that cannot be."""
        figures = (self.rack_units, self.max_power_kw, self.typical_power_kw)
        if any(figure is not None and figure <= 0 for figure in figures):
            raise ValueError("rack units and power are above 0, or blank")


NOT_MLPERF = "not-mlperf"
MOST = 1e18
"""Beyond what any figure of a run can be."""
ResultKind = Literal["own_run", "logs", "dawnbench", "vendor"]
"""Who says a time: its owner; MLPerf result logs that were read here; a DAWNBench entry; a vendor's publication."""


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A time to train [min] of `units` systems on one job. Whatever its kind, nobody checked that it is official.

    A result of logs may be tied to no system, and may have no score: then `time_to_train_minutes` is blank. `minutes`
    is the mean before `scaling_factor`; `run_minutes` are those of the runs that converged, with blanks between.
    """

    benchmark: str
    round: str
    submitter: str
    source: str
    division: Literal["closed", "open"] | None
    system: str | None
    units: int | None
    time_to_train_minutes: float | None
    url: str | None
    energy_j: float | None
    kind: ResultKind | None
    system_id: str | None
    system_name: str | None
    status: str | None
    nodes: int | None
    accelerators_total: int | None
    accelerator_model: str | None
    hosts: int | None
    host_processors_total: int | None
    host_processor_model: str | None
    framework: str | None
    runs: int | None
    runs_failed: int | None
    run_minutes: str | None
    minutes: float | None
    scaling_factor: float | None
    price_per_hour: float | None
    currency: str | None
    note: str | None

    def __post_init__(self) -> None:
        """Refuse figures that cannot be, and what a result of its kind must say and does not."""
        figures = (self.time_to_train_minutes, self.units, self.energy_j, self.minutes, self.scaling_factor)
        if any(figure is not None and not 0 < figure < MOST for figure in figures):
            raise ValueError(
                f"time_to_train_minutes, units, energy_j, minutes and scaling_factor are above 0, below {MOST:g}"
            )
        if (self.system is None) != (self.units is None):
            raise ValueError("system and units are given together")
        needed = NEEDED[self.kind or "own_run"]
        if self.round == NOT_MLPERF:
            needed = tuple(name for name in needed if name != "division")
        if missing := [name for name in needed if getattr(self, name) is None]:
            raise ValueError(f"{missing[0]} is required of a result of kind {self.kind or 'own_run'}")
        if self.time_to_train_minutes is None and self.runs is None:
            raise ValueError("time_to_train_minutes is required")
        _check_division(self.round, self.division)
        if self.kind in ("dawnbench", "vendor") and self.round != NOT_MLPERF:
            raise ValueError(f"a result of kind {self.kind} is not MLPerf's: round {NOT_MLPERF}, division blank")
        if (self.price_per_hour is None) != (self.currency is None):
            raise ValueError("price_per_hour and currency are given together")
        durations(self.run_minutes)


NEEDED: dict[str, tuple[str, ...]] = {
    "own_run": ("division", "system", "units"),
    "logs": ("system_id",),
    "dawnbench": ("system_id",),
    "vendor": ("system", "units"),
}
"""What a result of each kind must say, beside its benchmark, round, submitter and source."""


DURATIONS = "run_minutes are numbers above 0 with blanks between them"


def durations(text: str | None) -> tuple[float, ...]:
    """Times with blanks between them [min]. Raises ValueError."""
    try:
        found = tuple(float(part) for part in (text or "").split())
    except ValueError:
        raise ValueError(DURATIONS) from None
    if not all(0 < each < MOST for each in found):
        raise ValueError(DURATIONS)
    return found


def _check_division(in_round: str, division: str | None) -> None:
    """What follows no rules of MLPerf has no division. Raises ValueError."""
    if in_round == NOT_MLPERF and division is not None:
        raise ValueError(f"round {NOT_MLPERF} has no divisions: leave division blank")


@dataclass(frozen=True, slots=True)
class OwnRun:
    """One run of the user's own, of which results are made by MLPerf's scoring.

    Its time is the wall time [min] or the accelerator-hours, wall time × accelerators; one of them, or both that agree.
    """

    benchmark: str
    round: str
    submitter: str
    system: str
    units: int
    run_id: str
    source: str
    wall_minutes: float | None
    accelerator_hours: float | None
    converged: Literal["yes", "no"] | None
    division: Literal["closed", "open"] | None
    framework: str | None
    url: str | None
    note: str | None

    def __post_init__(self) -> None:
        """Refuse times that cannot be, and a run without one."""
        times = (self.wall_minutes, self.accelerator_hours)
        if any(each is not None and not 0 < each < MOST for each in times) or not self.units > 0:
            raise ValueError(f"wall_minutes, accelerator_hours and units are above 0, below {MOST:g}")
        if times == (None, None):
            raise ValueError("wall_minutes or accelerator_hours is required")
        _check_division(self.round, self.division)

    def timed(self, accelerators: int) -> float:
        """The wall time [min], with so many accelerators in one system. Raises ValueError where two times disagree."""
        wall = None if self.wall_minutes is None else float(self.wall_minutes)
        if self.accelerator_hours is None:
            return wall or 0.0
        if not accelerators:
            raise ValueError("the system has no accelerators: give wall_minutes")
        count = self.units * accelerators
        derived = float(self.accelerator_hours) * MINUTES_PER_HOUR / count
        if wall is not None and abs(derived / wall - 1) > AGREE_SHARE:
            raise ValueError(
                f"wall_minutes {wall:g} and accelerator_hours {self.accelerator_hours:g} disagree: {wall:g} min on "
                f"{count} accelerators are {wall * count / MINUTES_PER_HOUR:g} accelerator-hours"
            )
        return wall or derived


MINUTES_PER_HOUR = 60.0
AGREE_SHARE = 0.001
"""How far two statements of one time may differ by rounding."""


@dataclass(frozen=True, slots=True)
class OwnAssumption:
    """A value of a named assumption, for one preset or for all."""

    name: str
    value: float
    unit: str
    source: str
    year: int
    low: float | None
    high: float | None
    preset: str | None
    url: str | None
    note: str | None

    def __post_init__(self) -> None:
        """Refuse bounds that do not hold the value."""
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        if not low <= self.value <= high:
            raise ValueError("low <= value <= high expected")
