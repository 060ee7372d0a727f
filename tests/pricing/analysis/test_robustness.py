"""How sure a comparison is: intervals, chances, what moves it, flip points."""

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from pricing.analysis.robustness import Contest, Robustness, draw, robustness
from pricing.analysis.uncertainty import Span
from pricing.catalogue.catalogue import Catalogue, shipped
from pricing.errors import BadQuestion, UnknownName
from service.parameters import robustness_parameters

POD, DGX = "ipu-pod16", "dgx-a100-640gb"
PRICE = f"{DGX}.price:270000:300000:330000"
ROUND = {"benchmark": "resnet", "round": "v1.0", "baseline": DGX}


def asked(*vary: str, systems: str = f"{POD},{DGX}", catalogue: Catalogue | None = None, **more: Any) -> Robustness:
    fields = robustness_parameters()().load({"systems": systems, **ROUND, **more, "vary": list(vary)})
    return robustness(catalogue or shipped(), fields)


def contest(*vary: str, **more: Any) -> Contest:
    (found,) = asked(*vary, **more).contests
    return found


@pytest.mark.parametrize(
    ("benchmark", "share", "low", "high"), [("resnet", "5%", 1.40, 1.71), ("bert", "10%", 1.07, 1.47)]
)
def test_the_published_pair_has_its_intervals(benchmark: str, share: str, low: float, high: float) -> None:
    # DGX price triangular 270/300/330 k$, each time a normal whose 90 % interval is that share either way. By hand: the
    # relative variances add, price (30/sqrt(6)/300)^2 and twice (share/1.645)^2: 5.9 % and 9.6 % of the ratio
    times = (f"{side}.time_to_train_minutes:{share}" for side in (POD, DGX))
    found = contest(PRICE, *times, benchmark=benchmark, samples="100000").ratio
    assert (round(found.low, 2), round(found.high, 2)) == (low, high)


def test_numbers_without_spread_give_the_plain_answer() -> None:
    # the price as it is and times of no spread; performance per dollar reads nothing else
    firm = (f"{DGX}.price:300000:300000", *(f"{side}.time_to_train_minutes:0%" for side in (POD, DGX)))
    found = asked(*firm)
    assert found.spans == ()
    (each,) = found.contests
    plain = 28.7709 * 300_000 / (37.1152 * 149_995)
    assert list(each.ratio) == pytest.approx([plain] * 4, rel=1e-12)
    assert (each.ahead_share, each.behind_share, each.verdict) == (1, 0, "ahead")


def test_without_wishes_sources_and_runs_say_how_unsure_the_numbers_are() -> None:
    found = {each.key: each for each in asked().spans}
    assert set(found) == {f"{DGX}.price", f"{POD}.time_to_train_minutes", f"{DGX}.time_to_train_minutes"}
    # about_price_spread_share is 0.1
    assert (found[f"{DGX}.price"].low, found[f"{DGX}.price"].high) == pytest.approx((270_000, 330_000))
    # the runs of the POD16 in the log folder; t of 4 degrees of freedom is 2.132 (GUM, table G.2)
    runs = (37.0237, 37.0779, 37.0826, 37.1852, 37.2371)
    half = 2.132 * np.std(runs, ddof=1) / math.sqrt(5)
    time = found[f"{POD}.time_to_train_minutes"]
    assert (time.low, time.high) == pytest.approx((37.1152 - half, 37.1152 + half), abs=1e-4)


def test_an_assumption_is_drawn_once_for_all_sides() -> None:
    # energy's price multiplies both sides' energy cost alone: the ratio of the two does not move
    found = contest("electricity_tariff_per_kwh:0.05:0.5", metric="energy_cost_per_year")
    moved = {each.span.key for each in found.effects}
    assert "electricity_tariff_per_kwh" not in moved
    assert any(each.key == "electricity_tariff_per_kwh" for each in asked(metric="energy_cost_per_year").spans)


def test_two_alike_are_not_settled() -> None:
    # both measured, and priced so that the ratio is 1: each is ahead in about half of the draws
    tie = 300_000 * 28.7709 / 37.1152
    times = (f"{side}.time_to_train_minutes:5%" for side in (POD, DGX))
    found = contest(f"{POD}.price:{tie - 1:.4f}:{tie + 1:.4f}", *times, set=[f"{POD}.price:{tie:.6f}"])
    assert 0.4 < found.ahead_share < 0.6
    assert found.verdict == "not_settled"


@pytest.mark.parametrize(
    "metric", ["performance_per_dollar", "cost_per_run", "tco_present_value", "time_to_train_minutes"]
)
def test_a_flip_point_put_back_in_gives_a_tie(metric: str) -> None:
    flips = [each for each in contest(metric=metric).flips if each.level is not None]
    assert flips
    for each in flips:
        own = (
            {each.name: str(each.level)} if each.side is None else {"set": [f"{each.side}.{each.name}:{each.level!r}"]}
        )
        assert contest(metric=metric, **own).ratio.value == pytest.approx(1, abs=1e-9), each


def test_the_price_to_tie_is_that_of_the_hand() -> None:
    flips = {(each.side, each.name): each.level for each in contest().flips}
    assert flips[(DGX, "price")] == pytest.approx(149_995 * 37.1152 / 28.7709)
    assert flips[(POD, "price")] == pytest.approx(300_000 * 28.7709 / 37.1152)


def test_what_moves_performance_per_dollar_moves_it_in_proportion() -> None:
    elasticity = {each.span.key: each.elasticity for each in contest().effects}
    assert elasticity == pytest.approx(
        {f"{DGX}.price": 1, f"{DGX}.time_to_train_minutes": 1, f"{POD}.time_to_train_minutes": -1}
    )


def test_swapping_the_sides_swaps_the_chances_and_inverts_the_interval() -> None:
    one, other = contest(PRICE), contest(PRICE, baseline=POD)
    assert (one.ahead_share, one.behind_share) == (other.behind_share, other.ahead_share)
    assert one.ratio.value == pytest.approx(1 / other.ratio.value, rel=1e-15)
    assert (one.ratio.low, one.ratio.high) == pytest.approx((1 / other.ratio.high, 1 / other.ratio.low), rel=1e-3)


def test_the_same_seed_gives_the_same_digits_and_another_seed_others() -> None:
    assert contest(PRICE).ratio == contest(PRICE).ratio
    assert contest(PRICE, seed="2").ratio != contest(PRICE).ratio


def test_the_draws_of_a_number_do_not_depend_on_what_else_varies() -> None:
    span = Span(DGX, "price", 270_000.0, 300_000.0, 330_000.0, "triangular", "")
    drawn = draw(span, 1000, 7)
    assert (drawn == draw(replace_why(span), 1000, 7)).all()
    assert drawn.min() >= span.low and drawn.max() <= span.high
    assert (drawn != draw(span._replace(side=POD), 1000, 7)).any()


def replace_why(span: Span) -> Span:
    return span._replace(why="another reason")


@given(st.floats(1.0, 1e6), st.floats(0.01, 0.5))
def test_a_normal_is_drawn_with_its_ninety_per_cent_interval(middle: float, share: float) -> None:
    span = Span(None, "pue_ratio", middle * (1 - share), middle, middle * (1 + share), "normal", "")
    drawn = draw(span, 20_000, 1)
    within = np.mean((drawn >= span.low) & (drawn <= span.high))
    assert 0.885 < within < 0.915
    assert drawn.min() > 0


@pytest.mark.parametrize(
    ("vary", "reason"),
    [
        (f"{DGX}.rack_units:1:9", "rack_units has no effect here; what is read: "),
        ("price:1:9", "price is no assumption of all sides: name its system"),
        (f"{DGX}.price:0:9", "price"),
        (f"{DGX}.time_to_train_minutes:70%", "so wide a normal reaches below 0"),
        ("pue_ratio:1:2", "pue_ratio has no effect here"),
    ],
)
def test_what_cannot_vary_is_refused_with_the_reason(vary: str, reason: str) -> None:
    with pytest.raises(BadQuestion, match=reason):
        asked(vary)


@pytest.mark.parametrize(
    "vary", [f"{DGX}.price", f"{DGX}.price:9:1", f"{DGX}.price:1:2:3:normal", f"{DGX}.price:a:b", "x"]
)
def test_a_text_of_another_form_is_refused(vary: str) -> None:
    with pytest.raises(ValidationError):
        asked(vary)


def test_a_side_of_another_name_and_a_metric_that_is_none_are_unknown() -> None:
    with pytest.raises(UnknownName):
        asked("dgx-2.price:1:2")
    with pytest.raises(UnknownName, match="nearest"):
        asked(metric="performance_per_dolar")


def test_one_side_alone_and_too_many_are_refused() -> None:
    with pytest.raises(BadQuestion, match="2 to 10 sides"):
        asked(systems=DGX)
    with pytest.raises(BadQuestion, match="2 to 10 sides"):
        asked(systems=",".join(f"{count}*{DGX}" for count in range(1, 12)))


def test_a_side_without_the_metric_is_refused_with_its_gap() -> None:
    with pytest.raises(BadQuestion, match="no performance_per_dollar of ipu-pod64: the catalogue has no price"):
        asked(systems=f"ipu-pod64,{DGX}")


def test_a_price_that_is_not_firm_makes_an_interval_of_its_own_system_only() -> None:
    found = asked(PRICE, f"{POD}.time_to_train_minutes:0%", f"{DGX}.time_to_train_minutes:0%")
    pod, dgx = found.sides
    assert pod.low == pod.high == pod.value
    # performance over 330,000 and 270,000 are the ends; 5 % of a triangular lie below low + sqrt(0.05 · 60 · 30) k$
    performance = 60 / 28.7709
    at_5 = performance / (270_000 + math.sqrt(0.05 * 60 * 30) * 1000)
    assert dgx.high == pytest.approx(at_5, rel=2e-3)


def test_the_seed_gives_the_same_digits_in_every_process_however_many_there_are() -> None:
    code = (
        "import json, sys; from pricing.analysis.robustness import robustness; from pricing.catalogue.catalogue import shipped;"
        "from service.parameters import body_of, robustness_parameters;"
        "f = body_of(robustness_parameters())().load({'systems': 'ipu-pod16,dgx-a100-640gb', 'benchmark': 'bert',"
        " 'round': 'v1.0', 'metric': 'cost_per_run', 'samples': 2000});"
        "print(json.dumps([(each.ratio, each.ahead_share) for each in robustness(shipped(), f).contests]))"
    )
    root = Path(__file__).parents[3]

    def start(number: int) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(root),
            "PYTHONHASHSEED": str(number),
            "OMP_NUM_THREADS": str(number + 1),
        }
        return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)

    together = [start(number) for number in range(3)]
    outputs = {process.communicate(timeout=120)[0] for process in together}
    assert len(outputs) == 1 and all(process.returncode == 0 for process in together)
