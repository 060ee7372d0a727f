"""The official score of a set of runs.

Source: MLPerf Training rules, "Benchmark Results" (training_policies, training_rules.adoc).

The fastest and the slowest run are left out, and the score is the mean of the rest. A run that did not converge counts
as a slowest one; more of them than may be left out is no score. Of UNET3D's 40 runs four are left out at either end.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pricing.mlperf.runs import Run

LEFT_OUT = {"unet3d": 4}
USUAL = 1
OWN_RULE = "v0.5 takes the first 50 of 100 runs that converge, which this reader does not"


class Score(NamedTuple):
    """What a set of runs comes to. `minutes` is the unscaled mean, None where there is no score, and `reason` why."""

    minutes: float | None
    kept: tuple[Run, ...]
    converged: tuple[Run, ...]
    failed: int
    reason: str


def score(benchmark: str, runs: Sequence[Run], in_round: str = "") -> Score:
    """The olympic mean of the runs' times [min]."""
    converged = tuple(sorted((run for run in runs if run.converged), key=lambda run: run.milliseconds))
    failed = len(runs) - len(converged)
    most = LEFT_OUT.get(benchmark, USUAL)
    if in_round == "v0.5" and benchmark == "ncf":
        return Score(None, (), converged, failed, OWN_RULE)
    if failed > most:
        return Score(None, (), converged, failed, f"{failed} of {len(runs)} runs did not converge; {most} may")
    kept = converged[most : len(converged) - (most - failed)]
    if not kept:
        told = f"{len(runs)} are too few runs: {most} at either end are left out"
        return Score(None, (), converged, failed, told)
    minutes = sum(run.minutes or 0.0 for run in kept) / len(kept)
    return Score(minutes, kept, converged, failed, "")
