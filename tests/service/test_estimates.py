"""The time of training a model that nobody measured: 6 N D over the dense peaks at an assumed utilisation."""

import csv
import statistics
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from pricing.catalogue.facts import DATA
from tests.service.test_api import strict

GPT3 = "parameters=175e9&tokens=300e9"
A100S = "128*dgx-a100-640gb"
"""1,024 × A100 of 312 dense bf16 TFLOP/s: accelerators.csv, S. Bekman, ml-engineering, compute/accelerator/README.md."""
WORK = 6 * 175e9 * 300e9
RATE = 1024 * 312e12
LOW, MIDDLE, HIGH = 0.21, 0.35, 0.47
"""The utilisations of assumptions.csv in 16 bits; below they are recomputed."""


def side(client: FlaskClient, system: str, more: str = "", model: str = GPT3) -> Any:
    return strict(client.get(f"/v1/compare?systems={system}&{model}{more}"))["systems"][0]


def time_of(found: Any) -> tuple[float, Any]:
    return found["time_to_train_minutes"], found["provenance"]["time_to_train_minutes"]


def refusal(client: FlaskClient, query: str) -> str:
    response = client.get(f"/v1/compare?{query}")
    assert response.status_code == 422, response.text
    return str(strict(response)["detail"])


def test_gpt3_on_1024_a100_takes_6nd_over_their_rate(client: FlaskClient) -> None:
    """3.15e23 FLOP over 1,024 × 312e12 FLOP/s × 0.35 are 2,817,007 s or 32.6 days."""
    minutes, origin = time_of(side(client, A100S))
    assert minutes == pytest.approx(WORK / (RATE * MIDDLE) / 60)
    assert minutes / 60 / 24 == pytest.approx(32.6, abs=0.05)
    assert origin["status"] == "estimated"
    assert "1024 accelerators × 312 TFLOP/s (bf16, dense) × MFU 0.35" in origin["rule"]


def test_an_estimated_time_has_the_ends_of_the_utilisation_and_a_serious_caveat(client: FlaskClient) -> None:
    answer = strict(client.get(f"/v1/compare?systems={A100S}&{GPT3}"))
    _, origin = time_of(answer["systems"][0])
    assert (origin["low"], origin["high"]) == pytest.approx((WORK / RATE / HIGH / 60, WORK / RATE / LOW / 60))
    (caveat,) = [each for each in answer["caveats"] if each["code"] == "estimated_time"]
    assert (caveat["systems"], caveat["severity"]) == ([A100S], "serious")
    assert "nobody measured it" in caveat["detail"]
    assert not [each for each in answer["notices"] if "official" in each]


def test_what_follows_from_an_estimated_time_follows_as_from_any_other(client: FlaskClient) -> None:
    found = side(client, A100S)
    assert found["performance"] == pytest.approx(60 / found["time_to_train_minutes"])
    # 32.6 days on 1,024 accelerators
    assert found["accelerator_hours_per_run"] == pytest.approx(WORK / (312e12 * MIDDLE) / 3600)


@pytest.mark.parametrize("given", ["&mfu_share=0.4", "&set=dgx-a100-640gb.mfu_share:0.4"])
def test_a_utilisation_that_is_given_has_no_interval(client: FlaskClient, given: str) -> None:
    minutes, origin = time_of(side(client, A100S, given))
    assert minutes == pytest.approx(WORK / (RATE * 0.4) / 60)
    assert origin["status"] == "estimated" and not {"low", "high"} & origin.keys()


def test_frozen_weights_take_four_operations_for_each_parameter_and_token(client: FlaskClient) -> None:
    minutes, _ = time_of(side(client, A100S, "&flop_per_parameter_token=4"))
    assert minutes == pytest.approx(4 * 175e9 * 300e9 / (RATE * MIDDLE) / 60)


def test_twice_the_tokens_take_twice_the_time_and_twice_the_systems_half(client: FlaskClient) -> None:
    minutes, _ = time_of(side(client, A100S))
    assert time_of(side(client, A100S, model="parameters=175e9&tokens=600e9"))[0] == pytest.approx(2 * minutes)
    assert time_of(side(client, "256*dgx-a100-640gb"))[0] == pytest.approx(minutes / 2)


@pytest.mark.parametrize(
    ("precision", "dense", "sparse", "mfu"),
    [("bf16", 989, 1979, 0.35), ("fp16", 989, 1979, 0.35), ("fp8", 1979, 3958, 0.34)],
)
def test_the_peak_of_an_h100_is_the_dense_one(
    client: FlaskClient, precision: str, dense: float, sparse: float, mfu: float
) -> None:
    """NVIDIA's data sheet prints the sparse figures, twice the dense ones."""
    minutes, origin = time_of(side(client, "dgx-h100", f"&precision={precision}"))
    assert minutes == pytest.approx(WORK / (8 * dense * 1e12 * mfu) / 60)
    assert f"{dense} TFLOP/s ({precision}, dense)" in origin["rule"] and str(sparse) not in origin["rule"]
    (listed,) = strict(client.get("/v1/accelerators?accelerator_model=NVIDIA H100-SXM5-80GB"))["accelerators"]
    assert listed[f"peak_{precision}_tflops"] == dense


def test_an_accelerator_without_that_peak_is_a_gap_that_names_the_precisions_it_has(client: FlaskClient) -> None:
    found = side(client, A100S, "&precision=fp8")
    assert found["time_to_train_minutes"] is None
    assert found["gaps"]["time_to_train_minutes"] == (
        "the catalogue has no fp8 peak of NVIDIA A100-SXM4-80GB; it has bf16, fp16, tf32, fp32: give peak_tflops"
    )
    given = time_of(side(client, A100S, "&precision=fp8&set=dgx-a100-640gb.peak_tflops:624"))[0]
    assert given == pytest.approx(WORK / (1024 * 624e12 * 0.34) / 60)


def test_an_own_system_needs_its_accelerators_and_their_peak(client: FlaskClient) -> None:
    assert "no accelerators was given" in side(client, "own:rig")["gaps"]["time_to_train_minutes"]
    eight = "&set=own:rig.accelerators:8"
    assert "no peak_tflops was given" in side(client, "own:rig", eight)["gaps"]["time_to_train_minutes"]
    minutes, _ = time_of(side(client, "own:rig", f"{eight}&set=own:rig.peak_tflops:100"))
    assert minutes == pytest.approx(WORK / (8 * 100e12 * MIDDLE) / 60)


def test_a_time_of_ones_own_stands_and_the_answer_says_that_the_model_has_no_effect(client: FlaskClient) -> None:
    answer = strict(client.get(f"/v1/compare?systems=dgx-h100&{GPT3}&set=dgx-h100.time_to_train_minutes:500"))
    assert answer["systems"][0]["time_to_train_minutes"] == 500
    assert "parameters and tokens have no effect: every side has its own time." in answer["notices"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("parameters=175e9", "tokens: it is needed beside parameters"),
        ("tokens=300e9", "parameters: it is needed beside tokens"),
        ("mfu_share=0.4", "parameters: it is needed beside mfu_share"),
        ("precision=fp8", "parameters: it is needed beside precision"),
        ("flop_per_parameter_token=4", "parameters: it is needed beside flop_per_parameter_token"),
        ("set=dgx-h100.mfu_share:0.4", "mfu_share: no effect without parameters and tokens"),
        ("set=dgx-h100.peak_tflops:400", "peak_tflops: no effect without parameters and tokens"),
        (f"{GPT3}&benchmark=bert", "benchmark: its times are measured"),
        (f"{GPT3}&mfu_share=1.01", "mfu_share: 1.01 is not in the range above 0 to 1"),
        (f"{GPT3}&mfu_share=0", "mfu_share: 0 is not in the range above 0 to 1"),
        (f"{GPT3}&precision=int8", "precision: must be one of bf16, fp16, fp8, tf32, fp32, not int8"),
        ("parameters=0&tokens=300e9", "parameters: 0 is not in the range above 0"),
        ("parameters=175e9&tokens=-1", "tokens: -1 is not in the range above 0"),
        ("parameters=175B&tokens=300e9", "parameters: "),
    ],
)
def test_a_model_that_is_not_whole_is_refused_with_what_is_missing(
    client: FlaskClient, query: str, expected: str
) -> None:
    assert refusal(client, f"systems=dgx-h100&{query}").startswith(expected)


def test_a_ranking_of_measured_times_takes_no_model(client: FlaskClient) -> None:
    response = client.get(f"/v1/ranking?benchmark=bert&{GPT3}")
    assert response.status_code == 422
    assert {each["field"] for each in strict(response)["errors"]} == {"parameters", "tokens"}


def table(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def assumed(setting: str) -> tuple[float, ...]:
    (row,) = [each for each in table("assumptions.csv") if (each["name"], each["setting"]) == ("mfu_share", setting)]
    return tuple(float(row[name]) for name in ("low", "value", "high"))


def rounded(shares: list[float]) -> list[float]:
    """The 5th, 50th and 95th percentile of percentages, as shares of two digits."""
    return [round(float(each)) / 100 for each in np.percentile(shares, (5, 50, 95))]


def test_the_utilisation_in_16_bits_is_that_of_published_whole_runs() -> None:
    """Its source says: whole runs of 6e9 parameters and more in bf16 or fp16 that no flag calls low or unsure, 30."""
    shares = [
        float(each["implied_mfu_pct"])
        for each in table("training_runs.csv")
        if each["kind"] == "run" and float(each["parameters_n"]) >= 6e9 and each["precision"] in ("bf16", "fp16")
        and not each["flag"].startswith(("LOW", "DO NOT USE", "INCONSISTENT"))
    ]  # fmt: skip
    assert len(shares) == 30
    assert list(assumed("16-bit")) == rounded(shares) == [LOW, MIDDLE, HIGH]


def test_the_utilisation_in_8_bits_is_that_of_mlperf_runs_and_of_the_one_whole_run() -> None:
    """Its source says: MLPerf gpt3 and llama runs in fp8, median and 95th percentile of 42; low: DeepSeek-V3."""
    runs = [
        each for each in table("training_runs.csv") if each["precision"] == "fp8" and each["implied_mfu_native_pct"]
    ]
    shares = [float(each["implied_mfu_native_pct"]) for each in runs if each["kind"] == "mlperf"]
    (whole,) = [float(each["implied_mfu_native_pct"]) for each in runs if each["kind"] == "run"]
    assert len(shares) == 42
    assert list(assumed("8-bit")) == [round(whole) / 100, *rounded(shares)[1:]] == [0.17, 0.34, 0.43]


def implied() -> dict[str, float]:
    """The utilisation of each published whole run in its precision: 6 N D over accelerator-hours × dense peak."""
    peaks = {each["accelerator_model"]: each for each in table("accelerators.csv")}
    found = {}
    for each in table("training_runs.csv"):
        peak = peaks[each["accelerator"]][f"peak_{each['precision']}_tflops"] if each["kind"] == "run" else ""
        if peak:
            n, d, count, hours = (float(each[name]) for name in COUNTED)
            found[each["model"]] = count * n * d / (hours * 3600 * float(peak) * 1e12)
    return found


COUNTED = ("parameters_n", "tokens_d", "flops_per_param_token", "accelerator_hours")


def test_how_far_off_the_estimate_is_for_published_runs_is_said_run_by_run(client: FlaskClient) -> None:
    """Hours go as one over the utilisation, so that the estimate's error is the run's utilisation over the assumed, less 1."""
    shares = implied()
    said = {each["model"]: each for each in strict(client.get("/v1/training_runs?kind=run&limit=500"))["training_runs"]}
    estimated = {name: each for name, each in said.items() if each["within"] != "not estimated"}
    assert estimated.keys() == shares.keys()
    ends = {name: assumed("8-bit" if each["precision"] == "fp8" else "16-bit") for name, each in estimated.items()}
    inside = [name for name, share in shares.items() if ends[name][0] <= share <= ends[name][2]]
    errors = {name: share / ends[name][1] - 1 for name, share in shares.items()}
    assert [name for name, each in estimated.items() if each["within"] == "yes"] == inside
    assert {name: each["error_share"] for name, each in estimated.items()} == pytest.approx(errors)
    # what may be said of the estimate as a whole: of four runs three lie within, and half are nearer than a quarter
    assert len(inside) / len(shares) >= 0.75
    assert statistics.median(map(abs, errors.values())) < 0.25


def test_the_hours_of_llama_31_405b_are_met_within_five_per_cent(client: FlaskClient) -> None:
    """Its model card has 30.84e6 H100 hours; by the paper 405e9 parameters saw 15.6e12 tokens."""
    found = side(client, "dgx-h100", model="parameters=405e9&tokens=15.6e12")
    assert found["accelerator_hours_per_run"] == pytest.approx(30.84e6, rel=0.05)
    (said,) = [
        each
        for each in strict(client.get("/v1/training_runs?limit=500"))["training_runs"]
        if "405B" in each["model"] and each["kind"] == "run"
    ]
    assert said["estimated_accelerator_hours"] == pytest.approx(found["accelerator_hours_per_run"])
    assert said["within"] == "yes"
