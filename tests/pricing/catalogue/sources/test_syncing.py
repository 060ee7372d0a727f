"""Sources as an operator lists them: dropped files, sections of a file, guests; one that fails stops no other."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pricing.catalogue.importing.reading import Layout
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.purging import purge_book
from pricing.catalogue.sources.base import SourceFault, Unchanged
from pricing.catalogue.sources.configuring import BadConfiguration, Configured, configured
from pricing.catalogue.sources.syncing import Outcome, Wish, states, sync
from pricing.errors import UnknownName
from service.sources import states as shown_states
from tests.documents import ROOT
from tests.pricing.catalogue.books.imports import DGX, HEADER, amounts

LIST = f"{HEADER}\n{DGX}\n"


class Source:
    """A source that does what it is told."""

    kind = "told"

    def __init__(self, name: str, does: Callable[[], Any]) -> None:
        self.name, self.does = name, does
        self.state: dict[str, str] = {}

    def prices(self) -> Any:
        return self.does()


def rows(amount: str = "250000") -> list[dict[str, str]]:
    return [dict(zip(HEADER.split(","), DGX.replace("250000", amount).split(","), strict=True))]


def fail(error: Exception) -> Callable[[], Any]:
    def does() -> Any:
        raise error

    return does


def run(library: Library, *sources: Any, name: str | None = None, **wish: Any) -> list[Outcome]:
    held = [each if isinstance(each, Configured) else Configured(each) for each in sources]
    return list(sync(library, held, name, Wish(**wish), lambda _: None))


def test_a_list_is_added_by_dropping_a_file(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "price-lists"
    (folder / "acme").mkdir(parents=True)
    (folder / "Reseller 2026.csv").write_text(LIST)
    (folder / "acme" / "contract.tsv").write_text(LIST.replace(",", "\t").replace("250000", "240000"))
    (folder / "notes.txt").write_text("no list")
    (folder / ".hidden.csv").write_text("no list")
    found = configured(None, folder)
    assert [(each.name, each.book, each.source.kind) for each in found] == [
        ("reseller-2026", "public", "csv"),
        ("contract", "acme", "tsv"),
    ]
    assert all(each.good for each in run(library, *found))
    assert (amounts(library), amounts(library, "acme")) == (["250000"], ["240000"])


def test_a_section_of_the_file_is_a_source_with_its_layout(library: Library, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("Product;Net\nDGX A100 640GB;250.000,50\n")
    file = tmp_path / "sources.toml"
    file.write_text(f'''
        [reseller]
        kind = "csv"
        path = "{tmp_path / "list.csv"}"
        delimiter = "semicolon"
        book = "acme"
        decimal = "comma"
        thousands = "point"
        map = {{ system = "Product", amount = "Net" }}
        fill = {{ currency = "EUR", kind = "list", source = "Reseller AG", valid_from = "2026-01-01" }}
    ''')  # fmt: skip
    assert all(each.good for each in run(library, *configured(file, None)))
    assert amounts(library, "acme") == ["250000.50"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a", "sources.toml: "),
        ("[one]\npath = 'x'", r"\[one\] needs kind, one of csv"),
        ("[one]\nkind = 'cvs'", "unknown kind 'cvs'; known: csv"),
        ("[one]\nkind = 'csv'\npath = 'x'\ncolour = 1", "unknown option 'colour'; known: path, delimiter"),
        ("[one]\nkind = 'csv'", "path"),
        ("[One]\nkind = 'csv'\npath = 'x'", "small letters"),
        ("[one]\nkind = 'csv'\npath = 'x'\nbook = 'A'", "small letters"),
        ("[one]\nkind = 'sql'\nurl = 'sqlite://'", "table or query expected"),
        ("[one]\nkind = 'csv'\npath = 'x'\nthousands = 'point'", "another decimal mark"),
    ],
)
def test_a_wrong_section_is_named_with_what_would_be_right_and_stops_no_other(
    library: Library, tmp_path: Path, text: str, expected: str
) -> None:
    file = tmp_path / "sources.toml"
    (tmp_path / "good.csv").write_text(LIST)
    file.write_text(f"{text}\n[good]\nkind = 'csv'\npath = 'good.csv'")
    if expected.startswith(("sources.toml", r"\[one")):  # the file itself cannot be understood
        with pytest.raises(BadConfiguration, match=expected):
            configured(file, None)
        return
    wrong, good = run(library, *configured(file, None))
    assert wrong.fault is not None and expected in wrong.fault
    assert good.good, "a path stands beside the file of sources"


def test_files_of_one_name_are_taken_in_by_none_and_stop_no_other(library: Library, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(LIST)
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "Bad Book").mkdir()
    (tmp_path / "Bad Book" / "other.csv").write_text(LIST)
    (tmp_path / "2026-11.csv").write_text(LIST)
    outcomes = {each.name: each for each in run(library, *configured(None, tmp_path))}
    assert "two sources are called list" in str(outcomes["list"].fault)
    assert "'Bad Book' cannot be the name of a book" in str(outcomes["other"].fault)
    assert outcomes["2026-11"].good


@pytest.mark.parametrize(
    "error",
    [SourceFault("line 7", "six cells expected"), ValueError("a guest's own"), KeyError("amount"), RuntimeError()],
)
def test_a_source_that_fails_keeps_its_last_good_rows_and_stops_no_other(library: Library, error: Exception) -> None:
    flaky = Source("flaky", rows)
    assert run(library, flaky)[0].good
    flaky.does = fail(error)
    later = Source("later", lambda: [{**rows("140000")[0], "system": "ipu-pod16"}])
    outcomes = run(library, flaky, later)
    assert [each.good for each in outcomes] == [False, True]
    assert sorted(amounts(library)) == ["140000", "250000"]
    assert library.store is not None
    held = states(library.store)["flaky"]
    assert held["fault"] and held["good_at"] < held["tried_at"]
    (shown, _) = shown_states(library, [Configured(flaky), Configured(later)])  # type: ignore[arg-type]
    assert shown["fault"] == held["fault"] and shown["age"] == "now"
    flaky.does = rows
    run(library, flaky)
    assert states(library.store)["flaky"]["fault"] is None


def test_a_list_without_rows_or_with_one_bad_row_never_takes_the_place_of_a_good_one(library: Library) -> None:
    source = Source("list", rows)
    run(library, source)
    for bad in ([], [{**rows()[0], "amount": ""}], [*rows(), {**rows("1")[0]}]):
        source.does = lambda bad=bad: bad
        (outcome,) = run(library, source)
        assert not outcome.good
        assert amounts(library) == ["250000"]


def test_a_price_ten_times_what_it_was_waits_for_a_person(library: Library) -> None:
    source = Source("list", rows)
    run(library, source)
    source.does = lambda: rows("2500001")
    (refused,) = run(library, source)
    assert refused.report is not None and refused.report.unconfirmed == ["jump"]
    assert amounts(library) == ["250000"]
    assert run(library, source, accepted=("jump",))[0].good
    assert amounts(library) == ["2500001"]


def test_a_source_is_told_what_it_wanted_to_remember(library: Library) -> None:
    source = Source("list", rows)

    def first() -> Any:
        assert source.state == {}
        source.state = {"etag": "1"}
        return rows()

    source.does = first
    run(library, source)
    again = Source("list", rows)

    def second() -> Any:
        assert again.state == {"etag": "1"}
        raise Unchanged

    again.does = second
    (outcome,) = run(library, again)
    assert outcome.good and outcome.lines() == ["list: nothing new"]
    third = Source("list", fail(SourceFault("", "gone")))
    run(library, third)
    assert library.store is not None
    assert '"etag": "1"' in states(library.store)["list"]["state"], "a failure is not remembered in its place"


def test_a_source_is_told_nothing_once_its_rows_are_gone_or_are_read_in_another_way(library: Library) -> None:
    source = Source("list", rows)
    source.state = {"etag": "1"}

    def does() -> Any:
        told.append(source.state)
        source.state = {"etag": "1"}
        return rows()

    told: list[dict[str, str]] = []
    source.does = does
    run(library, source)
    run(library, source)
    run(library, Configured(source, layout=Layout(ignored=("note",)), book="acme"))  # type: ignore[arg-type]
    purge_book(library, "public")
    run(library, source)
    assert told == [{}, {"etag": "1"}, {}, {}]


def test_one_source_is_taken_in_by_its_name(library: Library) -> None:
    one, two = Source("one", rows), Source("two", fail(AssertionError("was not asked")))
    assert [each.name for each in run(library, one, two, name="one")] == ["one"]
    with pytest.raises(UnknownName, match="unknown source 'tow'; nearest: two"):
        run(library, one, two, name="tow")


def test_a_dry_run_changes_nothing_and_remembers_nothing(library: Library) -> None:
    (outcome,) = run(library, Source("list", rows), dry_run=True)
    assert outcome.good and outcome.report is not None and outcome.report.published is None
    assert library.open(EVERYTHING).version == library.facts.version
    assert library.store is not None and states(library.store) == {}


def test_a_guest_that_is_installed_is_a_source_by_itself(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
               "--disable-pip-version-check", "--target", str(site), str(ROOT / "tests" / "guest")]  # fmt: skip
    built = tmp_path / "guest"
    import shutil  # noqa: PLC0415

    shutil.copytree(ROOT / "tests" / "guest", built, ignore=shutil.ignore_patterns("__pycache__", "__init__.py"))
    install[-1] = str(built)
    subprocess.run(install, check=True, capture_output=True)
    environment = {
        "PYTHONPATH": f"{site}:{ROOT}",
        "TRAINCOST_DATABASE_URL": f"sqlite:///{tmp_path / 'books.db'}",
        "PATH": "/usr/bin:/bin",
    }

    def command(*arguments: str) -> str:
        done = subprocess.run([sys.executable, "-m", "service.cli", *arguments], env=environment, cwd=tmp_path,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "example  example  public" in command("sources")
    assert "2 prices from example" in command("sync")
    assert command("compare", "ipu-pod16", "--field", "price", "--format", "value") == "139000.5"
