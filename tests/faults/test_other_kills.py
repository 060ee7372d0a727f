"""kill -9 while tables are made, or a book is purged: doing the same again mends it."""

from contextlib import closing
from pathlib import Path

import pytest

from pricing.catalogue.archive import archive_facts, archived_versions
from pricing.catalogue.books import heads
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.purging import purge_book
from pricing.catalogue.store import SCHEMA
from pricing.errors import Purged, StoreMismatch, StoreUnavailable
from tests.faults.children import Child, Work, address, settle
from tests.faults.contents import Fresh, head_of, leftovers, write
from tests.faults.moments import AFTER_COMMIT, BEFORE_COMMIT
from tests.faults.work import End, importing, migrating, purging
from tests.pricing.catalogue.books.imports import DGX, amounts, opened, prices

FEWEST = 4
SECRET, OTHER = "987654.32", "260000"


def life_of(work: Work, database: str, *given: object) -> list[str]:
    """The moments of a piece of work that nobody kills."""
    child = Child(work, address(database), *given)
    found = child.rest()
    assert child.ended_well
    settle(database)
    return found


def kill(work: Work, database: str, *given: object) -> None:
    """A piece of work that kills itself."""
    child = Child(work, address(database), *given)
    child.rest()
    assert child.was_killed
    settle(database)


def some(life: list[str]) -> list[int]:
    """Every other moment, and all around a commit."""
    commits = (BEFORE_COMMIT, AFTER_COMMIT)
    return [moment for moment, name in enumerate(life, 1) if moment % 2 or name in commits]


def test_migrating_again_mends_a_migration_that_was_killed(fresh: Fresh) -> None:
    for moment in some(life_of(migrating, fresh())):
        database = fresh()
        kill(migrating, database, End(moment))
        with closing(Library(database=database)) as library:
            check_mended(library)


def check_mended(library: Library) -> None:
    """The tables are there or are not, and migrating makes them, once."""
    assert library.store is not None
    said = "run traincost migrate"
    try:
        found = heads(library.store)
    except (StoreMismatch, StoreUnavailable) as error:
        found, said = {}, str(error)
    assert found == {} and "run traincost migrate" in said
    library.store.migrate()
    assert library.store.migrate() == (SCHEMA, SCHEMA)
    archive_facts(library.store, library.facts.facts)
    assert list(archived_versions(library.store)) == [library.facts.version]
    assert prices(library, DGX).published == f"{library.facts.version}+public.1"


def test_a_first_import_that_was_killed_leaves_a_file_that_the_next_import_takes(tmp_path: Path) -> None:
    life = life_of(importing, f"sqlite:///{tmp_path / 'whole.db'}", write(tmp_path, 1))
    made = life.index(AFTER_COMMIT) + 1
    making = (*range(1, made, 4), made)
    assert len(making) > FEWEST
    unlike: list[str] = []
    for moment in making:
        database = f"sqlite:///{tmp_path / f'{moment}.db'}"
        kill(importing, database, write(tmp_path, 1), End(moment))
        with closing(Library(database=database)) as library:
            try:
                assert prices(library, DGX).published
            except (StoreMismatch, StoreUnavailable) as error:
                unlike.append(f"killed before {life[moment - 1]}: {error}")
    assert unlike == []


def test_purging_again_mends_a_purge_that_was_killed(fresh: Fresh, tmp_path: Path) -> None:
    life = life_of(purging, book_with_a_secret(fresh()), "acme")
    for moment in some(life):
        database = book_with_a_secret(fresh())
        kill(purging, database, "acme", End(moment))
        with closing(Library(database=database)) as library:
            check_purged(library, expected=moment > life.index(BEFORE_COMMIT) + 1)
        assert not [path for path in tmp_path.glob("*.db*") if SECRET.encode() in path.read_bytes()]


def book_with_a_secret(database: str) -> str:
    """A database with two books, the first of which holds a secret at its first head, and something staged."""
    with closing(Library(database=database)) as library:
        assert library.store is not None
        library.store.migrate()
        prices(library, DGX.replace("250000", SECRET), book="acme", accept=("outlier",), entered_by="who")
        prices(library, DGX.replace("250000", OTHER), book="acme")
        prices(library, DGX)
    return database


def check_purged(library: Library, *, expected: bool) -> None:
    """All of the book is there, or nothing; purging again takes it away, and the other book stays."""
    first = f"{library.facts.version}+acme.1"
    if expected:
        for version in (None, first):
            with pytest.raises(Purged):
                amounts(library, "acme", version)
    else:
        assert amounts(library, "acme", first) == [SECRET]
        assert amounts(library, "acme") == [OTHER]
    assert purge_book(library, "acme") == head_of(library, "acme") == 2
    with pytest.raises(Purged):
        library.open(EVERYTHING, None, first)
    assert amounts(library) == ["250000"] and opened(library).version.endswith("+public.1")
    assert library.store is not None
    assert leftovers(library.store) == {}
