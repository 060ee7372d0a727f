"""Importing over HTTP: the body is the file, the report is the answer, a refusal names file, line and column."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from pricing.catalogue.keys import make_key
from pricing.catalogue.library import Library
from service.app import create_app
from service.settings import Settings
from tests.pricing.catalogue.books.imports import DGX, HEADER
from tests.service.test_api import ASKED, strict

CSV = f"{HEADER}\n{DGX}\n"
Send = Callable[..., Any]


@pytest.fixture
def app(library: Library) -> Iterator[FlaskClient]:
    made = create_app(Settings(database_url=library.database, max_body_bytes=100_000))
    yield made.test_client()
    made.extensions["traincost"].close()


@pytest.fixture
def send(library: Library, app: FlaskClient) -> Send:
    """Send a body as an administrator."""
    assert library.store is not None
    admin = {"Authorization": f"Bearer {make_key(library.store, 'the administrator', ['admin'])}"}

    def does(body: str | bytes = CSV, kind: str = "text/csv", query: str = "source=a-list") -> Any:
        return app.post(f"/v1/imports?{query}", data=body, headers={**admin, "Content-Type": kind})

    return does


def test_a_list_that_is_sent_is_in_the_next_answer(app: FlaskClient, send: Send) -> None:
    assert strict(app.get(ASKED))["systems"][1]["price"] == 300000
    done = send()
    report = strict(done)
    assert (done.status_code, report["rows"], report["changes"]) == (201, 1, {"added": 1, "gone": 0, "changed": 0})
    app.application.extensions["traincost"].heads(exact=True)
    answer = strict(app.get(ASKED))
    assert answer["systems"][1]["price"] == 250000
    assert answer["systems"][1]["provenance"]["price"]["source"] == "a test"
    listed = answer["systems"][1]["listed_price"]
    assert (listed["book"], listed["row"], listed["entered_by"]) == ("public", "public.1:2", "the administrator")
    assert [each["book"] for each in listed["competing"]] == ["facts"]
    assert answer["catalogue"] == report["published"]
    before = strict(app.get(f"{ASKED}&catalogue={report['published'].split('+')[0]}"))
    assert before["systems"][1]["price"] == 300000
    assert send().status_code == 200, "nothing changed"


def test_a_dry_run_is_200_and_changes_nothing(app: FlaskClient, send: Send) -> None:
    done = send(query="source=a-list&dry_run=1")
    assert done.status_code == 200 and strict(done)["published"] is None and strict(done)["changes"]["added"] == 1
    assert strict(app.get("/v1/books"))["books"] == []


def test_a_refusal_names_line_column_and_the_right_form(app: FlaskClient, send: Send) -> None:
    done = send(
        f"{HEADER}\n{DGX}\n{DGX.replace('250000', '250.000,00').replace(',00', '')}\n{DGX.replace('USD', 'usd')}\n"
    )
    problem = strict(done)
    assert (done.status_code, problem["type"], done.content_type) == (
        422,
        "/problems/import-refused",
        "application/problem+json",
    )
    assert problem["errors"][0]["field"] == "amount"
    assert problem["errors"][0]["detail"].startswith(
        "line 3, column amount: '250.000' may be 250.000 or 250000: declare decimal point"
    )
    assert problem["errors"][1]["detail"].startswith("line 4, column currency: 'usd' is not an ISO 4217 code")
    assert problem["report"]["faults"][1]["line"] == 4
    assert strict(app.get("/v1/books"))["books"] == []


def test_a_warning_is_accepted_by_its_name(send: Send) -> None:
    body = CSV.replace("250000", "2500000000")
    problem = strict(send(body))
    assert problem["detail"].endswith("to import all the same: accept outlier")
    assert send(body, query="source=a-list&accept=outlier").status_code == 201
    assert send(body, query="source=a-list&accept=outlyer").status_code == 404


@pytest.mark.parametrize(
    ("kind", "status"),
    [("text/csv; charset=utf-8", 201), ("application/x-www-form-urlencoded", 415), ("multipart/form-data; boundary=x", 415),
     ("", 415), ("application/json", 422), ("application/x-ndjson", 422), ("text/tab-separated-values", 422),
     ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 422)],
)  # fmt: skip
def test_the_media_type_says_what_the_body_is(send: Send, kind: str, status: int) -> None:
    response = send(kind=kind)
    assert response.status_code == status
    if status == 415:
        assert "text/csv" in strict(response)["detail"] and "Content-Type" in strict(response)["detail"]


def test_all_forms_of_a_file_give_the_same_book(app: FlaskClient, send: Send) -> None:
    send()
    kinds = {"csv": "text/csv", "json": "application/json", "ndjson": "application/x-ndjson",
             "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}  # fmt: skip
    for form, kind in kinds.items():
        exported = app.get(f"/v1/books/public/prices?format={form}")
        assert exported.content_type == kind
        again = send(exported.data, kind, "source=a-list&dry_run=1")
        assert again.status_code == 200 and strict(again)["changes"] == {"added": 0, "gone": 0, "changed": 0}


@pytest.mark.parametrize(
    ("query", "field"),
    [("", "source"), ("source=A", "source"), ("source=a-list&book=Acme", "book"), ("source=a-list&decimal=dot", "decimal"),
     ("source=a-list&colour=red", "colour"), ("source=a-list&map=amount", "map"), ("source=a-list&thousands=point", "thousands"),
     ("source=a-list&source=b-list", "source"), ("source=a-list&dry_run=yes", "dry_run"), ("source=a-list&noun=price", "noun")],
)  # fmt: skip
def test_a_wrong_parameter_is_named(send: Send, query: str, field: str) -> None:
    problem = strict(send(query=query))
    assert problem["status"] == 422 and field in [each["field"] for each in problem["errors"]]


def test_a_body_over_the_limit_is_413(send: Send) -> None:
    response = send(CSV + "x" * 100_000)
    assert response.status_code == 413


def test_columns_are_mapped_over_http_as_on_the_command_line(send: Send) -> None:
    body = "Product;Net price\nDGX A100 640GB;250.000,50\n"
    query = ("source=a-list&delimiter=semicolon&decimal=comma&thousands=point&map=system=Product&map=amount=Net price"
             "&fill=currency=EUR&fill=kind=list&fill=source=A&fill=valid_from=2026-01-01")  # fmt: skip
    assert send(body, query=query).status_code == 201


def test_the_template_is_a_file_that_can_be_filled_in(app: FlaskClient, send: Send) -> None:
    template = app.get("/v1/imports/template")
    header = template.text.splitlines()[0].split(",")
    assert header[:6] == HEADER.split(",")
    assert 'filename="prices.csv"' in template.headers["Content-Disposition"]
    filled = [dict(zip(HEADER.split(","), DGX.split(","), strict=True)).get(name, "") for name in header]
    assert send(f"{','.join(header)}\n{','.join(filled)}\n").status_code == 201
    workbook = app.get("/v1/imports/template?format=xlsx&noun=systems")
    assert workbook.data[:2] == b"PK"


def test_versions_and_their_difference_are_answers(app: FlaskClient, send: Send) -> None:
    first = strict(send())["published"]
    second = strict(send(CSV.replace("250000", "290000")))["published"]
    app.application.extensions["traincost"].heads(exact=True)
    versions = strict(app.get("/v1/catalogue/versions"))
    assert [each["version"] for each in versions["versions"]] == [second, first]
    assert versions["catalogue"] == second and versions["facts"] == [first.split("+")[0]]
    found = strict(app.get("/v1/catalogue/diff", query_string={"before": first, "after": second}))
    (change,) = found["prices"]["public"]["rows_changed"]
    assert (change["before"]["amount"], change["after"]["amount"], change["cells"]) == (250000, 290000, ["amount"])
    assert any(each["name"].startswith("claim") for each in found["answers"])
    text = app.get("/v1/catalogue/diff", query_string={"before": first, "after": second, "format": "table"}).text
    assert "1 changed" in text and all(len(line) <= 80 or "facts." in line for line in text.splitlines())
    assert app.get("/v1/catalogue/diff").status_code == 422


def test_prices_of_books_are_listed_before_the_shipped_ones_page_by_page(app: FlaskClient, send: Send) -> None:
    send("\n".join((HEADER, DGX, *(DGX.replace("2026-01-01", f"2026-02-{day:02}") for day in range(1, 8)))))
    app.application.extensions["traincost"].heads(exact=True)
    found, address = [], "/v1/prices?system=dgx-a100-640gb&limit=3"
    while address:
        page = strict(app.get(address))
        found += page["prices"]
        address = page["next"]
    assert page["total"] == len(found) == 8 + 1
    assert [each["book"] for each in found] == ["public"] * 8 + ["facts"]
    assert strict(app.get("/v1/prices?book=public&limit=1"))["total"] == 8
    assert strict(app.get("/v1/prices?book=facts&limit=1"))["total"] == 99
    assert app.get("/v1/prices?book=acme").status_code == 404
    assert app.get("/v1/prices?region=mars").status_code == 404


def test_what_a_purge_took_is_410(library: Library, app: FlaskClient, send: Send) -> None:
    from pricing.catalogue.purging import purge_book  # noqa: PLC0415

    version = strict(send())["published"]
    asked = f"{ASKED}&catalogue={version}"
    app.application.extensions["traincost"].heads(exact=True)
    assert app.get(asked).status_code == 200
    purge_book(library, "public")
    app.application.extensions["traincost"].heads(exact=True)
    gone = app.get(asked)
    assert (gone.status_code, strict(gone)["type"]) == (410, "/problems/purged")
    assert strict(app.get(ASKED))["catalogue"] == version.split("+")[0]


def test_a_source_is_taken_in_over_http_by_those_who_may_import_into_its_book(library: Library, tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "reseller.csv").write_text(CSV)
    (tmp_path / "acme" / "contract.csv").write_text(CSV.replace("250000", "240000"))
    assert library.store is not None
    made = create_app(Settings(database_url=library.database, price_lists=tmp_path))
    client = made.test_client()
    public, acme = ({"X-API-Key": make_key(library.store, book, [f"import:{book}"])} for book in ("public", "acme"))
    assert client.get("/v1/sources").status_code == 401
    assert [each["name"] for each in strict(client.get("/v1/sources", headers=public))["sources"]] == ["reseller"]
    done = client.post("/v1/sources/reseller/sync?dry_run=1", headers=public)
    assert done.status_code == 200 and strict(done)["report"]["published"] is None
    done = client.post("/v1/sources/reseller/sync", headers=public)
    assert strict(done)["good"] and strict(done)["report"]["published"].endswith("+public.1")
    forbidden, absent = (client.post(f"/v1/sources/{name}/sync", headers=public) for name in ("contract", "kontract"))
    assert forbidden.status_code == absent.status_code == 404
    assert forbidden.data.replace(b"contract", b"kontract") == absent.data
    assert strict(client.post("/v1/sources/contract/sync", headers=acme))["good"]
    (shown,) = strict(client.get("/v1/sources", headers=acme))["sources"]
    assert (shown["book"], shown["age"], shown["fault"]) == ("acme", "now", None)
    assert client.post("/v1/sources/contract/sync?accept=all", headers=acme).status_code == 404
    made.extensions["traincost"].close()
