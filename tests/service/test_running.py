"""The service as it runs: settings, ready answers, the real gunicorn, nginx before it, a browser."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from pricing.catalogue.facts import DATA
from service.app import create_app
from service.ready import OVERHEAD, Ready, ReadyAnswers, digest
from service.settings import BadSetting, Settings, from_environment
from tests.documents import ROOT
from tests.servers import free_port, program
from tests.service.test_api import ASKED


def test_settings_come_from_the_environment() -> None:
    assert from_environment({}) == Settings()
    found = from_environment({"TRAINCOST_MAX_BODY_BYTES": "100", "TRAINCOST_FACTS": str(DATA), "PATH": "/bin"})
    assert found.max_body_bytes == 100
    for name, value in (("MAX_BODY_BYTES", "ten"), ("READY_BYTES", "-1"), ("PORT", "1")):
        with pytest.raises(BadSetting, match=f"TRAINCOST_{name}"):
            from_environment({f"TRAINCOST_{name}": value})


def test_the_longest_body_is_a_setting() -> None:
    client = create_app(Settings(max_body_bytes=100)).test_client()
    body = {"systems": "ipu-pod16", "benchmark": "resnet"}
    assert client.post("/v1/compare", json=body).status_code == 200
    assert client.post("/v1/compare", json={**body, "preset": "x" * 100}).status_code == 413


def test_ready_answers_are_bounded_and_the_oldest_goes_first() -> None:
    size = 1000
    held = ReadyAnswers(12 * (size + OVERHEAD))
    for number in range(20):
        held.keep(digest(number), Ready(b"x" * size, "text/plain", "e", None))
        held.get(digest(0))
    assert held.get(digest(0)) is not None, "what is asked again and again stays"
    assert held.get(digest(1)) is None
    assert sum(held.get(digest(number)) is not None for number in range(20)) == 12
    held.keep(digest("large"), Ready(b"x" * 100_000, "text/plain", "e", None))
    assert held.get(digest("large")) is None
    assert len(digest("a" * 100_000)) == len(digest("b")) < OVERHEAD, "a long question holds no more memory"


def test_an_answer_from_memory_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    client = create_app(Settings()).test_client()
    first = client.get(ASKED)
    monkeypatch.setattr("service.questions.ask", lambda *_: pytest.fail("was computed again"))
    second = client.get(ASKED)
    assert second.data == first.data
    assert dict(second.headers) == dict(first.headers)


def test_an_answer_from_memory_is_of_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import date  # noqa: PLC0415

    client = create_app(Settings()).test_client()
    for day in (date(2021, 7, 1), date(2021, 6, 1), date(2021, 7, 1)):
        monkeypatch.setattr("service.responding.today", lambda day=day: day)
        monkeypatch.setattr("pricing.analysis.asking.today", lambda day=day: day)
        answer = client.get(ASKED).json
        assert answer is not None
        assert answer["as_of"] == day.isoformat()
        assert (answer["systems"][0]["price"] is None) == (day < date(2021, 6, 30))


def test_an_error_is_never_kept() -> None:
    client = create_app(Settings()).test_client()
    wrong = ASKED.replace("ipu-pod16", "ipu-pod15")
    assert [client.get(wrong).status_code for _ in range(2)] == [404, 404]
    assert client.get(wrong).headers["Cache-Control"] == "no-store"


def wait_for(address: str, process: "subprocess.Popen[Any]") -> None:
    for _ in range(300):
        assert process.poll() is None, "ended before it answered"
        try:
            requests.get(address, timeout=2)
            return
        except requests.RequestException:
            time.sleep(0.1)
    raise AssertionError(f"no answer at {address}")


Start = Callable[..., tuple["subprocess.Popen[str]", str]]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Start]:
    """Start `traincost serve`, with an empty home, on a free port."""
    started: list[subprocess.Popen[str]] = []

    def start(**environment: str) -> tuple["subprocess.Popen[str]", str]:
        port = str(free_port())
        own = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PORT": port, **environment}
        log = (tmp_path / "log").open("w")
        command = [sys.executable, "-m", "service.cli", "serve"]
        process = subprocess.Popen(command, cwd=ROOT, env=own, stdout=log, stderr=log, text=True)
        log.close()
        started.append(process)
        wait_for(f"http://127.0.0.1:{port}/readyz", process)
        return process, f"http://127.0.0.1:{port}"

    yield start
    for process in started:
        process.terminate()
        process.wait(timeout=40)


def test_serving_says_its_address_and_gives_the_first_answer(served: Start, tmp_path: Path) -> None:
    process, address = served()
    for _ in range(100):
        text = (tmp_path / "log").read_text(encoding="utf-8")
        if "catalogue facts." in text:
            break
        time.sleep(0.1)
    assert f"traincost answers on {address}" in text
    assert re.search(r"performance per dollar +run/h/MUSD +10\.7776 +6\.95147 +1\.5504", text)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=40) == 0
    assert not list(tmp_path.glob(".*")), "nothing is written into the home"


def test_every_worker_gives_the_same_bytes(served: Start) -> None:
    _, address = served(WORKERS="4")
    answers = {requests.get(f"{address}{ASKED}", timeout=10).content for _ in range(40)}
    assert len(answers) == 1


def test_ten_thousand_digits_in_an_address_are_refused_by_their_name(served: Start) -> None:
    _, address = served()
    response = requests.get(f"{address}{ASKED}&set=ipu-pod16.price:{'9' * 10_000}", timeout=10)
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "price"
    assert requests.get(f"{address}{ASKED}&x={'9' * 40_000}", timeout=10).status_code == 414


def test_requests_under_way_are_answered_when_the_service_stops(served: Start) -> None:
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    process, address = served()
    ranking = f"{address}/v1/ranking?benchmark=resnet&round=v2.0"

    def ask(number: int) -> int | None:
        try:
            return requests.get(f"{ranking}&pue_ratio=1.{number:03}", timeout=20).status_code
        except requests.ConnectionError:
            return None  # came after the door was closed

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(ask, number) for number in range(40)]
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        codes = [each.result() for each in asked]
    assert process.wait(timeout=40) == 0
    assert set(codes) <= {200, None}
    assert codes.count(200) >= 1


@pytest.mark.needs("nginx")
def test_nginx_before_the_service_passes_questions_and_hides_spoofed_headers(served: Start, tmp_path: Path) -> None:
    service, behind = served()
    port = free_port()
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    text = text.replace("traincost:8000", behind.removeprefix("http://")).replace(
        "listen 8080", f"listen 127.0.0.1:{port}"
    )
    conf = tmp_path / "nginx.conf"
    conf.write_text(text, encoding="utf-8")
    process = subprocess.Popen(
        [str(program("nginx")), "-p", str(tmp_path), "-c", str(conf), "-g", "daemon off;"], stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/healthz", process)
        direct = requests.get(f"{behind}{ASKED}", timeout=10)
        through = requests.get(
            f"{address}{ASKED}", timeout=10, headers={"SCRIPT_NAME": "/evil", "X-Forwarded-Host": "evil"}
        )
        assert through.content == direct.content
        again = requests.get(f"{address}{ASKED}", timeout=10, headers={"If-None-Match": through.headers["ETag"]})
        assert again.status_code == 304
        large = requests.post(
            f"{address}/v1/compare",
            data=b"x" * (10 * 1024 * 1024 + 1),
            timeout=10,
            headers={"Content-Type": "application/json"},
        )
        assert (large.status_code, large.headers["Content-Type"]) == (413, "application/problem+json")
        assert large.json()["type"] == "/problems/too-large"
        service.terminate()
        service.wait(timeout=40)
        gone = requests.get(f"{address}{ASKED}", timeout=10)
        assert (gone.status_code, gone.json()["type"]) == (503, "/problems/unavailable")
    finally:
        process.terminate()
        process.wait(timeout=20)


CHROMIUM = [
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=15000",
    "--enable-logging=stderr", "--v=0",
]  # fmt: skip


@pytest.mark.needs("chromium")
def test_the_documentation_is_drawn_by_a_browser_without_foreign_addresses(served: Start, tmp_path: Path) -> None:
    _, address = served()
    foreign = requests.get(f"{address}/docs", timeout=10).text
    assert "http://" not in foreign and "https://" not in foreign
    command = [*CHROMIUM, f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom", f"{address}/docs"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    for path in ("/v1/compare", "/v1/ranking", "/v1/tco", "/v1/claims"):
        assert path in re.sub(r"<[^>]+>|\u200b|&#8203;", "", done.stdout)
    assert "CONSOLE" not in done.stderr, done.stderr
