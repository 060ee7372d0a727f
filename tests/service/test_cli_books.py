"""The commands that change books: each error is one line and exit code 2, a refused import is exit code 1."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pricing.catalogue.keys import all_keys
from pricing.catalogue.library import Library
from service.cli import main
from tests.documents import ROOT
from tests.pricing.catalogue.books.imports import DGX, HEADER, prices

LIST = f"{HEADER}\n{DGX}\n"
Run = Callable[..., Result]


@pytest.fixture
def run(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on the library's database, in an empty folder with one list in it."""
    monkeypatch.setenv("TRAINCOST_DATABASE_URL", library.database or "")
    monkeypatch.setenv("TRAINCOST_PRICE_LISTS", str(tmp_path / "lists"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.csv").write_text(LIST)
    return lambda *arguments, **more: CliRunner().invoke(main, arguments, **more)


def one_line(result: Result, code: int = 2) -> str:
    """The one line of an error."""
    assert result.exit_code == code, result.output
    (line,) = result.stderr.splitlines()
    return line


def test_an_import_is_told_and_counted(run: Run, library: Library) -> None:
    done = run("prices", "import", "list.csv", "--entered-by", "M. Muster")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "1 price from list.csv into book public, source list", "1 added, 0 gone, 0 changed",
        f"published as {library.facts.version}+public.1",
    ]  # fmt: skip
    books = run("books").output.splitlines()
    assert books[0].split() == ["book", "head", "prices", "sources", "published"]
    assert books[1].split()[:4] == ["public", "1", "1", "1"]
    assert run("versions").output.count("public.1") == 2
    assert run("prices", "--book", "public", "--format", "csv").output.count("\n") == 2


def test_a_refused_import_is_exit_code_1_with_its_faults(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(LIST.replace("250000", "-1"))
    done = run("prices", "import", "list.csv")
    assert done.exit_code == 1
    assert "fault: line 2, column amount: amounts are 0 or more" in done.output
    assert done.output.endswith("nothing was imported\n")
    report = run("prices", "import", "list.csv", "--format", "json")
    assert report.exit_code == 1 and '"line":2' in report.output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("prices", "import", "none.csv"), "fault: the file 'none.csv' cannot be read"),
        (("prices", "import", "list.doc"), "none of the suffixes .csv"),
        (("prices", "import", "x" * 300 + ".csv"), "cannot be read"),
        (("prices", "import", "."), "none of the suffixes"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_fault_of_the_import(
    run: Run, arguments: tuple[str, ...], expected: str
) -> None:
    done = run(*arguments)
    assert done.exit_code in (1, 2)
    assert expected in done.output + done.stderr
    assert "Traceback" not in done.output + done.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("prices", "import", "list.csv", "--book", "Acme"), "error: book: 'Acme' cannot be the name of a book"),
        (("prices", "import", "list.csv", "--source", "A B"), "error: source: 'A B' cannot be the name of a source"),
        (("prices", "import", "list.csv", "--accept", "all"), "error: unknown warning 'all'"),
        (("prices", "import", "list.csv", "--map", "amount"), "error: map: 'amount' is not OURS=THEIRS"),
        (("prices", "import", "list.csv", "--thousands", "point"), "error: thousands: thousands point needs another decimal mark"),
        (("prices", "export", "--book", "nowhere"), "error: unknown book 'nowhere'"),
        (("prices", "export", "--catalogue", "facts.1"), "error: catalogue: 'facts.1' is not of the form"),
        (("diff", "facts.1", "facts.2"), "error: catalogue: 'facts.1' is not of the form"),
        (("versions", "--book", "nowhere"), "error: unknown book 'nowhere'"),
        (("purge", "nowhere", "--yes"), "error: unknown book 'nowhere'"),
        (("keys", "revoke", "0"), "error: unknown key '0'"),
        (("keys", "add", "x", "--right", "write:acme"), "error: right: 'write:acme' is not read:BOOK, import:BOOK or admin"),
        (("keys", "add", "x", "--right", "admin", "--sheet"), "error: right: a sheet token travels in addresses"),
        (("keys", "add", "x", "--right", "admin", "--expires", "soon"), "must be a date"),
        (("keys", "add", "x", "--right", "admin", "--expires", "2020-01-01"), "error: expires: a day that is still to come expected"),
        (("sync", "nothing"), "error: unknown source 'nothing'"),
        (("compare", "ipu-pod16", "--books", "nowhere"), "error: unknown book 'nowhere'"),
        (("compare", "ipu-pod16", "--currency", "HRK"), "successor is EUR"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line_and_exit_code_2(run: Run, arguments: tuple[str, ...], expected: str) -> None:
    assert expected in one_line(run(*arguments))


def test_keys_are_made_listed_and_revoked(run: Run, library: Library) -> None:
    made = run("keys", "add", "a reseller", "--right", "import:public", "--right", "read:acme").output.strip()
    number = made.split("_")[1]
    listed = run("keys").output
    assert f"{number}  key   holds  import:public read:acme  a reseller" in listed and made.split("_")[2] not in listed
    assert run("keys", "revoke", number).exit_code == 0
    assert library.store is not None and [each.holds for each in all_keys(library.store)] == [False]
    assert run("keys", "add", "a cell", "--right", "read:acme", "--sheet", "--expires", "2199-01-01").output.startswith(
        "tcs_"
    )


def test_a_source_is_dropped_from_a_book_and_earlier_versions_keep_it(run: Run, library: Library) -> None:
    run("prices", "import", "list.csv")
    run("prices", "import", "list.csv", "--source", "another", "--accept", "competing")
    assert "list     imported  public" in run("sources").output
    done = run("drop", "list")
    assert done.output == f"published as {library.facts.version}+public.3\n"
    assert run("prices", "--book", "public", "--format", "csv").output.count("\n") == 2
    assert (
        run(
            "prices", "--catalogue", f"{library.facts.version}+public.2", "--book", "public", "--format", "csv"
        ).output.count("\n")
        == 3
    )
    assert "list " not in run("sources").output
    assert one_line(run("drop", "list")).startswith("error: unknown source 'list'; nearest: another")
    assert one_line(run("drop", "list", "--book", "nowhere")).startswith("error: unknown book 'nowhere'")


def test_a_purge_asks_before_it_deletes(run: Run, library: Library) -> None:
    prices(library, DGX, book="acme")
    assert run("purge", "acme", input="n\n").exit_code == 1
    assert run("books").output.count("acme") == 1
    assert "book acme is purged up to head 1" in run("purge", "acme", input="y\n").output


def test_a_sync_that_fails_is_exit_code_1_and_the_others_are_taken_in(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "bad.csv").write_text(LIST.replace("250000", "?"))
    (tmp_path / "lists" / "good.csv").write_text(LIST)
    done = run("sync")
    assert done.exit_code == 1
    assert "good: published as" in done.stdout and "bad: fault: line 2, column amount" in done.stderr
    listed = run("sources").output
    assert "bad: fault: line 2, column amount" in listed and listed.count(" now") == 1
    assert max(map(len, listed.splitlines())) <= 80
    assert run("sync", "good").exit_code == 0


def test_a_difference_and_the_versions_fit_a_terminal(run: Run, tmp_path: Path, library: Library) -> None:
    run("prices", "import", "list.csv")
    (tmp_path / "list.csv").write_text(LIST.replace("250000", "290000"))
    run("prices", "import", "list.csv")
    text = run("diff", f"{library.facts.version}+public.1", f"{library.facts.version}+public.2").output
    assert "public: 0 added, 0 gone, 1 changed" in text
    assert max(map(len, text.splitlines())) <= 80


def test_migrate_makes_the_tables_and_archives_the_facts_once(run: Run, library: Library) -> None:
    assert run("migrate").output.splitlines()[1] == f"facts: {library.facts.version} archived"
    assert run("migrate").output.splitlines()[1] == f"facts: {library.facts.version} is in the archive"


def test_without_a_home_and_a_setting_a_write_says_what_to_set(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(LIST)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "service.cli", "prices", "import", "list.csv"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr
        == "error: there is no database for books: set TRAINCOST_DATABASE_URL, such as sqlite:////srv/books.db\n"
    )


def test_a_database_of_another_revision_stops_the_service_with_exit_code_3(library: Library) -> None:
    from sqlalchemy import text  # noqa: PLC0415

    assert library.store is not None
    with library.store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    environment = {**os.environ, "TRAINCOST_DATABASE_URL": library.database or "", "PORT": "1"}
    command = [sys.executable, "-m", "service.cli", "serve"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == "error: the database is at revision 9999, made by a newer traincost; this one knows 0003\n"


@pytest.mark.parametrize("value", ["mysql://a:canary@b/c", "books.db", ""])
def test_a_wrong_address_of_the_database_is_one_line_that_does_not_show_it(value: str) -> None:
    environment = {**os.environ, "TRAINCOST_DATABASE_URL": value}
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "books"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert (
        done.stderr
        == "error: TRAINCOST_DATABASE_URL must start with sqlite:/// or postgresql:// or postgresql+psycopg://\n"
    )
