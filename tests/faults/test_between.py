"""What happens between two steps of an import: another import, a purge, a sweep."""

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import update

from pricing.catalogue.importing import staging
from pricing.catalogue.importing.run import Importing
from pricing.catalogue.importing.staging import Staged, sweep
from pricing.catalogue.library import Library
from pricing.catalogue.purging import purge_book
from pricing.catalogue.store_tables import import_
from pricing.errors import TraincostError
from service.importing import import_file
from tests.faults.children import wait_for
from tests.faults.contents import BATCH, ROWS, leftovers, write
from tests.faults.killloop import LONG_AGO
from tests.faults.moments import AFTER_COMMIT, BEFORE_COMMIT, moments, once
from tests.pricing.catalogue.books.imports import DGX, amounts, prices

LATER = DGX.replace("250000", "240000").replace("2026-01-01", "2026-02-01")
Step = tuple[type, str, int]
BATCHES, PUBLISHING = (Staged, "flush", 4), (Importing, "_publish", 1)


@pytest.fixture
def other(library: Library) -> Iterator[Library]:
    """What another process would have: a library of its own."""
    with closing(Library(database=library.database)) as found:
        yield found


def before(step: Step, act: Callable[[Any], object]) -> Any:
    """Do something before a method is called for the n-th time."""
    owner, name, call = step
    real, calls = getattr(owner, name), list[None]()

    def method(self: object, *given: Any) -> Any:
        calls.append(None)
        if len(calls) == call:
            act(self)
        return real(self, *given)

    return patch.object(owner, name, method)


def beside(fits: Callable[[int, str], bool], library: Library, act: Callable[[], Any]) -> Any:
    """Begin something in another thread at the first moment that fits, and go on when it is done or has to wait."""

    @contextmanager
    def running() -> Iterator[list[Future[Any]]]:
        begun: list[Future[Any]] = []
        with ThreadPoolExecutor(1) as pool:

            def begin() -> None:
                begun.append(pool.submit(act))
                wait_for(str(library.database), begun[0])

            with moments(once(fits, begin)):
                yield begun

    return running()


def test_an_import_reports_the_version_that_it_has_made(library: Library, other: Library) -> None:
    published = iter(("UPDATE import SET", AFTER_COMMIT))
    wanted = [next(published)]

    def fits(_: int, name: str) -> bool:
        """Just after the commit of the publication."""
        if name == wanted[0]:
            wanted[0] = next(published, "")
        return not wanted[0]

    with moments(once(fits, lambda: prices(other, LATER, source="meanwhile"))):
        report = prices(library, DGX, source="first")
    assert report.published == f"{library.facts.version}+public.1"
    assert amounts(library, version=report.published) == ["250000"]
    assert sorted(amounts(library)) == ["240000", "250000"]


def test_two_imports_that_make_the_same_book_at_once_are_both_published(library: Library, other: Library) -> None:
    making = beside(
        lambda _, name: name == "INSERT INTO book", library, lambda: prices(other, LATER, source="meanwhile")
    )
    with making as begun:
        assert prices(library, DGX, source="first").published
    assert begun[0].result().published
    assert sorted(amounts(library)) == ["240000", "250000"]


def import_into_acme(library: Library, folder: Path) -> bool:
    """Import many rows, in batches; it may be refused, for a reason that is explained. Whether it was published."""
    with patch.object(staging, "BATCH", BATCH), suppress(TraincostError):
        report = import_file(library, "prices", write(folder, 1), {"book": "acme"}, lambda _: None)
        return report.published is not None
    return False


def check_whole(library: Library, *, published: bool) -> None:
    """The second import of acme is published whole or not at all, and none of its rows comes up in another book."""
    assert library.store is not None
    assert prices(library, DGX, book="other").published
    assert amounts(library, "other") == ["250000"]
    named = library.heads(exact=True)["acme"]
    assert named.head == 1 + published, "a head has an import"
    assert named.is_purged or len(amounts(library, "acme")) == (ROWS if published else 1)
    assert leftovers(library.store) == {}


@pytest.mark.parametrize("step", [BATCHES, PUBLISHING], ids=["between batches", "before publishing"])
def test_a_purge_within_an_import_leaves_nothing_half(
    library: Library, other: Library, tmp_path: Path, step: Step
) -> None:
    prices(library, DGX, book="acme")
    with before(step, lambda _: purge_book(other, "acme")):
        published = import_into_acme(library, tmp_path)
    check_whole(library, published=published)


def test_a_purge_beside_a_batch_that_is_not_committed_leaves_nothing_half(
    library: Library, other: Library, tmp_path: Path
) -> None:
    prices(library, DGX, book="acme")
    commits = itertools.count(1)

    def fits(_: int, name: str) -> bool:
        """Before the first batch is committed, which is the second commit."""
        return name == BEFORE_COMMIT and next(commits) == 2

    with beside(fits, library, lambda: purge_book(other, "acme")) as purging:
        published = import_into_acme(library, tmp_path)
    assert purging[0].result() == 1
    check_whole(library, published=published)


@pytest.mark.parametrize("step", [BATCHES, PUBLISHING], ids=["between batches", "before publishing"])
def test_an_import_that_takes_longer_than_a_day_leaves_nothing_half(
    library: Library, other: Library, tmp_path: Path, step: Step
) -> None:
    prices(library, DGX, book="acme")

    with before(step, lambda _: sweep_a_day_later(other)):
        published = import_into_acme(library, tmp_path)
    check_whole(library, published=published)


def sweep_a_day_later(library: Library) -> None:
    """Another import comes, to which the one that runs is so old that it must have been killed."""
    assert library.store is not None
    with library.store.writing() as connection:
        connection.execute(update(import_).where(import_.c.head.is_(None)).values(started_at=LONG_AGO))
    assert sweep(library.store) == 1


def test_a_batch_that_comes_while_its_import_is_swept_ends_the_import_and_not_the_sweep(
    library: Library, other: Library, tmp_path: Path
) -> None:
    names, ended = list[str](), list[str]()

    def fits(_: int, name: str) -> bool:
        """When all rows are deleted, and the import is not."""
        names.append(name)
        return name == AFTER_COMMIT and "DELETE FROM fact" in names

    def sweep_meanwhile(staged: Staged) -> None:
        def write_a_batch() -> None:
            with suppress(TraincostError):
                staged.flush()

        with moments(once(fits, write_a_batch)):
            sweep_a_day_later(other)
        ended.append("the sweep")

    prices(library, DGX, book="acme")
    with before(BATCHES, sweep_meanwhile):
        published = import_into_acme(library, tmp_path)
    assert ended == ["the sweep"] and not published
    check_whole(library, published=False)


def test_to_discard_an_import_that_was_published_meanwhile_takes_nothing_away(library: Library) -> None:
    assert library.store is not None
    real, swept = staging.publish, list[int]()

    def publish(*given: Any) -> int:
        head = real(*given)
        swept.append(given[1].id)
        return head

    with patch("pricing.catalogue.importing.run.publish", publish):
        assert prices(library, DGX).published
    staging.discard(library.store, swept[0])
    assert amounts(library) == ["250000"]


def test_to_discard_an_import_whose_publication_is_under_way_takes_nothing_away(
    library: Library, other: Library
) -> None:
    staged, names = list[int](), list[str]()
    real = staging.publish

    def publish(*given: Any) -> int:
        staged.append(given[1].id)
        return real(*given)

    def fits(_: int, name: str) -> bool:
        """Before the commit of the publication."""
        names.append(name)
        return names[-2:] == ["UPDATE import SET", BEFORE_COMMIT]

    assert other.store is not None
    discarding = beside(fits, library, lambda: staging.discard(other.store, staged[0]))  # type: ignore[arg-type]
    with patch("pricing.catalogue.importing.run.publish", publish), discarding as begun:
        assert prices(library, DGX).published
    begun[0].result()
    assert amounts(library) == ["250000"]


def test_who_holds_the_lock_needs_one_connection_only(library: Library) -> None:
    prices(library, DGX)
    assert library.store is not None
    pool, holds, most = library.store._open().pool, False, 0

    def act(_: int, name: str) -> None:
        nonlocal holds, most
        holds = name.startswith(("BEGIN IMMEDIATE", "SELECT pg_advisory")) or (holds and name != AFTER_COMMIT)
        most = max(most, pool.checkedout()) if holds else most  # type: ignore[attr-defined]

    with moments(act):
        assert prices(library, DGX.replace("2026-01-01", "2026-02-01"), merge=True).published
    assert most == 1
