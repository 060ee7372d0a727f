"""How far off the estimate of training time is, for runs whose accelerator-hours are known."""

from collections.abc import Iterator
from typing import NamedTuple

from pricing.analysis.training import PRECISION, accelerators, assumed_mfu
from pricing.catalogue.catalogue import Catalogue
from pricing.quantities.estimation import estimated_time_to_train_minutes, training_flop
from pricing.quantities.units import MINUTES_PER_HOUR
from schemas.accelerator import PRECISIONS, TrainingRun

PERCENT = 100.0


class Checked(NamedTuple):
    """A run with the estimate of its accelerator-hours by the assumed utilisation; None where no peak fits.

    `error_share` is the estimate over the truth, less 1.
    """

    run: TrainingRun
    implied_mfu_share: float | None
    hours: float | None
    low_hours: float | None
    high_hours: float | None
    error_share: float | None
    within: str


def published_runs(catalogue: Catalogue) -> Iterator[Checked]:
    """Every run of the facts, with its estimate."""
    peaks = {model: each.peaks() for model, each in accelerators(catalogue).items()}
    for run in catalogue.facts.of("training_runs.csv"):
        yield _checked(catalogue, run, peaks.get(run.accelerator, {}).get(run.precision))


def _checked(catalogue: Catalogue, run: TrainingRun, peak: float | None) -> Checked:
    native = run.implied_mfu_native_pct
    mfu = assumed_mfu(catalogue, run.precision if run.precision in PRECISIONS else PRECISION)
    if peak is None or mfu is None:
        return Checked(run, native and native / PERCENT, None, None, None, None, "not estimated")
    work = training_flop(run.flops_per_param_token, run.parameters_n, run.tokens_d)

    def hours(share: float) -> float:
        return estimated_time_to_train_minutes(work, 1.0, peak, share) / MINUTES_PER_HOUR

    value, low, high = hours(mfu.value), hours(mfu.high), hours(mfu.low)
    within = "yes" if low <= run.accelerator_hours <= high else "no"
    implied = hours(1.0) / run.accelerator_hours
    return Checked(run, implied, value, low, high, value / run.accelerator_hours - 1, within)
