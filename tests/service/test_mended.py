"""Faults that were found by trying to make the service lie; each stays mended."""

import csv
import re
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from tests.service.test_api import ASKED, strict
from tests.service.test_bad_input import problem

PAIR = "systems=ipu-pod16,dgx-a100-640gb&benchmark=resnet&round=v1.0"
SIZES = "systems=8*dgx-a100-640gb,dgx-a100-640gb&benchmark=resnet&round=v1.1"


def figure(client: FlaskClient, query: str) -> float:
    return float(client.get(f"/v1/compare?{query}&format=value").text)


def test_a_system_and_a_cluster_of_it_are_two_sides(client: FlaskClient) -> None:
    assert figure(client, f"{SIZES}&system=dgx-a100-640gb&field=list_cost") == 300_000
    assert figure(client, f"{SIZES}&system=8*dgx-a100-640gb&field=list_cost") == 2_400_000
    assert strict(client.get(f"/v1/compare?{SIZES}&baseline=dgx-a100-640gb"))["baseline"] == "dgx-a100-640gb"
    own = f"{SIZES}&set=8*dgx-a100-640gb.time_to_train_minutes:5&field=time_to_train_minutes"
    assert figure(client, f"{own}&system=8*dgx-a100-640gb") == 5
    assert figure(client, f"{own}&system=dgx-a100-640gb") == 29.1466


def test_a_name_that_means_two_sides_is_refused(client: FlaskClient) -> None:
    two = "systems=2*dgx-a100-320gb,4*dgx-a100-320gb&benchmark=ssd&round=v0.7"
    found = problem(client.get(f"/v1/compare?{two}&set=dgx-a100-320gb.price:5"), 422)
    assert "2*dgx-a100-320gb and 4*dgx-a100-320gb" in found["detail"]


def test_a_table_shows_a_cluster_under_a_clusters_head(client: FlaskClient) -> None:
    text = client.get(f"/v1/compare?{SIZES}&format=table").text
    assert "8 × NVIDIA DGX A100 640GB against NVIDIA DGX A100 640GB" in text
    assert "~ 2,400,000" in text
    assert re.search(r"rack units +U +48 +6 +8\.0000|rack units +U +48 ", text)


def test_a_system_of_ones_own_has_its_rated_power(client: FlaskClient) -> None:
    own = {"system": "own:a", "time_to_train_minutes": 10, "price": 100, "busy_power_kw": 3, "max_power_kw": 6.5}
    body = {"systems": [own, {"system": "dgx-a100-640gb", "busy_power_kw": 3}], "benchmark": "resnet", "round": "v1.0"}
    ours, listed = strict(client.post("/v1/compare", json=body))["systems"]
    assert ours["rated_power_kw"] == listed["rated_power_kw"] == 6.5
    assert ours["idle_power_kw"] == listed["idle_power_kw"]


def test_components_under_a_given_total_do_not_count(client: FlaskClient) -> None:
    answer = strict(client.get("/v1/tco?systems=ipu-pod16&set=ipu-pod16.acquisition_cost:50000"))
    side = answer["systems"][0]
    parts = {part["name"]: part for part in side["components"]}
    assert parts["contracted_cost"]["amount"] is None
    assert "acquisition_cost was given" in parts["contracted_cost"]["reason"]
    assert parts["energy_cost_per_year"]["amount"] > 0
    assert side["years"] == []


def test_one_sides_own_assumption_is_not_everyones(client: FlaskClient) -> None:
    answer = strict(client.get(f"/v1/compare?{PAIR}&set=ipu-pod16.pue_ratio:1.9"))
    assert answer["assumptions"]["pue_ratio"]["value"] == 1.42
    assert answer["systems"][0]["given"] == {"pue_ratio": 1.9}
    assert answer["systems"][0]["provenance"]["pue_ratio"]["status"] == "given"


POSTS: dict[str, tuple[dict[str, Any], int]] = {
    "set as a number": ({"set": 5}, 422),
    "set as a boolean": ({"set": True}, 422),
    "a system within a system": ({"systems": [{"system": {"system": "ipu-pod16", "price": 5}}]}, 422),
    "overrides of another system": ({"overrides": {"dgx-2": {}}}, 404),
    "a submitter that is no text": ({"overrides": {"ipu-pod16": {"submitter": 5}}}, 422),
    "a kind twice": ({"price_kind": ["list", "list"]}, 422),
    "a number as a text": ({"pue_ratio": "1.2"}, 422),
}


@pytest.mark.parametrize(("more", "status"), POSTS.values(), ids=POSTS)
def test_a_body_that_was_half_ignored_is_refused(client: FlaskClient, more: dict[str, Any], status: int) -> None:
    body = {"systems": "ipu-pod16", "benchmark": "resnet", "round": "v1.0", **more}
    problem(client.post("/v1/compare", json=body), status)


def test_a_format_is_given_once(client: FlaskClient) -> None:
    body = {"systems": "ipu-pod16"}
    assert client.post("/v1/compare?format=csv", json=body).content_type.startswith("text/csv")
    problem(client.post("/v1/compare?format=csv", json={**body, "format": "json"}), 422)


GETS = {
    "a round without a benchmark": ("/v1/compare?systems=ipu-pod16&round=v99", 422),
    "a submitter without a benchmark": ("/v1/tco?systems=ipu-pod16&submitter=Graphcore", 422),
    "a round of what has none": ("/v1/compare?systems=ipu-pod256&benchmark=efficientnet-b4&round=v99", 404),
    "a division of what has none": ("/v1/compare?systems=ipu-pod256&benchmark=efficientnet-b4&division=open", 422),
    "a submitter that is none": (f"/v1/compare?{PAIR}&submitter=nonsense", 404),
    "a submitter of one side that is none": (f"/v1/compare?{PAIR}&set=ipu-pod16.submitter:nonsense", 404),
    "a ranking's submitter that is none": ("/v1/ranking?benchmark=resnet&submitter=zzz", 404),
    "a claim about another system": ("/v1/claims?set=dgx-2.price:5", 404),
    "a claim's name that is none": ("/v1/claims?set=ipu-pod16.nonsense:5", 404),
    "a claim's own rules": ("/v1/claims?set=ipu-pod64.division:open", 422),
    "a result that is none": (f"/v1/compare?{PAIR}&result=nonsense", 404),
    "a cost of nothing": (f"/v1/compare?{PAIR}&set=ipu-pod16.list_cost:0", 422),
    "no rack units at all": (f"/v1/compare?{PAIR}&set=ipu-pod16.cluster_rack_units:0", 422),
    "half a host": (f"/v1/compare?{PAIR}&set=ipu-pod16.hosts:1.5", 422),
    "a metric of one system in a cluster": ("/v1/ranking?benchmark=resnet&metric=price", 404),
    "an open ranking of a year without": ("/v1/ranking?benchmark=rgat&division=open", 422),
    "a wish for what the catalogue does not hold": (
        "/v1/compare?systems=own:x&benchmark=resnet&set=own:x.round:v1.1",
        422,
    ),
    "a round beside an own time": (
        f"/v1/compare?{PAIR}&set=ipu-pod16.round:v1.1&set=ipu-pod16.time_to_train_minutes:5",
        422,
    ),
    "a kind of price beside an own price": (
        f"/v1/compare?{PAIR}&set=ipu-pod16.price_kind:list&set=ipu-pod16.price:5",
        422,
    ),
    "a result and another round": (
        f"/v1/compare?{PAIR}&result=v1.0/Graphcore/ipu-pod16-TF1/resnet&set=ipu-pod16.round:v1.1",
        422,
    ),
    "a result of another benchmark": (f"/v1/compare?{PAIR}&result=v1.0/Graphcore/ipu-pod16-POPART-closed/bert", 422),
    "the same as a wish": (
        f"/v1/compare?{PAIR}&set=ipu-pod16.result:v1.0/Graphcore/ipu-pod16-POPART-closed/bert",
        422,
    ),
    "a rack's price where power is paid": (f"/v1/compare?{PAIR}&colocation_price_per_rack_month=900", 422),
    "the same for one side": (f"/v1/compare?{PAIR}&set=ipu-pod16.colocation_price_per_rack_month:900", 422),
    "a cost of one year": (f"/v1/compare?{PAIR}&set=ipu-pod16.energy_cost_in_year:5", 404),
    "a figure that no claim reads": ("/v1/claims?set=dgx-a100-640gb.rack_units:5", 422),
    "a claim that is none": ("/v1/claims?claim=99", 404),
    "an explanation as rows": (f"/v1/compare?{PAIR}&explain=1&format=csv", 422),
}


@pytest.mark.parametrize(("address", "status"), GETS.values(), ids=GETS)
def test_what_means_nothing_is_refused(client: FlaskClient, address: str, status: int) -> None:
    problem(client.get(address), status)


def test_a_result_named_by_its_id_brings_its_round(client: FlaskClient) -> None:
    answer = strict(
        client.get("/v1/compare?systems=ipu-pod16&benchmark=resnet&result=v1.0/Graphcore/ipu-pod16-TF1/resnet")
    )
    assert answer["systems"][0]["time_to_train_minutes"] == 37.1152


def test_a_result_of_one_side_leaves_the_other_alone(client: FlaskClient) -> None:
    answer = strict(client.get(f"/v1/compare?{PAIR}&result=v1.0/NVIDIA/dgxa100_ngc21.05_mxnet/resnet"))
    assert [side["time_to_train_minutes"] for side in answer["systems"]] == [37.1152, 28.7709]


def test_the_round_that_we_choose_is_said_truly(client: FlaskClient) -> None:
    ranking = strict(client.get("/v1/ranking?benchmark=bert&division=open"))
    assert ranking["round"] in ranking["notices"][-1]
    assert "the latest that has an open bert result" in ranking["notices"][-1]
    assert ranking["ranked"] or ranking["unranked"]
    own = strict(client.get("/v1/compare?systems=own:x&benchmark=resnet&set=own:x.time_to_train_minutes:5"))
    assert own["round"] is None
    mixed = strict(client.get("/v1/compare?systems=ipu-pod16,dgx-a100-640gb&benchmark=resnet&set=ipu-pod16.round:v1.0"))
    assert any("in which dgx-a100-640gb has a closed resnet result" in notice for notice in mixed["notices"])


def test_what_was_given_is_said_in_every_shape(client: FlaskClient) -> None:
    given = f"/v1/compare?{PAIR}&set=ipu-pod16.performance_per_dollar:0.5&pue_ratio=1"
    table = client.get(f"{given}&format=table").text
    assert "Given for ipu-pod16: performance_per_dollar 0.5." in table
    assert "Given for all: pue_ratio 1." in table
    assert "given_figures" in client.get(f"{given}&format=csv").text
    ranking = strict(client.get("/v1/ranking?benchmark=resnet&round=v1.0&metric=cost_per_run&utilisation_share=0.1"))
    assert ranking["assumptions"]["utilisation_share"] == {"value": 0.1, "unit": "1", "status": "given"}


def test_a_system_without_power_has_no_basis_of_it(client: FlaskClient) -> None:
    answer = strict(
        client.get("/v1/compare?systems=bow-pod64,own:x&benchmark=resnet&round=v2.0&set=own:x.time_to_train_minutes:5")
    )
    assert answer["systems"][1]["power_basis"] is None
    assert "unlike_power_basis" not in {caveat["code"] for caveat in answer["caveats"]}


def test_an_estimate_keeps_the_caveats_of_the_price_it_stands_on(client: FlaskClient) -> None:
    answer = strict(
        client.get("/v1/compare?systems=bow-pod64,dgx-a100-640gb&benchmark=resnet&round=v2.0&estimate=linear")
    )
    by_code = {caveat["code"]: caveat for caveat in answer["caveats"] if "bow-pod64" in caveat["systems"]}
    assert {"estimated_price", "approximate_price", "old_price", "rounding_boundary"} <= set(by_code)


def test_equal_values_share_a_rank_and_what_comes_back_is_better_when_more(client: FlaskClient) -> None:
    answer = strict(client.get("/v1/ranking?benchmark=bert&round=v2.0&metric=residual_value"))
    values = [each["residual_value"] for each in answer["ranked"]]
    assert values == sorted(values, reverse=True)
    same = strict(client.get("/v1/ranking?benchmark=bert&round=v2.0&metric=price_per_accelerator"))["ranked"]
    ranks = {each["rank"] for each in same if each["system"] == "dgx-a100-640gb"}
    assert len(ranks) == 1


def test_a_system_of_no_one_maker_is_marked(client: FlaskClient) -> None:
    answer = strict(client.get("/v1/ranking?benchmark=resnet&round=v1.1"))
    assert "generic_system" in {caveat["code"] for caveat in answer["caveats"]}


def test_just_over_nine_is_not_nearly_ten(client: FlaskClient) -> None:
    answer = strict(client.get("/v1/claims?claim=5&set=ipu-pod64.time_to_train_minutes:9.95"))
    verdicts = {claim["claim"]: claim["verdict"] for claim in answer["claims"]}
    assert verdicts[5] == "does_not_hold"


def test_a_brought_system_has_one_name_everywhere(client: FlaskClient) -> None:
    body = {"systems": "own:x", "benchmark": "resnet", "overrides": {"own:x": {"time_to_train_minutes": 5}}}
    assert strict(client.post("/v1/compare", json=body))["systems"][0]["time_to_train_minutes"] == 5


def test_a_single_figure_has_only_its_own_caveats(client: FlaskClient) -> None:
    found = strict(client.get(f"{ASKED}&system=ipu-pod16&field=rack_units"))
    codes = {caveat["code"] for caveat in found["caveats"]}
    assert not codes & {"approximate_price", "old_price", "rounding_boundary"}


def test_where_nothing_is_near_a_short_list_is_told_whole(client: FlaskClient) -> None:
    assert "us-colo" in problem(client.get(f"/v1/compare?{PAIR}&preset=xyz"), 404)["nearest"]
    assert "v1.0" in problem(client.get(f"{ASKED.replace('v1.0', 'xyz')}"), 404)["nearest"]


def test_no_table_is_wider_than_a_terminal(client: FlaskClient) -> None:
    name = "a system with a name of a hundred characters " * 2
    addresses = [
        f"/v1/compare?systems={quote(f'own:{name.strip()}')},dgx-a100-640gb&benchmark=resnet&round=v1.0",
        f"/v1/compare?{PAIR}&set=ipu-pod16.price:123456789012.34",
        "/v1/compare?systems=ipu-pod16,dgx-a100-640gb,2*dgx-a100-320gb,dgx-h100,dgx-2,dgx-1-v100&benchmark=resnet&round=v1.1",
        "/v1/systems?limit=500", "/v1/benchmarks?", "/v1/prices?", "/v1/results?limit=50", "/v1/assumptions?limit=500",
        "/v1/quantities?limit=500", "/v1/claims?", "/v1/ranking?benchmark=resnet&metric=cost_per_run",
        "/v1/tco?systems=ipu-pod16,dgx-a100-640gb,dgx-2,dgx-h100",
    ]  # fmt: skip
    for address in addresses:
        text = client.get(f"{address}&format=table").text
        assert max(len(line) for line in text.splitlines() if "://" not in line) <= 80, address


def test_the_documentation_page_works_with_a_slash(client: FlaskClient) -> None:
    assert client.get("/docs/").text == client.get("/docs").text
    assert 'src="/docs/swagger-ui-bundle.js"' in client.get("/docs").text


def test_a_ratio_that_was_given_has_no_boundary_in_the_price(client: FlaskClient) -> None:
    given = strict(client.get(f"/v1/compare?{PAIR}&set=dgx-a100-640gb.performance_per_dollar:0.5"))
    about = [caveat["detail"] for caveat in given["caveats"] if caveat["code"] == "rounding_boundary"]
    assert not any(detail.startswith("performance_per_dollar") for detail in about)


def test_the_heading_names_the_rules_of_the_results_used(client: FlaskClient) -> None:
    mixed = strict(client.get(f"/v1/compare?{PAIR}&set=ipu-pod16.round:v1.1"))
    assert (mixed["round"], mixed["division"]) == ("v1.0, v1.1", "closed")
    assert "MLPerf Training v1.0, v1.1" in client.get(f"/v1/compare?{PAIR}&set=ipu-pod16.round:v1.1&format=table").text
    own = f"/v1/compare?{PAIR}&set=ipu-pod16.time_to_train_minutes:5&set=dgx-a100-640gb.performance:5"
    assert any("round v1.0 has no effect" in notice for notice in strict(client.get(own))["notices"])
    assert (strict(client.get(own))["round"], strict(client.get(own))["division"]) == (None, None)
    assert "no MLPerf result used" in client.get(f"{own}&format=table").text
    one = strict(client.get(f"/v1/compare?{PAIR}&set=ipu-pod16.time_to_train_minutes:5"))
    assert (one["round"], one["division"]) == ("v1.0", "closed")


def test_a_result_without_a_score_is_said_to_be_so(client: FlaskClient) -> None:
    unscored = next(
        item
        for page in range(5)
        for item in strict(client.get(f"/v1/results?limit=500&offset={500 * page}"))["results"]
        if item["time_to_train_minutes"] is None and item["system"]
    )
    asked = f"/v1/compare?systems={unscored['units']}*{unscored['system']}&benchmark={unscored['benchmark']}"
    found = problem(client.get(f"{asked}&result={quote(unscored['id'])}"), 422)
    assert "no official score" in found["detail"]


def test_claims_say_what_was_given_and_under_what(client: FlaskClient) -> None:
    asked = "/v1/claims?claim=2&set=dgx-a100-640gb.time_to_train_minutes:20&as_of=2022-01-31&price_kind=list"
    found = strict(client.get(asked))
    assert found["given"] == [{"system": "dgx-a100-640gb", "name": "time_to_train_minutes", "value": 20}]
    assert (found["as_of"], found["price_kind"], found["currency"]) == ("2022-01-31", ["list"], "USD")
    assert found["claims"][0]["checks"][0]["sides"][0]["given"] == {"time_to_train_minutes": 20}
    assert "given by the caller: time_to_train_minutes 20 of dgx-a100-640gb" in client.get(f"{asked}&format=table").text
    assert "dgx-a100-640gb time_to_train_minutes 20" in client.get(f"{asked}&format=csv").text
    assert [claim["claim"] for claim in strict(client.get("/v1/claims?claim=7"))["claims"]] == [7]


def test_a_ratio_is_explained_on_both_sides(client: FlaskClient) -> None:
    asked = f"{ASKED}&system=ipu-pod16&field=relative.performance_per_dollar&explain=1"
    found = strict(client.get(asked))
    ours, theirs = found["explanation"][-1]["value"], found["baseline_explanation"][-1]["value"]
    assert found["value"] == ours / theirs
    assert found["provenance"]["formula"] == "performance_per_dollar / performance_per_dollar of dgx-a100-640gb"
    table = client.get(f"{asked}&format=table").text
    assert "ratio to dgx-a100-640gb" in table
    assert "dgx-a100-640gb: performance_per_dollar = performance / list_cost" in table


def test_a_missing_figure_is_told_from_a_missing_baseline(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=own:x,ipu-pod16&benchmark=resnet&round=v1.0&set=own:x.time_to_train_minutes:5"
    one = problem(client.get(f"{asked}&system=own:x&field=price"), 422)
    assert "own:x is not in the catalogue and no price was given" in one["detail"]
    other = problem(client.get(f"{asked}&system=ipu-pod16&field=relative.price"), 422)
    assert "the baseline own:x has none" in other["detail"]


def test_an_own_system_of_a_catalogues_name_is_another_side(client: FlaskClient) -> None:
    both = "/v1/compare?systems=own:ipu-pod16,ipu-pod16&benchmark=resnet&round=v1.0"
    asked = f"{both}&set=own:ipu-pod16.price:5&set=ipu-pod16.price:7&field=price"
    assert float(client.get(f"{asked}&system=own:ipu-pod16&format=value").text) == 5
    assert float(client.get(f"{asked}&system=ipu-pod16&format=value").text) == 7


def test_a_rented_price_is_said_to_be_rented(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=aws-p4d-24xlarge&price_kind=on_demand"
    gap = strict(client.get(asked))["systems"][0]["gaps"]["price"]
    assert "on_demand is per hour" in gap


def test_a_gap_of_another_currency_names_what_to_give(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=ipu-pod16&preset=eu-colo&as_of=2028-01-01"
    gaps = strict(client.get(asked))["systems"][0]["gaps"]
    assert "electricity_tariff_per_kwh in EUR/kWh: the last rate of EUR in USD" in gaps["tco_undiscounted"]
    assert "give exchange_date, or amounts in USD" in gaps["tco_undiscounted"]


def test_results_are_found_by_organisation_too(client: FlaskClient) -> None:
    assert strict(client.get("/v1/results?submitter=Graphcore"))["total"] > 0
    problem(client.get("/v1/results?division=None"), 404)


def test_a_claim_is_asked_by_a_number_in_json(client: FlaskClient) -> None:
    body = {"claim": 14, "set": ["dgx-a100-640gb.price:290000"]}
    assert strict(client.post("/v1/claims", json=body))["claims"][0]["verdict"] == "does_not_hold"
    problem(client.post("/v1/claims", json={"claim": "14"}), 422)
    problem(client.post("/v1/claims", json={"claim": 14.5}), 422)


OWN = "/v1/compare?systems=own:x&benchmark=resnet&set=x.time_to_train_minutes:30"


def test_a_given_energy_gives_the_power(client: FlaskClient) -> None:
    side = strict(client.get(f"{OWN}&set=x.run_energy_kwh:7&set=x.max_power_kw:50"))["systems"][0]
    assert side["busy_power_kw"] == 14  # 7 kWh in half an hour
    assert side["it_energy_per_run_kwh"] == 7
    assert side["power_basis"] == "given"
    both = strict(client.get(f"{OWN}&set=x.measured_power_kw:3"))["systems"][0]
    assert (both["busy_power_kw"], both["power_basis"]) == (3, "given")


def test_power_above_the_maximum_is_serious(client: FlaskClient) -> None:
    caveats = strict(client.get(f"/v1/compare?{PAIR}&set=ipu-pod16.max_power_kw:3"))["caveats"]
    assert any("5.3 kW, is above its maximum, 3 kW" in caveat["detail"] for caveat in caveats)
    plain = strict(client.get(f"/v1/compare?{PAIR}"))["caveats"]
    assert "power_above_maximum" not in {caveat["code"] for caveat in plain}


def test_a_component_counts_unless_its_own_sum_is_given(client: FlaskClient) -> None:
    back = strict(client.get("/v1/tco?systems=ipu-pod16&set=ipu-pod16.recovered_value:3"))["systems"][0]
    parts = {part["name"]: part["amount"] for part in back["components"]}
    assert parts["contracted_cost"] == 134995.5  # 149,995 less 10 %
    assert parts["residual_value"] is None
    total = strict(client.get("/v1/tco?systems=ipu-pod16&set=ipu-pod16.tco_present_value:1000"))["systems"][0]
    assert None not in [part["amount"] for part in total["components"]]


def test_an_estimate_takes_the_kinds_of_price_of_its_side(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=ipu-pod64&estimate=linear"
    assert strict(client.get(asked))["systems"][0]["price"] == 599_980  # 4 * 149,995
    assert strict(client.get(f"{asked}&set=ipu-pod64.price_kind:street"))["systems"][0]["price"] is None


def test_every_spelling_that_is_near_is_told(client: FlaskClient) -> None:
    found = problem(client.get(f"/v1/compare?{PAIR}&submitter=Nvidia"), 404)
    assert {"NVIDIA", "nvidia"} <= set(found["nearest"])


FULL = "result=v1.0/NVIDIA/dgxa100_ngc21.05_mxnet/resnet,v1.0/Graphcore/ipu-pod16-TF1/resnet"
BOTH = "/v1/compare?systems=ipu-pod16,dgx-a100-640gb&benchmark=resnet"


def test_a_result_named_in_full_is_used_whatever_is_asked_for_all(client: FlaskClient) -> None:
    found = strict(client.get(f"{BOTH}&submitter=Dell&round=v2.0&{FULL}"))
    assert [side["time_to_train_minutes"] for side in found["systems"]] == [37.1152, 28.7709]
    assert (found["round"], found["division"]) == ("v1.0", "closed")
    for wish in ("round v2.0", "submitter Dell"):
        assert f"{wish} has no effect" in " ".join(found["notices"])


def test_the_chosen_round_is_told_with_each_sides_own_rules(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=ipu-pod128,ipu-pod64&benchmark=bert&set=ipu-pod128.division:open"
    notices = strict(client.get(asked))["notices"]
    assert any("ipu-pod128 has an open bert result and ipu-pod64 has a closed bert result" in each for each in notices)
    none = problem(client.get(f"{BOTH}&set=ipu-pod16.division:open"), 422)
    assert "ipu-pod16, an open resnet result: none" in none["detail"]


def test_a_submissions_id_takes_part_in_the_choice_of_the_round(client: FlaskClient) -> None:
    found = strict(client.get(f"{BOTH}&result=ipu-pod16-TF1"))
    assert found["round"] == "v1.1"  # the latest with this submission and a DGX A100 result
    slashed = "/v1/compare?systems=128*dgx-1-v100&benchmark=resnet&set=128*dgx-1-v100.result:submission/dgx1_multi_ngc18.11_mxnet"
    assert client.get(f"{slashed}&set=128*dgx-1-v100.round:v0.5").status_code == 200


RESULTS = {
    "of no system": (
        "/v1/compare?systems=ipu-pod16&benchmark=resnet&result=v0.5/google/cloud_v2.512/resnet-tpuv2-512/tpu/resnet",
        "belongs to no system of the catalogue",
    ),
    "of the other side": (
        f"{BOTH}&round=v1.0&set=ipu-pod16.result:v1.0/NVIDIA/dgxa100_ngc21.05_mxnet/resnet",
        "is of 1*dgx-a100-640gb, not of ipu-pod16",
    ),
    "of a division that the benchmark has not": (
        "/v1/compare?systems=ipu-pod256&benchmark=efficientnet-b4&set=ipu-pod256.division:closed",
        "has no divisions",
    ),
    "explained as rows": ("/v1/tco.csv?systems=ipu-pod16&explain=1", "an explanation has no rows"),
    "explained as a number": (f"{ASKED}&system=ipu-pod16&field=list_cost&format=value&explain=1", "no explanation"),
    "of several runs": ("/v1/claims?set=ipu-pod16.time_to_train_minutes:28", "would be of several runs"),
    "given beside what it follows from": (
        f"/v1/compare?{PAIR}&set=ipu-pod16.price:10&set=ipu-pod16.list_cost:99",
        "list_cost: it follows from price",
    ),
    "given beside a time": (
        f"/v1/compare?{PAIR}&set=ipu-pod16.time_to_train_minutes:10&set=ipu-pod16.performance:99",
        "performance: it says again how long a run takes, as time_to_train_minutes does",
    ),
}


@pytest.mark.parametrize(("address", "why"), RESULTS.values(), ids=RESULTS)
def test_what_cannot_be_is_refused_with_the_reason(client: FlaskClient, address: str, why: str) -> None:
    assert why in problem(client.get(address), 422)["detail"]


def test_a_table_of_costs_explains_when_asked(client: FlaskClient) -> None:
    table = client.get("/v1/tco?systems=ipu-pod16&explain=1&format=table").text
    assert "ipu-pod16: list_cost = price * system_count = 149,995 USD" in table


def test_a_figure_and_a_row_carry_their_own_round(client: FlaskClient) -> None:
    mixed = f"/v1/compare?{PAIR}&set=ipu-pod16.round:v1.1"
    one = strict(client.get(f"{mixed}&system=ipu-pod16&field=performance"))
    assert (one["round"], one["baseline"]) == ("v1.1", None)
    assert "unlike_round" not in {caveat["code"] for caveat in one["caveats"]}
    ratio = strict(client.get(f"{mixed}&system=dgx-a100-640gb&field=relative.performance"))
    assert (ratio["round"], ratio["baseline"]) == ("v1.0, v1.1", "ipu-pod16")
    rows = list(csv.DictReader(client.get(f"{mixed}&format=csv").text.splitlines()))
    assert [row["round"] for row in rows] == ["v1.1", "v1.0"]


def test_a_caveat_goes_when_what_it_speaks_of_is_given(client: FlaskClient) -> None:
    pod = "/v1/compare?systems=ipu-pod64&benchmark=bert&round=v1.1"
    assert "without switches" in client.get(f"{pod}&format=table").text
    assert "without switches" not in client.get(f"{pod}&set=ipu-pod64.cluster_rack_units:9&format=table").text
    power = strict(client.get(f"/v1/compare?{PAIR}&set=dgx-a100-640gb.cluster_busy_power_kw:3"))
    assert power["systems"][1]["power_basis"] == "given"


def test_an_address_in_a_table_can_be_copied(client: FlaskClient) -> None:
    lines = client.get("/v1/claims?claim=1&format=table").text.split()
    assert "https://www.graphcore.ai/posts/performance-at-scale-graphcores-latest-mlperf-training-results" in lines


def test_the_power_of_a_cluster_is_that_of_its_systems(client: FlaskClient) -> None:
    same = "/v1/tco?systems=ipu-pod16&benchmark=resnet"
    given = strict(client.get(f"{same}&set=ipu-pod16.cluster_busy_power_kw:5.3"))["systems"][0]
    assert given["tco_present_value"] == strict(client.get(same))["systems"][0]["tco_present_value"]
    two = "systems=2*dgx-a100-640gb&benchmark=resnet&round=v1.0&set=2*dgx-a100-640gb.time_to_train_minutes:30"
    answer = strict(client.get(f"/v1/compare?{two}&set=2*dgx-a100-640gb.cluster_busy_power_kw:90"))
    assert answer["systems"][0]["busy_power_kw"] == 45
    assert "power_above_maximum" in {caveat["code"] for caveat in answer["caveats"]}


def test_a_given_performance_is_a_time(client: FlaskClient) -> None:
    asked = f"/v1/compare?{PAIR}&set=ipu-pod16.performance:2&set=ipu-pod16.run_energy_kwh:1"
    side = strict(client.get(asked))["systems"][0]
    assert side["time_to_train_minutes"] == 30
    assert side["performance_per_kw"] == 1  # 1 kWh in half an hour is 2 kW, for 2 runs an hour
    assert side["provenance"]["time_to_train_minutes"] == {"status": "derived", "formula": "60 / performance"}
    own = "/v1/compare?systems=2*own:x&benchmark=resnet&set=2*own:x.performance:2&set=2*own:x.run_energy_kwh:6"
    assert strict(client.get(own))["systems"][0]["busy_power_kw"] == 6  # 6 kWh in half an hour, of two


def test_a_ranking_of_a_submitter_takes_its_latest_round(client: FlaskClient) -> None:
    found = strict(client.get("/v1/ranking?benchmark=bert&submitter=Graphcore"))
    assert found["round"] == "v2.0"
    assert [each["system"] for each in found["ranked"]][0] == "bow-pod16"


def test_the_round_sentence_names_the_submission(client: FlaskClient) -> None:
    found = strict(client.get("/v1/compare?systems=dgx-a100-640gb&benchmark=resnet&result=dgxa100_ngc21.05_mxnet"))
    assert any("result of submission dgxa100_ngc21.05_mxnet" in notice for notice in found["notices"])


def test_a_submission_that_is_open_brings_its_division(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=hgx-a100-80gb-8gpu&benchmark=bert&result=8xA100_80GB-baseline"
    assert strict(client.get(asked))["division"] == "open"
    assert strict(client.get(f"{asked}&round=v2.1"))["division"] == "open"


def test_a_cluster_of_estimated_pods_says_its_own_price(client: FlaskClient) -> None:
    details = [
        each["detail"] for each in strict(client.get("/v1/compare?systems=2*bow-pod64&estimate=linear"))["caveats"]
    ]
    assert any("2 times 599,980 USD" in detail for detail in details)  # 4 * 149,995


def test_a_given_total_is_told_beside_what_it_does_not_follow_from(client: FlaskClient) -> None:
    whole = "/v1/tco?systems=ipu-pod16&set=ipu-pod16"
    assert strict(client.get(f"{whole}.tco_undiscounted:1000"))["systems"][0]["years"] == []
    assert "years; TCO undiscounted was given" in client.get(f"{whole}.tco_undiscounted:1000&format=table").text
    parts = strict(client.get(f"{whole}.tco_present_value:1000"))["systems"][0]["components"]
    assert {part["present_value"] for part in parts} == {None}
    assert all("tco_present_value was given" in part["reason"] for part in parts)
    paid = " ".join(client.get(f"{whole}.acquisition_cost:100&format=table").text.split())
    assert "missing for ipu-pod16: contracted cost, host cost, network cost, " in paid
    assert "duty cost, sales tax cost; acquisition cost was given in its place" in paid


def test_a_submitters_other_spelling_means_its_organisation(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=dgx-a100-640gb&benchmark=resnet&round=v1.0&field=time_to_train_minutes&format=value"
    assert client.get(f"{asked}&submitter=nvidia").text == "28.7709"


def test_a_wish_that_every_side_overrides_is_said_to_have_no_effect(client: FlaskClient) -> None:
    asked = "/v1/compare?systems=ipu-pod16&benchmark=resnet&round=v1.1&set=ipu-pod16.round:v1.0"
    assert any("round v1.1 has no effect" in notice for notice in strict(client.get(asked))["notices"])


def test_a_figure_misses_only_what_it_needs(client: FlaskClient) -> None:
    text = client.get("/v1/compare?systems=own:a&field=list_cost&set=own:a.list_cost:100000&format=table").text
    assert "missing" not in text


def test_a_pod_has_its_machines_whatever_the_workload(client: FlaskClient) -> None:
    side = strict(client.get("/v1/compare?systems=ipu-pod16"))["systems"][0]
    assert side["price_per_machine"] == 37498.75  # 149,995 / 4
    gaps = strict(client.get("/v1/compare?systems=ipu-pod64"))["systems"][0]["gaps"]
    assert gaps["rack_units"] == "rack units of ipu-pod64 depend on the benchmark: bert 17, resnet 20"


NEVER_A_FAULT_OF_OURS = {
    "a figure that another model has": (
        "compare?systems=dgx-a100-640gb,dgx-a100-640gb@leased&field=lease_cost_per_year&system=dgx-a100-640gb@owned"
        "&format=value"
    ),
    "a ratio of it": (
        "compare?systems=dgx-a100-640gb,dgx-a100-640gb@leased&field=relative.lease_cost_per_year"
        "&system=dgx-a100-640gb@leased&format=value"
    ),
    "a baseline of 0": "robustness?systems=dgx-a100-640gb,2*dgx-a100-640gb&metric=network_cost",
    "no useful hours at the end of a range": (
        "robustness?systems=dgx-a100-640gb,ipu-pod16&metric=cost_per_run&service_life_years=0.5"
        "&benchmark=resnet&round=v1.0"
    ),
    "a sign that turns": "robustness?systems=dgx-a100-640gb,dgx-a100-640gb@leased&metric=recovered_value",
}


@pytest.mark.parametrize("name", NEVER_A_FAULT_OF_OURS)
def test_a_number_that_is_not_there_is_explained(client: FlaskClient, name: str) -> None:
    problem(client.get(f"/v1/{NEVER_A_FAULT_OF_OURS[name]}"), 422)


def test_a_side_that_costs_nothing_has_no_level_to_search_by_division(client: FlaskClient) -> None:
    asked = "systems=dgx-a100-640gb@leased,dgx-a100-640gb&metric=agreed_cost_per_year"  # owned, nothing is agreed
    assert strict(client.get(f"/v1/robustness?{asked}"))["contests"][0]["ratio"]["value"] == 0


def test_a_wacc_that_lacks_a_part_leaves_the_years_out(client: FlaskClient) -> None:
    side = strict(client.get("/v1/tco?systems=dgx-a100-640gb&discount_basis=wacc"))["systems"][0]
    assert side["years"] == []
    assert side["gaps"]["tco_present_value"] == "preset us-colo has no debt_share: give it"


def test_kinds_of_rent_that_are_paid_for_different_hours_are_not_mixed(client: FlaskClient) -> None:
    asked = "/v1/tco?systems=aws-p4de-24xlarge@rented&price_kind=reserved_1y,on_demand"
    assert "paid for different hours" in problem(client.get(asked), 422)["detail"]
    given = strict(client.get(f"{asked}&rental_basis=on_demand"))["systems"][0]
    assert given["rented_hours_per_year"] == pytest.approx(8760 * 0.8 * 0.99)


def test_a_reserved_rent_is_paid_whole_when_owning_is_set_against_it(client: FlaskClient) -> None:
    asked = "/v1/breakeven?systems=dgx-a100-640gb&rent_from=tpu-v4-8&price_kind=list,reserved_3y"
    side = strict(client.get(asked))["systems"][0]
    # 1.45 USD a chip and hour for 3 years, 8 accelerators, used or not
    assert side["rented_cost_per_year"] == pytest.approx(1.45 * 8 * 8760)


def test_owning_that_pays_back_in_days_is_not_never(client: FlaskClient) -> None:
    asked = "/v1/breakeven?systems=dgx-a100-640gb&set=dgx-a100-640gb.rental_price_per_hour:5000"
    side = strict(client.get(asked))["systems"][0]
    tco = strict(client.get("/v1/tco?systems=dgx-a100-640gb"))["systems"][0]
    # what is paid on the first day and does not come back, over what a year of renting costs more than one of running
    lost = tco["acquisition_cost"] - tco["recovered_value"]
    running = (tco["tco_undiscounted"] - lost) / 4
    years = lost / (5000 * 8760 * 0.8 * 0.99 - running)
    assert side["payback"]["months"] == pytest.approx(12 * years, rel=1e-6)
    dear = f"{asked[:-4]}1"
    assert strict(client.get(dear))["systems"][0]["payback"]["months"] is None


@pytest.mark.parametrize("given", ["storage_tb=200", "software_licence_per_accelerator_year=4500"])
def test_what_would_count_for_owning_alone_has_no_verdict(client: FlaskClient, given: str) -> None:
    """20 USD an hour and 200 TB: tco of both models says own, and hours alone would have said rent."""
    rent = "set=dgx-a100-640gb.rental_price_per_hour:20"
    found = problem(client.get(f"/v1/breakeven?systems=dgx-a100-640gb&{rent}&{given}"), 422)
    assert f"{given.split('=', maxsplit=1)[0]} of dgx-a100-640gb would count for owning alone" in found["detail"]
