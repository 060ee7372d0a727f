"""Free ports, and where the programs are that some tests start."""

import os
import random
import shutil
import socket

LOWEST, HIGHEST = 20_000, 32_000


def program(name: str) -> str | None:
    """Where a program is, among those of the system, too; None where it is not installed."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def free_port() -> int:
    """A port below 32768 that nobody listens on."""
    while True:
        port = random.randint(LOWEST, HIGHEST)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
