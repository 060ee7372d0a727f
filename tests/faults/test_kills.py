"""kill -9 at any moment of an import leaves the old version or the new one, never a mixture."""

from pathlib import Path

from pricing.catalogue.library import Library
from tests.faults.contents import leftovers
from tests.faults.killloop import BEGUN, KillLoop
from tests.faults.moments import AFTER_COMMIT, BEFORE_COMMIT

FEWEST = 25
PUBLISHING = ["UPDATE book SET", "UPDATE import SET", BEFORE_COMMIT, AFTER_COMMIT]
"""The moments of the transaction that publishes, up to just after its commit."""


def end_of(life: list[str]) -> int:
    """The moment just after an import was published."""
    return life.index(PUBLISHING[0]) + len(PUBLISHING)


def hits(loop: KillLoop) -> int:
    """How many kills hit an import that had begun and had not ended."""
    return sum(each.hit and each.begun for each in loop.kills)


def test_an_import_that_dies_at_any_of_its_moments_leaves_the_old_version_or_the_new(
    library: Library, tmp_path: Path
) -> None:
    loop = KillLoop(library, tmp_path)
    life = loop.whole_life()
    assert life[end_of(life) - len(PUBLISHING) : end_of(life)] == PUBLISHING
    wanted = range(life.index(BEGUN) + 1, len(life) + 1)
    for moment in wanted:
        loop.kill_at(moment)
    assert [each.last for each in loop.kills] == [life[moment - 1] for moment in wanted], "each died at its moment"
    assert [each.published for each in loop.kills] == [moment >= end_of(life) for moment in wanted]
    assert hits(loop) == len(wanted) >= FEWEST


def test_an_import_that_is_killed_from_outside_leaves_the_old_version_or_the_new(
    library: Library, tmp_path: Path
) -> None:
    loop = KillLoop(library, tmp_path)
    life = loop.whole_life()
    wanted = [*range(life.index(BEGUN) + 1, end_of(life), 2), *range(end_of(life), len(life) + 1)]
    for moment in wanted:
        loop.kill_after(moment)
    assert hits(loop) == len(wanted)
    assert not loop.kills[0].published, "it cannot have come to the end so soon"
    assert loop.kills[wanted.index(end_of(life))].published, "its commit was told"


def test_a_merge_with_withdrawals_that_dies_leaves_the_old_version_or_the_new(library: Library, tmp_path: Path) -> None:
    loop = KillLoop(library, tmp_path, merge=True)
    life = loop.whole_life()
    publishing = range(end_of(life) - len(PUBLISHING), len(life) + 1)
    assert life[publishing[0] - 1] == "INSERT INTO withdrawal"
    for moment in (*range(life.index(BEGUN) + 1, publishing[0], 5), *publishing):
        loop.kill_at(moment)
    assert hits(loop) == len(loop.kills)
    assert [each.published for each in loop.kills][-len(publishing) :] == [each >= end_of(life) for each in publishing]


def test_what_killed_imports_have_staged_is_swept_a_day_later(library: Library, tmp_path: Path) -> None:
    loop = KillLoop(library, tmp_path, merge=True)
    life = loop.whole_life()
    staged = [moment for moment, name in enumerate(life, 1) if name == AFTER_COMMIT and moment < end_of(life)]
    for moment in staged:
        loop.kill_at(moment)
    assert library.store is not None
    assert leftovers(library.store)["import"] == len(staged), "for a day they stay, and disturb nobody"
    assert leftovers(library.store)["price"]
    loop.follow()
    assert loop.sweep() == len(staged)
    assert leftovers(library.store) == {}
    loop.check()
    loop.follow()
