"""What one table says of another must be there, and a number that a formula reads must be in its range."""

from collections.abc import Set as AbstractSet

from pricing.catalogue.facts import Facts
from pricing.quantities.inputs import BY_NAME
from schemas.numbers import Bounds, NumberError

SYSTEMS = {  # the columns that name a system
    "prices.csv": ("system",),
    "pod_hosts.csv": ("system",),
    "mlperf_systems.csv": ("system",),
    "mlperf_row_doubts.csv": ("system",),
}
BENCHMARKS = {"pod_hosts.csv": "benchmark", "claims.csv": "benchmark", "mlperf_compatibility.csv": "benchmark"}


def check_references(facts: Facts, systems: AbstractSet[str], benchmarks: AbstractSet[str]) -> None:
    """Raise DamagedTable at the first row that names what is not there, or whose number cannot be."""
    for file, columns in SYSTEMS.items():
        _check(facts, file, columns, systems)
    for file, column in BENCHMARKS.items():
        _check(facts, file, (column,), benchmarks)
    _check_rounds(facts)
    _check_claims(facts, systems)
    _check_ranges(facts)


def _check(facts: Facts, file: str, columns: tuple[str, ...], known: AbstractSet[str]) -> None:
    table = facts.of(file)
    for index, row in table.numbered():
        for column in columns:
            name = getattr(row, column)
            if name is not None and name not in known:
                raise table.damage(index, f"column {column}: {name} is not in the catalogue")


def _check_rounds(facts: Facts) -> None:
    """Every round in which a benchmark was held has its table of results."""
    held = {table[0].round for table in facts.rounds() if table}
    table = facts.of("benchmarks.csv")
    for index, row in table.numbered():
        if missing := set(row.rounds) - held:
            raise table.damage(index, f"there are no results of {', '.join(sorted(missing))}")


def _check_claims(facts: Facts, systems: AbstractSet[str]) -> None:
    table = facts.of("claims.csv")
    organisations = {each.organisation for each in facts.of("mlperf_submitters.csv")}
    for index, row in table.numbered():
        known = organisations if row.form == "host_ratio" else systems
        for name in (row.system_a, row.system_b):
            if name is not None and name not in known:
                raise table.damage(index, f"{name} is not in the catalogue")


def _check_ranges(facts: Facts) -> None:
    table = facts.of("assumptions.csv")
    for index, row in table.numbered():
        known = BY_NAME.get(row.name)
        if known:
            try:
                for value in (row.low, row.value, row.high):
                    Bounds(known.low, known.high, known.open_low).check(value)
            except NumberError as error:
                raise table.damage(index, f"{row.name}: {error}") from None
