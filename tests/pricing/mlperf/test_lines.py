"""Lines of all rounds' logs: each form is read, and what is no line stops nothing."""

import json
import tracemalloc
from pathlib import Path

import pytest

from pricing.mlperf.lines import LONGEST_LINE, Event, events, parse
from pricing.mlperf.runs import read_run
from tests.pricing.mlperf.building import MINUTE, START, log, mll, mllog, mlp, text, write

KEYS = ("run_start", "run_stop")


def read(tmp_path: Path, content: str | bytes, keys: tuple[str, ...] = KEYS) -> list[Event]:
    return list(events(write(tmp_path / "result_0.txt", content), keys))


def test_a_line_since_v07_gives_its_time_in_milliseconds_its_key_value_and_metadata() -> None:
    line = ':::MLLOG {"namespace": "", "time_ms": 1636168821801, "key": "run_stop", "value": {"success": true}, "metadata": {"status": "success"}}'
    assert parse(line) == Event(1636168821801.0, "run_stop", {"success": True}, {"status": "success"})


def test_a_line_of_v06_has_its_time_in_seconds_before_its_key() -> None:
    found = parse(':::MLL 1561430017.977 run_stop: {"value": null, "metadata": {"status": "success", "lineno": 231}}')
    assert found is not None
    assert found.time_ms == pytest.approx(1_561_430_017_977.0) and found.key == "run_stop"
    assert found.value is None and found.metadata["status"] == "success"


def test_a_line_of_v05_names_benchmark_and_place_and_may_have_no_value() -> None:
    found = parse(":::MLPv0.5.0 ncf 1542332128.492 (NeuralCFexample.scala:70) run_start")
    assert found == Event(1542332128.492 * 1000, "run_start", None, {}, is_v05=True)


def test_a_line_of_v05_may_have_whole_seconds_and_a_bare_text_as_value() -> None:
    found = parse(":::MLPv0.5.0 resnet 1541411118 (caffe.cpp:248) model_hp_loss_fn: softmax cross entropy")
    assert found is not None and found.time_ms == 1_541_411_118_000.0 and found.value == "softmax cross entropy"


def test_time_s_instead_of_time_ms_is_in_seconds() -> None:
    """As in Alibaba/results/v100-256/result_4.txt of v0.7."""
    found = parse(':::MLLOG {"value": null, "metadata": {}, "key": "run_start", "time_s": 1593355991.612}')
    assert found is not None and found.time_ms == pytest.approx(1_593_355_991_612.0)


def test_text_before_the_token_is_no_part_of_the_line(tmp_path: Path) -> None:
    """As in Dell/results/32xXE8545x4A100-SXM-40GB/bert of v2.1, which has the rank there."""
    found = read(
        tmp_path, text(" 0: " + mllog(START, "run_start"), "b'\\x00'[worker 3] " + mllog(START + 1, "run_stop"))
    )
    assert [each.time_ms for each in found] == [START, START + 1]


@pytest.mark.parametrize(
    "line",
    [
        ":::MLLOG",
        ":::MLLOG ",
        ":::MLLOG []",
        ":::MLLOG null",
        ":::MLLOG 5",
        ":::MLLOG {}",
        ':::MLLOG {"key": "run_start"}',
        ':::MLLOG {"time_ms": "soon", "key": "run_start"}',
        ':::MLLOG {"time_ms": null, "key": "run_start"}',
        ':::MLLOG {"time_ms": [1], "key": "run_start"}',
        ':::MLLOG {"time_ms": 1, "key": "run_start"',
        ':::MLLOG {"time_ms": 1727670929104, "key": "opt_name", "value": "adamw"Lambdaorkspace/sd/callbacks.py", "lineno": 257}}',
        ":::MLL run_start",
        ":::MLL 1.2.3 run_start",
        ":::MLL 1561430017.977 run_start: {",
        ":::MLPv0.5.0 ncf soon (a.py:1) run_start",
        ":::MLPv0.6.0 ncf 1.0 (a.py:1) run_start",
        ":::MLLOG " + "[" * 100_000,
        ':::MLLOG {"time_ms": 1' + "0" * 400 + ', "key": "run_start"}',
        ':::MLLOG {"time_s": 1' + "0" * 400 + ', "key": "run_start"}',
    ],
    ids=lambda line: line[:60],
)
def test_a_broken_line_is_no_event_and_no_error(line: str) -> None:
    assert parse(line) is None


@pytest.mark.parametrize("time", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_time_that_is_no_finite_number_is_no_event(time: str) -> None:
    """Python's json reads all four; a run of such a length would be a score of NaN."""
    assert parse(f':::MLLOG {{"time_ms": {time}, "key": "run_stop", "metadata": {{"status": "success"}}}}') is None


def test_a_run_with_lines_that_redaction_broke_has_its_time(tmp_path: Path) -> None:
    broken = (
        ' 0: :::MLLOG {"time_ms": 1, "key": "run_start_x", "value": "run_stop"Lambdaorkspace/sd.py", "lineno": 257}}\n'
    )
    run = read_run(write(tmp_path / "result_0.txt", broken + log(7 * MINUTE) + broken))
    assert run.minutes == pytest.approx(7) and run.converged


def test_bytes_that_are_no_utf8_are_read_as_latin_1(tmp_path: Path) -> None:
    line = mllog(START, "submission_platform", "X").replace("X", "Intel® Xeon® Größe").encode("latin-1")
    assert [each.value for each in read(tmp_path, line, ("submission_platform",))] == ["Intel® Xeon® Größe"]


def test_latin_1_bytes_anywhere_in_a_log_do_not_hide_the_run(tmp_path: Path) -> None:
    run = read_run(write(tmp_path / "result_0.txt", b"M\xfcnchen \xff\xfe\x00\n" + log(3 * MINUTE).encode()))
    assert run.minutes == pytest.approx(3)


def test_windows_line_ends_are_read(tmp_path: Path) -> None:
    content = log(3 * MINUTE).replace("\n", "\r\n")
    assert read_run(write(tmp_path / "result_0.txt", content)).minutes == pytest.approx(3)


def test_only_the_keys_asked_are_given_even_where_another_line_speaks_of_them(tmp_path: Path) -> None:
    lines = text(
        mllog(START, "note", "run_start and run_stop"), mllog(START, "run_start"), "run_stop", "run_start :::ML"
    )
    assert [each.key for each in read(tmp_path, lines)] == ["run_start"]


@pytest.mark.parametrize("form", [mllog, mll, mlp])
def test_no_key_that_only_begins_like_one_asked_is_given(tmp_path: Path, form: type) -> None:
    assert read(tmp_path, text(form(1.0, "run_start_all"), form(1.0, "eval_run_stop"))) == []


def test_a_line_longer_than_the_longest_does_not_hide_the_lines_after_it(tmp_path: Path) -> None:
    long = ':::MLLOG {"time_ms": 1, "key": "run_stop", "value": "' + "x" * (3 * LONGEST_LINE) + '"}\n'
    run = read_run(write(tmp_path / "result_0.txt", text(mllog(START, "seed", 1)) + long + log(5 * MINUTE)))
    assert run.minutes == pytest.approx(5)


@pytest.mark.parametrize("newline", ["\n", ""], ids=["many lines", "one line"])
def test_a_log_of_a_hundred_megabytes_is_read_in_little_memory(tmp_path: Path, newline: str) -> None:
    path = write(tmp_path / "result_0.txt", text(mllog(START, "run_start")))
    filler = (mllog(START, "tracked_stats", {"throughput": 2500.5}) + newline).encode()
    with path.open("ab") as file:
        for _ in range(100):
            file.write(filler * (1_000_000 // len(filler)))
        file.write(text("", mllog(START + 9 * MINUTE, "run_stop", status="success")).encode())
    assert path.stat().st_size > 99_000_000
    tracemalloc.start()
    try:
        run = read_run(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        path.unlink()
    assert run.minutes == 9 and run.converged
    assert peak < 6 * LONGEST_LINE  # bytes; a line, its text, and what JSON makes of it


def test_a_log_that_cannot_be_read_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_run(tmp_path / "result_0.txt")


def test_what_the_builder_writes_is_json_as_in_the_repositories() -> None:
    assert json.loads(mllog(1, "run_start").removeprefix(":::MLLOG "))["event_type"] == "INTERVAL_START"
