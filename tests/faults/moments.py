"""The moments of a piece of work at which a database is told something, so that a test can do harm at each of them.

A moment is before each statement, before each commit and just after it. Its name is how the statement begins.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import psycopg
from sqlalchemy.engine.default import DefaultDialect

BEFORE_COMMIT, AFTER_COMMIT = "before COMMIT", "after COMMIT"
Act = Callable[[int, str], None]
STATEMENTS = ("do_execute", "do_executemany", "do_execute_no_params")


class Moments:
    """Counts the moments from 1, and does at each what the test wants; what that does itself is not counted."""

    def __init__(self, act: Act) -> None:
        self.act, self.passed = act, 0
        self._acting = False

    def reach(self, name: str) -> None:
        if self._acting:
            return
        self.passed += 1
        self._acting = True
        try:
            self.act(self.passed, name)
        finally:
            self._acting = False

    def statement(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def execute(dialect: Any, cursor: Any, statement: str, *rest: Any, **more: Any) -> Any:
            self.reach(" ".join(statement.split()[:3]))
            return real(dialect, cursor, statement, *rest, **more)

        return execute

    def copy(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def execute(cursor: Any, statement: str, *rest: Any, **more: Any) -> Any:
            self.reach(" ".join(statement.split()[:2]))
            return real(cursor, statement, *rest, **more)

        return execute

    def commit(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def commit(dialect: Any, connection: Any) -> None:
            self.reach(BEFORE_COMMIT)
            real(dialect, connection)
            self.reach(AFTER_COMMIT)

        return commit


@contextmanager
def moments(act: Act) -> Iterator[None]:
    """Within the block, every database of this process has its moments. What `act` raises is as if the driver had."""
    found = Moments(act)
    wrapped: dict[str, Any] = {name: found.statement(getattr(DefaultDialect, name)) for name in STATEMENTS}
    wrapped["do_commit"] = found.commit(DefaultDialect.do_commit)
    with (
        patch.multiple(DefaultDialect, **wrapped),
        patch.object(psycopg.Cursor, "copy", found.copy(psycopg.Cursor.copy)),
    ):
        yield


def once(fits: Callable[[int, str], bool], act: Callable[[], object]) -> Act:
    """Do something at the first moment that fits, and never again."""
    waiting = [act]

    def perhaps(number: int, name: str) -> None:
        if waiting and fits(number, name):
            waiting.pop()()

    return perhaps
