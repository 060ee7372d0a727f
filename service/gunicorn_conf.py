"""How gunicorn serves the application.

gthread, because sync workers drop queued requests at SIGTERM. Nothing is written at start: the heartbeat
files lie in memory and there is no control socket, so that a read-only file system is enough.
"""

import os

from gunicorn.arbiter import Arbiter
from gunicorn.http import message

from service.starting import check_store, library, number

bind = f"{os.environ.get('BIND', '127.0.0.1')}:{number('PORT')}"
workers = number("WORKERS")
threads = number("THREADS")
worker_class = "gthread"
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None
control_socket_disable = True
graceful_timeout = 30
keepalive = 5
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")

# A question may be long; gunicorn's own ceiling is 8,190 bytes, too short to refuse 10 kB by its name.
message.MAX_REQUEST_LINE = limit_request_line = 32768


def on_starting(server: Arbiter) -> None:
    """Refuse to start, with one line that says where, when a table of facts is damaged or a setting wrong."""
    check_store(library())
