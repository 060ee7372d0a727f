"""The documents are true: their commands give their outputs, and what can be asked for is in the reference."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from schemas.caveat import MEANINGS
from tests import documents
from tests.documents import ROOT


@contextmanager
def served(**settings: str) -> Iterator[int]:
    """The service under its real gunicorn, on a free port."""
    from tests.servers import free_port  # noqa: PLC0415

    number = free_port()
    command = [sys.executable, "-m", "service.cli", "serve"]
    environment = {"PORT": str(number), "PATH": "/usr/bin:/bin", **settings}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    for _ in range(300):
        try:
            if requests.get(f"http://127.0.0.1:{number}/readyz", timeout=1).ok:
                break
        except requests.RequestException:
            time.sleep(0.1)
    yield number
    server.terminate()
    assert server.wait(timeout=40) == 0


@pytest.mark.needs("curl")
@pytest.mark.parametrize(
    "name",
    ["README.md", "docs/price-lists.md", "docs/measured-times.md", "docs/economics.md", "docs/many-questions.md"],
)
def test_the_commands_of_a_document_give_its_outputs(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    path = ROOT / name
    text = path.read_text(encoding="utf-8")
    settings = {"TRAINCOST_DATABASE_URL": f"sqlite:///{tmp_path / 'books.db'}"}
    folder = ROOT if name == "README.md" else tmp_path
    with served(**settings) as port:
        found = documents.rerun(text, documents.Place(port, folder, settings))
    if request.config.getoption("--golden"):
        path.write_text(found, encoding="utf-8")
    else:
        assert found == text


def test_the_reference_is_what_the_code_says(request: pytest.FixtureRequest) -> None:
    path = ROOT / "docs" / "reference.md"
    if request.config.getoption("--golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(documents.reference(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == documents.reference()


def test_the_documents_name_no_file_that_is_not_there() -> None:
    for name in (
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/price-lists.md",
        "docs/measured-times.md",
        "docs/economics.md",
        "docs/many-questions.md",
    ):
        text = (ROOT / name).read_text(encoding="utf-8")
        for path in re.findall(r"`((?:service|pricing|schemas|tests|docs)/[\w/.]+)`", text):
            assert (ROOT / path).exists(), f"{name} speaks of {path}"


def test_every_caveat_has_a_meaning_and_every_meaning_a_caveat() -> None:
    assert documents.caveat_codes() == sorted(MEANINGS)
