"""The facts that ship: every table of `pricing/data/` read once, whole or not at all."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from pricing.catalogue.tables import Table, read_table
from pricing.errors import DamagedTable
from schemas.accelerator import Accelerator, TrainingRun
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
    "accelerators.csv": (Accelerator, ("accelerator_model",)),
    "training_runs.csv": (
        TrainingRun,
        ("model", "accelerator", "accelerators", "kind", "precision", "accelerator_hours"),
    ),
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
    tables: dict[str, Table]
    listed: Table
    content: dict[str, bytes]

    def of(self, file: str) -> Table:
        """The rows of one table; none where these facts are older than the table."""
        return self.tables.get(file) or Table(Path(file))

    def rounds(self) -> Iterator[Table]:
        """The tables of results, one a round, oldest first."""
        return (table for file, table in self.tables.items() if file.startswith("mlperf/"))


def load_facts(folder: Path = DATA) -> Facts:
    """Read and check every table that `tables.csv` lists. Raises DamagedTable."""
    content = {LIST: _bytes(folder / LIST)}
    listed = _listed(content, folder)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.csv")} - {LIST}
    if missing := (TABLES.keys() | there) - {each.file for each in listed}:
        raise DamagedTable(folder / LIST, 1, f"does not list {', '.join(sorted(missing))}")
    for index, each in listed.numbered():
        if each.file not in TABLES and not each.file.startswith("mlperf/"):
            raise listed.damage(index, f"{each.file} is a table that no part of the catalogue reads")
        content[each.file] = _bytes(folder / each.file)
    return facts_of(content, folder)


def facts_of(content: dict[str, bytes], folder: Path = DATA) -> Facts:
    """Facts from the bytes of their tables, by file name. Raises DamagedTable."""
    listed = _listed(content, folder)
    tables = {each.file: _table(folder / each.file, content[each.file], each) for each in listed}
    return Facts(f"facts.{_hash(content)}", tables, listed, content)


def _listed(content: dict[str, bytes], folder: Path) -> Table:
    listed = read_table(folder / LIST, content[LIST], FactsTable)
    _check_unique(listed, attrgetter("file"))
    return listed


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DamagedTable(path, 1, f"cannot be read: {error.strerror}") from None


def _table(path: Path, content: bytes, listed: FactsTable) -> Table:
    row_type, key = TABLES.get(listed.file, RESULTS)
    rows = read_table(path, content, row_type)
    if len(rows) != listed.rows:
        last = rows.lines[-1] if rows else 1
        raise DamagedTable(path, last, f"the table ends here; {listed.rows} rows expected, not {len(rows)}")
    _check_unique(rows, attrgetter(*key))
    return rows


def _check_unique(rows: Table, key: Callable[[Any], Any]) -> None:
    seen: dict[Any, int] = {}
    for index, row in rows.numbered():
        if (first := seen.setdefault(key(row), index)) != index:
            raise rows.damage(index, f"repeats the key {key(row)} of line {rows.lines[first]}")


def _hash(content: dict[str, bytes]) -> str:
    """Eight hex digits over names and bytes of all tables."""
    total = sha256()
    for file, data in sorted(content.items()):
        total.update(f"{file}\0{len(data)}\0".encode() + data)
    return total.hexdigest()[:8]
