"""The tables: what the steps make is what the code says, on both engines; nothing is made when a worker starts."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert

from pricing.catalogue.checking_books import check_books
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.store import SCHEMA, Store
from pricing.catalogue.store_tables import metadata, price
from pricing.errors import StoreUnavailable, TraincostError
from service.app import create_app
from service.settings import Settings
from tests.pricing.catalogue.books.imports import DGX, prices
from tests.service.test_api import ASKED


def test_the_steps_make_the_tables_that_the_code_has(library: Library) -> None:
    assert library.store is not None
    with library.store.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_newest_step_is_the_revision_that_the_code_knows() -> None:
    import pricing.catalogue.migrations.versions as steps  # noqa: PLC0415

    names = sorted(path.stem for folder in steps.__path__ for path in Path(folder).glob("0*.py"))
    assert names[-1].startswith(SCHEMA)


def test_migrating_again_changes_nothing(library: Library) -> None:
    assert library.store is not None
    assert library.store.migrate() == (SCHEMA, SCHEMA)


def test_nothing_is_made_by_a_worker_or_a_question(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "books.db"
    app = create_app(Settings(database_url=f"sqlite:///{file}"))
    client = app.test_client()
    assert (
        client.get(ASKED).status_code == client.get("/v1/books").status_code == client.get("/readyz").status_code == 200
    )
    assert client.get("/v1/catalogue/versions").status_code == 200
    assert not file.parent.exists()


def test_a_database_that_does_not_answer_is_503_and_says_nothing_of_itself(tmp_path: Path) -> None:
    from tests.servers import free_port  # noqa: PLC0415

    secret = "canary-password"
    url = f"postgresql://someone:{secret}@127.0.0.1:{free_port()}/books"
    client = create_app(Settings(database_url=url)).test_client()
    response = client.get(ASKED)
    assert response.status_code == 503 and response.headers["Retry-After"]
    assert secret not in response.text and "127.0.0.1" not in response.text
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("url", ["nonsense", "sqlite:/x", "oracle://a:canary@b/c", "://"])
def test_an_address_of_another_form_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(TraincostError) as raised:
        Store(url).migrate()
    assert "canary" not in str(raised.value)


def test_a_database_without_tables_says_what_to_do(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreUnavailable, match="run traincost migrate"),
        Store(f"sqlite:///{tmp_path / 'x.db'}").reading(),
    ):
        pass


def test_a_check_finds_a_book_that_is_not_whole(library: Library) -> None:
    assert library.store is not None
    assert prices(library, DGX, "ipu-pod16,140000,USD,list,a test,2026-01-01").published
    assert check_books(library) == []
    row = {"import_id": 1, "line": 9, "system": "no-such-system", "amount": "12x", "currency": "USD", "kind": "list", "per": "system",
           "every": "once", "valid_from": __import__("datetime").date(2026, 1, 1), "date_precision": "day", "about": False,
           "source": "x", "region": "", "minimum_quantity": 1}  # fmt: skip
    with library.store.writing() as connection:
        connection.execute(insert(price).values(row))
    found = check_books(library)
    assert "public.1: 2 rows were published, and there are 3" in found
    assert any("public: a row cannot be read" in each for each in found)
    assert library.open(EVERYTHING).version.endswith("public.1")
