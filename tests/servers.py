"""Free ports and waiting for what was started."""

import random
import socket

LOWEST, HIGHEST = 20_000, 32_000


def free_port() -> int:
    """A port below 32768 that nobody listens on."""
    while True:
        port = random.randint(LOWEST, HIGHEST)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
