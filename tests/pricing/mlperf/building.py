"""Repositories of results as MLPerf's submitters write them, small: logs of each round's form, descriptions, power."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pricing.mlperf.repository import Measured, read_repository

START = 1_636_168_821_801  # [ms], of Graphcore/results/ipu-pod16-TF1/resnet/result_0.txt of v1.1
MINUTE = 60_000  # [ms]
REPOSITORY = "training_results_v1.1"
PLACE = "Graphcore/results/ipu-pod16-TF1/resnet"
SAID = {"benchmark": "resnet", "division": "closed", "org": "Graphcore", "status": "onprem", "platform": "POD16"}
FIVE = (14, 10, 13, 11, 12)
"""Minutes of five runs; without 10 and 14 their mean is (11 + 12 + 13) / 3 = 12."""
SYSTEM = {
    "submitter": "Graphcore",
    "division": "closed",
    "status": "onprem",
    "system_name": "POD16",
    "number_of_nodes": "1",
    "host_processors_per_node": "2",
    "host_processor_model_name": "AMD EPYC 7742 64-Core Processor",
    "accelerators_per_node": "16",
    "accelerator_model_name": "Graphcore Colossus MK2 IPU",
    "framework": "TensorFlow 1.15",
}


def mllog(time_ms: float, key: str, value: Any = None, **metadata: Any) -> str:
    """A line of v0.7 and later."""
    kind = {"run_start": "INTERVAL_START", "run_stop": "INTERVAL_END"}.get(key, "POINT_IN_TIME")
    held = {"namespace": "", "time_ms": time_ms, "event_type": kind, "key": key, "value": value}
    return ":::MLLOG " + json.dumps({**held, "metadata": {"file": "train.py", "lineno": 736, **metadata}})


def mll(time_s: float, key: str, value: Any = None, **metadata: Any) -> str:
    """A line of v0.6."""
    held = {"value": value, "metadata": {"file": "train.py", "lineno": 142, **metadata}}
    return f":::MLL {time_s:.3f} {key}: {json.dumps(held)}"


def mlp(time_s: float, key: str, value: str | None = None) -> str:
    """A line of v0.5, whose value is written as it stands."""
    return f":::MLPv0.5.0 ncf {time_s:.3f} (NeuralCFexample.scala:70) {key}" + ("" if value is None else f": {value}")


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def log(time_ms: float, status: str = "success", start: float = START, said: Mapping[str, str] = SAID) -> str:
    """The log of a run of this length [ms], with what stands around the lines that count."""
    return text(
        "STARTING TIMING RUN AT 2021-11-06 03:12:02 AM",
        *(mllog(start - 100, f"submission_{name}", value) for name, value in said.items()),
        mllog(start - 50, "global_batch_size", 3840),
        mllog(start, "run_start"),
        mllog(start + time_ms / 2, "eval_accuracy", 0.75, epoch_num=36),
        "Epoch 38 done",
        mllog(start + time_ms, "run_stop", {"success": status == "success"}, epoch_num=38, status=status),
    )


def write(path: Path, content: str | bytes) -> Path:
    """A file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_runs(folder: Path, minutes: Sequence[float], failed: Sequence[str] = (), **said: str) -> Path:
    """Logs result_0.txt, result_1.txt, … of these minutes; then those that failed, each of one minute, by their status."""
    runs = [(length, "success") for length in minutes] + [(1.0, status) for status in failed]
    for number, (length, status) in enumerate(runs):
        write(folder / f"result_{number}.txt", log(length * MINUTE, status, START, {**SAID, **said}))
    return folder


def describe(repository: Path, place: str = PLACE, content: str | bytes | None = None, **changes: Any) -> Path:
    """The description of the system of a place, with changes to the usual one; None leaves a field out."""
    submitter, _, after = place.partition("/results/")
    held = {key: value for key, value in {**SYSTEM, **changes}.items() if value is not None}
    system = after.split("/")[0]
    return write(repository / submitter / "systems" / f"{system}.json", content or json.dumps(held, indent=2))


def repository(folder: Path, place: str = PLACE, minutes: Sequence[float] = FIVE, failed: Sequence[str] = ()) -> Path:
    """A repository with one submission of such runs; more may be added."""
    root = folder / REPOSITORY
    benchmark = place.rsplit("/", maxsplit=1)[-1]
    write_runs(root / place, minutes, failed, benchmark=benchmark, org=place.split("/", maxsplit=1)[0])
    describe(root, place)
    return root


def power_log(*readings: tuple[float, float], stop: float | None = None, efficiency: float | None = None) -> str:
    """A node's power: readings of so many seconds after the start, and so many watts."""
    lines = [mllog(START, "power_measurement_start")]
    lines += [] if efficiency is None else [mllog(START, "conversion_eff", efficiency, measurement_type="AC")]
    lines += [mllog(START + seconds * 1000, "power_reading", watts, host="node_0") for seconds, watts in readings]
    lines += [] if stop is None else [mllog(START + stop * 1000, "power_measurement_stop")]
    return text(*lines)


def switch_log(watts: float, efficiency: float = 1.0) -> str:
    """A switch's estimated power."""
    return text(mllog(START, "conversion_eff", efficiency), mllog(START, "interconnect_power_est", watts))


def only(path: Path, in_round: str | None = None) -> Measured:
    """The only result below a path."""
    found = read_repository(path, in_round)
    assert len(found.results) == 1, found
    return found.results[0]


def skipped(path: Path) -> dict[str, str]:
    """What was not read below a path, and why."""
    return dict(read_repository(path).skipped)
