"""What books hold of times: results, and runs of which results are made by the same scoring as MLPerf's."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pricing.catalogue.results import BLANK, NOT_MLPERF
from pricing.mlperf.runs import CONVERGED, Run
from pricing.mlperf.scoring import score
from schemas.benchmark import Benchmark
from schemas.benchmark_result import BenchmarkResult, ResultRow
from schemas.book_rows import OwnResult, OwnRun, durations
from schemas.system import System

Versions = Mapping[tuple[str, str], Benchmark]
"""Versions of benchmarks by id and round."""


def own_result(own: OwnResult, system: System | None, versions: Versions, book: str) -> BenchmarkResult:
    """A book's result as a benchmark result; its id starts with the book's name."""
    version = versions.get((own.benchmark, own.round))
    row = _row(own, system)
    apart = "/open" if own.kind in (None, "own_run") and own.division == "open" else ""
    hosts = system.hosts * (own.units or 0) if system else None
    return BenchmarkResult(
        id=f"{book}/{own.round}/{own.submitter}/{row.system_id}/{own.benchmark}{apart}",
        row=row,
        benchmark=own.benchmark,
        version_group=version.version_group if version else f"{own.benchmark} {own.round} ({book})",
        organisation=own.submitter,
        system=own.system,
        units=own.units,
        hosts=own.hosts if own.hosts is not None else hosts,
        time_to_train_minutes=own.time_to_train_minutes,
        repeat_of=None,
        doubt_level="none",
        doubt=None,
        book=book,
        kind=own.kind or "own_run",
        note=own.note,
        price_per_hour=own.price_per_hour,
        currency=own.currency,
    )


def _row(own: OwnResult, system: System | None) -> ResultRow:
    """The same as a row of a round's table; what the row does not say of its system the system says."""
    times = durations(own.run_minutes)
    accelerators = system.accelerators * (own.units or 0) if system else None
    return replace(
        BLANK,
        round=own.round,
        submitter=own.submitter,
        system_id=own.system_id or f"{own.units}*{own.system}",
        system_name=own.system_name,
        division=own.division or NOT_MLPERF,
        status=own.status,
        benchmark=own.benchmark,
        benchmark_raw=own.benchmark,
        nodes=own.nodes,
        accelerators_total=own.accelerators_total if own.accelerators_total is not None else accelerators,
        accelerator_model=own.accelerator_model or (system.accelerator_model if system else None),
        host_processors_total=own.host_processors_total,
        host_processor_model=own.host_processor_model,
        framework=own.framework,
        runs=own.runs or 0,
        runs_failed=own.runs_failed or 0,
        run_minutes=own.run_minutes,
        minutes_min=min(times, default=None),
        minutes_max=max(times, default=None),
        minutes=own.minutes or own.time_to_train_minutes,
        scaling_factor=own.scaling_factor or 1.0,
        official_minutes=own.time_to_train_minutes,
        energy_j=own.energy_j,
        results_dir=own.url or own.source,
    )


DIVISION = "open"
"""Of a run that does not say; nobody checked that it followed the rules of the closed one."""
Group = tuple[str, str, str, str, int, str, str | None]


def results_of_runs(runs: Mapping[str, Iterable[OwnRun]], systems: Mapping[str, System]) -> list[OwnResult]:
    """Results of a book's own runs, by the source that each is from; those of two sources are never mixed.

    The runs of one benchmark, submitter, system, size and software make one result.
    """
    found = [(source, _result(held)) for source, own in runs.items() for held in _groups(own, systems) if held]
    names = Counter(_name(each) for _, each in found)
    return [
        replace(each, system_id=f"{each.system_id} ({source})") if names[_name(each)] > 1 else each
        for source, each in found
    ]


def _groups(runs: Iterable[OwnRun], systems: Mapping[str, System]) -> Iterable[list[OwnRun]]:
    groups: dict[Group, list[OwnRun]] = {}
    for run in runs:
        if run.system in systems:
            division = run.division or DIVISION
            key = (run.benchmark, run.round, run.submitter, run.system, run.units, division, run.framework)
            groups.setdefault(key, []).append(run)
    return groups.values()


def _name(result: OwnResult) -> tuple[str | None, ...]:
    return result.benchmark, result.round, result.submitter, result.division, result.system_id


def _result(held: list[OwnRun]) -> OwnResult:
    first = held[0]
    scored = score(first.benchmark, [_run(each) for each in held])
    kept = ", ".join(run.file for run in scored.kept)
    known: dict[str, Any] = {
        "benchmark": first.benchmark,
        "round": first.round,
        "submitter": first.submitter,
        "source": "; ".join(dict.fromkeys(each.source for each in held)),
        "division": None if first.round == NOT_MLPERF else first.division or DIVISION,
        "system": first.system,
        "units": first.units,
        "time_to_train_minutes": scored.minutes,
        "url": first.url,
        "system_id": f"{first.units}*{first.system}{f' {first.framework}' if first.framework else ''}",
        "framework": first.framework,
        "runs": len(held),
        "runs_failed": scored.failed,
        "run_minutes": " ".join(f"{run.minutes}" for run in scored.converged),
        "minutes": scored.minutes,
        "note": scored.reason or f"the mean of {len(scored.kept)} of {len(held)} runs: {kept}",
    }
    return OwnResult(**{**dict.fromkeys(OwnResult.__slots__), **known})


def _run(own: OwnRun) -> Run:
    outcome = CONVERGED if own.converged != "no" else "did not converge"
    return Run(own.run_id, own.wall_minutes, outcome, {})
