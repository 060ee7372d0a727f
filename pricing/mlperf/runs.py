"""One run of a benchmark, as its log tells it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pricing.mlperf.lines import Event, events

START, STOP = "run_start", "run_stop"
SAID = ("submission_benchmark", "submission_org", "submission_division", "submission_status", "submission_platform")
MS_PER_MINUTE = 60_000.0
CONVERGED = "success"


class Run(NamedTuple):
    """A run. `minutes` is from its last start before its first stop to that stop; None where the log has no such pair.

    `outcome` is what the log says of the end (success, aborted, …); only a run that says success has converged.
    """

    file: str
    minutes: float | None
    outcome: str
    said: Mapping[str, str]
    """What the log says of the submission, by the names in `SAID` without their first word."""

    @property
    def converged(self) -> bool:
        """Whether the run reached the quality target, so that its time counts."""
        return self.outcome == CONVERGED and self.minutes is not None

    @property
    def milliseconds(self) -> float:
        """The time of a converged run [ms]."""
        return (self.minutes or 0.0) * MS_PER_MINUTE


def read_run(path: Path) -> Run:
    """The run of a log. Raises OSError where it cannot be read."""
    said: dict[str, str] = {}
    start = stop = None
    for event in events(path, (START, STOP, *SAID)):
        if event.key == START and stop is None:
            start = event
        elif event.key == STOP and stop is None:
            stop = event
        elif event.key in SAID and isinstance(event.value, str):
            said.setdefault(event.key.removeprefix("submission_"), event.value.strip())
    if start is None or stop is None:
        missing = START if start is None else STOP
        return Run(path.name, None, f"its log has no {missing}", said)
    minutes = (stop.time_ms - start.time_ms) / MS_PER_MINUTE
    if minutes <= 0:
        return Run(path.name, None, "it stops before it starts", said)
    return Run(path.name, minutes, _outcome(stop), said)


def _outcome(stop: Event) -> str:
    """What the end of a run says of it: beside its value since v0.6, in its value in v0.5, which may say nothing."""
    if (status := stop.metadata.get("status")) is not None:
        return str(status)
    success: Any = stop.value.get("success") if isinstance(stop.value, dict) else None
    if stop.is_v05 and stop.value is None:
        return CONVERGED
    said = {"true": CONVERGED, "false": "aborted"}.get(str(success).lower())
    return said or "its end does not say whether it converged"
