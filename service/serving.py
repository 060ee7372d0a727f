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
PATIENCE_SECONDS = 30.0
CONF = Path(__file__).parent / "gunicorn_conf.py"


def serve() -> int:
    """Start gunicorn, print the first answer, and stay until it ends. Returns its exit code."""
    command = [sys.executable, "-m", "gunicorn", "--config", str(CONF), "service.app:create_app()"]
    server = subprocess.Popen([*command, "--log-level", "warning"])
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda number, frame: server.send_signal(signal.SIGTERM))
    address = f"http://127.0.0.1:{os.environ.get('PORT', '8000')}"
    if _ready(server, address):
        _first_answer(address)
    return server.wait()


def _ready(server: "subprocess.Popen[bytes]", address: str) -> bool:
    """Wait until the service answers, or until it has ended or taken too long."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            if requests.get(f"{address}/readyz", timeout=1).ok:
                return True
        except requests.ConnectionError:
            time.sleep(0.05)
    return False


def _first_answer(address: str) -> None:
    question = f"{address}/v1/compare?{urlencode(FIRST, safe=',')}"
    answer = requests.get(question, timeout=PATIENCE_SECONDS)
    sys.stdout.write(f"traincost answers on {address} (documentation: {address}/docs; stop: Ctrl-C)\n")
    sys.stdout.write(f"\n$ curl '{question}'\n\n{answer.text}")
    sys.stdout.flush()
