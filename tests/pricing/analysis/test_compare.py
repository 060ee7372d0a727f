"""A comparison says what it used, what is missing, and gives the same whichever side is asked first."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pricing.catalogue.catalogue import shipped
from pricing.errors import BadQuestion, UnknownName

PAIR = "ipu-pod16,dgx-a100-640gb"
RESNET = {"benchmark": "resnet", "round": "v1.0"}


@pytest.mark.parametrize("benchmark", ["resnet", "bert"])
def test_swapping_the_baseline_inverts_every_ratio(compared: Callable, benchmark: str) -> None:
    one = compared(PAIR, "dgx-a100-640gb", benchmark=benchmark, round="v1.0")
    other = compared(PAIR, "ipu-pod16", benchmark=benchmark, round="v1.0")
    forth, back = one.relative[0], other.relative[1]
    assert forth.keys() == back.keys()
    assert len(forth) > 40
    for name, ratio in forth.items():
        # both are rounded once, so that their product is 1 to one unit in the last place
        assert abs(Fraction(ratio) * Fraction(back[name]) - 1) <= Fraction(math.ulp(1.0)), name


positive = st.floats(1e-6, 1e6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(price=positive, minutes=positive)
def test_swapping_inverts_for_any_price_and_time(compared: Callable, price: float, minutes: float) -> None:
    own = [f"ipu-pod16.price:{price!r}", f"ipu-pod16.time_to_train_minutes:{minutes!r}"]
    one = compared(PAIR, "dgx-a100-640gb", **RESNET, set=own).relative[0]["performance_per_dollar"]
    other = compared(PAIR, "ipu-pod16", **RESNET, set=own).relative[1]["performance_per_dollar"]
    assert abs(Fraction(one) * Fraction(other) - 1) <= Fraction(math.ulp(1.0))


def test_every_number_says_where_it_is_from(compared: Callable) -> None:
    for side in compared(PAIR, **RESNET).sides:
        for name in side.known:
            assert side.provenance[name]["status"] in ("given", "listed", "measured", "derived", "estimated", "assumed")
            if side.provenance[name]["status"] != "given":
                assert side.provenance[name]["source"]


def test_power_has_the_best_basis_there_is(compared: Callable) -> None:
    answer = compared(PAIR, **RESNET)
    assert [side.power_basis for side in answer.sides] == ["typical", "maximum"]
    # the POD16's typical figure is the midpoint of 5.2 to 5.4 kW; the DGX has a maximum of 6.5 kW
    assert answer.sides[0].values["busy_power_kw"] == 5.3
    assert answer.sides[1].values["busy_power_kw"] == pytest.approx(6.5 * 0.7)


def test_measured_power_comes_from_the_energy_of_the_run(compared: Callable) -> None:
    # SMC, v4.0 gpt3 on 64 nodes of 8 H100: 472.0 kWh in 56.8694 min, so 498 kW or 7.78 kW a node
    answer = compared("64*smc-hgx-h100", benchmark="gpt3", round="v4.0", submitter="smc-ac-power")
    assert answer.sides[0].power_basis == "measured"
    assert answer.sides[0].values["cluster_busy_power_kw"] == pytest.approx(498, abs=0.5)
    assert answer.sides[0].values["it_energy_per_run_kwh"] == pytest.approx(472.0, abs=0.05)


def test_a_pod_has_the_hosts_and_height_of_the_workload(compared: Callable) -> None:
    bert = compared("ipu-pod64", benchmark="bert", round="v1.1").sides[0].values
    resnet = compared("ipu-pod64", benchmark="resnet", round="v1.1").sides[0].values
    assert (bert["rack_units"], bert["hosts"]) == (17, 1)
    assert (resnet["rack_units"], resnet["hosts"]) == (20, 4)


def test_a_system_without_a_price_is_answered_with_the_gap_named(compared: Callable) -> None:
    side = compared("ipu-pod64,dgx-a100-640gb", benchmark="bert", round="v1.1").sides[0]
    assert "performance_per_dollar" not in side.values
    assert side.gaps["performance_per_dollar"] == "the catalogue has no price of ipu-pod64"
    assert side.values["performance_per_rack_unit"] == pytest.approx(60 / 10.5637 / 17)


def test_an_estimate_is_made_only_when_asked_and_says_its_rule(compared: Callable) -> None:
    answer = compared("ipu-pod64", benchmark="bert", round="v1.1", estimate="linear")
    side = answer.sides[0]
    assert side.values["price"] == pytest.approx(64 * 149995 / 16)
    assert side.provenance["price"]["status"] == "estimated"
    assert "9,374.6875" in side.provenance["price"]["rule"]
    assert "estimated_price" in {caveat.code for caveat in answer.caveats}


def test_a_listed_price_is_never_estimated_over(compared: Callable) -> None:
    side = compared("ipu-pod16", **RESNET, estimate="linear").sides[0]
    assert side.provenance["price"]["status"] == "listed"


def test_a_bare_machine_is_no_sibling_of_a_pod_with_a_host(compared: Callable) -> None:
    # before 2021-06-30 only the IPU-M2000 has a price, $32,450 without a host
    side = compared("ipu-pod16", **RESNET, estimate="linear", as_of="2021-06-29").sides[0]
    assert "price" not in side.values


def test_a_given_number_wins_and_is_marked(compared: Callable) -> None:
    side = compared(PAIR, **RESNET, set=["ipu-pod16.price:100000"], pue_ratio="1.1").sides[0]
    assert side.values["price"] == 100000
    assert side.provenance["price"]["status"] == side.provenance["pue_ratio"]["status"] == "given"


def test_an_explicit_zero_is_honoured(compared: Callable) -> None:
    side = compared(PAIR, **RESNET, electricity_tariff_per_kwh="0").sides[0]
    assert side.values["energy_cost_per_year"] == 0
    assert side.provenance["electricity_tariff_per_kwh"]["status"] == "given"


def test_a_system_outside_the_catalogue_can_be_brought(compared: Callable) -> None:
    own = {"time_to_train_minutes": "30", "price": "200000", "rack_units": "4", "max_power_kw": "6"}
    answer = compared(
        "own:my box,dgx-a100-640gb",
        "dgx-a100-640gb",
        **RESNET,
        set=[f"own:my box.{name}:{value}" for name, value in own.items()],
    )
    assert answer.relative[0]["performance_per_dollar"] == pytest.approx(28.7709 * 300000 / (30 * 200000))
    assert answer.sides[0].provenance["price"]["status"] == "given"
    assert "given_time" in {caveat.code for caveat in answer.caveats}


def test_two_systems_on_one_job_have_the_time_measured_at_that_size(compared: Callable) -> None:
    # v0.7: NVIDIA's dgxa100_n2_ngc20.06_mxnet trained SSD on two DGX A100 320GB
    side = compared("2*dgx-a100-320gb", benchmark="ssd", round="v0.7").sides[0]
    assert side.result.result is not None
    assert side.result.result.row.system_id.startswith("dgxa100_n2_")
    assert side.values["list_cost"] == 2 * 199000
    gap = compared("3*dgx-a100-320gb", benchmark="ssd", round="v0.7").sides[0]
    assert "time_to_train_minutes" not in gap.values


def test_without_a_round_the_latest_shared_one_is_taken_and_said(compared: Callable) -> None:
    # POD16 has ResNet in v1.0 and v1.1, the DGX A100 640GB later, too
    answer = compared(PAIR, benchmark="resnet")
    assert answer.question.round == "v1.1"
    assert any("round v1.1: the latest" in notice for notice in answer.notices)


def test_no_shared_round_is_an_error_that_lists_the_rounds(compared: Callable) -> None:
    with pytest.raises(BadQuestion, match=r"ipu-pod16: v1\.0, v1\.1; dgx-h100: v2\.1"):
        compared("ipu-pod16,dgx-h100", benchmark="resnet")


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"benchmark": "resnet50"}, "benchmark"),
        ({"benchmark": "resnet", "round": "v9.9"}, "round"),
        ({"benchmark": "resnet", "preset": "us"}, "preset"),
        ({"benchmark": "resnet", "set": ["dgx-2.price:1"]}, "side of this question"),
        ({"benchmark": "resnet", "set": ["ipu-pod16.prise:1"]}, "field"),
    ],
)
def test_an_unknown_name_is_an_error_of_its_kind(compared: Callable, fields: dict, kind: str) -> None:
    with pytest.raises(UnknownName, match=f"unknown {kind}"):
        compared(PAIR, **fields)


def test_a_preset_in_another_currency_is_converted_and_not_relabelled(compared: Callable) -> None:
    side = compared(PAIR, **RESNET, preset="eu-colo", as_of="2021-06-30").sides[0]
    assumption = shipped().preset("eu-colo")["electricity_tariff_per_kwh"]
    assert assumption.unit == "EUR/kWh"
    # on 2021-06-30 the ECB's reference rate was 1.1884 USD for a euro
    assert side.values["electricity_tariff_per_kwh"] == pytest.approx(assumption.value * 1.1884, rel=1e-12)


def test_a_preset_without_a_rate_is_a_gap_and_not_relabelled(compared: Callable) -> None:
    side = compared(PAIR, **RESNET, preset="eu-colo", as_of="2027-11-30").sides[0]
    assert "energy_cost_per_year" not in side.values
    assert "EUR/kWh" in side.gaps["energy_cost_per_year"]
    assert "2026-10-30" in side.gaps["energy_cost_per_year"]
    assert "performance_per_dollar" in side.values


@pytest.mark.parametrize(
    ("preset", "basis"), [("us-colo", "kw"), ("us-own-hall", "facility"), ("hyperscale", "facility")]
)
def test_a_preset_brings_the_way_in_which_space_is_paid(compared: Callable, preset: str, basis: str) -> None:
    answer = compared(PAIR, **RESNET, preset=preset)
    assert dict(answer.question.bases)["space_basis"] == basis
    assert answer.sides[0].values["tco_present_value"] > 0


def test_support_of_a_hyperscaler_is_a_share_of_amortisation_and_not_of_list(compared: Callable) -> None:
    answer = compared(PAIR, **RESNET, preset="hyperscale")
    values = answer.sides[1].values
    # 5 % of 300,000 * (1 - 0.1) / 5.5 years
    assert values["support_cost_per_year"] == pytest.approx(0.05 * 270000 / 5.5)


def test_owned_tco_by_hand(compared: Callable) -> None:
    """DGX A100 640GB, us-colo: every line by its own arithmetic."""
    values = compared("dgx-a100-640gb", **RESNET).sides[0].values
    paid = 300000 * 0.9
    busy, idle = 6.5 * 0.7, 6.5 * 0.24
    energy = (0.8 * busy + 0.2 * idle) * 1.42 * 8760 * 0.1282
    space = 6.5 * 194.95 * 12
    support, staff = 300000 * 0.125, 1 / 60 * 96800 * 1.35
    goods = paid + (2000 + 2100 + 1500) + 0.05 * paid  # one rack, 5 % of spares; a single system has no network
    bought = goods * (1 + 0.03 + 0.0752)  # installation and freight, sales tax
    running = energy + space + support + staff + 0.005 * goods  # insurance
    worth = sum(1.0723**-year for year in range(1, 5))
    present = bought + running * worth - 0.1 * paid * 1.0723**-4
    assert values["tco_undiscounted"] == pytest.approx(bought + 4 * running - 0.1 * paid)
    assert values["tco_present_value"] == pytest.approx(present)
    assert values["tco_equivalent_annual"] == pytest.approx(present / worth)
    hours = 8760 * 0.8 * 0.99 * 0.93
    assert values["cost_per_useful_hour"] == pytest.approx(present / worth / hours)
    assert values["cost_per_run"] == pytest.approx(present / worth / hours * 28.7709 / 60)


def test_space_by_rack_counts_whole_racks_of_the_fuller_kind(compared: Callable) -> None:
    both = {"space_basis": "rack", "colocation_price_per_rack_month": "1000"}
    # 8 DGX A100: 48U need two racks of 42U; 52 kW need four at 15 kW
    by_height = compared("8*dgx-a100-640gb", **RESNET, **both, rack_power_limit_kw="100").sides[0].values
    by_power = compared("8*dgx-a100-640gb", **RESNET, **both, rack_power_limit_kw="15").sides[0].values
    assert (by_height["rack_count"], by_power["rack_count"]) == (2, 4)
    assert by_power["space_cost_per_year"] == 4 * 1000 * 12


def test_an_own_facility_is_paid_over_its_life_and_run_each_month(compared: Callable) -> None:
    """DGX A100 640GB, hyperscale: 6.5 kW at $11.7/W and 8.5 % more for AI, over 25 years at 7.23 %, $0.04/W/month."""
    values = compared("dgx-a100-640gb", **RESNET, preset="hyperscale").sides[0].values
    recovery = 0.0723 / (1 - 1.0723**-25)
    assert values["facility_recovery_factor"] == pytest.approx(recovery)
    assert values["space_cost_per_year"] == pytest.approx(6500 * (11.7 * 1.085 * recovery + 12 * 0.04))


def test_space_by_rack_unit_bills_the_height_or_what_the_power_blocks(compared: Callable) -> None:
    unit = {"space_basis": "rack_unit", "colocation_price_per_u_month": "50"}
    tall = compared("dgx-a100-640gb", **RESNET, **unit, rack_power_limit_kw="100").sides[0].values
    hot = compared("dgx-a100-640gb", **RESNET, **unit, rack_power_limit_kw="15").sides[0].values
    assert tall["space_cost_per_year"] == 6 * 50 * 12
    assert hot["billed_rack_units"] == pytest.approx(6.5 * 42 / 15)
