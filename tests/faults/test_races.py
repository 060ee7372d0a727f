"""Two imports at once: both end published, under consecutive heads, and nothing is lost or mixed."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from pricing.catalogue.archive import archived_versions
from pricing.catalogue.library import Library
from pricing.catalogue.store import SCHEMA, Store
from tests.faults.children import CONTEXT, Child, address
from tests.faults.contents import Fresh, head_of, shown, version_of
from tests.faults.rivals import Given, Outcome, first_imports, migrating, racing
from tests.pricing.catalogue.books.imports import DGX, HEADER, amounts, prices

ONE = ("ipu-pod16,111000,USD,list,one,2026-01-01", "ipu-pod16,112000,USD,list,one,2026-02-01")
TWO = ("ipu-pod16,221000,USD,list,two,2026-03-01", "ipu-pod16,222000,USD,list,two,2026-04-01")
AMOUNTS = (["111000", "112000"], ["221000", "222000"])
WAYS: dict[str, Given] = {
    "replace": {"source": "s1"},
    "merge": {"source": "s1", "merge": True},
    "replace another source": {"source": "s2"},
    "merge another source": {"source": "s2", "merge": True},
}
PROCESSES, THREADS, ROUNDS = 6, 8, 8
CHANCE_SECONDS = 0.5  # to fail; who waits is not measured by it


def race(library: Library, folder: Path, rows: tuple[tuple[str, ...], ...], ways: tuple[Given, ...]) -> list[Outcome]:
    """Import these lists at once, each in a process of its own."""
    ready = CONTEXT.Barrier(len(rows))
    children = []
    for number, (each, way) in enumerate(zip(rows, ways, strict=True)):
        path = folder / f"{number}.csv"
        path.write_text("\n".join((HEADER, *each)) + "\n", encoding="utf-8")
        children.append(Child(racing, address(str(library.database)), path, way, ready))
    told = [child.rest() for child in children]
    assert all(child.ended_well for child in children)
    return [outcome for (outcome,) in told]


def shown_at(library: Library, head: int) -> dict[int, list[str]]:
    """The amounts that the book shows at a head, by the head under which each was published."""
    found: dict[int, list[str]] = {}
    for place, amount, _ in shown(library, version_of(library, head)):
        found.setdefault(int(place.removeprefix("public.").partition(":")[0]), []).append(amount)
    return found


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("replace", "replace"),
        ("merge", "merge"),
        ("merge", "replace"),
        ("replace", "replace another source"),
        ("merge", "merge another source"),
        ("merge", "replace another source"),
    ],
)
def test_of_two_imports_at_once_both_are_published_one_after_the_other(
    library: Library, tmp_path: Path, one: str, two: str
) -> None:
    prices(library, DGX, source="base")
    ways = (WAYS[one], WAYS[two])
    outcomes = race(library, tmp_path, (ONE, TWO), ways)
    assert [each.faults for each in outcomes] == ["", ""]
    assert head_of(library) == 3, "the heads are consecutive"
    first = AMOUNTS.index(shown_at(library, 2)[2])
    replaced = ways[0]["source"] == ways[1]["source"] and "merge" not in ways[1 - first]
    base = {1: ["250000"]}
    assert shown_at(library, 1) == base
    assert shown_at(library, 2) == {**base, 2: AMOUNTS[first]}
    assert shown_at(library, 3) == {**base, **({} if replaced else {2: AMOUNTS[first]}), 3: AMOUNTS[1 - first]}


def test_of_two_merges_that_clash_one_is_published_and_the_other_is_refused(library: Library, tmp_path: Path) -> None:
    prices(library, DGX, source="s1")
    rivals = tuple((f"ipu-pod16,{amount},USD,list,a test,2026-01-01",) for amount in (111_000, 112_000))
    outcomes = race(library, tmp_path, rivals, (WAYS["merge"], WAYS["merge"]))
    (good,) = [number for number, each in enumerate(outcomes) if each.published]
    assert outcomes[1 - good].published is None
    assert outcomes[1 - good].faults.startswith("public.2:2 in the book and line 2 are the same offer on the same day")
    assert head_of(library) == 2
    assert amounts(library) == ["250000", ("111000", "112000")[good]]


def test_six_processes_that_migrate_at_once_make_the_tables_once(fresh: Fresh) -> None:
    databases = tuple(fresh() for _ in range(ROUNDS))
    ready = CONTEXT.Barrier(PROCESSES)
    children = [Child(migrating, tuple(map(address, databases)), ready) for _ in range(PROCESSES)]
    told = [child.rest() for child in children]
    assert [each for child in told for each in child if isinstance(each, str)] == [], "nobody is refused"
    for outcomes in zip(*told, strict=True):
        assert sorted(str(before) for (before, _), _ in outcomes) == [SCHEMA] * (PROCESSES - 1) + ["None"]
        assert [archived for _, archived in outcomes].count(True) == 1
    for each in databases:
        with closing(Library(database=each)) as library:
            assert library.store is not None
            assert list(archived_versions(library.store)) == [library.facts.version]


def test_threads_of_one_process_that_merge_at_once_are_all_published(library: Library) -> None:
    rows = [f"ipu-pod16,{200_000 + day},USD,list,a test,2026-01-{day}" for day in range(10, 10 + THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        reports = list(pool.map(lambda row: prices(library, row, source="s1", merge=True), rows))
    assert [each.faults for each in reports] == [[]] * THREADS
    assert head_of(library) == THREADS
    assert sorted(amounts(library)) == [row.split(",")[1] for row in rows]


def test_a_new_file_that_another_process_is_just_opening_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "books.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other, closing(Store(f"sqlite:///{path}")) as store:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(1) as pool:
            migrating = pool.submit(store.migrate)
            with suppress(TimeoutError):
                migrating.exception(timeout=CHANCE_SECONDS)
            other.execute("COMMIT")
        assert migrating.result() == (None, SCHEMA)


def test_first_imports_of_a_new_file_at_once_are_all_published(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"{HEADER}\n{DGX}\n", encoding="utf-8")
    databases = tuple(f"sqlite:///{tmp_path / f'{number}.db'}" for number in range(ROUNDS))
    ready = CONTEXT.Barrier(PROCESSES)
    children = [Child(first_imports, databases, path, ready) for _ in range(PROCESSES)]
    told = [each for child in children for each in child.rest()]
    assert [each for each in told if "+public." not in each] == []
    for each in databases:
        with closing(Library(database=each)) as library:
            assert head_of(library) == PROCESSES
            assert amounts(library) == ["250000"] * PROCESSES
