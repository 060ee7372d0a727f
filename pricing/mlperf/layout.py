"""Where the results of a round lie: which files are the runs of which submission.

A repository is `SUBMITTER/results/SYSTEM/BENCHMARK/result_*.txt` beside `SUBMITTER/systems/SYSTEM.json`; v0.5 has
`v0.5.0/SUBMITTER/…/results/SYSTEM/BENCHMARK/` with `entry.json` beside the benchmarks. A folder of logs is read, too.
"""

import re
from collections.abc import Iterator
from os import walk
from os.path import exists, isfile
from pathlib import Path
from typing import NamedTuple

RESULT = re.compile(r"result_.*\.txt", re.DOTALL)
RESULTS, SYSTEMS, POWER, SCALING = "results", "systems", "power", "scaling.json"
ROUND = re.compile(r"training_results_(v\d+\.\d+)(?!\d)")
OLD = re.compile(r"v0\.5\.\d+")
BESIDE = re.compile(
    r"rcp_checker.*|compliance_.*|package_checker.*|nvlog.*|README.*|\..*|.*\.(md|json|png|pdf|tgz|py|sh)|unet3d\.txt"
)
"""Neighbours of the runs that are known to be no runs."""
SYSTEM_AND_BENCHMARK = 2
MOST_NAMED = 3


class Submission(NamedTuple):
    """The runs of one benchmark on one system, as the folders name them; `benchmark` None where no folder does."""

    submitter: str
    system_id: str
    benchmark: str | None
    folder: Path
    runs: tuple[Path, ...]
    description: Path | None
    """Where the description of the system should lie."""


class Skipped(NamedTuple):
    """What was not read, and why. `path` is relative to what was asked."""

    path: str
    reason: str


Found = Submission | Skipped


def round_of(path: Path) -> str | None:
    """The round that a path names, as in training_results_v1.1; None where it names none."""
    names = [each for part in path.parts for each in ROUND.findall(part)]
    return names[-1] if names else None


def root_of(path: Path) -> Path:
    """The folder that holds the submitters, where the path lies in one or in v0.5's folder; else the path itself."""
    resolved = path.resolve()
    for each in (resolved, *resolved.parents):
        if OLD.fullmatch(each.name) or all((each / name).is_dir() for name in (RESULTS, SYSTEMS)):
            return each.parent
    return resolved


def find(path: Path, root: Path) -> Iterator[Found]:
    """Every submission below a path, in the order of their names, and what looks like runs and is none."""
    for folder, below, files in walk(path):
        below[:] = sorted(name for name in below if name != POWER and not name.startswith("."))
        here = Path(folder)
        runs = sorted(name for name in files if RESULT.fullmatch(name) and not _is_special(here / name))
        place = _place(here.resolve(), root)
        if runs:
            yield _submission(here, runs, place, root)
        elif place is not None and _may_hold_runs(place, below):
            yield from _misnamed(here, files, root)


def _is_special(path: Path) -> bool:
    """Whether it is a pipe or the like, which could not be read to an end."""
    return exists(path) and not isfile(path)


def _place(folder: Path, root: Path) -> tuple[str, ...] | None:
    """The parts of a folder below the submitters, where `results` is one of them."""
    parts = folder.relative_to(root).parts if folder.is_relative_to(root) else ()
    return parts if RESULTS in parts else None


def _may_hold_runs(place: tuple[str, ...], below: list[str]) -> bool:
    """Whether a folder without runs is a benchmark's, or a system's without benchmarks."""
    depth = len(place) - 1 - place.index(RESULTS)
    return depth == SYSTEM_AND_BENCHMARK or (depth == 1 and not below)


def _submission(folder: Path, runs: list[str], place: tuple[str, ...] | None, root: Path) -> Found:
    paths = tuple(folder / name for name in runs)
    if place is None:
        return Submission("", folder.resolve().name, None, folder, paths, None)
    at = place.index(RESULTS)
    before, after = place[:at], place[at + 1 :]
    where = "/".join(place)
    if len(after) > SYSTEM_AND_BENCHMARK:
        return Skipped(where, "runs within another benchmark's folder: a copy, or misplaced")
    if not after:
        return Skipped(where, "runs that lie beside the systems: no folder names theirs")
    benchmark = after[1] if len(after) == SYSTEM_AND_BENCHMARK else None
    old = next((number for number, part in enumerate(before) if OLD.fullmatch(part)), None)
    if old is not None and len(before) > old + 1:
        system = "/".join((*before[old + 2 :], after[0]))
        beside = folder.parent if benchmark else folder
        return Submission(before[old + 1], system, benchmark, folder, paths, beside / "entry.json")
    description = root.joinpath(*before, SYSTEMS, f"{after[0]}.json")
    return Submission(before[-1] if before else "", after[0], benchmark, folder, paths, description)


def _misnamed(folder: Path, files: list[str], root: Path) -> Iterator[Skipped]:
    """Files in a benchmark's folder without runs that may be meant as such."""
    odd = sorted(name for name in files if not BESIDE.fullmatch(name))
    if odd:
        where = folder.resolve().relative_to(root).as_posix()
        yield Skipped(
            where, f"no result_*.txt; not read: {', '.join(odd[:MOST_NAMED])}{' …' if len(odd) > MOST_NAMED else ''}"
        )
