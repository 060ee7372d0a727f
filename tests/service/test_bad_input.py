"""Bad input gets a clear answer: which field, what would be right, and soon."""

import time
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.service.test_api import ASKED, strict

BODY = {"systems": ["ipu-pod16", "dgx-a100-640gb"], "benchmark": "resnet", "round": "v1.0"}


def problem(response: TestResponse, status: int) -> dict[str, Any]:
    found = strict(response)
    assert response.status_code == status == found["status"], found
    assert response.content_type == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    assert found["type"].startswith("/problems/")
    assert found["title"] and found["detail"]
    return found


NUMBERS = [
    "0", "-1", "nan", "NaN", "inf", "Infinity", "-Infinity", "1e400", "1e999999999", "-0", "149,995", "1_000", "٣", "１２",
    " 5", "5 ", "+5", "0x10", "true", "", "1e31", "123456789012345678", "9" * 10_000,
]  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS, ids=lambda text: text[:12] or "blank")
@pytest.mark.parametrize("name", ["price", "time_to_train_minutes", "rack_units"])
def test_a_given_number_that_is_none_is_refused_by_its_name(client: FlaskClient, name: str, text: str) -> None:
    start = time.perf_counter()
    by_get = client.get(f"{ASKED}&set={quote(f'ipu-pod16.{name}:{text}')}")
    by_post = client.post("/v1/compare", json={**BODY, "overrides": {"ipu-pod16": {name: text}}})
    took = time.perf_counter() - start
    for response in (by_get, by_post):
        found = problem(response, 422)
        assert name in {error["field"] for error in found["errors"]}
    assert took < 1, "twice 50 ms is asked; a second would be a runaway"


@pytest.mark.parametrize("text", NUMBERS[1:], ids=lambda text: text[:12] or "blank")
def test_an_assumption_that_is_no_number_is_refused_by_its_name(client: FlaskClient, text: str) -> None:
    response = client.get(f"{ASKED}&pue_ratio={quote(text)}")
    found = problem(response, 422)
    assert {error["field"] for error in found["errors"]} == {"pue_ratio"}


LITERALS = ["NaN", "Infinity", "-Infinity"]


@pytest.mark.parametrize("literal", LITERALS)
def test_json_that_is_no_json_is_refused(client: FlaskClient, literal: str) -> None:
    body = f'{{"systems": "ipu-pod16", "pue_ratio": {literal}}}'
    found = problem(client.post("/v1/compare", data=body, content_type="application/json"), 400)
    assert literal in found["detail"]


BODIES = {
    "twice the same key": (b'{"systems": "ipu-pod16", "systems": "dgx-2"}', 400),
    "not UTF-8": (b'{"systems": "\xff"}', 400),
    "UTF-16": ('{"systems": "ipu-pod16"}'.encode("utf-16"), 400),
    "empty": (b"", 400),
    "cut off": (b'{"systems": ', 400),
    "a list": (b"[]", 422),
    "a number": (b"5", 422),
    "deep": (b"[" * 1000 + b"]" * 1000, 400),
    "very deep": (b"[" * 100_000 + b"]" * 100_000, 400),
    "a boolean for a number": (b'{"systems": "ipu-pod16", "pue_ratio": true}', 422),
    "a text for a flag": (b'{"systems": "ipu-pod16", "explain": "yes"}', 422),
    "a huge number": (b'{"systems": "ipu-pod16", "pue_ratio": ' + b"1" * 5000 + b"}", 422),
    "a huge exponent": (b'{"systems": "ipu-pod16", "pue_ratio": 1e999999999}', 422),
    "a lone surrogate": (b'{"systems": "\\ud800"}', 400),
    "a lone surrogate as a name": (b'{"systems": "ipu-pod16", "\\udfff": 1}', 400),
    "a NUL": (b'{"systems": "ipu\\u0000pod16"}', 422),
    "a bidi override": ('{"systems": "ipu\u202epod16"}'.encode(), 422),
    "no systems": (b'{"benchmark": "resnet"}', 422),
    "an empty list": (b'{"systems": []}', 422),
    "an unknown field": (b'{"systems": "ipu-pod16", "pue": 1.2}', 422),
    "systems of numbers": (b'{"systems": [1, 2]}', 422),
    "systems in systems": (b'{"systems": [["ipu-pod16"]]}', 422),
    "a deep override": (b'{"systems": "ipu-pod16", "overrides": {"ipu-pod16": {"price": {"a": 1}}}}', 422),
    "a null": (b'{"systems": null}', 422),
    "many systems": (b'{"systems": [' + b'"ipu-pod16",' * 16_000 + b'"ipu-pod16"]}', 422),
}


@pytest.mark.parametrize(("body", "status"), BODIES.values(), ids=BODIES)
def test_a_wrong_body_is_refused(client: FlaskClient, body: bytes, status: int) -> None:
    response = client.post("/v1/compare", data=body, content_type="application/json")
    problem(response, status)
    assert len(response.data) < 20_000


def test_a_body_must_say_that_it_is_json(client: FlaskClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        problem(client.post("/v1/compare", data=b"{}", content_type=kind), 415)


def test_a_body_has_its_limit(client: FlaskClient) -> None:
    body = b'{"systems": "' + b"x" * (10 * 1024 * 1024) + b'"}'
    problem(client.post("/v1/compare", data=body, content_type="application/json"), 413)


UNKNOWN = {
    "a system": (f"{ASKED.replace('ipu-pod16', 'ipu-pod15')}", 404, "ipu-pod16"),
    "a bare POD1": (f"{ASKED.replace('ipu-pod16', 'POD1')}", 404, "ipu-pod16"),
    "a benchmark": (f"{ASKED.replace('resnet', 'resnet50')}", 404, "resnet"),
    "a round": (f"{ASKED.replace('v1.0', 'v1.2')}", 404, "v1.1"),
    "a preset": (f"{ASKED}&preset=us-collo", 404, "us-colo"),
    "a baseline": (ASKED.replace("baseline=dgx-a100-640gb", "baseline=dgx-2"), 404, "ipu-pod16"),
    "a kind of price": (f"{ASKED}&price_kind=lists", 404, "list"),
    "a field": (f"{ASKED}&system=ipu-pod16&field=performance_per_dolar", 404, "performance_per_dollar"),
    "a settable field": (f"{ASKED}&set=ipu-pod16.prise:5", 404, "price"),
    "a round of one system": (f"{ASKED}&set=ipu-pod16.round:v9.9", 404, "v"),
    "a metric": ("/v1/ranking?benchmark=resnet&metric=performance_per_euro", 404, "performance_per_dollar"),
    "a submission": (f"{ASKED}&set=ipu-pod16.result:ipu-pod17-TF1", 404, "v1.0/Graphcore/ipu-pod16-TF1/resnet"),
    "a listed system": ("/v1/systems/dgx-a101", 404, "dgx-a100-320gb"),
    "a filter's value": ("/v1/systems?vendor=Graphcor", 404, "Graphcore"),
}


@pytest.mark.parametrize(("address", "status", "near"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_name_tells_the_nearest_right_ones(
    client: FlaskClient, address: str, status: int, near: str
) -> None:
    found = problem(client.get(address), status)
    assert near in " ".join(found["nearest"])


def test_an_unknown_parameter_tells_the_nearest_right_ones(client: FlaskClient) -> None:
    found = problem(client.get(f"{ASKED}&pue_ration=1.2&bench=resnet"), 422)
    by_field = {error["field"]: error["detail"] for error in found["errors"]}
    assert "pue_ratio" in by_field["pue_ration"]
    assert "benchmark" in by_field["bench"]


FIELDS = {
    "a division": (f"{ASKED.replace('closed', 'clsoed')}", "division"),
    "a format": (f"{ASKED}&format=xml", "format"),
    "a currency": (f"{ASKED}&currency=HRK", "currency"),
    "an estimate": (f"{ASKED}&estimate=1", "estimate"),
    "a flag": (f"{ASKED}&explain=yes", "explain"),
    "a date": (f"{ASKED}&as_of=30.06.2021", "as_of"),
    "a day that is none": (f"{ASKED}&as_of=2021-02-29", "as_of"),
    "a year too far": (f"{ASKED}&as_of=9999-12-31", "as_of"),
    "a basis": (f"{ASKED}&space_basis=acre", "space_basis"),
    "a set without a name": (f"{ASKED}&set=ipu-pod16:5", "set"),
    "a set without a value": (f"{ASKED}&set=ipu-pod16.price", "set"),
    "twice the same": (f"{ASKED}&round=v1.1", "round"),
    "a blank name": (f"{ASKED}&preset=", "preset"),
    "a count of 0": ("/v1/compare?systems=0*dgx-2", "systems"),
    "two counts": ("/v1/compare?systems=2*2*dgx-2", "systems"),
    "no systems": ("/v1/compare", "systems"),
    "a blank system": ("/v1/compare?systems=ipu-pod16,,dgx-2", "systems"),
    "a long name": (f"/v1/compare?systems={'x' * 300}", "systems"),
    "a limit": ("/v1/systems?limit=0", "limit"),
    "a limit too high": ("/v1/systems?limit=100000", "limit"),
    "a limit in other digits": ("/v1/systems?limit=٣", "limit"),
    "an offset": ("/v1/systems?offset=-1", "offset"),
    "a ranking of nothing": ("/v1/ranking", "benchmark"),
    "a share above 1": (f"{ASKED}&utilisation_share=1.1", "utilisation_share"),
    "no use at all": (f"{ASKED}&utilisation_share=0", "utilisation_share"),
    "a PUE below 1": (f"{ASKED}&pue_ratio=0.9", "pue_ratio"),
    "a long life": (f"{ASKED}&service_life_years=31", "service_life_years"),
    "a negative tariff": (f"{ASKED}&electricity_tariff_per_kwh=-0.1", "electricity_tariff_per_kwh"),
}


@pytest.mark.parametrize(("address", "field"), FIELDS.values(), ids=FIELDS)
def test_a_wrong_field_is_named(client: FlaskClient, address: str, field: str) -> None:
    found = problem(client.get(address), 422)
    assert field in {error["field"].split(".")[0] for error in found["errors"]}


def test_a_question_that_does_not_fit_is_refused(client: FlaskClient) -> None:
    twice = problem(client.get("/v1/compare?systems=ipu-pod16,POD16"), 422)
    assert "each system and size once" in twice["detail"]
    both = problem(client.get(f"{ASKED}&set=ipu-pod16.price:5&set=ipu-pod16.price:6"), 422)
    assert "twice" in both["detail"]
    half = problem(client.get(f"{ASKED}&field=price"), 422)
    assert "both system and field" in half["detail"]
    cell = problem(client.get(f"{ASKED}&format=value"), 422)
    assert "one figure" in cell["detail"]


def test_an_error_for_one_who_asked_for_a_table_is_a_line_of_text(client: FlaskClient) -> None:
    response = client.get(f"{ASKED.replace('ipu-pod16', 'ipu-pod15')}&format=table")
    assert response.status_code == 404
    assert response.content_type == "text/plain; charset=utf-8"
    assert response.text.startswith("error: unknown system 'ipu-pod15'; nearest: ipu-pod16")


def test_methods_and_addresses_that_are_not_there(client: FlaskClient) -> None:
    assert "GET" in client.put(ASKED).headers["Allow"]
    problem(client.put(ASKED), 405)
    problem(client.delete("/v1/systems"), 405)
    problem(client.get("/v1/nothing"), 404)
    problem(client.get("/problems/nothing"), 404)


def test_every_type_of_problem_has_its_page(client: FlaskClient) -> None:
    from service.problems import KINDS  # noqa: PLC0415

    for kind in KINDS.values():
        assert client.get(f"/problems/{kind.name}").text.startswith(f"{kind.title} ({kind.status})")


def test_a_failure_of_ours_says_nothing_of_the_inside(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    from service.app import create_app  # noqa: PLC0415
    from service.settings import Settings  # noqa: PLC0415

    def fail(*_: Any) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr("service.questions.ask", fail)
    response = create_app(Settings()).test_client().get(ASKED)
    found = problem(response, 500)
    assert "secret" not in response.text
    assert found["type"] == "/problems/internal"
    assert "the secret inside" in caplog.text


def test_names_that_look_like_code_are_shown_as_names(client: FlaskClient) -> None:
    name = "=HYPERLINK('x')</script>\"'😀"
    own = [
        f"set={quote(f'own:{name}.{field}:{value}')}" for field, value in (("price", 5), ("time_to_train_minutes", 7))
    ]
    address = f"/v1/compare?systems={quote(f'own:{name}')}&benchmark=resnet&round=v1.0&{'&'.join(own)}"
    assert strict(client.get(address))["systems"][0]["system"] == f"own:{name}"
    row = client.get(f"{address}&format=csv").text.splitlines()[1]
    assert row.startswith(f'"own:{name.replace(chr(34), chr(34) * 2)}"')
    assert client.get(f"{address}&format=table").status_code == 200
    assert "<script" not in client.get(f"{address}&format=md").text.replace("\\<", "")
