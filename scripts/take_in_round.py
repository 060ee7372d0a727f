"""Make a round's table of `pricing/data/mlperf/` from a checkout of its repository; the diff is the review.

    .venv/bin/python scripts/take_in_round.py training_results_v1.1

Rows whose logs lie outside the checkout keep what they say (`runs_absent`); set the number of rows in
`pricing/data/tables.csv` where it changed, and tie new submissions in `mlperf_systems.csv` or `mlperf_untied.csv`.
"""

import csv
import sys
from dataclasses import fields, replace
from pathlib import Path

from pricing.catalogue.facts import DATA
from pricing.mlperf.repository import Measured, read_repository
from schemas.benchmark_result import ResultRow

NAMES = [each.name for each in fields(ResultRow)]
KEY = ("submitter", "system_id", "benchmark")
PLACES = {"minutes": 4, "minutes_min": 4, "minutes_max": 4, "official_minutes": 4, "scaling_factor": 6, "energy_j": 1}


def cells(measured: Measured) -> dict[str, str]:
    """A result as the table has it."""
    times = " ".join(f"{each:.4f}" for each in measured.run_minutes)
    row = replace(measured.row, run_minutes=times or None)
    return {name: _text(name, getattr(row, name)) for name in NAMES}


def _text(name: str, value: object) -> str:
    if value is None:
        return ""
    return f"{value:.{PLACES[name]}f}" if name in PLACES else str(value)


def main(checkout: Path) -> None:
    """Rewrite the table of the checkout's round."""
    repository = read_repository(checkout)
    for each in repository.skipped:
        print(f"skipped: {each.path}: {each.reason}", file=sys.stderr)
    made = [cells(each) for each in repository.results]
    path = DATA / "mlperf" / f"results_{made[0]['round']}.csv"
    held = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []
    absent = {tuple(row[name] for name in KEY): row for row in held if row["runs_absent"] != "0"}
    rows = [row for row in made if tuple(row[name] for name in KEY) not in absent] + list(absent.values())
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, NAMES, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: tuple(row[name] for name in KEY)))
    print(f"{len(rows)} rows in {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
