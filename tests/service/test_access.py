"""Who may read and write what; what one may not read influences nothing that one sees."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import TestResponse

from pricing.catalogue.keys import all_keys, find_key, make_key, revoke_key
from pricing.catalogue.library import Library
from pricing.catalogue.store_tables import api_key
from pricing.errors import BadQuestion
from service.app import create_app
from service.settings import Settings
from tests.pricing.catalogue.books.imports import DGX, HEADER, prices
from tests.service.test_api import ASKED, strict

CSV = f"{HEADER}\n{DGX}\n"
KEYS = ("GET /v1/keys", "POST /v1/keys", "DELETE /v1/keys/{number}")


@pytest.fixture
def app(library: Library) -> Iterator[FlaskClient]:
    """The service on the library's database."""
    made = create_app(Settings(database_url=library.database))
    yield made.test_client()
    made.extensions["traincost"].close()


@pytest.fixture
def key(library: Library) -> Callable[..., dict[str, str]]:
    """Makes a key with rights, and gives the header for it."""

    def made(*rights: str, **more: Any) -> dict[str, str]:
        assert library.store is not None
        return {"Authorization": f"Bearer {make_key(library.store, 'a test', rights, **more)}"}

    return made


def send(app: FlaskClient, headers: dict[str, str], body: str = CSV, **query: Any) -> TestResponse:
    asked = {"source": "a-list", **query}
    return app.post("/v1/imports", query_string=asked, data=body, headers={"Content-Type": "text/csv", **headers})


def test_public_facts_are_read_without_a_key_unless_a_setting_turns_that_off(
    library: Library, app: FlaskClient, key: Any
) -> None:
    assert app.get(ASKED).status_code == 200
    closed = create_app(Settings(database_url=library.database, public_reading=False))
    client = closed.test_client()
    refused = client.get(ASKED)
    assert refused.status_code == 401 and refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert strict(refused)["type"] == "/problems/unauthorised"
    assert client.get(ASKED, headers=key("read:acme")).status_code == 200
    assert client.get("/healthz").status_code == client.get("/docs").status_code == 200
    closed.extensions["traincost"].close()


@pytest.mark.parametrize(
    "headers",
    [{"Authorization": "Bearer nonsense"}, {"X-API-Key": "tck_000000000000_" + "0" * 64}, {"X-API-Key": "ü" * 50},
     {"Authorization": "Basic dXNlcjpwYXNz"}, {"Authorization": "Bearer " + "x" * 5000}, {"X-API-Key": "tck__"}],
)  # fmt: skip
def test_a_key_that_does_not_hold_is_401_with_the_same_body(app: FlaskClient, headers: dict[str, str]) -> None:
    encoded = {name: value.encode().decode("latin-1") for name, value in headers.items()}
    response = app.get(ASKED, headers=encoded)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="traincost"'
    assert strict(response)["detail"] in ("the key is none that holds", "only Authorization: Bearer KEY is understood")


def test_a_revoked_and_an_expired_key_hold_no_longer(library: Library, app: FlaskClient, key: Any) -> None:
    from datetime import UTC, datetime  # noqa: PLC0415

    assert library.store is not None
    held = key("read:acme")
    assert app.get(ASKED, headers=held).status_code == 200
    revoke_key(library.store, held["Authorization"].split("_")[1])
    assert app.get(ASKED, headers=held).status_code == 401
    expired = key("admin", expires_at=datetime(2199, 1, 1, tzinfo=UTC))
    with library.store.writing() as connection:
        past = {"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}
        connection.execute(update(api_key).where(api_key.c.id == expired["Authorization"].split("_")[1]).values(past))
    assert app.get(ASKED, headers=expired).status_code == 401
    assert app.get(ASKED, headers=key("admin", expires_at=datetime(2199, 1, 1, tzinfo=UTC))).status_code == 200


def test_an_import_needs_its_right(app: FlaskClient, key: Any) -> None:
    assert send(app, {}).status_code == 401
    for rights in (("read:public",), ("import:acme",)):
        refused = send(app, key(*rights))
        assert refused.status_code == 403
        assert strict(refused)["detail"] == "this key has no right import:public"
    assert strict(send(app, key("read:public"), book="nowhere"))["detail"] == "this key has no right import:nowhere"
    done = send(app, key("import:public"))
    assert done.status_code == 201 and strict(done)["published"].endswith("+public.1")
    assert strict(send(app, key("admin"), body=CSV.replace("250000", "251000")))["published"].endswith("+public.2")


def test_a_private_book_is_read_with_its_right_and_looks_absent_without(
    library: Library, app: FlaskClient, key: Any
) -> None:
    prices(library, DGX, book="acme")
    asked = f"{ASKED}&books=acme"
    mine = app.get(asked, headers=key("read:acme"))
    assert strict(mine)["systems"][1]["price"] == 250000
    assert strict(mine)["books"] == ["acme"] and strict(mine)["catalogue"].endswith("+acme.1")
    assert mine.headers["Cache-Control"] == "private, no-cache"
    version = strict(mine)["catalogue"]
    for headers in ({}, key("read:other"), key("import:acme")):
        for address, absent in (
            (asked, asked.replace("acme", "none")),
            (f"{ASKED}&catalogue={version}", f"{ASKED}&catalogue={version.replace('acme', 'none')}"),
            ("/v1/books/acme/prices", "/v1/books/none/prices"),
            ("/v1/catalogue/versions?book=acme", "/v1/catalogue/versions?book=none"),
            (f"/v1/catalogue/diff?before={version}", f"/v1/catalogue/diff?before={version.replace('acme', 'none')}"),
        ):
            forbidden, missing = app.get(address, headers=headers), app.get(absent, headers=headers)
            assert forbidden.status_code == missing.status_code == 404, address
            assert forbidden.data.replace(b"acme", b"none") == missing.data


def test_a_book_that_one_may_not_read_influences_nothing(library: Library, app: FlaskClient, key: Any) -> None:
    addresses = [ASKED, "/v1/prices", "/v1/prices?system=dgx-a100-640gb", "/v1/books", "/v1/catalogue/versions",
                 "/v1/compare?systems=secret-rig", "/v1/systems?vendor=Secret", "/v1/compare?systems=ipu-pod16&books=acmee"]  # fmt: skip
    other = key("read:other")

    def seen() -> list[tuple[int, bytes, str | None]]:
        answers = [app.get(address, headers=headers) for headers in ({}, other) for address in addresses]
        return [(each.status_code, each.data, each.headers.get("ETag")) for each in answers]

    before = seen()
    prices(library, DGX, "ipu-pod16,1,USD,list,a test,2026-01-01", book="acme", accept=("outlier",))
    from tests.pricing.catalogue.books.imports import take_in  # noqa: PLC0415

    system = "id,name,vendor,accelerator_model,accelerators,hosts,source\nsecret-rig,Secret Rig,Secret,X1,8,1,ours\n"
    assert take_in(library, system, "systems", book="acme").published
    app.application.extensions["traincost"].heads(exact=True)
    assert seen() == before


def test_an_answer_kept_for_one_key_is_not_given_to_another(library: Library, app: FlaskClient, key: Any) -> None:
    prices(library, DGX, book="acme")
    asked = f"{ASKED}&books=acme"
    holder = key("read:acme")
    for _ in range(2):
        assert app.get(asked, headers=holder).status_code == 200
        assert app.get(asked).status_code == 404
        assert app.get(asked, headers=key("read:other")).status_code == 404
    assert library.store is not None
    revoke_key(library.store, holder["Authorization"].split("_")[1])
    assert app.get(asked, headers=holder).status_code == 401
    assert "Authorization" in app.get(ASKED).headers["Vary"]


def test_a_sheet_token_reads_from_an_address_and_nothing_more(library: Library, app: FlaskClient, key: Any) -> None:
    prices(library, DGX, book="acme")
    assert library.store is not None
    token = make_key(library.store, "a cell", ["read:acme"], sheet=True)
    cell = app.get(f"{ASKED}&books=acme&system=dgx-a100-640gb&field=price&format=value&token={token}")
    assert (cell.status_code, cell.text) == (200, "250000")
    assert app.get(f"{ASKED}&token={token[:-1]}0").status_code == 401 or token.endswith("0")
    strong = key("read:acme")["Authorization"].split()[1]
    in_address = app.get(f"{ASKED}&token={strong}")
    assert in_address.status_code == 401 and "only a sheet token may stand in an address" in in_address.text
    for rights in (["admin"], ["import:acme"], ["read:acme", "import:acme"]):
        with pytest.raises(BadQuestion, match="it may only read"):
            make_key(library.store, "a cell", rights, sheet=True)
    refused = app.post(
        f"/v1/imports?source=a-list&book=acme&token={token}", data=CSV, headers={"Content-Type": "text/csv"}
    )
    assert refused.status_code in (403, 422)
    page = app.get(f"/v1/prices?limit=1&token={token}")
    assert token not in page.text and token not in page.headers.get("Link", "")


def test_a_key_is_kept_as_a_hash_and_told_once(
    library: Library, app: FlaskClient, key: Any, caplog: pytest.LogCaptureFixture
) -> None:
    from sqlalchemy import text  # noqa: PLC0415

    caplog.set_level(logging.DEBUG)
    admin = key("admin")
    made = app.post("/v1/keys", json={"label": "a reseller", "rights": ["import:public", "read:acme"]}, headers=admin)
    assert made.status_code == 201
    secret = strict(made)["key"].rsplit("_", 1)[1]
    listed = app.get("/v1/keys", headers=admin)
    assert secret not in listed.text and "a reseller" in listed.text
    assert library.store is not None
    with library.store.reading() as connection:
        rows = json.dumps([list(map(str, row)) for row in connection.execute(text("SELECT * FROM api_key"))])
    assert secret not in rows
    app.get(ASKED, headers={"X-API-Key": strict(made)["key"]})
    app.get(f"{ASKED}&token={strict(made)['key']}")
    assert secret not in caplog.text


def test_keys_are_for_those_who_administer(library: Library, app: FlaskClient, key: Any) -> None:
    for headers, status in (({}, 401), (key("read:public"), 403), (key("admin"), 200)):
        assert app.get("/v1/keys", headers=headers).status_code == status
    admin = key("admin")
    for body in ({"label": "x", "rights": ["write:acme"]}, {"label": "x", "rights": []}, {"label": "x", "rights": ["read:A"]},
                 {"rights": ["admin"]}, {"label": "x", "rights": ["admin"], "owner": "me"}):  # fmt: skip
        assert app.post("/v1/keys", json=body, headers=admin).status_code == 422
    number = strict(app.post("/v1/keys", json={"label": "x", "rights": ["read:acme"]}, headers=admin))["key"].split(
        "_"
    )[1]
    assert app.delete(f"/v1/keys/{number}", headers=key("read:acme")).status_code == 403
    assert app.delete(f"/v1/keys/{number}", headers=admin).status_code == 204
    assert app.delete("/v1/keys/000000000000", headers=admin).status_code == 404
    assert library.store is not None
    assert [each.holds for each in all_keys(library.store) if each.id == number] == [False]


def test_every_address_is_in_this_matrix_of_roles(app: FlaskClient, key: Any) -> None:
    roles = {"nobody": {}, "reader": key("read:acme"), "importer": key("import:public"), "admin": key("admin")}
    free = dict.fromkeys(roles, True)
    writers = {"nobody": False, "reader": False, "importer": True, "admin": True}
    matrix = {
        "POST /v1/imports": writers,
        "POST /v1/sources/{name}/sync": {**free, "nobody": False},
        "GET /v1/sources": {**free, "nobody": False},
        **{verb: {**dict.fromkeys(roles, False), "admin": True} for verb in KEYS},
    }
    document = strict(app.get("/openapi.json"))
    asked = 0
    for path, operations in document["paths"].items():
        for method in operations.keys() - {"parameters"}:
            expected = matrix.get(f"{method.upper()} {path}", free)
            for role, headers in roles.items():
                query = {"source": "x"} if path == "/v1/imports" else {}
                response = app.open(
                    path.replace("{", "").replace("}", ""), method=method.upper(), headers=headers, query_string=query
                )
                assert (response.status_code not in (401, 403)) is expected[role], (method, path, role, response.text)
                asked += 1
    assert asked > 60


def test_a_key_is_found_only_by_its_own_kind(library: Library) -> None:
    assert library.store is not None
    made = make_key(library.store, "x", ["read:acme"])
    assert find_key(library.store, made) is not None
    for text in (made.replace("tck_", "tcs_"), made[:-1], made + "0", made.upper(), "", "_", "__", "tck_" + "a" * 200):
        assert find_key(library.store, text) is None


def test_a_key_that_may_only_import_is_not_told_what_the_book_holds(
    library: Library, app: FlaskClient, key: Any
) -> None:
    prices(library, DGX.replace("250000", "234567"), book="acme", source="a-list")
    system = "id,name,vendor,accelerator_model,accelerators,hosts,source\nsecret-sys,Secret,S,X1,8,1,ours\n"
    from tests.pricing.catalogue.books.imports import take_in  # noqa: PLC0415

    take_in(library, system, "systems", book="acme")
    blind, seeing = key("import:acme"), key("import:acme", "read:acme")
    for query, body in (
        ({}, CSV.replace("250000", "1000")), ({"merge": "1"}, CSV), ({"source": "another"}, CSV), ({"dry_run": "1"}, CSV),
        ({}, CSV.replace("dgx-a100-640gb", "secret-sy")),
    ):  # fmt: skip
        text = send(app, blind, body, book="acme", **{"dry_run": "1", **query}).text
        assert "234567" not in text and "secret-sys" not in text and "acme.1" not in text, text
    told = send(app, seeing, CSV.replace("250000", "1000"), book="acme", dry_run="1").text
    assert "234567" in told
