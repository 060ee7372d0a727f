"""What was read from logs as rows of a book's results."""

from collections.abc import Iterator, Mapping
from typing import Any

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.results import benchmark_versions
from pricing.catalogue.sources.base import Row
from pricing.mlperf.layout import Skipped
from pricing.mlperf.repository import Measured, Repository
from pricing.mlperf.tying import Given, Tied, Ties
from schemas.benchmark import Benchmark
from schemas.benchmark_result import ResultRow

SAME = (
    "round", "submitter", "division", "energy_j", "system_id", "system_name", "status", "nodes", "accelerators_total",
    "accelerator_model", "host_processors_total", "host_processor_model", "framework", "runs", "runs_failed", "minutes",
    "scaling_factor",
)  # fmt: skip
"""Columns of a book that a row of a round has by the same name."""


class Booking:
    """The results of a repository with their systems."""

    def __init__(self, catalogue: Catalogue, repository: Repository, given: Given, name: str) -> None:
        self.repository, self.name = repository, name
        self._versions = benchmark_versions(catalogue.benchmarks)
        self._required = _required(self._versions)
        ties = Ties(catalogue, given)
        self.skipped = list(repository.skipped)
        self.tied: list[tuple[Measured, Tied]] = [(each, ties.of(each.row)) for each in repository.results]

    def rows(self) -> Iterator[Row]:
        """A row for each result, with the place of its logs."""
        for line, (measured, tied) in enumerate(self.tied, 1):
            yield LogRow(line, self.cells(measured, tied), measured.row.results_dir)

    def skip(self, bad: Mapping[int, str]) -> None:
        """Leave out the rows of these numbers, from 1, for these reasons."""
        for line, detail in bad.items():
            self.skipped.append(Skipped(self.tied[line - 1][0].row.results_dir, detail))
        self.tied = [each for line, each in enumerate(self.tied, 1) if line not in bad]

    def cells(self, measured: Measured, tied: Tied) -> dict[str, Any]:
        """The result as a book has it."""
        row = measured.row
        return {
            **{name: getattr(row, name) for name in SAME},
            "benchmark": self._benchmark(row),
            "time_to_train_minutes": row.official_minutes,
            "source": f"result logs: {self.name}/{row.results_dir}",
            "kind": "logs",
            "system": tied.system,
            "units": tied.units,
            "hosts": tied.hosts,
            "run_minutes": " ".join(f"{each:.4f}" for each in measured.run_minutes) or None,
            "note": "; ".join((*measured.notes, *self._count(row))) or None,
        }

    def _count(self, row: ResultRow) -> Iterator[str]:
        """Say when the rules ask another number of runs; the official summary scores them all the same."""
        required = self._required.get((row.benchmark, row.round)) or self._required.get((row.benchmark, ""))
        if required and required != row.runs:
            yield f"{row.runs} run{'s' * (row.runs != 1)} where the rules ask {required}"

    def _benchmark(self, row: ResultRow) -> str:
        """The benchmark's id: a log's name may mean another in another round."""
        version = self._versions.get((row.benchmark, row.round))
        return version.id if version else row.benchmark

    def document(self) -> dict[str, Any]:
        """What was read and what was skipped, as JSON holds it."""
        return {
            "results": [self._document(*each) for each in self.tied],
            "skipped": [{"path": each.path, "reason": each.reason} for each in self.skipped],
        }

    def _document(self, measured: Measured, tied: Tied) -> dict[str, Any]:
        cells = {name: cell for name, cell in self.cells(measured, tied).items() if name not in ("kind", "source")}
        return {
            **cells,
            "run_minutes": list(measured.run_minutes),
            "kept_runs": list(measured.kept),
            "results_dir": measured.row.results_dir,
            "tied": tied.reason,
        }

    def lines(self) -> list[str]:
        """What was read and what was skipped, for a terminal."""
        unscored = [(each, each.notes[-1] if each.notes else "") for each, _ in self.tied if not each.row.minutes]
        untied = {
            f"{each.row.submitter}/{each.row.system_id}": tied.reason for each, tied in self.tied if not tied.system
        }
        scored = len(self.tied) - len(unscored)
        found = [f"{len(self.tied):,} result{'s' * (len(self.tied) != 1)} read, {scored:,} with a score"]
        found += [f"no score: {each.row.results_dir}: {reason}" for each, reason in unscored]
        found += [
            f"{each.row.results_dir}: {'; '.join(told)}"
            for each, _ in self.tied
            if each.row.minutes and (told := (*each.notes, *self._count(each.row)))
        ]
        found += [f"tied to no system: {name}: {reason}" for name, reason in untied.items()]
        if untied:
            found.append("tie such a one with --tie SYSTEM_ID=UNITS*SYSTEM, or import its system first")
        return [*found, *(f"skipped: {each.path}: {each.reason}" for each in self.skipped)]


def _required(versions: Mapping[tuple[str, str], Benchmark]) -> dict[tuple[str, str], int]:
    """How many runs the rules ask, by a log's name and round; under no round what the last known round asks."""
    found: dict[tuple[str, str], int] = {}
    for (name, in_round), version in versions.items():
        if version.runs_required.isdigit():
            found[(name, in_round)] = found[(name, "")] = int(version.runs_required)
    return found


class LogRow(Row):
    """A row whose place is a folder of logs."""

    __slots__ = ("folder",)

    def __init__(self, line: int, cells: dict[str, Any], folder: str) -> None:
        super().__init__(line, cells)
        self.folder = folder

    def at(self, column: str | None = None) -> str:
        """The folder of its logs."""
        return f"{self.folder}, {column}" if column else self.folder
