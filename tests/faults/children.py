"""Processes that tests start and kill: each is forked from one that has imported everything and opened nothing."""

import signal
import time
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import psycopg

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.faults.warm"])
Tell = Callable[[Any], None]
Work = Callable[..., None]
NAME = "child"  # by which PostgreSQL knows the connections of children
HERE = "datname = current_database()"
PAUSE_SECONDS, TRIES = 0.01, 6_000


class Child:
    """A process that does some work and tells what it passes."""

    def __init__(self, work: Work, *given: Any) -> None:
        self._told, theirs = CONTEXT.Pipe(duplex=False)
        self.process = CONTEXT.Process(target=_run, args=(theirs, work, given), daemon=True)
        self.process.start()
        theirs.close()

    def next(self) -> Any:
        """What it tells next; None when it has ended."""
        try:
            return self._told.recv()
        except EOFError:
            return None

    def rest(self) -> list[Any]:
        """All that it tells until it ends."""
        found = list(iter(self.next, None))
        self.process.join()
        self._told.close()
        return found

    def kill(self) -> None:
        self.process.kill()

    @property
    def was_killed(self) -> bool:
        """Whether a kill hit it while it ran."""
        return self.process.exitcode == -signal.SIGKILL

    @property
    def ended_well(self) -> bool:
        return self.process.exitcode == 0


def _run(told: Connection, work: Work, given: tuple[Any, ...]) -> None:
    work(told.send, *given)
    told.close()


def address(database: str) -> str:
    """The database as children open it, so that their connections can be told from ours."""
    return database if database.startswith("sqlite") else f"{database}?application_name={NAME}"


def settle(database: str) -> None:
    """Wait until PostgreSQL has noticed that children are gone: what they told it last may still be under way."""
    _wait_until(database, f"SELECT count(*) = 0 FROM pg_stat_activity WHERE {HERE} AND application_name = '{NAME}'")


def wait_for(database: str, rival: Future[Any]) -> None:
    """Wait until a rival is done, or waits for a lock of PostgreSQL; nobody can see who waits for SQLite's."""
    waits = f"SELECT count(*) > 0 FROM pg_stat_activity WHERE {HERE} AND wait_event_type = 'Lock'"
    _wait_until(database, waits, rival.done)


def _wait_until(database: str, question: str, unless: Callable[[], bool] = lambda: False) -> None:
    if database.startswith("sqlite"):
        return
    with psycopg.connect(database, autocommit=True) as connection:
        for _ in range(TRIES):
            if unless() or connection.execute(question).fetchone() == (True,):
                return
            time.sleep(PAUSE_SECONDS)
    raise AssertionError(f"waited in vain: {question}")
