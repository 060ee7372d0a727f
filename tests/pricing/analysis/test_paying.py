"""Own, borrow, lease or rent: sides that are paid for in different ways, and what is taken from other systems."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from pricing.analysis.tco import YEARLY, components, years
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion, UnknownName
from tests.service.test_api import strict
from tests.service.test_bad_input import problem

DGX, P4D, P4DE = "dgx-a100-640gb", "aws-p4d-24xlarge", "aws-p4de-24xlarge"
RESNET = {"benchmark": "resnet", "round": "v1.0"}
ALIKE = {"loan_rate_share": "0.0723", "lease_rate_share": "0.0723"}  # as the preset's discount rate


def codes(answer: Any) -> set[str]:
    return {each.code for each in answer.caveats}


def test_the_same_system_owned_borrowed_and_leased_on_the_same_terms(compared: Callable) -> None:
    answer = compared(f"{DGX},{DGX}@borrowed,{DGX}@leased,{DGX}@finance_leased", **RESNET, **ALIKE)
    owned, *others = (side.values for side in answer.sides)
    for values in others:
        assert values["tco_present_value"] == pytest.approx(owned["tco_present_value"], rel=1e-12)
        assert values["cost_per_run"] == pytest.approx(owned["cost_per_run"], rel=1e-12)
    # a level payment for 270,000 less 10 % resold after four years, at 7.23 %
    factor = (1 - 1.0723**-4) / 0.0723
    assert answer.sides[2].values["lease_cost_per_year"] == pytest.approx((270_000 - 27_000 * 1.0723**-4) / factor)
    assert answer.sides[1].values["loan_payment_per_year"] == pytest.approx(270_000 / factor)
    assert [side.name for side in answer.sides][1:3] == [f"{DGX}@borrowed", f"{DGX}@leased"]


def test_an_interest_only_loan_is_paid_back_at_the_end(compared: Callable) -> None:
    (side,) = compared(DGX, model="borrowed", loan_basis="interest_only", loan_rate_share="0.08").sides
    assert side.values["loan_payment_per_year"] == pytest.approx(270_000 * 0.08)
    found = {part.name: part for part in components(side)}
    assert found["loan_repayment"].amount == pytest.approx(270_000)
    assert years(side)[-1].costs["loan_repayment"] == pytest.approx(270_000)


@pytest.mark.parametrize(
    ("kind", "price", "hours"),
    # shipped prices: on demand 2025-03-03 at 2.00 a chip-hour, reserved 1.26 and 0.90 (three years); a TPU v3-8 has four
    [("on_demand", 2.00, 8760 * 0.8 * 0.99), ("reserved_1y", 1.26, 8760), ("reserved_3y", 0.90, 8760)],
)
def test_what_is_reserved_is_paid_for_all_hours(
    compared: Callable, catalogue: Catalogue, kind: str, price: float, hours: float
) -> None:
    (row,) = (each for each in catalogue.prices["tpu-v3-8"] if each.kind == kind)
    assert float(row.amount or 0) == price
    (side,) = compared("tpu-v3-8", model="rented", price_kind=kind).sides
    assert side.values["rental_price_per_hour"] == pytest.approx(price * 4)
    assert side.values["rented_cost_per_year"] == pytest.approx(price * 4 * hours)
    assert side.values["agreed_cost_per_year"] == side.values["rented_cost_per_year"]


def test_spot_loses_the_hours_since_the_last_checkpoint(compared: Callable) -> None:
    given = {"rental_basis": "spot", "spot_interruption_share": "0.15", "interruption_loss_hours": "6"}
    (side,) = compared("4*own:rig", model="rented", set=["own:rig.rental_price_per_hour:10"], **given).sides
    # 15 % of the systems in 720 hours, any of four stops the job, and six hours are lost
    lost = 0.15 * 4 * 6 / 720
    assert side.values["spot_loss_share"] == pytest.approx(lost)
    assert side.values["rented_cost_per_year"] == pytest.approx(10 * 4 * 8760 * 0.8 * 0.99 * (1 + lost))


def test_storage_egress_and_an_upfront_part_are_paid_beside_the_hours(compared: Callable) -> None:
    given = {"storage_tb": "100", "egress_tb_per_year": "20", "rental_upfront_price": "5000"}
    (side,) = compared(f"2*{P4D}", model="rented", **given).sides
    assert side.values["cloud_storage_cost_per_year"] == pytest.approx(100 * 1000 * 0.023 * 12)
    assert side.values["egress_cost_per_year"] == pytest.approx(20 * 1000 * 0.09)
    assert side.values["acquisition_cost"] == 2 * 5000


def test_a_rented_system_takes_anothers_time_only_when_asked(compared: Callable) -> None:
    pair = f"{DGX},{P4DE}@rented"
    with pytest.raises(BadQuestion, match="no round in which"):
        compared(pair, benchmark="resnet")
    answer = compared(pair, **RESNET, time_from=DGX)
    side = answer.sides[1]
    assert side.values["time_to_train_minutes"] == 28.7709
    assert side.provenance["time_to_train_minutes"]["status"] == "estimated"
    (caveat,) = (each for each in answer.caveats if each.code == "time_of_another_system")
    assert caveat.severity == "serious" and DGX in caveat.detail
    # eight accelerators each: the price of an hour, the hours of a run
    assert side.values["rented_cost_per_run"] == pytest.approx(side.values["rental_price_per_hour"] * 28.7709 / 60)


def test_a_time_is_taken_at_as_many_accelerators_or_not_at_all(compared: Callable) -> None:
    two = compared(f"2*{P4DE}@rented", **RESNET, time_from="ipu-pod16").sides[0]
    assert two.values["time_to_train_minutes"] == 37.1152, "two of eight are as many as a POD16 has"
    with pytest.raises(BadQuestion, match="as many accelerators"):
        compared(f"{P4DE}@rented", **RESNET, time_from="ipu-pod16")


def test_other_accelerators_behind_a_time_are_told(compared: Callable) -> None:
    answer = compared(f"{P4D}@rented", **RESNET, time_from=DGX)
    (caveat,) = (each for each in answer.caveats if each.code == "time_of_another_system")
    assert "unlike" in caveat.detail and "40GB" in caveat.detail and "80GB" in caveat.detail


def test_the_rent_of_another_system_is_by_the_accelerator(compared: Callable) -> None:
    answer = compared("ipu-pod16", rent_from=P4DE)
    eight = compared(P4DE, model="rented").sides[0].values["rental_price_per_hour"]
    assert answer.sides[0].values["rental_price_per_hour"] == pytest.approx(16 * eight / 8)
    assert "rent_of_another" in codes(answer)


def test_a_bought_system_is_not_priced_by_the_hour_nor_a_rented_one_by_the_piece(compared: Callable) -> None:
    bought, rented = compared(f"{DGX},{P4D}@rented").sides
    assert "rental_price_per_hour" not in bought.values and "price" not in rented.values
    assert rented.gaps["price"] == f"{P4D}@rented is not bought"
    assert not {"rack_cost", "energy_cost_per_year", "space_cost_per_year"} & rented.values.keys(), (
        "the hour holds them"
    )


def test_kinds_of_price_go_to_the_sides_that_can_be_paid_so(compared: Callable) -> None:
    answer = compared("dgx-h100,tpu-v4-8@rented", price_kind="street,reserved_3y")
    assert [side.price.price.kind for side in answer.sides] == ["street", "reserved_3y"]
    only = compared(DGX, price_kind="on_demand")
    assert "price" not in only.sides[0].values, "an owned system has no price an hour, and no other is taken silently"


def test_the_cloud_preset_rents_and_says_so(compared: Callable) -> None:
    answer = compared(P4D, preset="cloud")
    assert dict(answer.question.bases)["model"] == "rented"
    assert "model rented: that of preset cloud" in answer.notices


def test_a_single_system_has_no_network_unless_it_is_given(compared: Callable) -> None:
    one, two = compared(f"{DGX},2*{DGX}").sides
    assert one.values["network_cost"] == 0 and one.provenance["network_cost_share"]["status"] == "derived"
    # 19 % of the whole cluster: 0.19 / 0.81 of two at 270,000
    assert two.values["network_cost"] == pytest.approx(540_000 * 0.19 / 0.81)
    given = compared(DGX, network_cost_share="0.19").sides[0]
    assert given.values["network_cost"] == pytest.approx(270_000 * 0.19 / 0.81)


def test_hosts_that_the_price_leaves_out_are_counted_by_workload(compared: Callable) -> None:
    """A POD64 ran BERT with one host and ResNet with four (pod_hosts.csv, after the result repositories)."""
    given = {"set": ["ipu-pod64.price:600000", "ipu-pod64.host_price_each:12000"], "round": "v1.1"}
    found = {
        name: compared("ipu-pod64", benchmark=name, **given).sides[0].values["host_cost"] for name in ("bert", "resnet")
    }
    assert found == {"bert": 12_000, "resnet": 48_000}


def test_racks_are_by_space_and_by_power(compared: Callable) -> None:
    figures = compared(f"8*{DGX}", rack_power_limit_kw="15").sides[0].values
    # 48U need two racks of 42U; 52 kW need four of 15 kW
    assert figures["rack_cost"] == 4 * (2000 + 2100 + 1500)


def test_a_demand_charge_is_by_the_highest_power(compared: Callable) -> None:
    (side,) = compared(DGX, demand_charge_per_kw_month="10").sides
    assert side.values["demand_cost_per_year"] == pytest.approx(6.5 * 1.42 * 10 * 12)


def test_inflation_makes_later_years_dearer_and_leaves_agreed_payments(compared: Callable) -> None:
    (side,) = compared(DGX, model="leased", inflation_share="0.03").sides
    second = years(side)[2]
    assert second.costs["staff_cost_per_year"] == pytest.approx(side.values["staff_cost_per_year"] * 1.03**2)
    assert second.costs["lease_cost_per_year"] == pytest.approx(side.values["lease_cost_per_year"])


def test_ramp_up_takes_months_off_the_useful_life(compared: Callable) -> None:
    (plain,), (slow,) = (compared(DGX, ramp_up_months=months).sides for months in ("0", "6"))
    ratio = slow.values["useful_hours_per_year"] / plain.values["useful_hours_per_year"]
    assert ratio == pytest.approx(1 - 6 / 48)


def test_goodput_and_availability_follow_from_failures_when_asked(compared: Callable) -> None:
    given = {"goodput_basis": "checkpoint", "availability_basis": "repair"}
    (side,) = compared(DGX, **given).sides
    mtbf = 50676 / 8
    assert side.values["effective_availability_share"] == pytest.approx(mtbf / (mtbf + 24))
    best = (2 * mtbf / 60) ** 0.5
    waste = 1 / 60 / best + best / (2 * mtbf) + 10 / 60 / mtbf
    assert side.values["effective_goodput_share"] == pytest.approx(1 / (1 + waste))


def test_the_yearly_table_adds_up_by_focus(compared: Callable) -> None:
    for side in compared(f"{DGX},{DGX}@borrowed,{DGX}@leased,{P4D}@rented", service_life_years="3.5").sides:
        table = years(side)
        assert len(table) == 5
        billed = sum(year.billed_cost for year in table)
        assert billed == pytest.approx(side.values["tco_undiscounted"], abs=0.005)
        assert sum(year.effective_cost for year in table) == pytest.approx(billed, abs=0.005)
        assert table[-1].cumulative_present_value == pytest.approx(side.values["tco_present_value"], abs=0.005)
        assert table[0].effective_cost == pytest.approx(0, abs=0.005), "nothing is used on the day of purchase"
        discount = table[0].list_cost - table[0].contracted_cost
        assert discount == pytest.approx(30_000 if side.name == DGX else 0), "10 % off 300,000"
        for year in table:
            assert year.present_value == pytest.approx(sum(year.present_values.values()), abs=0.005)


@pytest.mark.parametrize("basis", ["straight_line", "declining_balance", "macrs", "economic"])
def test_every_depreciation_writes_off_the_same_in_all(compared: Callable, basis: str) -> None:
    (side,) = compared(DGX, depreciation_basis=basis).sides
    table = years(side)
    written = sum(year.depreciation for year in table)
    assert written == pytest.approx(side.values["acquisition_cost"] - side.values["recovered_value"], abs=0.005)
    first = {"straight_line": None, "declining_balance": 0.5, "macrs": 0.2, "economic": 0.276}[basis]
    if first is not None:
        assert table[1].depreciation == pytest.approx(first * side.values["acquisition_cost"])


def test_the_present_value_has_excels_beside_it_by_its_name(compared: Callable) -> None:
    (side,) = compared(DGX).sides
    flows = [year.billed_cost for year in years(side)]
    ours = sum(flow * 1.0723**-year for year, flow in enumerate(flows))
    assert side.values["tco_present_value"] == pytest.approx(ours)
    whole = compared(DGX, system=DGX)  # beside the comparison's columns: asked by name
    assert "tco_excel_npv" not in whole.shown()


@pytest.mark.parametrize(("grid", "intensity"), [("USA", 369.473), ("FRA", 56.039), ("US-CA", None)])
def test_carbon_is_by_the_grid_of_the_place(
    client: FlaskClient, catalogue: Catalogue, grid: str, intensity: float
) -> None:
    asked = f"/v1/tco?systems={DGX}&benchmark=resnet&round=v1.0&grid={grid}"
    side = strict(client.get(asked))["systems"][0]
    expected = catalogue.grid(grid).intensity
    assert intensity in (None, expected)
    run = side["energy_per_run_kwh"] * expected / 1000
    made = 3700 * 28.7709 / 60 / (4 * 8760)
    assert side["operational_carbon_per_run_kg"] == pytest.approx(run)
    assert side["carbon_per_run_kg"] == pytest.approx(run + made)
    assert (
        side["market_based_carbon_per_run_kg"] is None
        and "market_intensity" in side["gaps"]["market_based_carbon_per_run_kg"]
    )
    paid = strict(client.get(f"{asked}&market_intensity_g_per_kwh=0"))["systems"][0]
    assert paid["market_based_carbon_per_run_kg"] == 0, "apart from the location-based figure, which stays"
    assert paid["operational_carbon_per_run_kg"] == side["operational_carbon_per_run_kg"]


def test_the_presets_grid_is_the_table_s(catalogue: Catalogue) -> None:
    for preset, code in (("us-colo", "USA"), ("china-colo", "CHN"), ("korea-colo", "KOR")):
        assert catalogue.preset(preset)["grid_intensity_g_per_kwh"].value == catalogue.grid(code).intensity


def test_an_unknown_place_or_model_is_refused_with_the_nearest(compared: Callable) -> None:
    with pytest.raises(UnknownName, match="grid"):
        compared(DGX, grid="US-XX")
    with pytest.raises(UnknownName, match="model") as error:
        compared(f"{DGX}@rent")
    assert "rented" in str(error.value.nearest)


def test_a_preset_that_rests_on_assumed_values_warns(compared: Callable) -> None:
    assert "mostly_assumed" in codes(compared(DGX, preset="korea-colo"))
    assert "mostly_assumed" not in codes(compared(DGX, preset="us-colo"))


BAD = {
    "a negative cost": ("rack_price_each=-1", "rack_price_each", "0"),
    "no utilisation": ("utilisation_share=0", "utilisation_share", "above 0"),
    "more than all hours": ("utilisation_share=1.1", "utilisation_share", "1"),
    "a residual of more than all": ("residual_value_share=1.5", "residual_value_share", "1"),
    "no horizon": ("service_life_years=0", "service_life_years", "above 0"),
    "a PUE below 1": ("pue_ratio=0.9", "pue_ratio", "1"),
    "too many years": ("service_life_years=31", "service_life_years", "30"),
    "all of the cluster a network": ("network_cost_share=1", "network_cost_share", "0.95"),
    "a loan of more than the price": ("model=borrowed&loan_share=1.2", "loan_share", "1"),
    "a given residual above the price": (f"set={DGX}.residual_value:270001", "residual_value", "270,000"),
    "a loan where nothing is borrowed": ("loan_basis=interest_only", "loan_basis", "owned"),
    "a lease rate where nothing is leased": ("lease_rate_share=0.1", "lease_rate_share", "leased"),
    "racks where all is rented": ("model=rented&rack_price_each=1000", "rack_price_each", "no effect"),
    "an unknown model": ("model=stolen", "model", "owned"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_with_the_field_and_the_range(client: FlaskClient, name: str) -> None:
    asked, field, right = BAD[name]
    found = problem(client.get(f"/v1/tco?systems={DGX}&{asked}"), 422)
    assert {error["field"] for error in found["errors"]} == {field}
    assert right in found["errors"][0]["detail"] or right in found["detail"]


def test_an_explicit_zero_is_honoured_and_absence_is_assumed(client: FlaskClient) -> None:
    asked = f"/v1/tco?systems={DGX}&electricity_tariff_per_kwh=0"
    found = strict(client.get(asked))
    assert found["systems"][0]["energy_cost_per_year"] == 0, "the host pays the energy"
    assert found["assumptions"]["electricity_tariff_per_kwh"]["status"] == "given"
    assert found["assumptions"]["rack_price_each"]["status"] == "assumed"


def test_every_component_is_reachable_over_http(client: FlaskClient) -> None:
    ways = f"{DGX},{DGX}@borrowed,{DGX}@leased,{DGX}@finance_leased,{P4D}@rented"
    found = strict(client.get(f"/v1/tco?systems={ways}"))
    models = [side["model"] for side in found["systems"]]
    assert models == ["owned", "borrowed", "leased", "finance_leased", "rented"]
    for side in found["systems"]:
        for part in side["components"]:
            assert part["amount"] == side[part["name"]] is not None
            year = side["years"][1]["costs"]
            assert (part["name"] in year) is (part["due"] == YEARLY)


def test_the_way_in_which_all_are_paid_for_tells_no_side_from_another(compared: Callable) -> None:
    with pytest.raises(BadQuestion, match="the same name"):
        compared(f"{DGX},{DGX}@owned")
    leased, owned = compared(f"{DGX},{DGX}@owned", model="leased").sides
    assert (leased.name, owned.name) == (DGX, f"{DGX}@owned")
    (one,) = compared(f"{DGX}@owned", set=[f"{DGX}@owned.price:1000"]).sides
    assert (one.name, one.values["price"]) == (DGX, 1000)


def test_a_figure_without_a_model_is_the_plain_sides_and_with_one_that_sides(compared: Callable) -> None:
    answer = compared(f"{DGX}@leased,{DGX}", set=[f"{DGX}.price:1000", f"{DGX}@leased.price:2000"])
    assert [side.values["price"] for side in answer.sides] == [2000, 1000]
    with pytest.raises(BadQuestion, match="say which"):
        compared(f"{DGX}@leased,{DGX}@borrowed", set=[f"{DGX}.price:1000"])


def test_a_wish_for_what_nobody_misses_is_said_to_have_no_effect(compared: Callable) -> None:
    timed = compared(DGX, **RESNET, time_from="ipu-pod16")
    assert any(notice.startswith("time_from has no effect") for notice in timed.notices)
    rented = compared(P4D, model="rented", rent_from=P4DE)
    assert any(notice.startswith("rent_from has no effect") for notice in rented.notices)
    assert not any("no effect" in notice for notice in compared(DGX, rent_from=P4DE).notices)


def test_all_that_is_missing_for_a_cost_is_named(client: FlaskClient) -> None:
    table = client.get("/v1/tco?systems=own:x&set=own:x.price:100000&set=own:x.max_power_kw:6&format=table").text
    told = " ".join(table.split())
    for name in ("no rack_units was given", "no accelerators was given", "no hosts was given"):
        assert name in told


def test_a_single_figure_of_a_rented_system_has_the_caveats_of_its_price(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=oci-bm-gpu-h200-8&model=rented&field=rented_cost_per_year"
    codes_of = {each["code"] for each in strict(client.get(asked))["caveats"]}
    assert "approximate_price" in codes_of, "its source says about"
