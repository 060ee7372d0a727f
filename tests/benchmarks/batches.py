"""Many questions at once: the engine alone, and the whole way from lines to lines with its memory."""

import json
import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

from pricing.analysis.batch import Answers
from pricing.catalogue.catalogue import shipped
from service.parameters import batch_row

Report = Callable[[str, str, str, bool], None]
ROWS, ENGINE_SECONDS = 10_000, 1.0
MANY, MOST_MB = 100_000, 200
WANTED = ("cost_per_run",)
ROOT = Path(__file__).parent.parent.parent
STREAM = """
import json, resource
from service.app import create_app
rows = (json.dumps({{"systems": "dgx-a100-640gb", "benchmark": "resnet", "round": "v1.0", "pue_ratio": round(1 + n / {many}, 6)}})
        for n in range({many}))
body = "\\n".join(rows).encode()
answer = create_app().test_client().post("/v1/batch?fields=cost_per_run&format=ndjson", data=body,
                                         content_type="application/x-ndjson", buffered=False)
lines = sum(part.count(b"\\n") for part in answer.iter_encoded())
print(json.dumps([lines, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure(report: Report) -> None:
    """Questions that differ in an assumption, as a sweep from a spreadsheet has them, and questions that differ in all."""
    schema = batch_row()()
    systems = ("dgx-a100-640gb", "ipu-pod16", "dgx-h100", "dgx-1-v100")
    asked = [
        schema.load({"systems": systems[number % len(systems)], "pue_ratio": 1 + number / ROWS})
        for number in range(ROWS)
    ]

    def engine() -> None:
        answers = Answers(shipped(), WANTED)
        for fields in asked:
            answers.to(fields)

    seconds = min(timeit.repeat(engine, number=1, repeat=5))
    report("10,000 questions of a batch, engine alone", f"{seconds:.2f} s", "<= 1", seconds <= ENGINE_SECONDS)
    done = subprocess.run(
        [sys.executable, "-c", STREAM.format(many=MANY)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines, megabytes = json.loads(done.stdout)
    assert lines == MANY
    report("100,000 questions streamed, memory", f"{megabytes:.0f} MB", f"<= {MOST_MB}", megabytes <= MOST_MB)
