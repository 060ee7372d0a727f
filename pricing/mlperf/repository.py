"""A round's repository, or a folder of logs, as rows of results: the official summary, from the logs themselves."""

import json
from collections.abc import Callable, Iterator, Sequence
from os.path import exists, isfile
from pathlib import Path
from typing import NamedTuple

from pricing.mlperf.descriptions import DIVISIONS, BadDescription, Description, read_description
from pricing.mlperf.energy import Energy, NoEnergy, mean_energy, run_energy
from pricing.mlperf.layout import POWER, SCALING, Skipped, Submission, find, root_of, round_of
from pricing.mlperf.runs import Run, read_run
from pricing.mlperf.scoring import Score, score
from schemas.benchmark_result import AVAILABILITY, ResultRow

ALIASES = {"mask": "maskrcnn"}
"""Names of folders and logs that mean another benchmark's name: v0.6 of Google."""
DIGITS = 4  # decimals of minutes; joules have none, factors six
MOST_SCALING_BYTES = 10_000
UNKNOWN_ROUND = "unknown"
Tell = Callable[[int, int], None]


class Measured(NamedTuple):
    """A result with the runs behind it. `notes` say what a reader of the figure should know."""

    row: ResultRow
    run_minutes: tuple[float, ...]
    """Times of the runs that converged, fastest first, unscaled [min]."""
    kept: tuple[str, ...]
    """Files of the runs whose mean is the score."""
    notes: tuple[str, ...]


class Repository(NamedTuple):
    """What was read: results, and what was skipped and why."""

    results: tuple[Measured, ...]
    skipped: tuple[Skipped, ...]


def read_repository(path: Path, in_round: str | None = None, tell: Tell = lambda done, total: None) -> Repository:
    """Read every submission below a folder; a bad file is skipped, and never stops the rest.

    The round is that of the folder's name (training_results_v1.1) unless given. `tell` hears how many of how many
    log files were read.
    """
    root = root_of(path)
    found = list(find(path, root))
    submissions = [each for each in found if isinstance(each, Submission)]
    skipped = [each for each in found if isinstance(each, Skipped)]
    total, done = sum(len(each.runs) for each in submissions), 0
    results: list[Measured] = []
    for submission in submissions:
        named = in_round or round_of(submission.folder.resolve()) or UNKNOWN_ROUND
        outcome = _read(submission, root, named)
        results += [each for each in outcome if isinstance(each, Measured)]
        skipped += [each for each in outcome if isinstance(each, Skipped)]
        done += len(submission.runs)
        tell(done, total)
    return Repository(tuple(results), tuple(skipped))


def _read(submission: Submission, root: Path, in_round: str) -> list[Measured | Skipped]:
    """The result of one submission, and what of it was skipped."""
    where = _relative(submission.folder, root)
    runs, skipped = _runs(submission, where)
    described, faults = _described(submission, root)
    raw = submission.benchmark or _said(runs, "benchmark")
    if not raw:
        return [*skipped, Skipped(where, "neither folder nor log says which benchmark it is")]
    name = ALIASES.get(raw, raw)
    scored = score(name, runs, in_round)
    factor = _scaling(submission.folder / SCALING)
    if isinstance(factor, Skipped):
        skipped.append(Skipped(f"{where}/{SCALING}", factor.reason))
        scored, factor = scored._replace(minutes=None, reason=f"its {SCALING} cannot be read"), 1.0
    if scored.minutes is not None and round(scored.minutes * min(factor, 1.0), DIGITS) <= 0:
        scored = scored._replace(minutes=None, reason=f"its runs are too short for {DIGITS} decimals of a minute")
    energy, lacking = _energy(submission.folder / POWER, scored)
    notes = (*faults, *lacking, *_disagreeing(described, runs), *([scored.reason] if scored.reason else []))
    held = submission.description
    described_in = _relative(held, root) if held and isfile(held) else None
    figures = _Figures(in_round, name, raw, where, factor, energy, described_in)
    row = _row(submission, described, runs, scored, figures)
    times = tuple(round(run.minutes or 0.0, DIGITS) for run in scored.converged)
    return [Measured(row, times, tuple(run.file for run in scored.kept), notes), *skipped]


def _relative(path: Path, root: Path) -> str:
    resolved = path.resolve()
    return resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else resolved.name


def _runs(submission: Submission, where: str) -> tuple[list[Run], list[Measured | Skipped]]:
    """Every run; a log that cannot be read or tells no end is a run that did not converge, as the rules count it."""
    runs: list[Run] = []
    skipped: list[Measured | Skipped] = []
    for path in submission.runs:
        try:
            run = read_run(path)
        except OSError as error:
            run = Run(path.name, None, f"it cannot be read: {error.strerror}", {})
        runs.append(run)
        if run.minutes is None:
            skipped.append(Skipped(f"{where}/{path.name}", f"{run.outcome}; counted as a run that did not converge"))
    return runs, skipped


def _described(submission: Submission, root: Path) -> tuple[Description, list[str]]:
    path = submission.description
    if path is None or not isfile(path):
        return Description(), ["no description of the system"]
    try:
        return read_description(path), []
    except BadDescription as error:
        return Description(), [f"{_relative(path, root)}: {error}"]


def _said(runs: Sequence[Run], name: str) -> str | None:
    """What the logs say of the submission; the first that says it."""
    return next((run.said[name] for run in runs if run.said.get(name)), None)


def _scaling(path: Path) -> float | Skipped:
    """The factor of a round's review, 1 where there is no file; it is never computed again."""
    if not exists(path):
        return 1.0
    if not isfile(path):
        return Skipped(path.name, "it is no file")
    try:
        with path.open("rb") as file:
            factor = json.loads(file.read(MOST_SCALING_BYTES))["scaling_factor"]
        number = float(factor)
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        return Skipped(path.name, f"no scaling_factor: {error}")
    return number if 0 < number < float("inf") else Skipped(path.name, f"scaling_factor {number} is no factor")


def _energy(folder: Path, scored: Score) -> tuple[Energy | None, list[str]]:
    """The mean energy of the runs that the score keeps, where all have power logs."""
    if not folder.is_dir() or not scored.kept:
        return None, []
    try:
        found = mean_energy([run_energy(folder / run.file.removesuffix(".txt"), run) for run in scored.kept])
    except (NoEnergy, OSError) as error:
        return None, [f"no energy: {error}"]
    told = "energy is an estimate: the power logs stop at their start, so that all readings are taken"
    return found, [told] if found.estimated else []


def _disagreeing(described: Description, runs: Sequence[Run]) -> Iterator[str]:
    """Where logs and description say unlike things; the description is taken."""
    said = _said(runs, "division")
    in_logs = DIVISIONS.get(said.lower()) if said else None
    if described.division and in_logs and in_logs != described.division:
        yield f"the logs say division {in_logs}, the description {described.division}: taken is the description's"
    if not (described.division or in_logs):
        yield "neither description nor logs say the division, so that it has no official score"
    if described.status and described.status.lower() not in AVAILABILITY:
        yield f"status {described.status!r} is none of MLPerf's"


class _Figures(NamedTuple):
    """What a row is made of beside the submission."""

    in_round: str
    benchmark: str
    raw: str
    where: str
    factor: float
    energy: Energy | None
    described_in: str | None


def _row(
    submission: Submission, described: Description, runs: Sequence[Run], scored: Score, figures: _Figures
) -> ResultRow:
    times = [run.minutes for run in scored.converged if run.minutes]
    division = described.division or DIVISIONS.get((_said(runs, "division") or "").lower())
    status = described.status or _said(runs, "status")
    score_counts = scored.minutes is not None and division is not None
    return ResultRow(
        round=figures.in_round,
        submitter=submission.submitter or _said(runs, "org") or "unknown",
        system_id=submission.system_id,
        system_name=described.name,
        division=division,
        status=status if (status or "").lower() in AVAILABILITY else None,
        benchmark=figures.benchmark,
        nodes=described.nodes,
        accelerators_total=described.accelerators,
        accelerator_model=described.accelerator_model,
        host_processors_total=described.host_processors,
        host_processor_model=described.host_processor_model,
        runs=len(runs),
        minutes=_rounded(scored.minutes),
        minutes_min=_rounded(min(times, default=None)),
        minutes_max=_rounded(max(times, default=None)),
        framework=described.framework,
        runs_failed=scored.failed,
        runs_absent=0,
        scaling_factor=figures.factor,
        official_minutes=_rounded(scored.minutes * figures.factor) if scored.minutes and score_counts else None,
        energy_j=round(figures.energy.joules * figures.factor, 1) if figures.energy else None,
        benchmark_raw=figures.raw,
        submitter_json=described.submitter,
        results_dir=figures.where,
        system_json=figures.described_in,
    )


def _rounded(minutes: float | None) -> float | None:
    return None if minutes is None else round(minutes, DIGITS)
