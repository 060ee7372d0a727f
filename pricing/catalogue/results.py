"""Result rows joined with what ties them to the catalogue: system, count, benchmark version, doubts."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from pricing.catalogue.facts import Facts
from pricing.statistics import Spread, spread
from schemas.benchmark import Benchmark
from schemas.benchmark_result import BenchmarkResult, ResultRow
from schemas.submission import Doubt, Repeat, Submitter, Tie, VendorResult
from schemas.system import System

NOT_MLPERF = "not-mlperf"
Key = tuple[str, ...]


class Joining:
    """What result rows are joined with."""

    def __init__(self, facts: Facts) -> None:
        self.versions = benchmark_versions(facts.of("benchmarks.csv"))
        self.submitters: dict[str, Submitter] = {each.submitter: each for each in facts.of("mlperf_submitters.csv")}
        self.ties: dict[Key, Tie] = {_submission(each): each for each in facts.of("mlperf_systems.csv")}
        self.repeats: dict[Key, Repeat] = {
            (*_submission(each), each.division, each.benchmark): each for each in facts.of("mlperf_repeats.csv")
        }
        self.doubts: dict[Key, Doubt] = {
            (*_submission(each), each.benchmark): each for each in facts.of("mlperf_row_doubts.csv")
        }

    def result(self, row: ResultRow) -> BenchmarkResult:
        """The row as a benchmark result."""
        submission, version = _submission(row), self.versions[(row.benchmark, row.round)]
        tie, doubt = self.ties.get(submission), self.doubts.get((*submission, row.benchmark))
        repeat = self.repeats.get((*submission, row.division or "", row.benchmark))
        return BenchmarkResult(
            id="/".join((*submission, row.benchmark)),
            row=row,
            benchmark=version.id,
            version_group=version.version_group,
            organisation=self.submitters[row.submitter].organisation,
            system=tie.system if tie else None,
            units=tie.units if tie else None,
            hosts=tie.hosts if tie else None,
            time_to_train_minutes=row.official_minutes,
            repeat_of=f"{_first(repeat)}/{row.benchmark}" if repeat else None,
            doubt_level=doubt.level if doubt else "none",
            doubt=doubt.doubt if doubt else None,
        )


def join_results(facts: Facts) -> Iterator[BenchmarkResult]:
    """Every result of all rounds, and the vendors' own times, as benchmark results. Raises DamagedTable."""
    joining = Joining(facts)
    for table in facts.rounds():
        for index, row in table.numbered():
            if (row.benchmark, row.round) not in joining.versions:
                raise table.damage(index, f"benchmarks.csv has no {row.benchmark} in {row.round}")
            if row.submitter not in joining.submitters:
                raise table.damage(index, f"mlperf_submitters.csv has no {row.submitter}")
            yield joining.result(row)
    yield from _vendors(facts)


def benchmark_versions(benchmarks: list[Benchmark]) -> dict[tuple[str, str], Benchmark]:
    """Which version of which benchmark a log name means in a round: ssd became RetinaNet in v2.0."""
    return {(each.log_name, each_round): each for each in benchmarks for each_round in each.rounds}


def why_unscored(result: BenchmarkResult) -> str | None:
    """Why a result has no official time; None where it has one."""
    row = result.row
    if result.time_to_train_minutes is not None:
        return None
    if row.runs_absent:
        return f"the logs of {row.runs_absent} of its {row.runs} runs are not in the repository that was read"
    if result.note:
        return result.note
    return f"{row.runs_failed} of its {row.runs} runs did not converge" if row.runs_failed else "its logs give no score"


def spread_of(result: BenchmarkResult) -> Spread | None:
    """What the runs of a result say of its time [min]; None where fewer than two are known."""
    return _spread_of(result.row.run_minutes, result.row.scaling_factor)


@lru_cache(maxsize=5_000)
def _spread_of(minutes: str | None, factor: float) -> Spread | None:
    return spread([float(each) * factor for each in (minutes or "").split()])


def _submission(row: ResultRow | Tie | Repeat | Doubt) -> tuple[str, str, str]:
    return row.round, row.submitter, row.system_id


def _first(repeat: Repeat) -> str:
    return f"{repeat.first_round}/{repeat.first_submitter}/{repeat.first_system_id}"


def _vendors(facts: Facts) -> Iterator[BenchmarkResult]:
    """The vendors' own times, as results that are not MLPerf's."""
    systems = {each.id: each for each in facts.of("systems.csv")}
    table = facts.of("vendor_results.csv")
    for index, each in table.numbered():
        if each.system not in systems:
            raise table.damage(index, f"systems.csv has no {each.system}")
        yield _vendor(each, systems[each.system])


def _vendor(each: VendorResult, system: System) -> BenchmarkResult:
    return BenchmarkResult(
        id=f"{NOT_MLPERF}/{system.vendor}/{each.system}/{each.workload}",
        row=replace(
            BLANK,
            submitter=system.vendor,
            system_id=each.system,
            benchmark=each.workload,
            benchmark_raw=each.workload,
            accelerators_total=system.accelerators * each.units,
            accelerator_model=system.accelerator_model,
            official_minutes=each.time_to_train_minutes,
            minutes=each.time_to_train_minutes,
            results_dir=each.source_url,
        ),
        benchmark=each.workload,
        version_group=f"{each.workload} ({system.vendor})",
        organisation=system.vendor,
        system=each.system,
        units=each.units,
        hosts=system.hosts,
        time_to_train_minutes=each.time_to_train_minutes,
        repeat_of=None,
        doubt_level="none",
        doubt=None,
        kind="vendor",
    )


BLANK = ResultRow(
    round=NOT_MLPERF, submitter="", system_id="", system_name=None, division=NOT_MLPERF, status=None,
    benchmark="", nodes=None, accelerators_total=None, accelerator_model=None, host_processors_total=None,
    host_processor_model=None, runs=0, minutes=None, minutes_min=None, minutes_max=None, framework=None,
    runs_failed=0, runs_absent=0, scaling_factor=1.0, official_minutes=None, energy_j=None, benchmark_raw="",
    submitter_json=None, results_dir="", system_json=None,
)  # fmt: skip
"""A row of which nothing is known."""
