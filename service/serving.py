"""Running the service by hand: gunicorn under one process that asks it the first question."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import requests

FIRST = {
    "systems": "ipu-pod16,dgx-a100-640gb",
    "benchmark": "resnet",
    "round": "v1.0",
    "division": "closed",
    "baseline": "dgx-a100-640gb",
    "format": "table",
}
PATIENCE_SECONDS = 60.0
EVERYWHERE = "0.0.0.0"
CONF = Path(__file__).parent / "gunicorn_conf.py"


def serve() -> int:
    """Start gunicorn, print the first answer, and stay until it ends. Returns its exit code."""
    command = [sys.executable, "-m", "gunicorn", "--config", str(CONF), "service.app:create_app()"]
    server = subprocess.Popen([*command, "--log-level", "warning"])
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda number, frame: server.send_signal(signal.SIGTERM))
    try:
        _greet(server, address())
        return server.wait()
    finally:
        if server.poll() is None:
            server.terminate()


def address() -> str:
    """Where the service can be asked from this machine."""
    host = os.environ.get("BIND", "127.0.0.1")
    return f"http://{'127.0.0.1' if host == EVERYWHERE else host}:{os.environ.get('PORT', '8000')}"


def _greet(server: "subprocess.Popen[bytes]", where: str) -> None:
    """Ask the first question as soon as the service answers; say so where it does not."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            requests.get(f"{where}/readyz", timeout=PATIENCE_SECONDS).raise_for_status()
            question = f"{where}/v1/compare?{urlencode(FIRST, safe=',')}"
            _print(where, question, requests.get(question, timeout=PATIENCE_SECONDS).text)
            return
        except requests.RequestException:
            time.sleep(0.05)


def _print(where: str, question: str, answer: str) -> None:
    sys.stdout.write(f"traincost answers on {where} (documentation: {where}/docs; stop: Ctrl-C)\n")
    sys.stdout.write(f"\n$ curl '{question}'\n\n{answer}")
    sys.stdout.flush()
