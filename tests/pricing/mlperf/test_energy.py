"""Energy from power logs: conversion efficiency x mean power x time, with the arithmetic in each test."""

from pathlib import Path

import pytest

from pricing.mlperf.energy import Energy, NoEnergy, run_energy
from pricing.mlperf.runs import Run
from tests.pricing.mlperf.building import (
    MINUTE,
    PLACE,
    START,
    mllog,
    only,
    power_log,
    repository,
    skipped,
    switch_log,
    text,
    write,
)

TEN = Run("result_0.txt", 10.0, "success", {})
"""A run of 600 s."""
NODE = power_log((1, 100), (2, 200), stop=2)
"""100 W for a second and 200 W for another: a mean of 150 W."""


def energy(folder: Path, **logs: str) -> Energy:
    """The energy of ten minutes with these power logs, by the first of their names."""
    for name, content in logs.items():
        write(folder / f"{name}.txt", content)
    return run_energy(folder, TEN)


def no_energy(folder: Path, **logs: str) -> str:
    with pytest.raises(NoEnergy) as raised:
        energy(folder, **logs)
    return str(raised.value)


def test_energy_is_the_mean_power_times_the_time_to_train(tmp_path: Path) -> None:
    """150 W x 600 s = 90,000 J."""
    assert energy(tmp_path, node_0=NODE) == Energy(pytest.approx(90_000), False)


def test_power_of_several_nodes_is_added(tmp_path: Path) -> None:
    """(150 + 150 + 300) W x 600 s = 360,000 J."""
    found = energy(tmp_path, node_0=NODE, node_1=NODE, node_10=power_log((5, 300), stop=5))
    assert found.joules == pytest.approx(360_000)


def test_each_reading_holds_since_the_one_before(tmp_path: Path) -> None:
    """1,000 W for 1 s and 100 W for 9 s: 1,900 / 10 = 190 W, 114,000 J."""
    assert energy(tmp_path, node_0=power_log((1, 1000), (10, 100), stop=10)).joules == pytest.approx(114_000)


def test_the_mean_is_taken_to_the_stop_also_where_the_readings_end_before(tmp_path: Path) -> None:
    """300 Ws / 4 s = 75 W, 45,000 J: as the official code has it."""
    found = energy(tmp_path, node_0=power_log((1, 100), (2, 200), stop=4))
    assert found == Energy(pytest.approx(45_000), False)


def test_readings_after_the_stop_and_before_the_start_are_left_out(tmp_path: Path) -> None:
    found = energy(tmp_path, node_0=power_log((-1, 5000), (1, 100), (2, 200), (3, 9000), stop=2))
    assert found.joules == pytest.approx(90_000)


def test_conversion_efficiency_is_multiplied(tmp_path: Path) -> None:
    """90,000 J x 0.94, as in Lenovo's of v5.0."""
    found = energy(tmp_path, node_0=power_log((1, 100), (2, 200), stop=2, efficiency=0.94))
    assert found.joules == pytest.approx(84_600)


def test_switches_are_added_with_their_own_efficiency(tmp_path: Path) -> None:
    """(150 + 50 x 0.9 + 16,100) W x 600 s; 16,100 W is the switch of smc-ac-power in v4.0."""
    found = energy(tmp_path, node_0=NODE, sw_0=switch_log(50, 0.9), sw_1=switch_log(16_100))
    assert found.joules == pytest.approx(9_777_000)


def test_a_switch_without_an_estimate_adds_nothing(tmp_path: Path) -> None:
    """Dell's sw_0.txt of v4.1 has readings, which the official code leaves out."""
    assert energy(tmp_path, node_0=NODE, sw_0=power_log((1, 705), stop=1)).joules == pytest.approx(90_000)


def test_of_a_switch_the_first_estimate_holds(tmp_path: Path) -> None:
    assert energy(tmp_path, node_0=NODE, sw_0=switch_log(50) + switch_log(70)).joules == pytest.approx(120_000)


def test_a_measurement_that_stops_when_it_starts_is_taken_to_its_last_reading_and_is_an_estimate(
    tmp_path: Path,
) -> None:
    """As in 1,020 files of v4.0: value "null", metadata "", and the stop with the start's time."""
    mark = ':::MLLOG {"namespace":"","time_ms":1000,"event_type":"INTERVAL_START","key":"power_measurement_X","value":"null","metadata":""}'
    reading = ':::MLLOG {"namespace": "", "time_ms": %d, "event_type": "POINT_IN_TIME", "key": "power_reading", "value": %d, "metadata": ""}'
    lines = (mark.replace("X", "start"), reading % (2000, 100), reading % (3000, 200), mark.replace("X", "stop"))
    assert energy(tmp_path, node_0=text(*lines)) == Energy(pytest.approx(90_000), True)


def test_a_measurement_without_a_stop_is_an_estimate(tmp_path: Path) -> None:
    assert energy(tmp_path, node_0=power_log((1, 100), (2, 200))) == Energy(pytest.approx(90_000), True)


def test_one_estimated_node_makes_the_whole_an_estimate(tmp_path: Path) -> None:
    found = energy(tmp_path, node_0=NODE, node_1=power_log((1, 100), (2, 200), stop=0))
    assert found == Energy(pytest.approx(180_000), True)


def test_lines_out_of_order_are_read_by_their_time(tmp_path: Path) -> None:
    """300 Ws / 4 s = 75 W, 45,000 J."""
    lines = power_log((1, 100), (2, 200), stop=4).splitlines()
    assert energy(tmp_path, node_0=text(*reversed(lines))) == Energy(pytest.approx(45_000), False)


def test_a_reading_below_zero_is_a_reading(tmp_path: Path) -> None:
    """-10 W for 1 s and 310 W for 1 s: 150 W."""
    assert energy(tmp_path, node_0=power_log((1, -10), (2, 310), stop=2)).joules == pytest.approx(90_000)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "no power_measurement_start"),
        ("a power log\n", "no power_measurement_start"),
        (power_log(stop=2), "no readings"),
        (power_log(), "no readings"),
        (power_log((-1, 100), stop=2), "no readings"),
        (power_log((1, -100), (2, -200), stop=2), "no readings"),
        (power_log((1, 0), stop=2), "no readings"),
        (NODE.replace('"value": 200', '"value": "200"'), "power_reading is no number"),
        (NODE.replace('"value": 200', '"value": null'), "power_reading is no number"),
        (NODE.replace('"value": 200', '"value": true'), "power_reading is no number"),
        (NODE.replace('"value": 200', '"value": NaN'), "power_reading is no number"),
        (NODE.replace('"value": 200', '"value": Infinity'), "power_reading is no number"),
        (NODE.replace('"value": 200', '"value": 1' + "0" * 400), "power_reading is no number"),
        (NODE + text(mllog(START, "conversion_eff", "94 %")), "conversion_eff is no number"),
        (power_log((1, 100), (2, 200), stop=2, efficiency=0), "node_1.txt"),
        (power_log((1, 100), (2, 200), stop=2, efficiency=-0.94), "node_1.txt"),
        (power_log((1, 1e308), (2, 1e308), stop=2), "node_1.txt"),
    ],
)
def test_a_node_that_tells_no_power_gives_no_energy(tmp_path: Path, content: str, told: str) -> None:
    assert told in no_energy(tmp_path, node_0=NODE, node_1=content)


@pytest.mark.parametrize("time", ["NaN", "Infinity", "1e999"])
def test_a_reading_at_no_time_is_none(tmp_path: Path, time: str) -> None:
    stray = mllog(4242, "power_reading", 9000).replace("4242", time)
    assert energy(tmp_path, node_0=NODE + text(stray)).joules == pytest.approx(90_000)


def test_a_switch_that_tells_no_number_gives_no_energy(tmp_path: Path) -> None:
    assert "no number" in no_energy(tmp_path, node_0=NODE, sw_0=text(mllog(START, "interconnect_power_est", "50")))


def test_switches_alone_and_pictures_of_nodes_are_no_power_logs(tmp_path: Path) -> None:
    """nodes_1_to_1.png lies beside node_1.txt in v4.0."""
    assert "no node_*.txt" in no_energy(tmp_path, sw_0=switch_log(50), nodes_1_to_1=NODE)


def powered(folder: Path, *runs: int, log: str = NODE) -> Path:
    """A repository of five runs with power logs for some of them."""
    root = repository(folder)
    for number in runs:
        write(root / PLACE / f"power/result_{number}/node_0.txt", log)
    return root


def test_the_energy_of_a_result_is_the_mean_of_the_runs_that_its_score_keeps(tmp_path: Path) -> None:
    """Of 14, 10, 13, 11, 12 min are kept 11, 12, 13; their mean power is 100, 150 and 300 W in this order:
    (660 x 100 + 720 x 150 + 780 x 300) / 3 = 136,000 J; the others' power counts for nothing.
    """
    root = powered(tmp_path)
    for number, watts in enumerate((7000, 9000, 300, 100, 150)):
        write(root / PLACE / f"power/result_{number}/node_0.txt", power_log((1, watts), stop=1))
    found = only(root)
    assert found.row.energy_j == 136_000.0 and found.notes == ()


def test_runs_that_are_left_out_need_no_power_logs(tmp_path: Path) -> None:
    """150 W x 12 min x 60 s = 108,000 J."""
    assert only(powered(tmp_path, 2, 3, 4)).row.energy_j == 108_000.0


def test_a_kept_run_without_power_logs_leaves_the_result_without_energy_and_says_so(tmp_path: Path) -> None:
    found = only(powered(tmp_path, 0, 1, 3, 4))
    assert found.row.energy_j is None and found.row.minutes == 12
    assert found.notes == ("no energy: no node_*.txt beside result_2.txt",)


def test_energy_is_scaled_as_the_minutes_are(tmp_path: Path) -> None:
    """108,000 J x 1.023 = 110,484 J, as the official tool does."""
    root = powered(tmp_path, 2, 3, 4)
    write(root / PLACE / "scaling.json", '{"scaling_factor": 1.023}')
    assert only(root).row.energy_j == 110_484.0


def test_an_estimate_is_said_to_be_one(tmp_path: Path) -> None:
    found = only(powered(tmp_path, 2, 3, 4, log=power_log((1, 100), (2, 200), stop=0)))
    assert found.row.energy_j == 108_000.0 and len(found.notes) == 1 and "energy is an estimate" in found.notes[0]


def test_power_logs_are_no_runs_of_a_benchmark(tmp_path: Path) -> None:
    """Beside a node's log may lie a copy of the run's."""
    root = powered(tmp_path, 2, 3, 4)
    write(root / PLACE / "power/result_2/result_2.txt", text(mllog(START + MINUTE, "run_start")))
    assert only(root).row.runs == 5 and skipped(root) == {}


def test_no_score_is_no_energy(tmp_path: Path) -> None:
    root = repository(tmp_path, minutes=(10, 11, 12), failed=["aborted", "aborted"])
    write(root / PLACE / "power/result_0/node_0.txt", NODE)
    assert only(root).row.energy_j is None
