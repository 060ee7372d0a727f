"""The facts that ship: every table of `pricing/data/` read once, whole or not at all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from pricing.catalogue.tables import read_table
from pricing.errors import DamagedTable
from schemas.assumption import Assumption, PresetRow
from schemas.benchmark import Benchmark, Compatibility
from schemas.benchmark_result import ResultRow
from schemas.claim import ClaimRow
from schemas.facts_table import FactsTable
from schemas.grid import CountryIntensity, StateIntensity, YearlyTariff
from schemas.price import Price
from schemas.submission import AcceleratorName, Doubt, Repeat, Submitter, Tie, Untied, VendorResult
from schemas.system import PodHosts, System

DATA = Path(__file__).parent.parent / "data"
LIST = "tables.csv"
SUBMISSION = ("round", "submitter", "system_id")

TABLES: dict[str, tuple[type, tuple[str, ...]]] = {  # file: what a row is, and what makes it unique
    "systems.csv": (System, ("id",)),
    "prices.csv": (Price, ("system", "kind", "per", "every", "valid_from")),
    "pod_hosts.csv": (PodHosts, ("system", "benchmark")),
    "benchmarks.csv": (Benchmark, ("id", "rounds")),
    "mlperf_compatibility.csv": (Compatibility, ("model", "group")),
    "mlperf_systems.csv": (Tie, SUBMISSION),
    "mlperf_untied.csv": (Untied, SUBMISSION),
    "mlperf_repeats.csv": (Repeat, (*SUBMISSION, "division", "benchmark")),
    "mlperf_row_doubts.csv": (Doubt, (*SUBMISSION, "benchmark")),
    "mlperf_submitters.csv": (Submitter, ("submitter",)),
    "vendor_results.csv": (VendorResult, ("system", "units", "workload")),
    "accelerator_names.csv": (AcceleratorName, ("spelling",)),
    "assumptions.csv": (Assumption, ("name", "setting")),
    "presets.csv": (PresetRow, ("preset", "name")),
    "grid_intensity_country.csv": (CountryIntensity, ("iso3",)),
    "grid_intensity_us_state.csv": (StateIntensity, ("state",)),
    "us_industrial_tariff.csv": (YearlyTariff, ("year",)),
    "claims.csv": (ClaimRow, ("claim", "part")),
}
RESULTS = (ResultRow, (*SUBMISSION, "benchmark"))


@dataclass(frozen=True, slots=True)
class Facts:
    """All tables by file name, and the hash of their content: the version of the facts."""

    version: str
    tables: dict[str, list[Any]]
    listed: tuple[FactsTable, ...]

    def of(self, file: str) -> list[Any]:
        """The rows of one table."""
        return self.tables[file]

    def results(self) -> Iterable[ResultRow]:
        """The rows of all rounds, oldest round first."""
        for file, rows in self.tables.items():
            if file.startswith("mlperf/"):
                yield from rows


def load_facts(folder: Path = DATA) -> Facts:
    """Read and check every table that `tables.csv` lists. Raises DamagedTable."""
    content = {LIST: _bytes(folder / LIST)}
    listed = read_table(folder / LIST, content[LIST], FactsTable)
    if missing := TABLES.keys() - {each.file for each in listed}:
        raise DamagedTable(folder / LIST, 1, f"does not list {', '.join(sorted(missing))}")
    tables = {}
    for each in listed:
        content[each.file] = _bytes(folder / each.file)
        tables[each.file] = _table(folder / each.file, content[each.file], each)
    return Facts(f"facts.{_hash(content)}", tables, tuple(listed))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DamagedTable(path, 1, f"cannot be read: {error.strerror}") from None


def _table(path: Path, content: bytes, listed: FactsTable) -> list[Any]:
    row_type, key = RESULTS if listed.file.startswith("mlperf/") else TABLES.get(listed.file, (None, ()))
    if row_type is None:
        raise DamagedTable(path, 1, "is a table that no part of the catalogue reads")
    rows: list[Any] = read_table(path, content, row_type)
    if len(rows) != listed.rows:
        raise DamagedTable(path, len(rows) + 1, f"ends here; {listed.rows} rows expected, not {len(rows)}")
    _check_unique(path, rows, attrgetter(*key))
    return rows


def _check_unique(path: Path, rows: list[Any], key: Callable[[Any], Any]) -> None:
    seen: dict[Any, int] = {}
    for line, row in enumerate(rows, start=2):
        if (first := seen.setdefault(key(row), line)) != line:
            raise DamagedTable(path, line, f"repeats the key {key(row)} of line {first}")


def _hash(content: dict[str, bytes]) -> str:
    """Eight hex digits over names and bytes of all tables."""
    total = sha256()
    for file, data in sorted(content.items()):
        total.update(f"{file}\0{len(data)}\0".encode() + data)
    return total.hexdigest()[:8]
