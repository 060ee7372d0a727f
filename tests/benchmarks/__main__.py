"""How fast it is: `make bench`. Ratios are of one run; times on a shared machine are noisy, so the best counts."""

import os
import re
import shutil
import subprocess
import sys
import time
import timeit
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from pricing.analysis.asking import ask
from pricing.analysis.compare import compare
from pricing.catalogue.catalogue import shipped
from pricing.graph import graph, metrics
from service.parameters import compare_parameters
from tests.benchmarks import batches, price_list, result_logs
from tests.benchmarks.questions import FIELDS, PAIR_ADDRESS
from tests.servers import free_port

ROOT = Path(__file__).parent.parent.parent
REPEATS, LOOPS, ROUNDS, SECONDS = 15, 100, 7, 2
IN_PROCESS_US, WARM_SHARE, COLD_SECONDS = 300.0, 0.85, 0.4


def report(what: str, measured: str, target: str, met: bool) -> None:
    print(f"{what:66} {measured:>22}   target {target:>8}   {'met' if met else 'MISSED'}", flush=True)


def in_process() -> None:
    """An uncached comparison of two systems with all quantities, and the same graph alone."""
    catalogue, fields = shipped(), compare_parameters()().load(FIELDS)
    question = ask(catalogue, fields)
    whole, targets = graph(question.bases), metrics(question.bases)
    known = [side.known for side in compare(catalogue, question).sides]

    def best(call: object) -> float:
        return min(timeit.repeat(call, number=LOOPS, repeat=REPEATS)) / LOOPS * 1e6  # type: ignore[arg-type]

    asked = best(lambda: compare(catalogue, ask(catalogue, fields), FIELDS["baseline"]))
    alone = best(lambda: [whole.evaluate(dict(values), {}, targets) for values in known])
    report("a comparison in process, uncached", f"{asked:.0f} us", "<= 300", asked <= IN_PROCESS_US)
    print(f"{'  of which the graph of both sides':66} {alone / asked:>21.2f}x")
    schema = compare_parameters()()
    loading = best(lambda: schema.load(FIELDS))
    print(f"{'  checking the parameters, before it':66} {loading / asked:>21.2f}x")


@contextmanager
def gunicorn(application: str, **environment: str) -> Iterator[str]:
    port = free_port()
    own = {**os.environ, "PORT": str(port), "WORKERS": "1", "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "gunicorn", "-c", "service/gunicorn_conf.py", "--log-level", "error", application]
    process = subprocess.Popen(command, cwd=ROOT, env=own)
    address = f"http://127.0.0.1:{port}{PAIR_ADDRESS}"
    try:
        for _ in range(200):
            try:
                requests.get(address, timeout=5).raise_for_status()
                break
            except requests.RequestException:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=40)


def requests_per_second(address: str) -> float:
    wrk = shutil.which("wrk")
    if wrk:
        command = [wrk, "-t1", "-c8", f"-d{SECONDS}s", address]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])  # type: ignore[index]
    end, count = time.perf_counter() + SECONDS, 0
    with requests.Session() as session:
        while time.perf_counter() < end:
            session.get(address, timeout=5)
            count += 1
    return count / SECONDS


def warm() -> None:
    """The warm answer against a bare route of as many bytes under the same gunicorn, taken in turns."""
    with gunicorn("service.app:create_app()") as ours, gunicorn("tests.benchmarks.bare:application", BARE="1") as bare:
        assert len(requests.get(ours, timeout=5).content) == len(requests.get(bare, timeout=5).content)
        pairs = [(requests_per_second(ours), requests_per_second(bare)) for _ in range(ROUNDS)]
    share = sorted(one / other for one, other in pairs)[ROUNDS // 2]
    best = max(one for one, _ in pairs) / max(other for _, other in pairs)
    measured = f"{share:.2f}x (best {best:.2f}x)"
    report("warm GET /v1/compare over a bare Flask route, median of 7", measured, ">= 0.85", share >= WARM_SHARE)
    print(f"{'  requests a second, best, one worker':66} {max(one for one, _ in pairs):>22.0f}")


def cold() -> None:
    """The command from a cold start, against Python itself."""
    command = [str(Path(sys.executable).parent / "traincost"), "compare", *FIELDS["systems"].split(",")]
    command += ["--benchmark", "resnet", "--round", "v1.0"]
    times: dict[str, list[float]] = {"traincost": [], "python": []}
    for _ in range(7):
        for name, each in (("traincost", command), ("python", [sys.executable, "-c", "pass"])):
            start = time.perf_counter()
            subprocess.run(each, check=True, stdout=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - start)
    ours, python = min(times["traincost"]), min(times["python"])
    report("cold start of the command, best of 7", f"{ours:.2f} s", "<= 0.4", ours <= COLD_SECONDS)
    print(f"{'  over a cold start of Python':66} {ours / python:>21.1f}x")


if __name__ == "__main__":
    in_process()
    batches.measure(report)
    price_list.measure(report)
    result_logs.measure(report)
    warm()
    cold()
