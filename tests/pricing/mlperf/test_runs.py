"""What one log says of its run: how long it took, and whether it converged."""

from pathlib import Path
from typing import Any

import pytest

from pricing.mlperf.runs import Run, read_run
from tests.pricing.mlperf.building import MINUTE, START, log, mll, mllog, mlp, text, write

MISSPELT = "succ" + "uss"  # as met; codespell need not know it


def run_of(tmp_path: Path, *lines: str) -> Run:
    return read_run(write(tmp_path / "result_0.txt", text(*lines)))


def ended(tmp_path: Path, value: Any = None, **metadata: Any) -> Run:
    """A run of five minutes with this end."""
    return run_of(tmp_path, mllog(START, "run_start"), mllog(START + 5 * MINUTE, "run_stop", value, **metadata))


def test_a_run_lasts_from_its_start_to_its_stop(tmp_path: Path) -> None:
    """From Graphcore/results/ipu-pod16-TF1/resnet/result_1.txt of v1.1: 1,699,839 ms / 60,000 = 28.33065 min."""
    stop = mllog(1_636_172_430_710, "run_stop", {"success": True}, status="success", epoch_num=38)
    run = run_of(tmp_path, mllog(1_636_170_730_871, "run_start"), stop)
    assert run.minutes == pytest.approx(28.33065) and run.converged and run.milliseconds == pytest.approx(1_699_839)


def test_the_last_start_before_the_first_stop_counts(tmp_path: Path) -> None:
    """Started at 0, again at 2 minutes, stopped at 7: 5 minutes; a later pair is another run's."""
    times = (("run_start", 0), ("run_start", 2), ("run_stop", 7), ("run_start", 8), ("run_stop", 30))
    run = run_of(tmp_path, *(mllog(START + at * MINUTE, key, status="success") for key, at in times))
    assert run.minutes == pytest.approx(5)


def test_the_first_stop_says_how_the_run_ended(tmp_path: Path) -> None:
    stops = [mllog(START + MINUTE, "run_stop", status=status) for status in ("aborted", "success")]
    assert run_of(tmp_path, mllog(START, "run_start"), *stops).outcome == "aborted"


@pytest.mark.parametrize("status", ["aborted", "abort", "fail", "error", "", "Success!"])
def test_a_run_whose_end_says_anything_but_success_did_not_converge(tmp_path: Path, status: str) -> None:
    """aborted, abort (Google in v1.0) and fail (Intel in v1.0) were met; their times are plausible, and count never."""
    run = ended(tmp_path, status=status)
    assert not run.converged and run.outcome == status and run.minutes == pytest.approx(5)


def test_success_false_beside_the_status_aborted_did_not_converge(tmp_path: Path) -> None:
    """As in Graphcore/results/ipu-pod16-TF1/resnet/result_0.txt of v1.1."""
    assert not ended(tmp_path, {"success": False}, status="aborted", epoch_num=38).converged


@pytest.mark.parametrize("value", [{"success": True}, {"success": "true"}, {"success": "True"}])
def test_success_in_the_value_counts_where_no_status_stands_beside_it(tmp_path: Path, value: dict[str, Any]) -> None:
    assert ended(tmp_path, value).converged


@pytest.mark.parametrize(
    "value", [{"success": False}, {"success": "false"}, {}, None, MISSPELT, True, 1, [], {"success": None}]
)
def test_without_a_status_and_without_success_nothing_has_converged(tmp_path: Path, value: Any) -> None:
    """Intel's minigo of v1.0 ends with a misspelt value, and in some logs with no status."""
    assert not ended(tmp_path, value).converged


@pytest.mark.parametrize("status", [None, 1, True, ["success"], {"success": True}])
def test_a_status_of_another_kind_is_no_success(tmp_path: Path, status: Any) -> None:
    assert not ended(tmp_path, "success", status=status).converged


def test_a_run_of_v06_is_read(tmp_path: Path) -> None:
    """From NVIDIA/results/dgx1_n60_ngc19.05_pytorch/transformer/result_1.txt of v0.6: 123.445 s."""
    start, stop = mll(1561429894.532, "run_start"), mll(1561430017.977, "run_stop", status="success")
    run = run_of(tmp_path, mll(0.0, "submission_benchmark", "transformer"), start, stop)
    assert run.minutes == pytest.approx(123.445 / 60, abs=1e-7) and run.converged
    assert run.said == {"benchmark": "transformer"}


def test_lines_of_v06_without_json_after_the_token_tell_nothing(tmp_path: Path) -> None:
    """Intel's clx-8260l-2s-x32/minigo and Alibaba's sinian/resnet of v0.6."""
    run = run_of(
        tmp_path, "MLPerf: resnet [06/13/19 03:52:41], run_start", "MLPerf: resnet [06/13/19 04:17:01], run_stop"
    )
    assert run.minutes is None and run.outcome == "its log has no run_start"


@pytest.mark.parametrize("end", ['{"success": true}', '{"success": "true"}', None])
def test_a_run_of_v05_has_converged_by_the_value_of_its_stop_or_when_that_says_nothing(
    tmp_path: Path, end: str | None
) -> None:
    """From intel_ncf_submission of v0.5: 1542333924.681 - 1542332128.492 = 1796.189 s."""
    run = run_of(tmp_path, mlp(1542332128.492, "run_start"), mlp(1542333924.681, "run_stop", end))
    assert run.minutes == pytest.approx(1796.189 / 60, abs=1e-7) and run.converged


@pytest.mark.parametrize("end", ['{"success": false}', '{"success": "false"}', "stopped", "{}"])
def test_a_run_of_v05_whose_stop_says_no_success_did_not_converge(tmp_path: Path, end: str) -> None:
    run = run_of(tmp_path, mlp(1542332128.492, "run_start"), mlp(1542333924.681, "run_stop", end))
    assert run.minutes is not None and not run.converged


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["Non compliant run allowed under olympic scoring rules"], "its log has no run_start"),
        ([], "its log has no run_start"),
        ([mllog(START, "run_start")], "its log has no run_stop"),
        ([mllog(START, "run_stop", status="success")], "its log has no run_start"),
        ([mllog(START, "run_stop", status="success"), mllog(START, "run_start")], "its log has no run_start"),
        ([mllog(START, "run_start"), mllog(START - 1, "run_stop", status="success")], "it stops before it starts"),
        ([mllog(START, "run_start"), mllog(START, "run_stop", status="success")], "it stops before it starts"),
    ],
)
def test_a_log_without_a_start_before_a_stop_is_a_run_without_a_time(
    tmp_path: Path, lines: list[str], told: str
) -> None:
    """The one sentence is the whole of Intel's minigo/result_run10.txt of v1.0."""
    run = run_of(tmp_path, *lines)
    assert run.minutes is None and not run.converged and run.outcome == told and run.milliseconds == 0


def test_what_the_log_says_of_the_submission_is_kept_the_first_of_two(tmp_path: Path) -> None:
    again = mllog(START, "submission_org", "Another")
    run = read_run(
        write(tmp_path / "result_0.txt", log(MINUTE, said={"org": " HabanaLabs ", "division": "open"}) + again)
    )
    assert run.said == {"org": "HabanaLabs", "division": "open"}


def test_a_submission_that_is_said_by_a_number_is_not_said(tmp_path: Path) -> None:
    assert run_of(tmp_path, mllog(START, "submission_org", 5), mllog(START, "submission_status", None)).said == {}
