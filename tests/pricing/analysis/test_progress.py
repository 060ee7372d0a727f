"""The same systems over rounds: speed-up and time reduction, which rounds compare, and what is no new measurement."""

from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from pricing.analysis.progress import Progress, progress
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion, UnknownName
from service.parameters import progress_parameters

RESNET = {"system": "ipu-pod16", "benchmark": "resnet"}
MANY = (
    ("dgx-a100-640gb", "resnet"), ("dgx-a100-640gb", "bert"), ("8*dgx-a100-640gb", "dlrm"), ("dgx-1-v100", "gnmt"),
    ("dgx-2h", "ssd"), ("2*dell-xe8545-a100-80gb", "resnet"),
)  # fmt: skip


def asked(catalogue: Catalogue, fields: dict[str, Any], **more: Any) -> Progress:
    return progress(catalogue, progress_parameters()().load({**fields, **more}))


def rounds(found: Progress) -> list[str]:
    return [each.result.row.round for each in found.steps]


@pytest.mark.parametrize(
    ("asking", "times", "reduction", "gain"),
    [
        # knowledge/mlperf.md, section 1, claims 6 to 9, v1.0 to v1.1: the time cut, and the gain in speed
        ("ipu-pod16 resnet closed", (37.1152, 28.3345), 0.2366, 0.3099),
        ("ipu-pod64 resnet closed", (14.4846, 8.5037), 0.4129, 0.7033),
        ("ipu-pod16 bert closed", (34.4888, 32.6968), 0.0520, 0.0548),
        ("ipu-pod16 bert open", (27.7539, 26.0502), 0.0614, 0.0654),
        ("ipu-pod64 bert open", (9.3921, 8.2545), 0.1211, 0.1378),
        ("ipu-pod64 bert closed", (11.0759, 10.5637), 0.0462, 0.0485),
    ],
)
def test_the_pods_progress_is_that_of_the_logs(
    catalogue: Catalogue, asking: str, times: tuple[float, float], reduction: float, gain: float
) -> None:
    before, after = times
    found = asked(catalogue, dict(zip(("system", "benchmark", "division"), asking.split(), strict=True)))
    assert rounds(found) == ["v1.0", "v1.1"]
    assert [each.result.time_to_train_minutes for each in found.steps] == [before, after]
    change = found.steps[1].since_before
    assert change is not None
    assert change.time_reduction == pytest.approx(1 - after / before)
    assert change.speed_up == pytest.approx(before / after)
    assert round(change.time_reduction or 0, 4) == reduction
    assert round((change.speed_up or 0) - 1, 4) == gain


def test_a_time_cut_of_24_percent_is_a_speed_up_of_31(catalogue: Catalogue) -> None:
    change = asked(catalogue, RESNET).steps[1].since_first
    assert change is not None
    assert round(change.time_reduction or 0, 2) == 0.24
    assert round(change.speed_up or 0, 2) == 1.31
    assert change.reason is None


@pytest.mark.parametrize(("system", "benchmark"), MANY)
def test_speed_up_and_what_is_left_of_the_time_are_inverse(catalogue: Catalogue, system: str, benchmark: str) -> None:
    steps = asked(catalogue, {"system": system, "benchmark": benchmark}).steps
    changes = [each for step in steps for each in (step.since_first, step.since_before) if each]
    known = [each for each in changes if each.speed_up is not None]
    assert known
    for each in known:
        assert each.speed_up * (1 - each.time_reduction) == pytest.approx(1)  # type: ignore[operator]
    assert all((each.speed_up is None) == (each.time_reduction is None) for each in changes)


@pytest.mark.parametrize("benchmark", ["resnet", "bert", "dlrm"])
def test_steps_of_one_set_of_rules_multiply_to_the_whole(catalogue: Catalogue, benchmark: str) -> None:
    steps = asked(catalogue, {"system": "dgx-a100-640gb", "benchmark": benchmark}).steps
    product = 1.0
    for each in steps[1:]:
        assert each.since_before and each.since_before.speed_up and each.since_first
        product *= each.since_before.speed_up
        assert each.since_first.speed_up == pytest.approx(product)
    assert len(steps) > 2


def test_the_first_round_has_no_change(catalogue: Catalogue) -> None:
    first = asked(catalogue, RESNET).steps[0]
    assert (first.since_first, first.since_before) == (None, None)


@pytest.mark.parametrize(("system", "benchmark"), [*MANY, ("ipu-pod16", "resnet")])
def test_every_round_of_the_benchmark_is_a_step_or_missing_with_a_reason(
    catalogue: Catalogue, system: str, benchmark: str
) -> None:
    found = asked(catalogue, {"system": system, "benchmark": benchmark})
    every = list(catalogue.rounds(benchmark))
    assert sorted([*rounds(found), *(each.round for each in found.missing)], key=every.index) == every
    assert rounds(found) == sorted(rounds(found), key=every.index), "oldest first"
    for each in found.missing:
        assert benchmark in each.reason and each.round in each.reason


def test_bert_of_v0_7_and_v1_0_are_not_set_against_each_other(catalogue: Catalogue) -> None:
    # the target rose from 0.712 to 0.720 masked accuracy
    found = asked(catalogue, {"system": "16*tpu-v4-8", "benchmark": "bert"})
    assert [(each.result.row.round, each.result.time_to_train_minutes) for each in found.steps] == [
        ("v0.7", 5.7345),
        ("v1.0", 4.0587),
    ]
    change = found.steps[1].since_before
    assert change is not None
    assert (change.speed_up, change.time_reduction) == (None, None)
    assert "the rules differ: bert-0.712, bert-0.720" in (change.reason or "")


def test_after_new_rules_the_steps_go_on_but_not_the_whole(catalogue: Catalogue) -> None:
    # SSD: 21.2 % in v0.5, 23.0 % from v0.6 on
    first, second, third = asked(catalogue, {"system": "dgx-1-v100", "benchmark": "ssd"}).steps
    assert first.since_before is None
    assert second.since_before and second.since_before.speed_up is None
    assert third.since_first and third.since_first.speed_up is None and third.since_first.reason
    assert third.since_before and third.since_before.speed_up == pytest.approx(22.3633 / 20.6900)


def test_ssd_ends_with_v1_1_and_goes_on_as_retinanet(catalogue: Catalogue) -> None:
    # the logs of v2.0 still say ssd, and mean RetinaNet
    found = asked(catalogue, {"system": "dgx-a100-640gb", "benchmark": "ssd"})
    assert rounds(found) == ["v1.0", "v1.1"]
    assert "v2.0" not in [each.round for each in found.missing]
    later = asked(catalogue, {"system": "dgx-a100-640gb", "benchmark": "retinanet"})
    assert rounds(later)[0] == "v2.0"


def test_a_row_that_was_submitted_again_is_named_as_no_new_measurement(catalogue: Catalogue) -> None:
    # mlperf_repeats.csv: Dell's rows of v2.0 came again in v2.1 and v3.0
    steps = asked(catalogue, {"system": "2*dell-xe8545-a100-80gb", "benchmark": "resnet"}).steps
    told = "v2.0/Dell/2xXE8545x4A100-SXM-80GB/resnet"
    repeats = {each.result.row.round: each.result.repeat_of for each in steps if each.since_before}
    assert repeats == {"v1.1": None, "v2.0": None, "v2.1": told, "v3.0": told}


def test_competing_results_leave_the_round_open(catalogue: Catalogue) -> None:
    key = ("resnet", "v1.1", "closed")
    others = [
        replace(each, row=replace(each.row, submitter=name), organisation=name)
        for each in catalogue.measured[key]
        if each.system == "ipu-pod16"
        for name in ("Dell", "Inspur")
    ]
    rivals = copy(catalogue)
    rivals.measured = {**catalogue.measured, key: others}
    found = asked(rivals, RESNET)
    assert rounds(found) == ["v1.0"]
    reason = next(each.reason for each in found.missing if each.round == "v1.1")
    assert "several submitters measured ipu-pod16" in reason
    assert "choose one by submitter" in reason
    assert rounds(asked(rivals, RESNET, submitter="Dell")) == ["v1.1"]


def test_a_submitters_own_progress(catalogue: Catalogue) -> None:
    found = asked(catalogue, {"system": "bow-pod16", "benchmark": "bert"}, submitter="Baidu")
    assert {each.result.row.submitter for each in found.steps} == {"Baidu"}
    vendors = asked(catalogue, {"system": "bow-pod16", "benchmark": "bert"})
    assert vendors.steps[0].result.row.submitter == "Graphcore"


def test_a_count_that_nobody_measured_is_an_error(catalogue: Catalogue) -> None:
    with pytest.raises(BadQuestion, match=r"no round has a closed resnet result of 3\*ipu-pod16"):
        asked(catalogue, {**RESNET, "system": "3*ipu-pod16"})


@pytest.mark.parametrize(("name", "near"), [("system", "ipu-pod61"), ("benchmark", "resnt"), ("submitter", "Graphcor")])
def test_an_unknown_name_is_an_error_that_names_the_nearest(catalogue: Catalogue, name: str, near: str) -> None:
    with pytest.raises(UnknownName, match="nearest: "):
        asked(catalogue, {**RESNET, name: near})
