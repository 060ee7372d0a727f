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


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A time to train [min] of `units` systems on one job, which MLCommons did not verify."""

    benchmark: str
    round: str
    division: Literal["closed", "open"]
    submitter: str
    system: str
    units: int
    time_to_train_minutes: float
    source: str
    url: str | None
    energy_j: float | None

    def __post_init__(self) -> None:
        """Refuse a time, an energy or a number of systems that cannot be."""
        if not (self.time_to_train_minutes > 0 and self.units > 0 and (self.energy_j is None or self.energy_j > 0)):
            raise ValueError("time_to_train_minutes, units and energy_j are above 0")


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
