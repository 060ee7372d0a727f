"""The documents are true: their commands give their outputs, and what can be asked for is in the reference."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
import requests

from schemas.caveat import MEANINGS
from tests import documents
from tests.documents import ROOT


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The service under its real gunicorn, on a free port."""
    from tests.servers import free_port  # noqa: PLC0415

    number = free_port()
    command = [sys.executable, "-m", "service.cli", "serve"]
    server = subprocess.Popen(
        command, cwd=ROOT, env={"PORT": str(number), "PATH": "/usr/bin:/bin"}, stdout=subprocess.DEVNULL
    )
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
def test_the_readmes_commands_give_the_readmes_outputs(port: int, request: pytest.FixtureRequest) -> None:
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    found = documents.rerun(text, port)
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
    for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for path in re.findall(r"`((?:service|pricing|schemas|tests|docs)/[\w/.]+)`", text):
            assert (ROOT / path).exists(), f"{name} speaks of {path}"


def test_every_caveat_has_a_meaning_and_every_meaning_a_caveat() -> None:
    assert documents.caveat_codes() == sorted(MEANINGS)
