"""Times of sizes that nobody measured, in a comparison; and times whose difference is within the spread of the runs."""

import math
import statistics
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from scipy.stats import t

from pricing.analysis.asking import ask
from pricing.analysis.compare import Comparison, compare
from pricing.analysis.ranking import rank
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from service.parameters import compare_parameters, ranking_parameters

Compared = Callable[..., Comparison]
TIME = "time_to_train_minutes"
V1_1 = {"benchmark": "resnet", "round": "v1.1"}
DGX = "dgx-a100-640gb"


def between(size: float, low: tuple[float, float], high: tuple[float, float]) -> float:
    """The power curve through two measured (size, minutes)."""
    share = math.log(size / low[0]) / math.log(high[0] / low[0])
    return low[1] * (high[1] / low[1]) ** share


def codes(answer: Comparison) -> dict[str, str]:
    return {each.code: each.severity for each in answer.caveats}


def detail(answer: Comparison, code: str) -> str:
    return next(each.detail for each in answer.caveats if each.code == code)


def first(answer: Comparison) -> Side:
    return answer.sides[0]


def test_a_size_between_is_estimated_and_says_how(compared: Compared) -> None:
    # 16 DGX A100 are 128 accelerators, between the 64 and the 1,024 of NVIDIA's v1.1 rows
    answer = compared(f"16*{DGX},ipu-pod16", **V1_1, time_estimate="interpolate")
    side = first(answer)
    assert side.values[TIME] == pytest.approx(between(128, (64, 4.5337), (1024, 0.5747)))
    origin = side.provenance[TIME]
    assert (origin["status"], origin["basis"]) == ("estimated", "interpolated")
    assert "between 64 and 1,024 accelerators" in origin["rule"]
    assert origin["low"] < side.values[TIME] < origin["high"]
    assert side.result.result is None
    assert codes(answer)["interpolated_time"] == "serious"
    assert "nobody measured it" in detail(answer, "interpolated_time")
    assert f"{origin['low']:.4g} to {origin['high']:.4g} min" in detail(answer, "interpolated_time")


def test_all_that_needs_a_time_follows_from_the_estimate(compared: Compared) -> None:
    side = first(compared(f"16*{DGX}", **V1_1, time_estimate="interpolate"))
    minutes = between(128, (64, 4.5337), (1024, 0.5747))
    assert side.values["performance"] == pytest.approx(60 / minutes)
    assert side.values["performance_per_dollar"] == pytest.approx(60 / minutes / (16 * 300000))
    assert side.values["accelerator_hours_per_run"] == pytest.approx(128 * minutes / 60)


def test_without_being_asked_nothing_is_estimated(compared: Compared) -> None:
    answer = compared(f"16*{DGX}", **V1_1)
    assert TIME not in first(answer).values
    assert "measured were 1, 8, 128, 540 of it" in first(answer).gaps[TIME]
    assert not codes(answer).keys() & {"interpolated_time", "extrapolated_time"}


def test_beyond_the_measured_sizes_interpolation_stays_a_gap_with_the_reason(compared: Compared) -> None:
    # NVIDIA's largest was 540 systems, 4,320 accelerators
    answer = compared(f"1000*{DGX}", **V1_1, time_estimate="interpolate")
    assert TIME not in first(answer).values
    assert "8,000 lies outside the measured sizes, 8 to 4,320: ask for extrapolate" in first(answer).gaps[TIME]
    assert not codes(answer).keys() & {"interpolated_time", "extrapolated_time"}


def test_beyond_the_measured_sizes_extrapolation_answers_with_its_own_caveat(compared: Compared) -> None:
    answer = compared(f"1000*{DGX}", **V1_1, time_estimate="extrapolate")
    side = first(answer)
    assert side.provenance[TIME]["basis"] == "extrapolated"
    assert codes(answer)["extrapolated_time"] == "serious"
    assert "interpolated_time" not in codes(answer)
    assert 0 < side.values[TIME] < 0.3470, "no longer than the 540 systems took, since the curve falls"


def test_between_two_sizes_to_ask_for_extrapolation_changes_nothing(compared: Compared) -> None:
    asked = [first(compared(f"16*{DGX}", **V1_1, time_estimate=way)) for way in ("interpolate", "extrapolate")]
    assert asked[0].values == asked[1].values
    assert asked[0].provenance[TIME] == asked[1].provenance[TIME]


def test_a_size_that_was_measured_keeps_its_result(compared: Compared) -> None:
    for way in ("interpolate", "extrapolate"):
        side = first(compared(f"8*{DGX}", **V1_1, time_estimate=way))
        assert side.values[TIME] == 4.5337
        assert side.provenance[TIME]["status"] == "measured"


def test_a_size_that_another_system_of_the_family_has_is_named(compared: Compared) -> None:
    # 4 × IPU-POD16 are 64 accelerators, which were measured as one IPU-POD64: 8.5037 min
    side = first(compared("4*ipu-pod16", **V1_1, time_estimate="interpolate"))
    assert side.values.get(TIME) == 8.5037 or "ipu-pod64" in side.gaps[TIME]


def test_a_family_with_one_size_gives_no_estimate(compared: Compared) -> None:
    fields = {"benchmark": "rnnt", "round": "v2.0", "division": "open", "time_estimate": "extrapolate"}
    side = first(compared("2*bow-pod64", **fields))
    assert TIME not in side.values
    assert "at least two of the family are needed" in side.gaps[TIME]


def test_the_estimate_is_of_the_submitter_and_division_asked(compared: Compared) -> None:
    bow = {"benchmark": "bert", "round": "v2.0", "time_estimate": "interpolate"}
    baidu = first(compared("2*bow-pod16", **bow, submitter="Baidu"))
    assert baidu.values[TIME] == pytest.approx((20.8099 * 6.74) ** 0.5)
    assert "low" not in baidu.provenance[TIME], "two sizes say nothing of the error"
    opened = first(
        compared("2*ipu-pod16", benchmark="bert", round="v1.1", division="open", time_estimate="interpolate")
    )
    assert opened.values[TIME] == pytest.approx((26.0502 * 8.2545) ** 0.5)


def test_without_a_round_it_is_the_latest_that_lets_all_be_answered(compared: Compared) -> None:
    # the pods have ResNet times in v1.0 and v1.1 only
    answer = compared(f"2*ipu-pod16,{DGX}", benchmark="resnet", time_estimate="interpolate")
    assert answer.question.round == "v1.1"
    assert first(answer).values[TIME] == pytest.approx((28.3345 * 8.5037) ** 0.5)


def test_the_round_chosen_is_not_said_to_have_a_result_that_was_estimated(compared: Compared) -> None:
    answer = compared(f"2*ipu-pod16,{DGX}", benchmark="resnet", time_estimate="interpolate")
    told = " ".join(answer.question.decided)
    assert "all systems have a closed resnet result" not in told, "two pods have none, theirs is estimated"


def test_an_estimate_from_another_division_is_as_unlike_as_a_result(compared: Compared) -> None:
    fields = {"benchmark": "bert", "round": "v1.1", "time_estimate": "interpolate"}
    answer = compared(f"2*ipu-pod16,{DGX}", **fields, set=["2*ipu-pod16.division:open"])
    assert codes(answer).get("unlike_division") == "serious"


def test_an_estimate_from_another_round_is_as_unlike_as_a_result(compared: Compared) -> None:
    fields = {"benchmark": "bert", "round": "v1.1", "time_estimate": "interpolate"}
    answer = compared(f"2*ipu-pod16,{DGX}", **fields, set=["2*ipu-pod16.round:v1.0"])
    assert codes(answer).get("unlike_round") == "caution"


def test_an_estimate_needs_a_benchmark_and_says_where_it_has_no_effect(compared: Compared) -> None:
    with pytest.raises(BadQuestion, match="it needs a benchmark"):
        compared(f"16*{DGX}", time_estimate="interpolate")
    given = compared(DGX, **V1_1, time_estimate="interpolate", set=[f"{DGX}.{TIME}:20"])
    assert any(each.startswith("time_estimate has no effect") for each in given.question.decided)


@pytest.mark.parametrize("metric", [TIME, "performance_per_dollar"])
def test_no_ranking_holds_an_estimated_time(catalogue: Catalogue, metric: str) -> None:
    found = rank(catalogue, ranking_parameters()().load({**V1_1, "metric": metric}))
    assert found.sides
    for side in found.sides:
        assert side.result.result is not None
        assert side.values[TIME] == side.result.result.time_to_train_minutes
    assert "time_estimate" not in ranking_parameters()().fields


def spans(catalogue: Catalogue, *systems: str) -> list[tuple[float, float]]:
    """The official time plus and minus t × s / √n of the runs that converged, by scipy."""
    found = []
    for system in systems:
        (row,) = (each for each in catalogue.measured[("resnet", "v1.1", "closed")]
                  if (each.system, each.units) == (system, 1))  # fmt: skip
        runs = [float(each) for each in (row.row.run_minutes or "").split()]
        half = t.ppf(0.95, len(runs) - 1) * statistics.stdev(runs) / len(runs) ** 0.5
        found.append(((row.time_to_train_minutes or 0) - half, (row.time_to_train_minutes or 0) + half))
    return found


def test_times_that_differ_by_less_than_their_runs_do_are_said_to(catalogue: Catalogue, compared: Compared) -> None:
    pair = ("dell-xe8545-a100-80gb", "supermicro-as-2124gq-nart-plus")
    (low, high), (other_low, other_high) = spans(catalogue, *pair)
    assert low < other_high and other_low < high, "56.3257 and 56.3108 minutes are not told apart"
    answer = compared(",".join(pair), **V1_1)
    assert codes(answer)["times_overlap"] == "caution"
    for edge in (low, high, other_low, other_high):
        assert f"{edge:.4g}" in detail(answer, "times_overlap")


def test_times_that_differ_by_more_have_no_such_caveat(catalogue: Catalogue, compared: Compared) -> None:
    pod, dgx = spans(catalogue, "ipu-pod16", DGX)
    assert pod[1] < dgx[0]
    for pair in (f"ipu-pod16,{DGX}", f"{DGX},ipu-pod16"):
        assert "times_overlap" not in codes(compared(pair, **V1_1)), "whichever is the baseline"


def with_runs(catalogue: Catalogue, runs: str) -> Comparison:
    """POD16 against the DGX A100, the DGX A100's runs changed."""
    key = ("resnet", "v1.1", "closed")
    found = copy(catalogue)
    rows = [
        replace(each, row=replace(each.row, run_minutes=runs)) if (each.system, each.units) == (DGX, 1) else each
        for each in catalogue.measured[key]
    ]
    found.measured = {**catalogue.measured, key: rows}
    fields: dict[str, Any] = compare_parameters()().load({"systems": f"ipu-pod16,{DGX}", **V1_1})
    return compare(found, ask(found, fields), None)


def test_the_caveat_follows_the_runs(catalogue: Catalogue) -> None:
    # 28.3345 ± 0.0045 against 29.1466: s = 1 of five runs gives 2.13 × 1 / √5 = 0.95, s = 0.1 a tenth of it
    assert "times_overlap" in codes(with_runs(catalogue, "28.1466 28.1466 29.1466 30.1466 30.1466"))
    assert "times_overlap" not in codes(with_runs(catalogue, "29.0466 29.0466 29.1466 29.2466 29.2466"))


@pytest.mark.parametrize("runs", ["", "29.1466"])
def test_runs_that_are_not_known_have_no_spread(catalogue: Catalogue, runs: str) -> None:
    answer = with_runs(catalogue, runs)
    assert "times_overlap" not in codes(answer)
    assert "low" not in answer.sides[1].provenance[TIME]
