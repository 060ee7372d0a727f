"""How time falls with size: which sizes are points, and what may be said of the sizes between and beyond."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing.analysis.scaling import scaling
from pricing.analysis.sizes import Estimate, Scaling
from pricing.catalogue.catalogue import Catalogue, shipped
from pricing.errors import BadQuestion, UnknownName
from schemas.benchmark_result import BenchmarkResult
from service.parameters import scaling_parameters

POD = {"system": "ipu-pod16", "benchmark": "resnet", "round": "v1.1"}
BOW = {"system": "bow-pod16", "benchmark": "bert", "round": "v2.0"}
RESNET = ("resnet", "v1.1", "closed")
Change = Callable[[BenchmarkResult], Iterable[BenchmarkResult]]


def asked(catalogue: Catalogue, fields: dict[str, Any], **more: Any) -> Scaling:
    return scaling(catalogue, scaling_parameters()().load({**fields, **more}))


def estimate(catalogue: Catalogue, fields: dict[str, Any], accelerators: int, **more: Any) -> Estimate:
    found = asked(catalogue, fields, accelerators=accelerators, **more).estimate
    assert found is not None
    return found


def changed(catalogue: Catalogue, change: Change) -> Catalogue:
    """The shipped catalogue with other rows in place of those of the round."""
    found = copy(catalogue)
    rows = [new for each in catalogue.measured[RESNET] for new in change(each)]
    found.measured = {**catalogue.measured, RESNET: rows}
    return found


def accelerators(found: Scaling) -> list[int]:
    return [each.accelerators for each in found.sizes]


def test_the_pods_are_one_family_in_four_sizes(catalogue: Catalogue) -> None:
    found = asked(catalogue, POD)
    assert [(each.accelerators, each.minutes) for each in found.sizes] == [
        (16, 28.3345), (64, 8.5037), (128, 5.6718), (256, 3.7949),
    ]  # fmt: skip
    assert found.left_out == ()


@pytest.mark.parametrize("system", ["ipu-pod16", "ipu-pod256", "POD64"])
def test_any_size_names_its_family(catalogue: Catalogue, system: str) -> None:
    assert accelerators(asked(catalogue, {**POD, "system": system})) == [16, 64, 128, 256]


def test_speed_up_and_efficiency_are_those_of_the_logs(catalogue: Catalogue) -> None:
    first, second, third, last = asked(catalogue, POD).sizes
    assert (first.speed_up, first.scaling_efficiency, first.step_speed_up, first.step_efficiency) == (1, 1, None, None)
    assert second.speed_up == pytest.approx(28.3345 / 8.5037)
    assert second.step_efficiency == pytest.approx(28.3345 / 8.5037 / 4)
    assert third.step_efficiency == pytest.approx(8.5037 / 5.6718 / 2)
    # POD128 to POD256: 5.6718 / 3.7949 / 2 = 74.7 %
    assert round(last.step_efficiency or 0, 3) == 0.747
    assert last.speed_up == pytest.approx(28.3345 / 3.7949)
    assert last.scaling_efficiency == pytest.approx(28.3345 / 3.7949 / 16)


def test_one_system_in_several_counts_is_a_family_too(catalogue: Catalogue) -> None:
    # the DGX A100 of 40 GB accelerators is of the same name, and another family
    found = asked(catalogue, {**POD, "system": "dgx-a100-640gb"})
    assert accelerators(found) == [8, 64, 1024, 4320]
    assert {each.result.system for each in found.sizes} == {"dgx-a100-640gb"}
    assert found.sizes[0].minutes == 29.1466


def test_the_open_division_has_its_own_curve(catalogue: Catalogue) -> None:
    found = asked(catalogue, {**POD, "benchmark": "bert"}, division="open")
    assert [each.minutes for each in found.sizes] == [26.0502, 8.2545, 5.8787]


def test_sizes_are_the_vendors_own_unless_a_submitter_is_asked(catalogue: Catalogue) -> None:
    own = asked(catalogue, BOW)
    assert {each.result.row.submitter for each in own.sizes} == {"Graphcore"}
    assert accelerators(own) == [16, 64, 128, 256]
    other = asked(catalogue, BOW, submitter="Baidu")
    assert {each.result.row.submitter for each in other.sizes} == {"Baidu"}
    assert accelerators(other) == [16, 64]
    assert {each.name: "by Baidu" in each.reason for each in other.left_out} == {
        "1*bow-pod128": True,
        "1*bow-pod256": True,
    }


def test_a_size_between_two_lies_on_the_power_curve_through_both(catalogue: Catalogue) -> None:
    found = estimate(catalogue, POD, 32)
    assert found.minutes == pytest.approx((28.3345 * 8.5037) ** 0.5)
    assert found.status == "interpolated"
    assert "between 16 and 64 accelerators" in found.rule
    assert found.low is not None and found.high is not None
    assert found.low < found.minutes < found.high


def test_a_size_that_was_measured_has_no_estimate(catalogue: Catalogue) -> None:
    for size in (16, 64, 128, 256):
        assert asked(catalogue, POD, accelerators=size).estimate is None
        assert asked(catalogue, POD, accelerators=size, extrapolate="1").estimate is None


@pytest.mark.parametrize("size", [1, 15, 257, 512, 1_000_000])
def test_beyond_the_measured_sizes_there_is_a_reason_and_no_time(catalogue: Catalogue, size: int) -> None:
    with pytest.raises(BadQuestion, match=f"{size:,} lies outside the measured sizes, 16 to 256: ask for extrapolate"):
        asked(catalogue, POD, accelerators=size)


def test_extrapolation_is_by_the_best_curve(catalogue: Catalogue) -> None:
    points = np.array([(16, 28.3345), (64, 8.5037), (128, 5.6718), (256, 3.7949)])
    size, minutes = points[:, 0], points[:, 1]
    design = np.column_stack((1 / minutes, 1 / (size * minutes)))
    (serial, parallel), *_ = np.linalg.lstsq(design, np.ones(4), rcond=None)
    found = estimate(catalogue, POD, 512, extrapolate="1")
    assert found.status == "extrapolated"
    # along the curve from the nearest size that was measured, so that no estimate contradicts it
    assert found.minutes == pytest.approx(3.7949 * (serial + parallel / 512) / (serial + parallel / 256))
    assert "amdahl curve through 4 sizes" in found.rule


def test_the_interval_grows_with_the_distance(catalogue: Catalogue) -> None:
    found = [estimate(catalogue, POD, size, extrapolate="1") for size in (300, 512, 1024, 2048, 8192)]
    widths = [(each.high or 0) / (each.low or 1) for each in found]
    assert widths == sorted(set(widths))


def test_two_sizes_give_a_time_without_an_interval(catalogue: Catalogue) -> None:
    fields = {**POD, "round": "v1.0"}
    between = estimate(catalogue, fields, 32)
    assert (between.low, between.high) == (None, None)
    assert between.minutes == pytest.approx((37.1152 * 14.4846) ** 0.5)
    beyond = estimate(catalogue, fields, 128, extrapolate="1")
    assert (beyond.low, beyond.high) == (None, None)
    # a + b/16 = 37.1152 and a + b/64 = 14.4846: b = (37.1152 - 14.4846) × 64/3, a = 14.4846 - b/64
    parallel = (37.1152 - 14.4846) * 64 / 3
    assert beyond.minutes == pytest.approx(14.4846 - parallel / 64 + parallel / 128)


@pytest.mark.parametrize("more", [{}, {"extrapolate": "1"}])
def test_one_size_gives_an_error_and_not_a_time(catalogue: Catalogue, more: dict[str, str]) -> None:
    fields = {"system": "bow-pod64", "benchmark": "rnnt", "round": "v2.0", "division": "open"}
    assert accelerators(asked(catalogue, fields)) == [64]
    with pytest.raises(BadQuestion, match="at least two of the family are needed"):
        asked(catalogue, fields, accelerators=128, **more)


@given(size=st.integers(17, 255), beyond=st.booleans())
def test_a_size_between_lies_between_its_neighbours_times(size: int, beyond: bool) -> None:
    if size not in (64, 128):
        held = {16: 28.3345, 64: 8.5037, 128: 5.6718, 256: 3.7949}
        below, above = max(each for each in held if each < size), min(each for each in held if each > size)
        found = estimate(shipped(), POD, size, extrapolate=str(int(beyond)))
        assert held[above] < found.minutes < held[below]
        assert found.status == "interpolated", "what can be interpolated is not extrapolated"


def test_a_result_in_high_doubt_is_no_point(catalogue: Catalogue) -> None:
    def doubted(each: BenchmarkResult) -> list[BenchmarkResult]:
        doubt = {"doubt_level": "high", "doubt": "the log names another machine"}
        return [replace(each, **doubt) if each.system == "ipu-pod64" else each]  # type: ignore[arg-type]

    found = asked(changed(catalogue, doubted), POD)
    assert accelerators(found) == [16, 128, 256]
    assert [(each.name, each.reason) for each in found.left_out] == [
        ("v1.1/Graphcore/ipu-pod64-TF1/resnet", "in doubt: the log names another machine")
    ]
    between = asked(changed(catalogue, doubted), POD, accelerators=64).estimate
    assert between is not None, "a size whose result is in doubt counts as not measured"


def test_competing_results_are_no_point_until_a_submitter_is_chosen(catalogue: Catalogue) -> None:
    def twice(each: BenchmarkResult) -> list[BenchmarkResult]:
        if each.system != "ipu-pod64":
            return [each]
        names = ("Dell", "Inspur")
        rows = [replace(each.row, submitter=name) for name in names]
        return [replace(each, row=row, organisation=row.submitter, id=f"of {row.submitter}") for row in rows]

    found = asked(changed(catalogue, twice), POD)
    assert accelerators(found) == [16, 128, 256]
    (left,) = found.left_out
    assert left.name == "1*ipu-pod64"
    assert "of Dell" in left.reason and "of Inspur" in left.reason and "choose one by submitter" in left.reason


def test_of_two_systems_of_one_size_the_faster_is_the_point(catalogue: Catalogue) -> None:
    # v2.0: H3C's R5500 G5 with eight A100, on AMD and on Intel processors
    found = asked(catalogue, {"system": "h3c-r5500-g5-amd-a100-80gb", "benchmark": "resnet", "round": "v2.0"})
    (left,) = found.left_out
    assert left.name == "v2.0/H3C/R5500G5-AMDx8A100-SXM-80GB/resnet"
    assert [(each.accelerators, each.minutes) for each in found.sizes] == [(8, 28.0935), (16, 15.4653)]
    assert left.reason == f"of this size {found.sizes[0].result.id} is faster"
    assert found.sizes[0].minutes < (catalogue.by_id[left.name].time_to_train_minutes or 0)


def test_without_a_round_it_is_the_latest_with_most_sizes(catalogue: Catalogue) -> None:
    # ResNet: two pods in v1.0, four in v1.1, none later
    found = asked(catalogue, {"system": "ipu-pod16", "benchmark": "resnet"})
    assert found.question.round == "v1.1"
    told = [each for each in found.question.decided if each.startswith("round ")]
    assert told == ["round v1.1: the latest with most newly measured sizes of the family (4)"], (
        "one round was chosen, not two"
    )


@pytest.mark.parametrize("fields", [{"round": "v2.0"}, {"submitter": "NVIDIA"}, {"division": "open"}])
def test_a_family_without_a_result_is_an_error(catalogue: Catalogue, fields: dict[str, str]) -> None:
    with pytest.raises(BadQuestion, match="no (closed|open) resnet result"):
        asked(catalogue, POD, **fields)


def test_an_unknown_system_or_benchmark_names_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownName, match="ipu-pod16"):
        asked(catalogue, {**POD, "system": "ipu-pod61"})
    with pytest.raises(UnknownName, match="resnet"):
        asked(catalogue, {**POD, "benchmark": "resent"})


def test_sizes_whose_time_grows_are_not_called_one_size(catalogue: Catalogue) -> None:
    # v1.1, open, BERT: 1,024 TPU v4 take 828.2 minutes, 2,048 take 1,196.6 with another model
    fields = {"system": "tpu-v4-8", "benchmark": "bert", "round": "v1.1", "division": "open"}
    assert accelerators(asked(catalogue, fields)) == [1024, 2048]
    with pytest.raises(BadQuestion) as error:
        asked(catalogue, fields, accelerators=4096, extrapolate="1")
    assert "one measured size" not in str(error.value)


def test_machines_without_accelerators_are_not_one_size(catalogue: Catalogue) -> None:
    # v1.0, DLRM: one, two and four nodes of Xeon 8380H; a size in accelerators would be 0 for all of them
    fields = {"system": "intel-xeon-8380h-8s", "benchmark": "dlrm", "round": "v1.0"}
    sizes: list[int] = []
    reasons: list[str] = []
    with suppress(BadQuestion):  # to refuse is right, too
        found = asked(catalogue, fields)
        sizes, reasons = accelerators(found), [each.reason for each in found.left_out]
    assert 0 not in sizes
    assert not any("of this size" in each for each in reasons), "four nodes are no size of one node"
