"""The database fails at any one moment of an import: it is the old version or the new one, and nothing half."""

import itertools
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from pricing.catalogue.importing import staging
from pricing.catalogue.library import Library
from pricing.errors import StoreUnavailable
from service.importing import import_file
from tests.faults.contents import BATCH, head_of, leftovers, shown, version_of
from tests.faults.killloop import MOST_MOMENTS, KillLoop, State
from tests.faults.moments import AFTER_COMMIT, Act, moments

Fault = Callable[[Library], None]
MANY, FEW = 25, 5  # moments, of statements and of commits, that an import has at least


def refuse(library: Library) -> None:
    """What the driver says when the disk is full."""
    if str(library.database).startswith("sqlite"):
        raise sqlite3.OperationalError("database or disk is full")
    raise psycopg.errors.DiskFull("could not extend file: No space left on device")


def lose(library: Library) -> None:
    """What the driver says when the answer does not arrive."""
    if str(library.database).startswith("sqlite"):
        raise sqlite3.OperationalError("disk I/O error")
    raise psycopg.OperationalError("server closed the connection unexpectedly")


def cut(library: Library) -> None:
    """PostgreSQL ends every connection to the database."""
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(str(library.database), autocommit=True) as connection:
        connection.execute(ended)


class FaultLoop(KillLoop):
    """A book whose imports fail at one moment after the other; what is not as it must be is noted."""

    def __init__(self, library: Library, folder: Path, *, merge: bool = False) -> None:
        super().__init__(library, folder, merge=merge)
        self.wrong: list[str] = []

    def fail_at(self, wanted: int, fault: Fault, fits: Callable[[str], bool]) -> bool:
        """Import with a fault at a moment of those that fit; False where there are fewer."""
        passed: list[str] = []

        def act(_: int, name: str) -> None:
            if fits(name):
                passed.append(name)
                if len(passed) == wanted:
                    fault(self.library)

        self.judge_fault(self.attempt(act), f"moment {wanted}, {passed[min(wanted, len(passed)) - 1]}")
        return len(passed) >= wanted

    def attempt(self, act: Act) -> str:
        """What an import said."""
        path = self.file()
        try:
            with moments(act):
                report = import_file(self.library, "prices", path, {"merge": self.merge}, lambda _: None)
        except StoreUnavailable:
            return ""
        except Exception as error:
            return f"raised {type(error).__name__}"
        return "" if report.published else "neither published nor raised"

    def judge_fault(self, said: str, where: str) -> None:
        before, problems = self.state, [said] if said else []
        if head_of(self.library) != before.head:
            self.state = State(before.head + 1, self.number)
        for check in (self.check, lambda: self.check_version(before)):
            try:
                check()
            except AssertionError as error:
                problems.append(str(error).splitlines()[0])
        self.wrong += [f"{where}: {problem}" for problem in problems]
        self.follow()

    def check_version(self, state: State) -> None:
        with closing(Library(database=self.library.database)) as other:
            assert shown(other, version_of(other, state.head)) == self.content(state), "the old version is another now"


@pytest.fixture
def loop(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FaultLoop:
    monkeypatch.setattr(staging, "BATCH", BATCH)
    return FaultLoop(library, tmp_path)


def fail_everywhere(loop: FaultLoop, fault: Fault, fits: Callable[[str], bool]) -> int:
    """Fail at the first, the second, the third … moment until an import has no more; returns how many there were."""
    failed = list(itertools.takewhile(lambda wanted: loop.fail_at(wanted, fault, fits), range(1, MOST_MOMENTS)))
    assert not loop.wrong, "\n".join(loop.wrong)
    return len(failed)


def test_a_statement_that_fails_leaves_the_old_version_or_the_new(loop: FaultLoop) -> None:
    assert fail_everywhere(loop, refuse, lambda name: name != AFTER_COMMIT) > MANY
    assert loop.library.store is not None
    assert leftovers(loop.library.store) == {}, "nothing is left to be swept"


def test_a_commit_whose_answer_is_lost_leaves_the_old_version_or_the_new(loop: FaultLoop) -> None:
    assert fail_everywhere(loop, lose, lambda name: name == AFTER_COMMIT) > FEW
    assert loop.library.store is not None
    loop.sweep()
    assert leftovers(loop.library.store) == {}


@pytest.mark.needs("postgres")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # psycopg, of a cursor that was cut
def test_a_connection_that_is_cut_leaves_the_old_version_or_the_new(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "BATCH", BATCH)
    with closing(Library(database=request.getfixturevalue("postgres").fresh())) as library:
        assert library.store is not None
        library.store.migrate()
        assert fail_everywhere(FaultLoop(library, tmp_path), cut, lambda _: True) > MANY
        assert leftovers(library.store) == {}
