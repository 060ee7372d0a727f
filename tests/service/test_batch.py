"""Many questions at once: order, errors in their rows, formats, limits, and the same digits as one by one."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pricing.catalogue.library import Library
from service.app import create_app
from service.batch import MOST_IN_ARRAY, MOST_STREAMED
from service.settings import Settings
from tests.documents import ROOT
from tests.pricing.catalogue.books.imports import DGX, prices
from tests.service.test_api import strict
from tests.service.test_bad_input import problem

PAIR = "ipu-pod16,dgx-a100-640gb"
FIELDS = "cost_per_run,relative.performance_per_dollar,rack_cost"
SHARED = f"/v1/batch?fields={FIELDS}&benchmark=resnet&round=v1.0"
QUESTIONS: list[Any] = [
    {"id": "first", "systems": PAIR, "system": "ipu-pod16", "baseline": "dgx-a100-640gb"},
    {"systems": "ipu-pod15"},
    {"systems": ["ipu-pod64"], "overrides": {"ipu-pod64": {"price": 600000}}},
    {"systems": "dgx-a100-640gb@leased", "pue_ratio": 1.2},
    {"systems": "dgx-a100-640gb", "pue_ratio": 0.5},
    7,
    {"systems": PAIR},
    {"systems": "dgx-a100-640gb", "currency": "EUR", "as_of": "2026-10-30"},
]


def sent(client: FlaskClient, content: bytes | str, kind: str, more: str = "") -> Any:
    return client.post(f"{SHARED}{more}", data=content, content_type=kind)


def of_list(client: FlaskClient) -> list[dict[str, Any]]:
    return strict(client.post(SHARED, json=QUESTIONS))["answers"]


def test_each_row_has_its_answer_in_order_and_its_own_error(client: FlaskClient) -> None:
    found = of_list(client)
    assert [each["row"] for each in found] == list(range(1, len(QUESTIONS) + 1))
    assert [each["status"] for each in found] == ["ok", "error", "ok", "ok", "error", "error", "error", "ok"]
    assert found[0]["id"] == "first" and found[0]["system"] == "ipu-pod16"
    assert round(found[0]["values"]["relative.performance_per_dollar"], 4) == 1.5504
    assert (found[1]["error"], "nearest: ipu-pod16" in found[1]["detail"]) == ("unknown-name", True)
    assert (found[4]["error"], "pue_ratio" in found[4]["detail"]) == ("invalid-parameters", True)
    assert (found[6]["error"], "system" in found[6]["detail"]) == ("bad-question", True)
    assert found[7]["currency"] == "EUR" and found[7]["units"]["cost_per_run"] == "EUR / run"
    assert found[3]["system"] == "dgx-a100-640gb@leased"


def test_a_gap_says_why_and_is_no_error(client: FlaskClient) -> None:
    (found,) = strict(client.post(SHARED, json=[{"systems": "ipu-pod64", "benchmark": "bert", "round": "v1.1"}]))[
        "answers"
    ]
    assert found["status"] == "ok" and found["values"]["cost_per_run"] is None
    assert found["gaps"]["cost_per_run"] == "the catalogue has no price of ipu-pod64"


def test_a_row_gives_the_digits_caveats_and_notices_of_the_same_question_alone(client: FlaskClient) -> None:
    found = of_list(client)
    asked = f"/v1/compare?systems={PAIR}&benchmark=resnet&round=v1.0&system=ipu-pod16&baseline=dgx-a100-640gb"
    for field, value in found[0]["values"].items():
        assert client.get(f"{asked}&field={field}&format=value").text == json.dumps(value)
    alone = strict(client.get(f"{asked}&field=relative.performance_per_dollar"))
    assert {each["code"] for each in alone["caveats"]} <= set(found[0]["caveats"])
    assert alone["notices"] == found[0]["notices"] and found[0]["result"] == "v1.0/Graphcore/ipu-pod16-TF1/resnet"


NDJSON = "\n".join(json.dumps(each) for each in QUESTIONS)


def test_all_formats_in_and_out_say_the_same(client: FlaskClient) -> None:
    listed = of_list(client)
    lines = sent(client, NDJSON, "application/x-ndjson", "&format=ndjson").text.splitlines()
    assert [json.loads(line) for line in lines] == listed
    table = list(csv.DictReader(io.StringIO(sent(client, NDJSON, "application/x-ndjson", "&format=csv").text)))
    sheet = openpyxl.load_workbook(io.BytesIO(sent(client, NDJSON, "application/x-ndjson", "&format=xlsx").data)).active
    header, *cells = sheet.iter_rows(values_only=True)
    assert len(table) == len(cells) == len(listed)
    column = "cost_per_run [currency / run]"
    for each, row, in_sheet in zip(listed, table, cells, strict=True):
        expected = each.get("values", {}).get("cost_per_run")
        assert row[column] == ("" if expected is None else json.dumps(expected))
        assert in_sheet[header.index(column)] == (pytest.approx(expected, rel=1e-15) if expected is not None else None)
        assert row["status"] == in_sheet[header.index("status")] == each["status"]


def test_a_table_of_questions_is_read_as_a_list_is(client: FlaskClient) -> None:
    rows = "id,systems,set.price,pue_ratio,set\na,dgx-a100-640gb,250000,1.3,\nb,ipu-pod16,,,ipu-pod16.rack_units:7; ipu-pod16.price:1\n"
    found = strict(sent(client, rows, "text/csv"))["answers"]
    same = [
        {"id": "a", "systems": "dgx-a100-640gb", "set": ["dgx-a100-640gb.price:250000"], "pue_ratio": "1.3"},
        {"id": "b", "systems": "ipu-pod16", "set": ["ipu-pod16.rack_units:7", "ipu-pod16.price:1"]},
    ]
    assert found == strict(client.post(SHARED, json=same))["answers"]
    semicolons = strict(sent(client, rows.replace(",", ";").replace("7; ", "7, "), "text/csv", "&delimiter=semicolon"))
    assert semicolons["answers"][0] == found[0]


def test_a_formula_in_an_id_is_neutral_in_a_table(client: FlaskClient) -> None:
    found = sent(client, 'id,systems\n"=1+1",ipu-pod16\n', "text/csv", "&format=csv").text
    assert "'=1+1" in found


BROKEN = {
    "no list": (b'{"systems": "ipu-pod16"}', "application/json", 400),
    "cut off": (b"[{", "application/json", 400),
    "another media type": (b"x", "text/plain", 415),
    "a header twice": (b"systems,systems\na,b\n", "text/csv", 422),
    "no workbook": (b"PK", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 422),
    "too long a list": (b"[" + b",".join([b"1"] * (MOST_IN_ARRAY + 1)) + b"]", "application/json", 413),
    "too many lines": (b"{}\n" * (MOST_STREAMED + 1), "application/x-ndjson", 413),
    "too many rows": (b"systems\n" + b"a\n" * (MOST_STREAMED + 1), "text/csv", 413),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_as_a_whole_is_refused_as_a_whole(client: FlaskClient, name: str) -> None:
    content, kind, status = BROKEN[name]
    problem(sent(client, content, kind), status)


def test_a_body_over_the_limit_is_refused(client: FlaskClient) -> None:
    problem(sent(client, b" " * (64 * 1024 * 1024 + 1), "application/x-ndjson"), 413)
    assert sent(client, b" " * (11 * 1024 * 1024), "application/x-ndjson").status_code == 200, "more than other bodies"


@pytest.mark.parametrize(
    ("more", "field"), [("", "fields"), ("fields=nothing", "field"), ("fields=price,price", "fields")]
)
def test_which_figures_are_wanted_must_be_said_rightly(client: FlaskClient, more: str, field: str) -> None:
    response = client.post(f"/v1/batch?{more}", json=[])
    assert response.status_code in (404, 422) and field in response.text


def test_a_line_that_is_no_json_is_an_error_of_its_row(client: FlaskClient) -> None:
    lines = '{"systems": "ipu-pod16"}\n{"systems": \n\n{"systems": "ipu-pod16"}\n'
    found = [
        json.loads(line) for line in sent(client, lines, "application/x-ndjson", "&format=ndjson").text.splitlines()
    ]
    assert [each["status"] for each in found] == ["ok", "error", "ok"]


def test_a_table_that_breaks_off_says_so_in_its_last_row(client: FlaskClient) -> None:
    found = strict(sent(client, "systems,pue_ratio\nipu-pod16,1.2\nipu-pod16,1.2,9\n", "text/csv"))["answers"]
    assert [each["status"] for each in found] == ["ok", "error"] and "line 3" in found[1]["detail"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(QUESTIONS), max_size=12))
def test_a_row_does_not_depend_on_the_others(client: FlaskClient, rows: list[Any]) -> None:
    together = strict(client.post(SHARED, json=rows))["answers"]
    alone = [strict(client.post(SHARED, json=[row]))["answers"][0] for row in rows]
    assert [{**each, "row": 1} for each in together] == alone


def test_the_command_line_gives_the_same_rows(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "questions.ndjson").write_text(NDJSON, encoding="utf-8")
    command = [sys.executable, "-m", "service.cli", "batch", "questions.ndjson", "--fields", FIELDS, "--benchmark", "resnet",
               "--round", "v1.0"]  # fmt: skip
    environment = {"PYTHONPATH": str(ROOT), "TRAINCOST_DATABASE_URL": f"sqlite:///{tmp_path / 'books.db'}"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert [json.loads(line) for line in done.stdout.splitlines()] == of_list(client)
    subprocess.run([*command, "--output", "answers.csv"], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "answers.csv").read_bytes() == sent(client, NDJSON, "application/x-ndjson", "&format=csv").data
    wrong = subprocess.run(
        [*command[:4], "none.csv"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2 and "none.csv" in wrong.stderr


def test_private_prices_take_part_only_for_those_who_may_read_them(tmp_path: Path) -> None:
    app = create_app(Settings(database_url=f"sqlite:///{tmp_path / 'books.db'}"))
    response = app.test_client().post("/v1/batch?fields=price&books=acme", json=[{"systems": "dgx-a100-640gb"}])
    assert response.status_code == 404 and "acme" in response.json["detail"]


@pytest.fixture
def kept(library: Library) -> Iterator[FlaskClient]:
    made = create_app(Settings(database_url=library.database))
    yield made.test_client()
    made.extensions["traincost"].close()


def again(client: FlaskClient, key: str, rows: list[Any], more: str = "") -> Any:
    return client.post(f"/v1/batch?fields=price{more}", json=rows, headers={"Idempotency-Key": key})


def test_the_same_request_under_a_key_has_the_same_bytes_though_prices_moved(
    kept: FlaskClient, library: Library
) -> None:
    rows = [{"systems": "dgx-a100-640gb"}]
    first = again(kept, "a", rows)
    assert first.json["answers"][0]["values"]["price"] == 300000
    assert prices(library, DGX).published
    kept.application.extensions["traincost"].heads(exact=True)
    assert again(kept, "a", rows).data == first.data
    assert again(kept, "b", rows).json["answers"][0]["values"]["price"] == 250000


def test_a_key_of_another_request_is_an_error(kept: FlaskClient) -> None:
    assert again(kept, "a", [{"systems": "dgx-a100-640gb"}]).status_code == 200
    for other in (
        again(kept, "a", [{"systems": "ipu-pod16"}]),
        again(kept, "a", [{"systems": "dgx-a100-640gb"}], "&currency=EUR"),
    ):
        found = problem(other, 422)
        assert found["errors"][0]["field"] == "Idempotency-Key"


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_a_key_that_is_none_is_refused(kept: FlaskClient, key: str) -> None:
    problem(again(kept, key, []), 422)


def test_keys_are_forgotten_after_a_day(kept: FlaskClient, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    from pricing.catalogue import repeats  # noqa: PLC0415

    assert again(kept, "a", [{"systems": "dgx-a100-640gb"}]).status_code == 200
    monkeypatch.setattr(repeats, "KEPT", timedelta(0))
    assert again(kept, "a", [{"systems": "ipu-pod16"}]).status_code == 200


@pytest.mark.parametrize(
    ("own", "echoed"),
    [("a", "a"), (7, 7), (7.5, 7.5), (None, None), (2**60, 2.0**60)],
    ids=["text", "whole", "broken", "none", "large"],
)
def test_an_id_comes_back_as_it_was(client: FlaskClient, own: Any, echoed: Any) -> None:
    (found,) = strict(client.post(SHARED, json=[{"id": own, "systems": "ipu-pod16"}]))["answers"]
    assert (found["id"], found["status"]) == (echoed, "ok")


@pytest.mark.parametrize("own", [{"a": 1}, [1], True, "x" * 201], ids=["object", "list", "flag", "long"])
@pytest.mark.parametrize("form", ["json", "ndjson", "csv", "xlsx"])
def test_an_id_that_is_none_is_an_error_of_its_row_in_every_format(client: FlaskClient, own: Any, form: str) -> None:
    response = client.post(f"{SHARED}&format={form}", json=[{"id": own, "systems": "ipu-pod16"}])
    assert response.status_code == 200 and len(response.data) > 0
    (found,) = strict(client.post(SHARED, json=[{"id": own, "systems": "ipu-pod16"}]))["answers"]
    assert (found["id"], found["error"]) == (None, "invalid-parameters")


VARIED = st.fixed_dictionaries(
    {"systems": st.sampled_from(["dgx-a100-640gb", "2*dgx-a100-640gb", "ipu-pod16@leased", "tpu-v3-8@rented"])},
    optional={
        "pue_ratio": st.floats(1, 3), "network_cost_share": st.floats(0, 0.9), "utilisation_share": st.floats(0.01, 1),
        "exchange_rate_age_days": st.integers(0, 900), "load_factor_share": st.floats(0, 1), "set": st.sampled_from(
            [["dgx-a100-640gb.pue_ratio:1.5"], ["ipu-pod16.price:1000"], ["dgx-a100-640gb.network_cost_share:0.5"]]),
        "inflation_share": st.floats(0, 0.5), "currency": st.sampled_from(["EUR", "USD"]), "sales_tax_share": st.floats(0, 1),
    },
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(VARIED, min_size=2, max_size=8))
def test_rows_that_share_what_is_known_of_a_side_are_what_each_is_alone(client: FlaskClient, rows: list[Any]) -> None:
    address = "/v1/batch?fields=tco_present_value,network_cost,cost_per_useful_hour&as_of=2026-10-30"
    together = strict(client.post(address, json=rows))["answers"]
    alone = [strict(client.post(address, json=[row]))["answers"][0] for row in rows]
    assert [{**each, "row": 1} for each in together] == alone
    for row, each in zip(rows, together, strict=True):
        if each["status"] == "ok":
            single = strict(client.post("/v1/tco", json={**row, "as_of": "2026-10-30"}))["systems"][0]
            assert {name: single[name] for name in each["values"]} == each["values"]
