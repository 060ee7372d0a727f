"""The official scorer, mlperf-logging's result_summarizer, gives the same minutes and joules for the same files.

Only its check of compliance is replaced, which rejects logs that were published: a run counts if it says success.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlperf_logging.compliance_checker.mlp_parser import parse_file
from mlperf_logging.result_summarizer import result_summarizer as official

from pricing.mlperf.energy import mean_energy, run_energy
from pricing.mlperf.runs import read_run
from pricing.mlperf.scoring import score
from tests.pricing.mlperf.building import FIVE, MINUTE, PLACE, START, log, mllog, power_log, switch_log, text, write

Answer = tuple[float | None, float | None]


def _lines(result_file: str, usage: str, ruleset: str) -> list[Any]:
    lines, failed = parse_file(result_file, ruleset=ruleset)
    ends = [line.value["metadata"].get("status") for line in lines if line.key == "run_stop"]
    if failed or ends[:1] != ["success"]:
        raise ValueError("no whole run that converged")
    return lines


@pytest.fixture(autouse=True)
def _without_compliance() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(official, "_read_result_file", _lines)
        yield


def theirs(folder: Path, benchmark: str = "resnet") -> Answer:
    """Minutes and joules by the official code, with its scaling."""
    has_power = official._has_power(str(folder))
    found = official._compute_strong_score_standalone(benchmark, "s", has_power, str(folder), "training", "5.0.0")
    return found[0], found[1]


def ours(folder: Path, benchmark: str = "resnet") -> Answer:
    """Minutes and joules by the parts of our reader, before rounding; no file of scaling is there."""
    scored = score(benchmark, [read_run(path) for path in sorted(folder.glob("result_*.txt"))])
    if not (folder / "power").is_dir() or not scored.kept:
        return scored.minutes, None
    energies = [run_energy(folder / "power" / run.file.removesuffix(".txt"), run) for run in scored.kept]
    return scored.minutes, mean_energy(energies).joules


def agree(folder: Path, benchmark: str = "resnet") -> Answer:
    """What both say, which is the same."""
    official_answer = theirs(folder, benchmark)
    for mine, other in zip(ours(folder, benchmark), official_answer, strict=True):
        assert (mine is None) == (other is None)
        assert mine is None or mine == pytest.approx(other, rel=1e-9, abs=0)
    return official_answer


def written(folder: Path, times: list[float], failed: int = 0) -> Path:
    """Logs of these times [ms], the failed ones last."""
    for number, time_ms in enumerate(times):
        status = "aborted" if number >= len(times) - failed else "success"
        write(folder / f"result_{number}.txt", log(time_ms, status))
    return folder


SETS = [("resnet", 5, 0), ("resnet", 5, 1), ("resnet", 5, 2), ("resnet", 2, 0), ("resnet", 2, 1), ("bert", 10, 10)]
SETS += [("maskrcnn", 7, 0), ("gpt3", 3, 0)]
SETS += [("unet3d", 22, 0), ("unet3d", 40, 4), ("unet3d", 40, 5), ("unet3d", 8, 0)]


@pytest.mark.parametrize(("benchmark", "runs", "failed"), SETS)
def test_scores_are_the_official_ones(tmp_path: Path, benchmark: str, runs: int, failed: int) -> None:
    times = [600_000 + 7919.0 * number**2 for number in range(runs)]
    minutes, _ = agree(written(tmp_path, times, failed), benchmark)
    assert (minutes is None) == (failed > (4 if benchmark == "unet3d" else 1) or runs <= 2 or runs == 8)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(":::MLLOG", " 0: :::MLLOG"),
        lambda content: "M\xfcnchen \xff\n" + content,
        lambda content: content.replace("\n", "\r\n"),
        lambda content: text(mllog(START - 5 * MINUTE, "run_start")) + content,
        lambda content: content + text(mllog(START + 99 * MINUTE, "run_stop", status="success")),
        lambda content: content + text(mllog(START + 98 * MINUTE, "run_start")),
        lambda content: content + "run_stop\n",
    ],
    ids=["text before", "latin-1", "CRLF", "two starts", "two stops", "a start after", "a word after"],
)
def test_times_are_the_official_ones_in_odd_logs(tmp_path: Path, change: Any) -> None:
    for number, minutes in enumerate(FIVE):
        write(tmp_path / f"result_{number}.txt", change(log(minutes * MINUTE)).encode("latin-1"))
    assert agree(tmp_path)[0] == pytest.approx(12)


NODE = power_log((1, 100), (2.5, 200), (7, 333.3), stop=7)
NODES = {
    "plain": {"node_0": NODE},
    "two nodes": {"node_0": NODE, "node_1": power_log((3, 2246), (5, 2247), stop=5)},
    "efficiency": {"node_0": power_log((1, 10048), (2, 10009), stop=2, efficiency=0.94)},
    "switch": {"node_0": NODE, "sw_0": switch_log(16_100, 0.96), "sw_1": switch_log(55.5)},
    "switch of readings": {"node_0": NODE, "sw_0": power_log((1, 705), stop=1, efficiency=0.96)},
    "stop later": {"node_0": power_log((1, 100), (2, 200), stop=60)},
    "readings later": {"node_0": power_log((1, 100), (2, 200), (3, 9000), stop=2)},
    "reading before": {"node_0": power_log((-5, 9000), (1, 100), (2, 200), stop=2)},
    "no stop": {"node_0": power_log((1, 100), (2, 200))},
    "below zero": {"node_0": power_log((1, -3), (2, 200), stop=2)},
    "reversed": {"node_0": text(*reversed(power_log((1, 100), (2, 200), stop=3).splitlines()))},
}


@pytest.mark.parametrize("name", NODES)
def test_energy_is_the_official_one(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path / PLACE, [600_000, 610_000, 655_000, 700_000, 9_000], failed=1)
    for number in range(5):
        for node, content in NODES[name].items():
            write(folder / f"power/result_{number}/{node}.txt", content)
    assert agree(folder)[1] is not None


TIMES = st.lists(st.integers(1, 10**9), min_size=0, max_size=14)
READINGS = st.lists(st.tuples(st.floats(0.001, 1000), st.floats(1, 1e5)), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(times=TIMES, failed=st.integers(0, 5), benchmark=st.sampled_from(["resnet", "unet3d"]))
def test_any_set_of_runs_has_the_official_score(times: list[float], failed: int, benchmark: str) -> None:
    with TemporaryDirectory() as folder:
        agree(written(Path(folder), times, min(failed, len(times))), benchmark)


@settings(max_examples=60, deadline=None)
@given(readings=READINGS, stop=st.floats(0.001, 2000), efficiency=st.floats(0.1, 1))
def test_any_readings_have_the_official_energy(
    readings: list[tuple[float, float]], stop: float, efficiency: float
) -> None:
    """The stop is not before the first reading, without which there is no power."""
    node = power_log(*readings, stop=max(stop, min(readings)[0] + 0.001), efficiency=efficiency)
    with TemporaryDirectory() as folder:
        benchmark = written(Path(folder), [600_000, 610_000, 655_000])
        for number in range(3):
            write(benchmark / f"power/result_{number}/node_0.txt", node)
        agree(benchmark)
