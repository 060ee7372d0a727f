"""What holds for any runs, any line and any bytes."""

import json
from contextlib import suppress
from math import isfinite
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pricing.mlperf.descriptions import BadDescription, Description, read_description
from pricing.mlperf.energy import NoEnergy, run_energy
from pricing.mlperf.lines import Event, parse
from pricing.mlperf.runs import Run
from pricing.mlperf.scoring import score
from tests.pricing.mlperf.building import write

MINUTES = st.lists(st.floats(0.01, 1e5), min_size=3, max_size=45)
BENCHMARKS = st.sampled_from(["resnet", "bert", "unet3d"])
FAILED = st.integers(0, 4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ["submitter", "division", "status", "number_of_nodes", "accelerators_per_node", "host_processors_per_node"]
FIELDS += ["system_name", "framework", "nodes", "entry", "num_nodes", "cpu", "accelerator", "num_accelerators", "org"]


def runs(minutes: list[float], failed: int = 0) -> list[Run]:
    ended = [Run(f"result_{number}.txt", each, "success", {}) for number, each in enumerate(minutes)]
    return ended + [Run(f"result_f{number}.txt", 1.0, "aborted", {}) for number in range(failed)]


@given(MINUTES, FAILED, BENCHMARKS)
def test_a_score_lies_between_the_fastest_and_the_slowest_run(
    minutes: list[float], failed: int, benchmark: str
) -> None:
    found = score(benchmark, runs(minutes, failed)).minutes
    assert found is None or min(minutes) * (1 - 1e-12) <= found <= max(minutes) * (1 + 1e-12)


@given(MINUTES, FAILED, BENCHMARKS, st.randoms(use_true_random=False))
def test_a_score_does_not_depend_on_the_order_of_the_runs(
    minutes: list[float], failed: int, benchmark: str, chance: Random
) -> None:
    given_runs = runs(minutes, failed)
    before = score(benchmark, given_runs).minutes
    chance.shuffle(given_runs)
    assert score(benchmark, given_runs).minutes == before


@given(MINUTES, FAILED, BENCHMARKS)
def test_a_run_that_fails_never_makes_the_score_better(minutes: list[float], failed: int, benchmark: str) -> None:
    """Where one of the runs fails instead, it counts as the slowest of all."""
    before = score(benchmark, runs(minutes, failed)).minutes
    after = score(benchmark, runs(minutes[1:], failed + 1)).minutes
    assert before is None or after is None or after >= before * (1 - 1e-12)


@given(MINUTES, FAILED, BENCHMARKS, st.sampled_from([0.001, 0.5, 3.0, 1000.0]))
def test_runs_all_slower_by_a_factor_are_a_score_slower_by_it(
    minutes: list[float], failed: int, benchmark: str, factor: float
) -> None:
    before = score(benchmark, runs(minutes, failed)).minutes
    after = score(benchmark, runs([each * factor for each in minutes], failed)).minutes
    assert (before is None) == (after is None)
    assert before is None or after == pytest.approx(before * factor, rel=1e-9)


LINES = st.one_of(
    st.text(),
    st.text().map(lambda rest: ":::MLLOG " + rest),
    st.text().map(lambda rest: ":::MLL " + rest),
    st.text().map(lambda rest: ":::MLPv0.5.0 " + rest),
    JSON.map(lambda held: ":::MLLOG " + json.dumps(held)),
    st.dictionaries(st.sampled_from(["time_ms", "time_s", "key", "value", "metadata"]), JSON).map(
        lambda held: ":::MLLOG " + json.dumps(held)
    ),
    st.tuples(st.from_regex(r"[\d.]{1,20}", fullmatch=True), JSON).map(
        lambda pair: f":::MLL {pair[0]} run_stop: {json.dumps(pair[1])}"
    ),
    st.tuples(st.from_regex(r"[\d.]{1,20}", fullmatch=True), st.text()).map(
        lambda pair: f":::MLPv0.5.0 ncf {pair[0]} (a.py:1) run_stop: {pair[1]}"
    ),
    st.integers(0, 500).map(lambda digits: ':::MLLOG {"time_ms": 1' + "0" * digits + "}"),
)


@settings(max_examples=500)
@given(LINES)
def test_any_line_is_an_event_at_a_finite_time_or_none(line: str) -> None:
    found = parse(line)
    assert found is None or (isinstance(found, Event) and isfinite(found.time_ms) and isinstance(found.metadata, dict))


LITERALS = JSON.map(repr) | st.text(alphabet="{}[]()'\":,0123456789x+- ", max_size=30)
DESCRIPTIONS = st.one_of(
    st.binary(max_size=200),
    JSON.map(lambda held: json.dumps(held).encode()),
    st.dictionaries(st.sampled_from(FIELDS), JSON).map(lambda held: json.dumps(held).encode()),
    st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON)).map(lambda held: json.dumps({"nodes": held}).encode()),
    st.tuples(st.sampled_from(FIELDS), JSON).map(
        lambda pair: f'{pair[0]}: {{"value": {json.dumps(pair[1])}}}'.encode()
    ),
    LITERALS.map(lambda literal: f'entry: {{"value": {json.dumps(literal)}}}'.encode()),
    st.integers(1, 3000).map(lambda depth: b'entry: {"value": ' + b"[" * depth + b"]" * depth + b"}"),
)


@settings(max_examples=500, deadline=None)
@given(DESCRIPTIONS)
def test_any_bytes_are_a_description_or_a_bad_one(content: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(BadDescription):
        found = read_description(write(Path(folder) / "system.json", content))
        counts = (found.nodes, found.accelerators, found.host_processors)
        assert isinstance(found, Description) and all(each is None or each >= 0 for each in counts)


POWER_LINES = st.builds(
    lambda time, key, value: f':::MLLOG {{"time_ms": {time}, "key": "{key}", "value": {json.dumps(value)}}}\n',
    st.integers(0, 20) | st.sampled_from(["NaN", "Infinity", "1" + "0" * 400]),
    st.sampled_from(["power_measurement_start", "power_measurement_stop", "power_reading", "conversion_eff"]),
    st.integers(0, 1000) | st.floats() | JSON,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(POWER_LINES, max_size=8))
def test_any_power_log_is_an_energy_above_zero_or_none(lines: list[str]) -> None:
    with TemporaryDirectory() as folder, suppress(NoEnergy):
        write(Path(folder) / "node_0.txt", "".join(lines))
        found = run_energy(Path(folder), Run("result_0.txt", 10.0, "success", {}))
        assert isfinite(found.joules) and found.joules > 0
