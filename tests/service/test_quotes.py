"""Frozen answers: the same bytes for ever, one id for one meaning, read with the reader's rights, gone after a purge."""

import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, update

from pricing.catalogue.keys import make_key
from pricing.catalogue.library import Library
from pricing.catalogue.purging import purge_book
from pricing.catalogue.store_tables import quote, quote_body
from service.app import create_app
from service.settings import Settings
from tests.pricing.catalogue.books.imports import DGX, prices
from tests.service.test_api import strict
from tests.service.test_bad_input import problem

ASKED = {"systems": "ipu-pod16,dgx-a100-640gb", "benchmark": "resnet", "round": "v1.0", "baseline": "dgx-a100-640gb"}
SECRET = DGX.replace("250000", "251234")


@pytest.fixture
def app(library: Library) -> Iterator[FlaskClient]:
    made = create_app(Settings(database_url=library.database))
    yield made.test_client()
    made.extensions["traincost"].close()


@pytest.fixture
def key(library: Library) -> Callable[..., dict[str, str]]:
    def made(*rights: str) -> dict[str, str]:
        assert library.store is not None
        return {"Authorization": f"Bearer {make_key(library.store, 'a test', rights)}"}

    return made


def freeze(app: FlaskClient, noun: str = "tco", headers: Any = None, **fields: Any) -> Any:
    return app.post("/v1/quotes", json={"question": noun, "fields": {**ASKED, **fields}}, headers=headers)


def address(app: FlaskClient, **fields: Any) -> str:
    return str(strict(freeze(app, **fields))["address"])


def refreshed(app: FlaskClient) -> None:
    app.application.extensions["traincost"].heads(exact=True)


def test_a_quote_has_the_same_bytes_after_prices_moved(app: FlaskClient, library: Library) -> None:
    made = freeze(app)
    assert made.status_code == 201 and made.headers["Location"] == made.json["address"]
    before = {
        form: app.get(f"{made.json['address']}?format={form}").data for form in ("json", "csv", "tsv", "table", "md")
    }
    assert json.loads(before["json"])["systems"][1]["price"] == 300000
    assert prices(library, DGX).published
    refreshed(app)
    assert strict(app.get("/v1/tco?systems=dgx-a100-640gb"))["systems"][0]["price"] == 250000
    for form, content in before.items():
        assert app.get(f"{made.json['address']}?format={form}").data == content
    assert strict(app.get(f"{made.json['address']}/replay"))["agrees"], "on its own catalogue version"


def test_a_quote_is_the_answer_that_was_asked(app: FlaskClient) -> None:
    frozen = app.get(address(app, as_of="2026-11-30")).data
    assert frozen == app.post("/v1/tco", json={**ASKED, "as_of": "2026-11-30"}).data


def test_one_meaning_has_one_id_and_another_meaning_another(app: FlaskClient) -> None:
    first = strict(freeze(app, as_of="2026-11-30"))
    again = freeze(
        app, as_of="2026-11-30", preset="us-colo", division="closed", currency="USD", exchange_date="2026-11-30"
    )
    assert (again.status_code, again.json["id"]) == (200, first["id"])
    alias = freeze(app, as_of="2026-11-30", systems="Graphcore IPU-POD16,dgx-a100-640gb")
    assert alias.json["id"] == first["id"]
    others = [
        freeze(app, as_of="2026-11-29"), freeze(app, as_of="2026-11-30", pue_ratio=1.3), freeze(app, "compare", as_of="2026-11-30"),
        freeze(app, as_of="2026-11-30", baseline="ipu-pod16"), freeze(app, as_of="2026-11-30", model="leased"),
        freeze(app, as_of="2026-11-30", set=["ipu-pod16.price:1000"]), freeze(app, as_of="2026-11-30", explain=True),
    ]  # fmt: skip
    ids = {first["id"], *(strict(each)["id"] for each in others)}
    assert len(ids) == 1 + len(others)


def test_a_cell_reads_one_figure_of_a_quote(app: FlaskClient) -> None:
    at = address(app, as_of="2026-11-30")
    alone = "/v1/compare?systems=ipu-pod16,dgx-a100-640gb&benchmark=resnet&round=v1.0&baseline=dgx-a100-640gb&as_of=2026-11-30"
    for field in ("relative.performance_per_dollar", "cost_per_run", "rack_cost"):
        one = "&system=ipu-pod16"
        expected = app.get(f"{alone}{one}&field={field}&format=value").text
        assert app.get(f"{at}?format=value{one}&field={field}").text == expected
    problem(app.get(f"{at}?field=cost_per_run"), 422)
    problem(app.get(f"{at}?field=nothing&system=ipu-pod16"), 422)
    problem(app.get(f"{at}?field=cost_per_run&system=dgx-2"), 404)


@pytest.mark.parametrize("noun", ["compare", "tco", "breakeven", "robustness"])
def test_every_kind_of_question_replays_to_the_digit(app: FlaskClient, noun: str) -> None:
    more = {"samples": 300, "vary": ["dgx-a100-640gb.price:270000:330000"]} if noun == "robustness" else {}
    made = strict(freeze(app, noun, pue_ratio=1.25, set=["ipu-pod16.price:150000"], **more))
    found = strict(app.get(f"{made['address']}/replay"))
    assert (found["agrees"], found["differences"]) == (True, [])


def test_a_replay_names_what_comes_out_otherwise(app: FlaskClient, library: Library) -> None:
    at = address(app)
    assert library.store is not None
    mine = quote_body.c.form == "json"
    with library.store.writing() as connection:
        body = json.loads(zlib.decompress(connection.execute(select(quote_body.c.content).where(mine)).scalar_one()))
        body["systems"][0]["tco_undiscounted"] += 1
        changed = zlib.compress(json.dumps(body).encode())
        connection.execute(update(quote_body).where(mine).values(content=changed))
    found = strict(app.get(f"{at}/replay"))
    assert not found["agrees"]
    (difference,) = found["differences"]
    assert difference["path"] == "systems[0].tco_undiscounted" and difference["frozen"] == difference["now"] + 1


def test_a_quote_of_private_prices_looks_absent_to_who_may_not_read_them(
    app: FlaskClient, library: Library, key: Any
) -> None:
    assert prices(library, SECRET, book="acme").published
    refreshed(app)
    ours = key("read:acme")
    assert freeze(app, books="acme,public").status_code == 404
    made = freeze(app, headers=ours, books="acme,public")
    at = made.json["address"]
    assert "251234" in app.get(at, headers=ours).text
    for path in (at, f"{at}/replay", f"{at}?field=price&system=dgx-a100-640gb"):
        for who in ({}, key("read:other")):
            refused, absent = app.get(path, headers=who), app.get(path.replace(made.json["id"], "q0"), headers=who)
            assert refused.status_code == absent.status_code == 404
            assert refused.text.replace(made.json["id"], "q0") == absent.text and "251234" not in refused.text


def test_after_a_purge_a_quote_is_gone_and_nothing_of_it_is_left(app: FlaskClient, library: Library, key: Any) -> None:
    assert prices(library, SECRET, book="acme").published
    refreshed(app)
    ours = key("read:acme")
    at = freeze(app, headers=ours, books="acme", set=["ipu-pod16.price:140001"]).json["address"]
    other = address(app)
    purge_book(library, "acme")
    refreshed(app)
    problem(app.get(at, headers=ours), 410)
    problem(app.get(f"{at}/replay", headers=ours), 410)
    assert app.get(other).status_code == 200, "a quote of other books stays"
    assert library.store is not None
    with library.store.reading() as connection:
        rows = [tuple(row) for table in (quote, quote_body) for row in connection.execute(select(table)).all()]
    assert not any("140001" in str(row) for row in rows)


def test_a_quote_says_until_when_it_holds(app: FlaskClient) -> None:
    past = app.post("/v1/quotes", json={"question": "tco", "fields": ASKED, "valid_until": "2020-01-01"}).json
    assert (past["valid_until"], past["valid"]) == ("2020-01-01", False)


BAD = {
    "an unknown question": ({"question": "guess", "fields": ASKED}, 404),
    "an unknown field": ({"question": "tco", "fields": {**ASKED, "nonsense": 1}}, 422),
    "an unknown system": ({"question": "tco", "fields": {"systems": "ipu-pod15"}}, 404),
    "a format": ({"question": "tco", "fields": {**ASKED, "format": "csv"}}, 422),
    "no fields": ({"question": "tco"}, 422),
    "a wrong day": ({"question": "tco", "fields": ASKED, "valid_until": "soon"}, 422),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_frozen_is_refused(app: FlaskClient, name: str) -> None:
    body, status = BAD[name]
    problem(app.post("/v1/quotes", json=body), status)


def test_an_id_that_is_none_is_not_found(app: FlaskClient) -> None:
    problem(app.get("/v1/quotes/q123"), 404)
    problem(app.get("/v1/quotes/q123/replay"), 404)
