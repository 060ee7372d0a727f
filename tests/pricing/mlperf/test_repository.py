"""Rows from logs and descriptions together: what holds where they disagree, and faults that stop nothing else."""

import random
from pathlib import Path

import pytest

from pricing.mlperf.repository import read_repository
from tests.pricing.mlperf.building import (
    FIVE,
    MINUTE,
    PLACE,
    START,
    describe,
    log,
    mllog,
    only,
    repository,
    skipped,
    text,
    write,
    write_runs,
)

OTHER = "Graphcore/results/ipu-pod64-TF1/resnet"


def test_a_failed_run_is_counted_and_its_time_is_none_of_the_times(tmp_path: Path) -> None:
    """The failed run of one minute counts as the slowest; without 10: (11 + 12 + 13) / 3."""
    found = only(repository(tmp_path, minutes=(11, 10, 13, 12), failed=["aborted"]))
    assert (found.row.minutes, found.row.runs, found.row.runs_failed, found.row.minutes_min) == (12.0, 5, 1, 10.0)
    assert found.run_minutes == (10.0, 11.0, 12.0, 13.0)
    assert found.kept == ("result_0.txt", "result_3.txt", "result_2.txt")


def test_too_many_failed_runs_leave_a_row_without_a_score_that_says_why(tmp_path: Path) -> None:
    found = only(repository(tmp_path, minutes=(11, 10, 13), failed=["abort", "fail"]))
    assert found.row.minutes is None and found.row.official_minutes is None and found.row.runs_failed == 2
    assert "2 of 5 runs did not converge; 1 may" in found.notes


def test_a_result_of_one_sentence_counts_as_the_failed_run_and_is_told(tmp_path: Path) -> None:
    """As Intel/results/8-nodes-64s-8376H-tensorflow/minigo/result_run10.txt of v1.0. Without 10: (11 + 12 + 13) / 3."""
    root = repository(tmp_path, minutes=(11, 10, 13, 12))
    write(root / PLACE / "result_run10.txt", "Non compliant run allowed under olympic scoring rules")
    row = only(root).row
    assert (row.minutes, row.runs, row.runs_failed) == (12.0, 5, 1)
    assert skipped(root) == {
        f"{PLACE}/result_run10.txt": "its log has no run_start; counted as a run that did not converge"
    }


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 5000, b"\xff\xfe" * 500, b":::MLLOG {", random.Random(1).randbytes(3000)]
)
def test_a_log_of_anything_is_a_run_that_did_not_converge(tmp_path: Path, content: bytes) -> None:
    root = repository(tmp_path)
    write(root / PLACE / "result_0.txt", content)
    row = only(root).row
    assert (row.minutes, row.runs_failed) == (12.0, 1)  # 14 is gone; without 10: (11 + 12 + 13) / 3


def test_a_log_that_is_a_link_to_nowhere_is_a_run_that_did_not_converge(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / PLACE / "result_5.txt").symlink_to(tmp_path / "nowhere")
    assert only(root).row.runs_failed == 1
    assert "cannot be read" in skipped(root)[f"{PLACE}/result_5.txt"]


def test_a_scaling_factor_is_applied_to_the_official_minutes_alone(tmp_path: Path) -> None:
    """12 min x 1.023 = 12.276 min."""
    root = repository(tmp_path)
    write(root / PLACE / "scaling.json", '{\n "scaling_factor": 1.023\n}')
    row = only(root).row
    assert (row.minutes, row.scaling_factor, row.official_minutes) == (12.0, 1.023, 12.276)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        "null",
        "1.023",
        '"x"',
        '{"scaling_factor": null}',
        '{"scaling_factor": "much"}',
        '{"scaling_factor": 0}',
        '{"scaling_factor": -1}',
        '{"scaling_factor": NaN}',
        '{"scaling_factor": 1e999}',
        '{"scaling_factor": 1' + "0" * 400 + "}",
        '{"scaling_factor": [1]}',
        "[" * 9_000,
        '{"a": "' + "x" * 20_000 + '", "scaling_factor": 1.023}',
    ],
    ids=lambda content: content[:30],
)
def test_a_scaling_factor_that_cannot_be_read_is_no_score_rather_than_none_applied(
    tmp_path: Path, content: str
) -> None:
    root = repository(tmp_path)
    write(root / PLACE / "scaling.json", content)
    found = only(root)
    assert found.row.official_minutes is None and found.row.minutes is None
    assert f"{PLACE}/scaling.json" in skipped(root) and "its scaling.json cannot be read" in found.notes


def test_where_logs_and_description_disagree_the_description_holds_and_it_is_said(tmp_path: Path) -> None:
    """As Intel/results/16-nodes-SPR-pytorch-open/bert of v2.1."""
    root = repository(tmp_path)
    describe(root, division="open")
    found = only(root)
    assert found.row.division == "open"
    assert "the logs say division closed, the description open: taken is the description's" in found.notes


def test_a_division_spelt_close_agrees_with_closed(tmp_path: Path) -> None:
    root = repository(tmp_path)
    describe(root, division="close")
    assert only(root).row.division == "closed" and only(root).notes == ()


def test_a_description_without_division_leaves_it_to_the_logs(tmp_path: Path) -> None:
    root = repository(tmp_path)
    describe(root, division=None, status=None)
    assert (only(root).row.division, only(root).row.status) == ("closed", "onprem")


def test_without_any_division_there_is_no_official_score(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write_runs(root / PLACE, FIVE, division="best")
    describe(root, division="other")
    row = only(root).row
    assert (row.division, row.minutes, row.official_minutes) == (None, 12.0, None)


SPELLINGS = (
    "onprem, on-prem, on-premise, available, Available on-premise, Available on premise, available on premise, "
    "Available cloud, Available Cloud, Available in cloud, cloud, Cloud, preview, Preview, research"
)


@pytest.mark.parametrize("status", SPELLINGS.split(", "))
def test_every_spelling_of_the_status_that_was_met_is_kept(tmp_path: Path, status: str) -> None:
    root = repository(tmp_path)
    describe(root, status=status)
    assert only(root).row.status == status and only(root).notes == ()


def test_another_status_is_none_and_is_said(tmp_path: Path) -> None:
    root = repository(tmp_path)
    describe(root, status="soon")
    assert only(root).row.status is None and "status 'soon' is none of MLPerf's" in only(root).notes


def test_a_submitter_may_call_itself_otherwise_than_its_folder(tmp_path: Path) -> None:
    """PCL calls itself PCL & PKU; smc Sustainable Metal Cloud."""
    root = repository(tmp_path, "smc/results/ipu/resnet")
    describe(root, "smc/results/ipu/resnet", submitter="Sustainable Metal Cloud")
    assert (only(root).row.submitter, only(root).row.submitter_json) == ("smc", "Sustainable Metal Cloud")


def test_a_description_that_cannot_be_read_costs_its_figures_and_not_the_score(tmp_path: Path) -> None:
    root = repository(tmp_path)
    path = describe(root, content=b"b0VIM 8.0")
    found = only(root)
    assert (found.row.minutes, found.row.official_minutes, found.row.nodes) == (12.0, 12.0, None)
    assert found.notes == (f"{path.relative_to(root).as_posix()}: it is no JSON object",)


def test_a_system_without_accelerators_is_a_row_of_none(tmp_path: Path) -> None:
    root = repository(tmp_path)
    describe(root, accelerators_per_node="0", accelerator_model_name="N/A", number_of_nodes="4")
    assert (only(root).row.accelerators_total, only(root).row.official_minutes) == (0, 12.0)


def stops_after(time_ms: str) -> str:
    """The log of a run with this time of its stop."""
    return text(mllog(0, "run_start"), mllog(4242, "run_stop", status="success").replace("4242", time_ms))


@pytest.mark.parametrize("time_ms", ["1", "NaN", "Infinity", "1" + "0" * 300, "1" + "0" * 400])
def test_logs_with_times_that_no_run_takes_do_not_stop_the_rest(tmp_path: Path, time_ms: str) -> None:
    root = repository(tmp_path)
    describe(root, OTHER)
    for number in range(5):
        write(root / OTHER / f"result_{number}.txt", stops_after(time_ms))
    rows = {each.row.results_dir: each.row for each in read_repository(root).results}
    assert rows[PLACE].official_minutes == 12


@pytest.mark.parametrize("name", ["x" * 255, "ö" * 127, "\udcff\udcfe", "a\nb", "%s{}"])
def test_a_system_of_any_name_does_not_stop_the_rest(tmp_path: Path, name: str) -> None:
    """A folder's name may have 255 bytes; with .json it would be no file's."""
    root = repository(tmp_path)
    write_runs(root / "Graphcore/results" / name / "resnet", FIVE)
    assert {each.row.system_id: each.row.minutes for each in read_repository(root).results} == {
        "ipu-pod16-TF1": 12.0,
        name: 12.0,
    }


def test_one_faulty_submission_of_each_kind_does_not_stop_the_rest(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root / "A/results/a/resnet/result_0.txt", b"\0\xff")
    (root / "A/systems/a.json").mkdir(parents=True)
    (root / "B/results/b/resnet/result_0.txt").mkdir(parents=True)
    (root / "B/results/b/resnet/scaling.json").mkdir()
    write(root / "C/results/result_0.txt", log(MINUTE))
    write_runs(root / "D/results/d/bert", FIVE)
    (root / "D/results/d/bert/scaling.json").mkdir()
    (root / "D/results/d/bert/power/result_0/node_0.txt").mkdir(parents=True)
    found = {each.row.submitter: each.row for each in read_repository(root).results}
    assert found["Graphcore"].official_minutes == 12 and sorted(found) == ["A", "D", "Graphcore"]
    assert found["D"].official_minutes is None and found["A"].runs_failed == 1


def test_a_start_said_twice_is_the_last(tmp_path: Path) -> None:
    """Each log has one start an hour too early, as of a run tried before."""
    root = repository(tmp_path)
    for number, minutes in enumerate(FIVE):
        early = text(mllog(START - 60 * MINUTE, "run_start"))
        write(root / PLACE / f"result_{number}.txt", early + log(minutes * MINUTE))
    assert only(root).row.minutes == 12
