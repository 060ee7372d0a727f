"""What every answer about measured times shares: its heading, its notices, and how a result is named for people."""

from collections.abc import Iterable
from typing import Any

from pricing.analysis.notices import result_notices
from pricing.analysis.question import Question
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.results import NOT_MLPERF
from schemas.benchmark_result import BenchmarkResult


def rules(catalogue: Catalogue, asked: Question, in_round: str | None) -> dict[str, Any]:
    """Which results were asked for, and of which catalogue."""
    return {
        "benchmark": asked.benchmark,
        "round": in_round,
        "division": asked.division,
        "books": [each.name for each in catalogue.books],
        "catalogue": catalogue.version,
    }


def noticed(catalogue: Catalogue, asked: Question, results: Iterable[BenchmarkResult]) -> list[str]:
    """What must be said with the results, and what we decided."""
    return [*result_notices(catalogue, list(results)), *asked.decided]


def suite(asked: Question, in_round: str | None, results: Iterable[BenchmarkResult]) -> str:
    """The rules in one line."""
    if asked.division == NOT_MLPERF:
        return f"{asked.benchmark}, no MLPerf benchmark"
    official = any(each.kind == "mlperf" for each in results)
    name = "MLPerf Training" if official else "unverified, rules of MLPerf Training"
    return f"{asked.benchmark}, {name} {in_round or 'over the rounds'}, {asked.division} division"
