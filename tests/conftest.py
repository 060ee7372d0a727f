"""What all tests share: the catalogue, a client, real programs, and no network but this machine."""

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from pricing.analysis.asking import ask
from pricing.analysis.compare import Comparison, compare
from pricing.catalogue.catalogue import Catalogue, shipped
from pricing.catalogue.library import Library
from service.app import create_app
from service.parameters import compare_parameters
from service.settings import Settings
from tests import postgres as postgres_server
from tests.servers import program

NO_BOOKS = tempfile.TemporaryDirectory(prefix="traincost-tests-", ignore_cleanup_errors=True)  # gone with the tests
os.environ["XDG_DATA_HOME"] = NO_BOOKS.name  # nobody's own books take part
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the golden answers; their diff is the review")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        name = mark.args[0]
        if program(name) is None and not (name == "postgres" and postgres_server.folder_of_programs()):
            if os.environ.get("CI") == "true":
                pytest.fail(f"{name} is not installed, and in CI nothing may be skipped")
            pytest.skip(f"{name} is not installed")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise AssertionError(f"a test wants the network: {address}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    """A real PostgreSQL, started when the first test asks for it."""
    with postgres_server.server() as found:
        yield found


ENGINES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgres")))


@pytest.fixture(params=ENGINES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, on each engine in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'books.db'}"
    found: str = request.getfixturevalue("postgres").fresh()
    return found


@pytest.fixture
def library(database: str) -> Iterator[Library]:
    """An empty library on each engine in turn, its tables made."""
    found = Library(database=database)
    assert found.store is not None
    found.store.migrate()
    yield found
    found.close()


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return shipped()


@pytest.fixture(scope="session")
def client() -> Iterator[FlaskClient]:
    yield create_app(Settings()).test_client()


@pytest.fixture
def compared(catalogue: Catalogue) -> Callable[..., Comparison]:
    """Compare systems as the API would, from the same texts."""

    def run(systems: str, baseline: str | None = None, **fields: Any) -> Comparison:
        loaded = compare_parameters()().load({"systems": systems, **fields})
        return compare(catalogue, ask(catalogue, loaded), baseline)

    return run
