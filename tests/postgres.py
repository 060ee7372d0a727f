"""A PostgreSQL server of the tests' own, in a temporary folder, with a fresh database for whoever asks."""

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.servers import free_port

NUMBERS = itertools.count(1)


def folder_of_programs() -> Path | None:
    """Where the server's programs are: the newest of Debian's, else of the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if debian:
        return debian[-1]
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def _as_user(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root; there it runs as its own user."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else command


class Server:
    """A running server."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder, self.port = programs, folder, free_port()
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name

    def run(self, *command: str) -> None:
        done = subprocess.run(
            _as_user([str(self.programs / command[0]), *command[1:]]),
            cwd=self.folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c fsync=off"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-o", options, "-w", "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def url(self, database: str) -> str:
        return f"postgresql://{self.user}@127.0.0.1:{self.port}/{database}"

    def fresh(self) -> str:
        """The address of a database that nobody has used."""
        name = f"books_{next(NUMBERS)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
        return self.url(name)


@contextmanager
def server() -> Iterator[Server]:
    """Start a server; it ends with the block."""
    programs = folder_of_programs()
    assert programs is not None, "PostgreSQL is not installed"
    folder = Path(tempfile.mkdtemp(prefix="traincost-postgres-"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    found = Server(programs, folder)
    try:
        found.run("initdb", "-D", str(folder / "data"), "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        found.start()
        try:
            yield found
        finally:
            found.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
