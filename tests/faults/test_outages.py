"""The database does not answer for a while: that is said, and afterwards it works again without a restart."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pricing.catalogue.books import heads
from pricing.catalogue.library import Library
from pricing.errors import StoreUnavailable
from tests.faults.contents import head_of
from tests.faults.moments import moments, once
from tests.postgres import Server, server
from tests.pricing.catalogue.books.imports import DGX, amounts, prices


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Library, sqlite3.Connection]]:
    """A library with a row, and a connection that can lock its file; nobody waits long."""
    monkeypatch.setattr("pricing.catalogue.store.PATIENCE_MS", 1)
    path = tmp_path / "books.db"
    with closing(Library(database=f"sqlite:///{path}")) as library:
        prices(library, DGX)
        with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as other:
            yield library, other


def check_unavailable(library: Library) -> None:
    """A worker that has asked before, and one that has not, say so."""
    with closing(Library(database=library.database)) as other:
        for each in (library.store, other.store):
            assert each is not None
            with pytest.raises(StoreUnavailable):
                heads(each)


def test_a_locked_file_is_said_and_works_when_it_is_free(locked: tuple[Library, sqlite3.Connection]) -> None:
    library, other = locked
    library.close()
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    assert library.store is not None
    for _ in range(2):
        check_unavailable(library)
        with pytest.raises(StoreUnavailable, match="locked"):
            prices(library, DGX.replace("250000", "240000"))
    other.close()
    assert heads(library.store)["public"].head == 1
    assert prices(library, DGX.replace("250000", "240000")).published
    assert amounts(library) == ["240000"]


def test_while_another_writes_one_may_read_and_an_import_that_cannot_write_leaves_nothing(
    locked: tuple[Library, sqlite3.Connection],
) -> None:
    library, other = locked
    other.execute("BEGIN IMMEDIATE")
    assert head_of(library) == 1 and amounts(library) == ["250000"]
    with pytest.raises(StoreUnavailable, match="locked"):
        prices(library, DGX.replace("250000", "240000"))
    other.execute("ROLLBACK")
    assert prices(library, DGX.replace("250000", "240000")).published
    assert head_of(library) == 2


def test_a_file_that_is_damaged_is_said_and_works_when_it_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "books.db"
    with closing(Library(database=f"sqlite:///{path}")) as library:
        prices(library, DGX)
        library.close()
        content = path.read_bytes()
        path.write_bytes(b"x" * len(content))
        assert library.store is not None
        check_unavailable(library)
        library.close()
        path.write_bytes(content)
        assert amounts(library) == ["250000"]


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """A PostgreSQL that a test may stop."""
    with server() as found:
        yield found


@pytest.fixture
def held(own_server: Server) -> Iterator[Library]:
    """A library with a row on that server."""
    with closing(Library(database=own_server.fresh())) as library:
        assert library.store is not None
        library.store.migrate()
        prices(library, DGX)
        yield library


needs_postgres = pytest.mark.needs("postgres")


@needs_postgres
def test_a_server_that_is_stopped_is_said_and_works_when_it_is_back(held: Library, own_server: Server) -> None:
    assert held.store is not None
    own_server.stop()
    try:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                heads(held.store)
            with pytest.raises(StoreUnavailable):
                prices(held, DGX.replace("250000", "240000"))
    finally:
        own_server.start()
    assert heads(held.store)["public"].head == 1
    assert prices(held, DGX.replace("250000", "240000")).published
    assert amounts(held) == ["240000"]


@needs_postgres
def test_a_server_that_was_restarted_unnoticed_answers_at_once(held: Library, own_server: Server) -> None:
    own_server.stop()
    own_server.start()
    assert head_of(held) == 1
    assert amounts(held) == ["250000"]


@needs_postgres
@pytest.mark.parametrize("name", ["INSERT INTO import", 'COPY "price"', "UPDATE book SET", "before COMMIT"])
def test_a_server_that_restarts_within_an_import_leaves_the_old_version(
    held: Library, own_server: Server, name: str
) -> None:
    def restart() -> None:
        own_server.stop()
        own_server.start()

    with moments(once(lambda _, at: at == name, restart)), pytest.raises(StoreUnavailable):
        prices(held, DGX.replace("250000", "240000"))
    assert head_of(held) == 1
    assert amounts(held) == ["250000"]
    assert prices(held, DGX.replace("250000", "240000")).published
    assert amounts(held) == ["240000"]
