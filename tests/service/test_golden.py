"""Answers kept as files: for their shape and against drift. `--golden` rewrites them; their diff is the review."""

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.service.test_api import ASKED, PAIR

GOLDEN = Path(__file__).parent.parent / "golden"
DAY = "as_of=2026-11-30"
ADDRESSES = {
    "compare.json": f"{ASKED}&{DAY}",
    "compare.csv": f"{ASKED}&{DAY}&format=csv",
    "compare.md": f"{ASKED}&{DAY}&format=md",
    "compare_five.txt": (
        f"/v1/compare?systems=ipu-pod16,ipu-pod64,dgx-a100-640gb,8*dgx-a100-640gb,own:ours&benchmark=resnet&round=v1.0"
        f"&{DAY}&estimate=linear&set=own:ours.time_to_train_minutes:20&format=table"
    ),
    "explain.json": f"{ASKED}&{DAY}&system=ipu-pod16&field=cost_per_run&explain=1",
    "tco.txt": f"/v1/tco?{PAIR}&{DAY}&format=table",
    "tco.csv": f"/v1/tco?{PAIR}&{DAY}&format=csv",
    "ranking.txt": f"/v1/ranking?benchmark=bert&round=v2.0&{DAY}&format=table",
    "claims.txt": f"/v1/claims?{DAY}&format=table",
    "systems.txt": "/v1/systems?vendor=Graphcore&format=table",
    "unknown.json": "/v1/compare?systems=ipu-pod15",
}


@pytest.mark.parametrize(("name", "address"), ADDRESSES.items(), ids=ADDRESSES)
def test_an_answer_is_what_it_was(client: FlaskClient, request: pytest.FixtureRequest, name: str, address: str) -> None:
    text = client.get(address).text.replace("\r\n", "\n")
    if name.endswith(".json"):
        text = json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"
    path = GOLDEN / name
    if request.config.getoption("--golden"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in ADDRESSES if name.endswith(".txt")])
def test_a_table_fits_a_terminal(name: str) -> None:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    assert max(len(line) for line in lines if "://" not in line) <= 80  # an address stays whole
    assert not any(line != line.rstrip() or "\x1b" in line for line in lines)
