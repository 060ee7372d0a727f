"""Beside an import that runs: others write and read, and see the old version or the new one."""

from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from pricing.catalogue.keys import find_key, make_key
from pricing.catalogue.library import ANYONE, LAG_SECONDS, Library
from pricing.errors import UnknownName
from tests.faults.children import CONTEXT, Child, address
from tests.faults.contents import Content, expected, head_of, shown, version_of, write
from tests.faults.rivals import WRITTEN, endless, several
from tests.pricing.catalogue.books.imports import DGX, amounts, prices


def test_a_small_import_and_a_new_key_need_not_wait_for_the_end_of_a_large_import(library: Library) -> None:
    """The large import goes on without a pause until both are done, so that they are done within it or never."""
    enough = CONTEXT.Event()
    child = Child(endless, address(str(library.database)), enough)
    assert child.next() == WRITTEN
    assert library.store is not None
    key = make_key(library.store, "meanwhile", ["read:public"])
    assert prices(library, DGX, book="small").published
    assert find_key(library.store, key) is not None
    assert head_of(library, "small") == 1 and head_of(library, "large") == 0
    enough.set()
    told = child.rest()
    assert child.ended_well and told[0] == WRITTEN and told[-1].endswith("+large.1")
    assert amounts(library, "small") == ["250000"]


def test_readers_beside_imports_see_whole_generations_only(library: Library, tmp_path: Path) -> None:
    folders = [tmp_path / str(generation) for generation in range(1, 5)]
    for folder in folders:
        folder.mkdir()
    paths = tuple(write(folder, generation) for generation, folder in enumerate(folders, 1))
    child = Child(several, address(str(library.database)), paths)
    with closing(Library(database=library.database)) as other:
        while child.process.is_alive():
            head = head_of(library)
            assert shown(library) in [generation(each) for each in range(head, len(paths) + 1)]
            if head:
                assert shown(other, version_of(library, head)) == generation(head)
    assert len(child.rest()) == head_of(library) == len(paths)
    assert shown(library) == generation(len(paths))


def generation(head: int) -> Content:
    """What the book shows at a head, where each head has the generation of its number."""
    return expected(head, head) if head else []


def test_who_has_imported_sees_it_at_once(library: Library) -> None:
    assert library.open().version == library.facts.version
    for amount in ("250000", "240000"):
        published = prices(library, DGX.replace("250000", amount)).published
        assert library.open().version == published
        assert amounts_of(library, None) == [amount]


def test_a_worker_sees_a_new_head_within_a_second_and_an_explicit_version_at_once(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=1_000.0)
    monkeypatch.setattr("pricing.catalogue.library.time", SimpleNamespace(monotonic=lambda: clock.now))
    first = prices(library, DGX).published
    with closing(Library(database=library.database)) as worker:
        assert worker.open().version == first
        state = worker.state(ANYONE)
        second = prices(library, DGX.replace("250000", "240000")).published
        clock.now += LAG_SECONDS * 0.9
        assert (worker.open().version, worker.state(ANYONE)) == (first, state), "nothing is asked within the second"
        clock.now += LAG_SECONDS * 0.2
        assert worker.open().version == second and worker.state(ANYONE) != state
        third = prices(library, DGX.replace("250000", "230000")).published
        assert worker.open().version == second
        assert amounts_of(worker, third) == ["230000"], "an explicit version does not wait"
        assert amounts_of(worker, first) == ["250000"]
        with pytest.raises(UnknownName, match=r"public\.4"):
            worker.open(version=version_of(worker, 4))


def amounts_of(worker: Library, version: str | None) -> list[str]:
    """The amounts of a version, whatever the worker knew before."""
    return [str(each.amount) for held in worker.open(version=version).books for _, each in held.prices.each()]
