"""The score of a set of runs by MLPerf's rule, with the arithmetic in each test, and figures as published."""

from collections.abc import Sequence

import pytest

from pricing.mlperf.runs import Run
from pricing.mlperf.scoring import Score, score

# [ms], run_start and run_stop of training_results_v1.1/Graphcore/results/ipu-pod16-TF1/resnet/result_{0..4}.txt
POD16_RESNET = (
    (1636168821801, 1636170592706, "aborted"),
    (1636170730871, 1636172430710, "success"),
    (1636172563678, 1636174263629, "success"),
    (1636174405219, 1636176105573, "success"),
    (1636176254127, 1636177954038, "success"),
)
# [ms], likewise of training_results_v1.1/Graphcore/results/ipu-pod128-POPART-open/bert/result_{0..9}.txt, all success
POD128_BERT_OPEN = (
    (1634861538403, 1634861970967),
    (1634862270667, 1634862629484),
    (1634862860017, 1634863176250),
    (1634863416061, 1634863875007),
    (1634864128081, 1634864465066),
    (1634864709265, 1634865028321),
    (1634865284233, 1634865617507),
    (1634865879013, 1634866240709),
    (1634866490618, 1634866853768),
    (1634867090414, 1634867381377),
)
POD128_MINUTES = (7.2094, 5.9803, 5.2706, 7.6491, 5.6164, 5.3176, 5.5546, 6.0283, 6.0525, 4.8494)


def run(minutes: float | None, outcome: str = "success") -> Run:
    return Run(f"result_{minutes}.txt", minutes, outcome, {})


def scored(benchmark: str, minutes: Sequence[float], failed: int = 0, in_round: str = "v1.1") -> Score:
    """The score of runs of these minutes and so many that did not converge, each the fastest of all."""
    return score(benchmark, [*(run(each) for each in minutes), *[run(0.5, "aborted")] * failed], in_round)


def test_ipu_pod16_resnet_of_v11_is_28_3345_minutes_with_its_aborted_run_as_the_slowest() -> None:
    """Kept are 1,699,911, 1,699,951 and 1,700,354 ms: 5,100,216 / 3 / 60,000 = 28.334533 min."""
    found = score("resnet", [run((stop - start) / 60_000, end) for start, stop, end in POD16_RESNET], "v1.1")
    assert found.failed == 1 and len(found.kept) == 3
    assert round(found.minutes or 0, 4) == 28.3345


def test_ipu_pod128_bert_open_of_v11_is_5_8787_minutes_where_the_claim_says_5_78() -> None:
    """The official scorer: 5.878698."""
    minutes = [(stop - start) / 60_000 for start, stop in POD128_BERT_OPEN]
    assert [round(each, 4) for each in minutes] == list(POD128_MINUTES)
    found = score("bert", [run(each) for each in minutes], "v1.1")
    assert round(found.minutes or 0, 6) == 5.878698 and found.failed == 0 and len(found.kept) == 8


def test_fastest_and_slowest_are_left_out_and_the_score_is_the_mean_of_the_rest() -> None:
    """Without 10 and 99: (11 + 12 + 13) / 3."""
    found = scored("resnet", (99, 12, 10, 13, 11))
    assert found.minutes == 12 and [each.minutes for each in found.kept] == [11, 12, 13]
    assert [each.minutes for each in found.converged] == [10, 11, 12, 13, 99] and found.reason == ""


def test_one_run_that_did_not_converge_counts_as_the_slowest_however_soon_it_stopped() -> None:
    """Without 10: (11 + 12 + 13) / 3."""
    found = scored("resnet", (12, 10, 13, 11), failed=1)
    assert found.minutes == 12 and found.failed == 1


def test_two_runs_that_did_not_converge_are_no_score() -> None:
    found = scored("resnet", (12, 10, 13), failed=2)
    assert found.minutes is None and found.kept == () and found.failed == 2
    assert found.reason == "2 of 5 runs did not converge; 1 may"


def test_ten_aborted_of_ten_are_no_score() -> None:
    """As in Supermicro/results/as-2124gq-nart+/bert of v1.0."""
    assert scored("bert", (), failed=10).minutes is None


def test_a_run_without_a_time_is_one_that_did_not_converge() -> None:
    """As Intel's minigo/result_run10.txt of v1.0. Without 10: (11 + 12) / 2."""
    found = score("minigo", [run(10), run(11), run(12), run(None, "its log has no run_start")], "v1.0")
    assert found.minutes == 11.5 and found.failed == 1


def test_seven_runs_where_five_are_asked_are_scored_as_seven() -> None:
    """As Supermicro/results/as-4142gs-tnr/maskrcnn of v1.0. Without 1 and 7: (2 + 3 + 4 + 5 + 6) / 5."""
    assert scored("maskrcnn", (7, 6, 5, 4, 3, 2, 1)).minutes == 4


def test_twenty_two_runs_of_unet3d_where_forty_are_asked_are_scored() -> None:
    """As Supermicro/results/as-4142gs-tnr/unet3d of v1.0. Without 1 to 4 and 19 to 22: the mean of 5 to 18."""
    found = scored("unet3d", range(1, 23))
    assert found.minutes == pytest.approx(11.5) and len(found.kept) == 14


@pytest.mark.parametrize(
    ("failed", "minutes", "kept"),
    [
        (0, 20.5, 32),  # without 1 to 4 and 37 to 40: the mean of 5 to 36
        (1, 20.5, 32),  # 40 failed, without 37 to 39
        (4, 20.5, 32),  # 37 to 40 failed; as Google's of v1.0 with four aborted
    ],
)
def test_of_forty_runs_of_unet3d_four_are_left_out_at_either_end_and_four_may_fail(
    failed: int, minutes: float, kept: int
) -> None:
    found = scored("unet3d", range(1, 41 - failed), failed)
    assert found.minutes == pytest.approx(minutes) and len(found.kept) == kept and found.failed == failed


def test_five_failed_runs_of_unet3d_are_no_score() -> None:
    found = scored("unet3d", range(1, 36), failed=5)
    assert found.minutes is None and found.reason == "5 of 40 runs did not converge; 4 may"


def test_of_three_runs_of_gpt3_the_score_is_the_median() -> None:
    assert scored("gpt3", (60, 56.8694, 50)).minutes == pytest.approx(56.8694)


@pytest.mark.parametrize(("benchmark", "runs"), [("resnet", 0), ("resnet", 1), ("resnet", 2), ("unet3d", 8)])
def test_too_few_runs_to_leave_some_out_are_no_score(benchmark: str, runs: int) -> None:
    found = scored(benchmark, range(1, runs + 1))
    assert found.minutes is None and f"{runs} are too few runs" in found.reason


def test_one_success_and_one_failure_are_no_score() -> None:
    """The success is the fastest, the failure the slowest, and both are left out."""
    assert scored("resnet", (10,), failed=1).minutes is None


def test_ncf_of_v05_has_a_rule_of_its_own_and_is_not_scored_by_another() -> None:
    found = scored("ncf", range(1, 101), in_round="v0.5")
    assert found.minutes is None and "50 of 100" in found.reason and len(found.converged) == 100


def test_ncf_of_another_round_is_scored_as_any() -> None:
    assert scored("ncf", (1, 2, 3), in_round="v0.6").minutes == 2
