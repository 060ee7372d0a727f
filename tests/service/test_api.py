"""The API as its users ask it."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pricing.explain import recompute

PAIR = "systems=ipu-pod16,dgx-a100-640gb"
ASKED = f"/v1/compare?{PAIR}&benchmark=resnet&round=v1.0&division=closed&baseline=dgx-a100-640gb"


def strict(response: TestResponse) -> Any:
    """A JSON body by the rules of JSON: no NaN, no Infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(response.data, parse_constant=refuse)


def test_the_first_question_has_its_answer(client: FlaskClient) -> None:
    answer = strict(client.get(ASKED))
    pod, dgx = answer["systems"]
    assert (pod["price"], dgx["price"]) == (149995, 300000)
    assert (pod["time_to_train_minutes"], dgx["time_to_train_minutes"]) == (37.1152, 28.7709)
    assert round(pod["relative"]["performance_per_dollar"], 4) == 1.5504
    assert round(pod["relative"]["performance_per_rack_unit"], 4) == 0.9302
    assert dgx["relative"]["performance_per_dollar"] == 1
    assert answer["catalogue"].startswith("facts.")
    assert pod["provenance"]["price"]["status"] == "listed"
    assert pod["provenance"]["time_to_train_minutes"]["status"] == "measured"
    assert pod["provenance"]["performance"] == {"status": "derived", "formula": "60 / time_to_train_minutes"}


def test_post_takes_the_same_fields_as_json(client: FlaskClient) -> None:
    body = {"systems": ["ipu-pod16", "dgx-a100-640gb"], "benchmark": "resnet", "round": "v1.0", "division": "closed",
            "baseline": "dgx-a100-640gb"}  # fmt: skip
    assert client.post("/v1/compare", json=body).data == client.get(ASKED).data


def test_own_figures_come_by_set_by_overrides_or_with_the_system(client: FlaskClient) -> None:
    base = {"benchmark": "resnet", "round": "v1.0", "baseline": "dgx-a100-640gb"}
    by_set = client.get(f"{ASKED}&set=ipu-pod16.price:100000&set=ipu-pod16.rack_units:10").data
    overrides = {"ipu-pod16": {"price": 100000, "rack_units": 10}}
    systems = "ipu-pod16,dgx-a100-640gb"
    assert client.post("/v1/compare", json={**base, "systems": systems, "overrides": overrides}).data == by_set
    own = [{"system": "ipu-pod16", "price": 100000, "rack_units": 10}, "dgx-a100-640gb"]
    assert client.post("/v1/compare", json={**base, "systems": own}).data == by_set


def test_one_figure_is_one_bare_number(client: FlaskClient) -> None:
    response = client.get(f"{ASKED}&system=ipu-pod16&field=relative.performance_per_dollar&format=value")
    assert response.content_type == "text/plain; charset=utf-8"
    assert response.text.startswith("1.5504084")
    assert not response.text.endswith("\n")
    assert float(response.text) == strict(client.get(ASKED))["systems"][0]["relative"]["performance_per_dollar"]


def test_a_gap_is_an_error_in_a_cell_and_never_empty(client: FlaskClient) -> None:
    response = client.get(
        "/v1/compare?systems=ipu-pod64&benchmark=bert&round=v1.1&field=performance_per_dollar&format=value"
    )
    assert response.status_code == 422
    assert "no price of ipu-pod64" in strict(response)["detail"]


def test_an_explanation_read_again_gives_the_value(client: FlaskClient) -> None:
    answer = strict(client.get(f"{ASKED}&explain=1"))
    for side in answer["systems"]:
        again = recompute(side["explanation"])
        assert len(again) > 30
        assert all(side[name] == value for name, value in again.items() if name in side)
        for step in side["explanation"]:
            for name in step["inputs"]:
                known = name in again or step["sources"][name]["status"]
                assert known, f"{name} says nothing of where it is from"


def test_the_explanation_of_one_figure_holds_only_what_is_below_it(client: FlaskClient) -> None:
    answer = strict(client.get(f"{ASKED}&system=ipu-pod16&field=performance_per_dollar&explain=1"))
    assert [step["name"] for step in answer["explanation"]] == ["performance", "list_cost", "performance_per_dollar"]


def test_all_shapes_hold_the_same_digits(client: FlaskClient) -> None:
    import csv  # noqa: PLC0415
    import io  # noqa: PLC0415

    document = strict(client.get(ASKED))
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.reader(io.StringIO(client.get(f"{ASKED}&format={name}").text), delimiter=delimiter))
        heads = [head.split(" [")[0] for head in rows[0]]
        for side, row in zip(document["systems"], rows[1:], strict=True):
            cells = dict(zip(heads, row, strict=True))
            for field, unit in document["units"].items():
                assert f"{field} [{unit}]" in rows[0]
                value = side[field]
                assert cells[field] == "" if value is None else float(cells[field]) == value
                ratio = side["relative"].get(field)
                assert cells[f"relative.{field}"] == "" if ratio is None else float(cells[f"relative.{field}"]) == ratio
                if value is not None:
                    one = client.get(f"{ASKED}&system={side['system']}&field={field}&format=value")
                    assert one.text == cells[field]


def test_a_suffix_is_a_format(client: FlaskClient) -> None:
    assert client.get(ASKED.replace("compare?", "compare.csv?")).data == client.get(f"{ASKED}&format=csv").data


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("text/csv", "text/csv; charset=utf-8"),
        ("text/markdown;q=0.5, text/tab-separated-values", "text/tab-separated-values; charset=utf-8"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"),
        ("text/plain", "text/plain; charset=utf-8"),
    ],
)
def test_a_real_accept_header_chooses_the_format(client: FlaskClient, accept: str, kind: str) -> None:
    response = client.get(ASKED, headers={"Accept": accept})
    assert response.content_type == kind
    assert "Accept" in response.headers["Vary"]


def test_v1_is_json_whatever_the_agent(client: FlaskClient) -> None:
    assert client.get(ASKED, headers={"User-Agent": "curl/8.0"}).content_type == "application/json"


def test_what_cannot_be_accepted_is_406_with_the_formats(client: FlaskClient) -> None:
    response = client.get(ASKED, headers={"Accept": "image/png"})
    assert response.status_code == 406
    assert "csv" in strict(response)["detail"]


def test_the_same_question_has_the_same_bytes_and_a_strong_etag(client: FlaskClient) -> None:
    first, second = client.get(ASKED), client.get(ASKED)
    assert first.data == second.data
    assert first.headers["ETag"] == second.headers["ETag"]
    assert not first.headers["ETag"].startswith("W/")
    again = client.get(ASKED, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(f"{ASKED}&format=csv").headers["ETag"] != first.headers["ETag"]


def test_head_and_options_never_fail(client: FlaskClient) -> None:
    head = client.head(ASKED)
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["Content-Length"] == str(len(client.get(ASKED).data))
    assert client.options(ASKED).status_code == 200


@pytest.mark.parametrize("kind", ["systems", "prices", "results", "assumptions", "benchmarks", "quantities"])
def test_facts_are_listed_in_pages_that_follow_each_other(client: FlaskClient, kind: str) -> None:
    address, seen = f"/v1/{kind}?limit=50", 0
    while address:
        response = client.get(address)
        page = strict(response)
        seen += len(page[kind])
        following = page["next"]
        assert (f'<{following}>; rel="next"' if following else None) == response.headers.get("Link")
        address = following
    assert seen == page["total"] > 20


@pytest.mark.parametrize(
    ("address", "count"),
    [
        ("/v1/systems?vendor=Graphcore", None),
        ("/v1/prices?system=POD16", 1),
        ("/v1/results?benchmark=resnet&round=v1.0&system=ipu-pod16&division=closed", 1),
        ("/v1/assumptions?name=pue_ratio&preset=us-colo", 1),
        ("/v1/benchmarks?id=resnet", 2),
        ("/v1/quantities?name=performance_per_dollar", 1),
    ],
)
def test_facts_are_filtered(client: FlaskClient, address: str, count: int | None) -> None:
    total = strict(client.get(address))["total"]
    assert total == count if count else total > 4


def test_a_fact_has_its_own_address(client: FlaskClient) -> None:
    assert strict(client.get("/v1/systems/POD16"))["id"] == "ipu-pod16"
    result = strict(client.get("/v1/results/v1.0/Graphcore/ipu-pod16-TF1/resnet"))
    assert result["time_to_train_minutes"] == 37.1152


def test_a_vendors_time_is_a_result_too(client: FlaskClient) -> None:
    found = strict(client.get("/v1/results?benchmark=efficientnet-b4"))["results"]
    assert [(each["system"], each["time_to_train_minutes"], each["division"]) for each in found] == [
        ("ipu-pod256", 108, "not-mlperf")
    ]


@pytest.mark.parametrize("metric", ["performance_per_dollar", "performance_per_rack_unit", "cost_per_run"])
def test_rankings_are_answered_in_every_format(client: FlaskClient, metric: str) -> None:
    address = f"/v1/ranking?benchmark=bert&round=v2.0&metric={metric}"
    answer = strict(client.get(address))
    assert [each["rank"] for each in answer["ranked"]] == list(range(1, len(answer["ranked"]) + 1))
    assert all(each["reason"] for each in answer["unranked"])
    for name in ("csv", "tsv", "table", "md"):
        assert client.get(f"{address}&format={name}").status_code == 200


def test_tco_is_answered_with_and_without_a_benchmark(client: FlaskClient) -> None:
    answer = strict(client.get(f"/v1/tco?{PAIR}"))
    pod = answer["systems"][0]
    assert pod["cost_per_run"] is None
    assert pod["gaps"]["cost_per_run"] == "no benchmark was asked"
    assert pod["tco_present_value"] > 0
    assert [part["name"] for part in pod["components"]][0] == "contracted_cost"
    timed = strict(client.get(f"/v1/tco?{PAIR}&benchmark=resnet&round=v1.0"))
    assert timed["systems"][0]["cost_per_run"] > 0


def test_what_the_costs_leave_out_is_named(client: FlaskClient) -> None:
    assert strict(client.get(ASKED))["not_counted"] == ["hours_per_month"]


def test_claims_are_answered_in_every_format(client: FlaskClient) -> None:
    answer = strict(client.get("/v1/claims"))
    assert {1, 14, 21} <= {claim["claim"] for claim in answer["claims"]}
    for name in ("csv", "tsv", "table", "md"):
        assert client.get(f"/v1/claims.{name}").status_code == 200


def test_the_service_says_that_it_lives_and_what_it_holds(client: FlaskClient) -> None:
    assert client.get("/healthz").text == "ok\n"
    assert strict(client.get("/readyz"))["catalogue"] == strict(client.get(ASKED))["catalogue"]


def test_a_pinned_catalogue_is_answered_and_another_is_unknown(client: FlaskClient) -> None:
    version = strict(client.get("/readyz"))["catalogue"]
    assert client.get(f"{ASKED}&catalogue={version}").status_code == 200
    assert client.get(f"{ASKED}&catalogue=facts.00000000").status_code == 404


def test_one_figure_comes_in_every_format(client: FlaskClient) -> None:
    one = f"{ASKED}&system=ipu-pod16&field=performance_per_dollar"
    csv_text = client.get(f"{one}&format=csv").text.splitlines()
    assert csv_text[0] == (
        "system,field,value [run / hour / USD],baseline,caveats,notices,"
        "benchmark,round,division,parameters,tokens,precision,currency,as_of,exchange_date,catalogue,preset"
    )
    assert csv_text[1].startswith("ipu-pod16,performance_per_dollar,0.000010777614933444858,,")
    assert "performance per dollar  run/h/MUSD    10.7776" in client.get(f"{one}&format=table").text
    assert "| performance per dollar | run/h/MUSD | 10.7776 |" in client.get(f"{one}&format=md").text


def test_an_explanation_can_be_read_in_a_table(client: FlaskClient) -> None:
    text = client.get(f"{ASKED}&explain=1&format=table").text
    assert "ipu-pod16: performance = 60 / time_to_train_minutes = 1.61659 run / hour" in text
    one = client.get(f"{ASKED}&explain=1&format=md&system=ipu-pod16&field=performance_per_dollar").text
    assert "performance\\_per" in one or "performance_per_dollar = performance / list_cost" in one


def test_rows_that_compete_are_a_conflict_that_names_them(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace  # noqa: PLC0415

    from pricing.catalogue.catalogue import shipped  # noqa: PLC0415

    key = ("bert", "v2.0", "closed")
    changed = [
        replace(each, organisation="Krai", row=replace(each.row, submitter="Krai"))
        if each.organisation == "Microsoft Azure" and each.units == 1
        else each
        for each in shipped().measured[key]
    ]
    monkeypatch.setitem(shipped().measured, key, changed)
    asked = "/v1/compare?systems=azure-nd96amsr-a100-v4&benchmark=bert&round=v2.0"
    found = strict(client.get(asked))
    assert found["status"] == 409
    assert len(found["rows"]) == 2
    assert strict(client.get(f"{asked}&submitter=Krai"))["systems"][0]["time_to_train_minutes"] == 19.2131
    ranking = strict(client.get("/v1/ranking?benchmark=bert&round=v2.0&metric=time_to_train_minutes"))
    reasons = {each["system"]: each["reason"] for each in ranking["unranked"]}
    assert "choose one by submitter" in reasons["azure-nd96amsr-a100-v4"]


def test_a_gap_in_csv_is_an_empty_cell_and_a_note(client: FlaskClient) -> None:
    frame = read(client, "/v1/compare?systems=ipu-pod64,dgx-a100-640gb&benchmark=bert&round=v1.1&format=csv")
    pod = frame.iloc[0]
    assert pod["performance_per_dollar [run / hour / USD]"] == ""
    assert "performance_per_dollar: the catalogue has no price of ipu-pod64" in pod["gaps"]
    assert pod["tco_present_value [USD]"] == ""


@pytest.mark.parametrize("address", [ASKED, f"/v1/tco?{PAIR}", "/v1/ranking?benchmark=bert&round=v2.0", "/v1/prices?"])
def test_pandas_reads_our_csv_as_we_wrote_it(client: FlaskClient, address: str) -> None:
    frame = read(client, f"{address}&format=csv")
    assert len(frame.columns) == len(set(frame.columns))
    assert len(frame) > 1
    tabs = read(client, f"{address}&format=tsv", "\t")
    assert frame.equals(tabs)


def read(client: FlaskClient, address: str, separator: str = ",") -> Any:
    import io  # noqa: PLC0415

    import pandas as pd  # noqa: PLC0415

    text = client.get(address).text
    return pd.read_csv(io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, na_filter=False)


def test_a_table_of_figures_carries_what_makes_them_citable(client: FlaskClient) -> None:
    frame = read(client, f"{ASKED}&format=csv")
    assert list(frame["benchmark"]) == ["resnet", "resnet"]
    assert list(frame["round"]) == ["v1.0", "v1.0"]
    assert list(frame["submitter"]) == ["Graphcore", "NVIDIA"]
    assert "no official MLCommons results" in frame["notices"][0]
    assert "[approximate_price]" in frame["caveats"][1]
    ranking = read(client, "/v1/ranking?benchmark=bert&round=v2.0&format=csv")
    assert set(ranking["round"]) == {"v2.0"}
    owned = read(client, f"/v1/tco?{PAIR}&format=csv")
    assert set(owned["preset"]) == {"us-colo"}


@pytest.mark.parametrize("name", ["NA", "null", "None", "inf", "00123", "12E5", "TRUE"])
def test_a_name_stays_a_text(client: FlaskClient, name: str) -> None:
    asked = f"/v1/compare?systems=own:{name}&benchmark=resnet&set=own:{name}.time_to_train_minutes:5"
    assert strict(client.get(asked))["systems"][0]["system"] == f"own:{name}"
    assert read(client, f"{asked}&format=csv")["system"][0] == f"own:{name}"


def test_every_assumption_of_a_preset_that_counts_can_be_given(client: FlaskClient) -> None:
    for name, held in strict(client.get(ASKED))["assumptions"].items():
        if held["value"] is not None:
            given = strict(client.get(f"{ASKED}&{name}={held['value']!r}"))
            assert given["assumptions"][name]["status"] == "given"


@pytest.mark.parametrize("noun", ["ranking", "tco", "claims"])
def test_every_question_may_be_posted(client: FlaskClient, noun: str) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "ranking": {"benchmark": "bert", "round": "v2.0", "pue_ratio": 1.2},
        "tco": {"systems": ["ipu-pod16"], "pue_ratio": 1.2},
        "claims": {"set": ["dgx-a100-640gb.price:290000"]},
    }
    queries = {
        "ranking": "benchmark=bert&round=v2.0&pue_ratio=1.2",
        "tco": "systems=ipu-pod16&pue_ratio=1.2",
        "claims": "set=dgx-a100-640gb.price:290000",
    }
    assert client.post(f"/v1/{noun}", json=bodies[noun]).data == client.get(f"/v1/{noun}?{queries[noun]}").data


def test_a_page_beyond_the_last_is_empty_and_has_its_header(client: FlaskClient) -> None:
    text = client.get("/v1/systems?offset=5000&format=csv").text
    assert text.startswith("id,name,vendor,family,")
    assert len(text.splitlines()) == 1
