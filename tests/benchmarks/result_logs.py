"""A repository of a round's size, read and imported: 1,830 logs of 270 KB, as v1.1 has them."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

SUBMISSIONS, RUNS, BYTES = 183, 10, 270_000
SECONDS, MB = 60.0, 1e6
Report = Callable[[str, str, str, bool], None]
READ = """
import resource, sys
from pathlib import Path
from pricing.mlperf.repository import read_repository
found = read_repository(Path(sys.argv[1]))
assert len(found.results) == int(sys.argv[2]) and all(each.row.minutes for each in found.results)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def line(key: str, at: int, value: object = None, **beside: object) -> str:
    return ":::MLLOG " + json.dumps({"namespace": "", "time_ms": at, "key": key, "value": value, "metadata": beside})


def log(minutes: int) -> str:
    filler = [line("tracked_stats", at, {"throughput": 2500.5, "loss": 0.1}, step=at) for at in range(BYTES // 140)]
    end = line("run_stop", minutes * 60_000, status="success")
    return "\n".join([line("submission_benchmark", 0, "bert"), line("run_start", 0), *filler, end, ""])


def write(root: Path) -> None:
    logs = [log(10 + run) for run in range(RUNS)]
    for number in range(SUBMISSIONS):
        folder = root / "Acme" / "results" / f"rig{number}" / "bert"
        folder.mkdir(parents=True)
        described = {"division": "closed", "status": "onprem", "number_of_nodes": "1", "accelerators_per_node": "8"}
        (root / "Acme" / "systems").mkdir(exist_ok=True)
        (root / "Acme" / "systems" / f"rig{number}.json").write_text(json.dumps(described))
        for run, text in enumerate(logs):
            (folder / f"result_{run}.txt").write_text(text)


def measure(report: Report) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "training_results_v1.1"
        write(root)
        size = sum(each.stat().st_size for each in root.rglob("result_*.txt")) / MB
        seconds, memory = _read(root)
        what = f"reading {SUBMISSIONS * RUNS:,} result logs of a round, {size:.0f} MB"
        report(what, f"{seconds:.1f} s", "<= 60", seconds <= SECONDS)
        print(f"{'  MB a second':66} {size / seconds:>22.0f}")
        print(f"{'  most memory of it':66} {memory:>19.0f} MB")
        seconds = _import(root, Path(folder) / "books.db")
        report(
            "importing them into a book of SQLite, with the command", f"{seconds:.1f} s", "<= 60", seconds <= SECONDS
        )


def _read(root: Path) -> tuple[float, float]:
    start = time.perf_counter()
    command = [sys.executable, "-c", READ, str(root), str(SUBMISSIONS)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - start, int(done.stdout) * 1024 / MB


def _import(root: Path, database: Path) -> float:
    command = [str(Path(sys.executable).parent / "traincost"), "results", "import", str(root)]
    environment = {"TRAINCOST_DATABASE_URL": f"sqlite:///{database}"}
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start
