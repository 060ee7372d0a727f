"""What ties MLPerf submissions to the catalogue: submitters, systems, repeats and doubts."""

from dataclasses import dataclass
from datetime import date
from typing import Literal


@dataclass(frozen=True, slots=True)
class Submitter:
    """Who submitted: the organisation behind the name, and whose systems it sells."""

    submitter: str
    organisation: str
    system_vendor: str | None
    joint: bool
    note: str | None


@dataclass(frozen=True, slots=True)
class Tie:
    """A submission id is `units` of the catalogue's `system`."""

    round: str
    submitter: str
    system_id: str
    system: str
    units: int
    hosts: int | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Untied:
    """A submission id that is tied to no system, and why."""

    round: str
    submitter: str
    system_id: str
    system_name: str | None
    rows: int
    reason: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """A row that repeats an earlier one exactly: a resubmission, not a new measurement."""

    round: str
    submitter: str
    system_id: str
    division: str
    benchmark: str
    minutes: float
    first_round: str
    first_submitter: str
    first_system_id: str
    first_division: str
    kind: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A row whose logs contradict its label."""

    round: str
    submitter: str
    system_id: str
    benchmark: str
    system: str | None
    log_platform: str
    level: Literal["low", "medium", "high"]
    doubt: str


@dataclass(frozen=True, slots=True)
class VendorResult:
    """A time published by a vendor that is not MLPerf's."""

    system: str
    units: int
    workload: str
    time_to_train_minutes: float
    division: str
    published: date
    source_title: str
    source_url: str
    note: str | None


@dataclass(frozen=True, slots=True)
class AcceleratorName:
    """A spelling met in submissions and the accelerator that it means."""

    spelling: str
    canonical: str
    rows: int
