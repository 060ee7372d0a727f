"""A price list of a million rows: imported, listed and compared; beside gpuhunt in memory on the same rows."""

import csv
import random
import resource
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pricing.analysis.asking import ask
from pricing.analysis.compare import compare
from pricing.catalogue.catalogue import Catalogue, shipped
from pricing.catalogue.library import EVERYTHING, Library
from service.lists import LISTINGS, list_answer
from service.parameters import compare_parameters, list_parameters
from tests.benchmarks.questions import FIELDS

ROOT = Path(__file__).parent.parent.parent
SIZES = (10_000, 100_000, 1_000_000)
SEED = 7
LOOPS, REPEATS = 20, 15
COLUMNS = ("system", "amount", "currency", "kind", "source", "valid_from", "every", "region", "includes", "url")
KINDS = (("list", "once"), ("street", "once"), ("on_demand", "hour"), ("spot", "hour"))
REGIONS = 20
CHEAPEST = 10


def rows(catalogue: Catalogue, number: int) -> Iterator[dict[str, str]]:
    """Rows of a price list over all systems, kinds, regions and days, each offer once a day."""
    chance = random.Random(SEED)
    ids = list(catalogue.systems)
    for index in range(number):
        turn, place = divmod(index, len(ids))
        turn, region = divmod(turn, REGIONS + 1)
        day, kind = divmod(turn, len(KINDS))
        amount = (
            chance.randrange(20_000_000, 30_000_000) / 100
            if KINDS[kind][1] == "once"
            else chance.randrange(1_000, 5_000) / 100
        )
        yield {
            "system": ids[place], "amount": f"{amount:.2f}", "currency": "USD", "kind": KINDS[kind][0],
            "source": "a reseller's list of 2026", "valid_from": f"{2010 + day // 336}-{1 + day // 28 % 12:02}-{1 + day % 28:02}",
            "every": KINDS[kind][1], "region": f"region-{region}" if region else "", "includes": "host",
            "url": "https://example.com/list",
        }  # fmt: skip


def write(path: Path, number: int) -> None:
    """A CSV of so many rows."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows(shipped(), number))


CHILD = """
import resource, sys, time
from pathlib import Path
from pricing.catalogue.importing.run import Request, take_in
from pricing.catalogue.library import Library
from pricing.catalogue.sources.files import Reading, file_rows
library = Library(database=sys.argv[2])
library.store.migrate()
start = time.perf_counter()
report = take_in(library, Request(source="reseller", accepted=("outlier",)), file_rows(Path(sys.argv[1]), Reading()), lambda _: None)
assert report.published, report.lines()[:5]
print(report.rows / (time.perf_counter() - start), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def import_list(path: Path, database: str) -> tuple[float, float]:
    """Import a file in a process of its own. Returns rows a second, and the most memory in MB."""
    command = [sys.executable, "-c", CHILD, str(path), database]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    speed, memory = map(float, done.stdout.split())
    return speed, memory


def best(call: Any, loops: int = LOOPS) -> float:
    """The best time of a call in milliseconds."""
    return min(timeit.repeat(call, number=loops, repeat=REPEATS)) / loops * 1e3


def gpuhunt_of(number: int) -> Any:
    """The same rows in gpuhunt's catalogue, preloaded in memory."""
    from gpuhunt import Catalog  # noqa: PLC0415
    from gpuhunt._internal.catalog import ProviderCatalog  # noqa: PLC0415

    catalogue = shipped()
    catalog = Catalog(balance_resources=False, auto_reload=False)
    items = [_item(catalogue, row) for row in rows(catalogue, number)]
    catalog.catalog = {"aws": ProviderCatalog("of the benchmark", items)}
    catalog.loaded_at = time.monotonic()
    return catalog


def _item(catalogue: Catalogue, row: dict[str, str]) -> Any:
    from gpuhunt import AcceleratorVendor, CatalogItem  # noqa: PLC0415

    system = catalogue.systems[row["system"]]
    return CatalogItem(
        provider="aws", instance_name=row["system"], location=row["region"] or "everywhere", price=float(row["amount"]),
        cpu=64, memory=1024.0, gpu_count=system.accelerators or 1, gpu_name=system.accelerator_model, gpu_memory=80.0,
        spot=row["kind"] == "spot", disk_size=None, gpu_vendor=AcceleratorVendor.NVIDIA,
    )  # fmt: skip


def measure(report: Any) -> None:
    """Print what `make bench` says of price lists."""
    with tempfile.TemporaryDirectory() as folder:
        for number in SIZES:
            path, database = Path(folder) / f"{number}.csv", f"sqlite:///{folder}/{number}.db"
            write(path, number)
            speed, memory = import_list(path, database)
            if number == SIZES[-1]:
                report(
                    "import of a million rows into SQLite, rows a second", f"{speed:,.0f}", ">= 50,000", speed >= 50_000
                )
                report("  most memory of it", f"{memory:.0f} MB", "<= 500 MB", memory <= 500)
            _questions(report, number, database)


def _questions(report: Any, number: int, database: str) -> None:
    library = Library(database=database)
    catalogue = library.open(EVERYTHING)
    listing = LISTINGS["prices"]
    page = list_parameters(*listing.filters)().load({"system": "dgx-a100-640gb"})
    listed = best(lambda: list_answer(catalogue, listing, page, str))
    report(f"/v1/prices?system=… of {number:,} rows, in process, uncached", f"{listed:.2f} ms", "< 1 ms", listed < 1)
    fields = compare_parameters()().load(FIELDS)
    compared = best(lambda: compare(catalogue, ask(catalogue, fields), FIELDS["baseline"]))
    report(f"a comparison on {number:,} rows, in process, uncached", f"{compared:.2f} ms", "< 1 ms", compared < 1)
    if number <= 100_000:
        start, model = time.perf_counter(), catalogue.system("dgx-a100-640gb").accelerator_model
        catalog = gpuhunt_of(number)
        assert catalog.query(provider="aws", gpu_name=model, min_gpu_count=8, max_gpu_count=8)
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        theirs = best(lambda: catalog.query(provider="aws", gpu_name=model, min_gpu_count=8, max_gpu_count=8), 1)
        made = time.perf_counter() - start
        report(
            f"  gpuhunt in memory on the same rows ({made:.0f} s, {held // 1024} MB)",
            f"{theirs / listed:.0f}x ours",
            "> 1x",
            theirs > listed,
        )
    library.close()
