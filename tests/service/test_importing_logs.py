"""Importing result logs by command: what is read is told, a mistake is one line and exit code 2."""

import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pricing.catalogue.library import Library
from service.cli import main
from tests.pricing.catalogue.books.imports import opened
from tests.pricing.mlperf.building import PLACE, repository, write, write_runs

LOGS = "training_results_v9.9"
Run = Callable[..., Result]


@pytest.fixture
def database(tmp_path: Path) -> str:
    """One engine here: that both hold the same is tested with the books."""
    return f"sqlite:///{tmp_path / 'books.db'}"


@pytest.fixture
def run(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on the library's database, in a folder with a repository of a new round."""
    monkeypatch.setenv("TRAINCOST_DATABASE_URL", library.database or "")
    monkeypatch.chdir(tmp_path)
    repository(tmp_path).rename(tmp_path / LOGS)
    return lambda *arguments: CliRunner().invoke(main, ("results", "import", *arguments))


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def one_line(result: Result) -> str:
    """The one line of an error."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    return line


def test_what_was_read_and_published_is_told(run: Run, library: Library) -> None:
    done = run(LOGS)
    assert done.exit_code == 0
    assert [line for line in done.output.splitlines() if "read" not in line] == [
        f"1 result from {LOGS} into book public, source training-results-v9-9",
        "1 added, 0 gone, 0 changed",
        f"published as {library.facts.version}+public.1",
    ]
    (read,) = [line for line in done.output.splitlines() if "read" in line]
    assert read.startswith("1 result") and read.endswith("1 with a score")


def test_a_dry_run_as_json_is_one_object_of_results_and_skipped_and_publishes_nothing(
    run: Run, library: Library
) -> None:
    found = document(run(LOGS, "--dry-run", "--format", "json"))
    assert (found["dry_run"], found["published"], found["skipped"]) == (True, None, [])
    (result,) = found["results"]
    assert {name: result[name] for name in ("submitter", "system_id", "benchmark", "division", "round")} == {
        "submitter": "Graphcore", "system_id": "ipu-pod16-TF1", "benchmark": "resnet", "division": "closed", "round": "v9.9",
    }  # fmt: skip
    # the files have 14, 10, 13, 11 and 12 min: result_0 and result_1 are the slowest and the fastest
    assert (result["time_to_train_minutes"], result["runs"], result["runs_failed"]) == (12, 5, 0)
    assert result["run_minutes"] == [10, 11, 12, 13, 14]
    assert sorted(result["kept_runs"]) == ["result_2.txt", "result_3.txt", "result_4.txt"]
    assert (result["results_dir"], result["system"], result["units"]) == (PLACE, "ipu-pod16", 1)
    assert result["tied"] == "by its name; 16 accelerators of 16 each"
    assert "public" not in library.heads(exact=True)


def test_what_is_skipped_is_told_with_its_reason(run: Run, tmp_path: Path) -> None:
    write(tmp_path / LOGS / PLACE / "result_5.txt", "no log\n")
    (skipped,) = document(run(LOGS, "--dry-run", "--format", "json"))["skipped"]
    assert skipped["path"] == f"{PLACE}/result_5.txt"
    assert "run_start" in skipped["reason"] and "did not converge" in skipped["reason"]
    assert f"skipped: {skipped['path']}: {skipped['reason']}" in run(LOGS).output.splitlines()


def test_a_result_without_a_score_is_told_as_such(run: Run, tmp_path: Path) -> None:
    write_runs(tmp_path / LOGS / "Acme/results/rig/bert", (10, 11, 12), ("aborted", "aborted"), benchmark="bert")
    lines = run(LOGS).output.splitlines()
    assert "2 results read, 1 with a score" in lines
    assert "no score: Acme/results/rig/bert: 2 of 5 runs did not converge; 1 may" in lines
    assert "tied to no system: Acme/rig: no system of the catalogue has exactly this name" in lines


def test_round_book_source_and_tie_are_as_said(run: Run, library: Library) -> None:
    tie = ("--tie", "ipu-pod16-TF1=4*ipu-m2000")
    assert run(LOGS, "--round", "v8.0", "--book", "acme", "--source", "by-hand", *tie).exit_code == 0
    (found,) = [each for each in opened(library, "acme").results if each.book == "acme"]
    assert (found.row.round, found.system, found.units) == ("v8.0", "ipu-m2000", 4)
    assert run(LOGS, "--book", "acme", "--source", "by-hand", "--format", "json").exit_code == 0
    (again,) = [each for each in opened(library, "acme").results if each.book == "acme"]
    assert again.row.round == "v9.9", "the source's new rows took the place of its earlier ones"


def test_a_merge_adds_to_what_the_source_has(run: Run, library: Library, tmp_path: Path) -> None:
    assert run(LOGS).exit_code == 0
    write_runs(tmp_path / "more" / "bert", (10, 20, 30), benchmark="bert")
    more = run("more", "--round", "v9.9", "--source", "training-results-v9-9", "--merge")
    assert more.exit_code == 0, more.output
    assert sorted(each.benchmark for each in opened(library, "public").results if each.book == "public") == [
        "bert",
        "resnet",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ipu-pod16-TF1", "'ipu-pod16-TF1' is not SYSTEM_ID=UNITS*SYSTEM, such as my_pod=2*dgx-a100-640gb"),
        ("=2*dgx-2", "'=2*dgx-2' is not SYSTEM_ID=UNITS*SYSTEM"),
        ("ipu-pod16-TF1=", "'ipu-pod16-TF1=' is not SYSTEM_ID=UNITS*SYSTEM"),
        ("ipu-pod16-TF1=2*dgx-3", "unknown system 'dgx-3'; nearest: dgx-2"),
        ("ipu-pod16-TF1=0*dgx-2", "unknown system '0*dgx-2'"),
        ("ipu-pod16-TF1=-1*dgx-2", "unknown system '-1*dgx-2'"),
        ("ipu-pod16-TF1=1.5*dgx-2", "unknown system '1.5*dgx-2'"),
        ("ipu-pod16-TF2=2*dgx-2", "ipu-pod16-TF2"),
    ],
)
def test_a_tie_that_says_nothing_is_refused_with_what_was_expected(
    run: Run, library: Library, text: str, expected: str
) -> None:
    assert expected in one_line(run(LOGS, "--tie", text))
    assert "public" not in library.heads(exact=True)


def test_a_submission_is_tied_once(run: Run) -> None:
    twice = ("--tie", "ipu-pod16-TF1=dgx-2", "--tie", "ipu-pod16-TF1=2*dgx-2")
    assert one_line(run(LOGS, *twice)) == "error: tie: ipu-pod16-TF1 is tied twice"


@pytest.mark.parametrize(
    "option",
    [("--map", "benchmark=Test"), ("--fill", "round=v1.1"), ("--ignore", "x"), ("--decimal", "comma"),
     ("--thousands", "point"), ("--delimiter", "comma"), ("--sheet", "one")],
)  # fmt: skip
def test_an_option_of_tables_is_refused_for_logs(run: Run, option: tuple[str, str]) -> None:
    assert one_line(run(LOGS, *option)) == f"error: {option[0].removeprefix('--')}: it has no effect on result logs"


@pytest.mark.parametrize("option", [("--round", "v1.1"), ("--tie", "x=dgx-2")])
def test_an_option_of_logs_is_refused_for_a_table(run: Run, tmp_path: Path, option: tuple[str, str]) -> None:
    (tmp_path / "list.csv").write_text("benchmark,round\nresnet,v1.1\n")
    assert one_line(run("list.csv", *option)) == f"error: {option[0].removeprefix('--')}: it has no effect on a table"


@pytest.mark.parametrize("name", ["training_results_v9.8", "nowhere", "nowhere.zip", "nowhere.tar.gz", f"{LOGS}/Acme"])
def test_a_path_that_does_not_exist_is_said_not_to(run: Run, name: str) -> None:
    line = one_line(run(name))
    assert f"there is no {name}" in line


def test_a_folder_without_logs_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert one_line(run("empty")) == "error: path: no results were found"


def test_a_folder_whose_logs_are_misplaced_says_what_was_not_read(run: Run, tmp_path: Path) -> None:
    write_runs(tmp_path / "other" / "Acme/results", (10, 11, 12))
    (tmp_path / "other" / "Acme/systems").mkdir()
    assert "no results were found; Acme/results: runs that lie beside the systems" in one_line(run("other"))


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"])
@pytest.mark.parametrize("content", [b"", b"junk" * 1000])
def test_a_broken_archive_is_one_line(run: Run, tmp_path: Path, suffix: str, content: bytes) -> None:
    name = f"logs{suffix}"
    (tmp_path / name).write_bytes(content)
    assert one_line(run(name)).startswith(f"error: path: {name} ")


def test_an_archive_that_was_cut_off_is_one_line(run: Run, library: Library, tmp_path: Path) -> None:
    archive = tmp_path / "logs.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(tmp_path / LOGS, LOGS)
    archive.write_bytes(archive.read_bytes()[:-200])
    assert "logs.tar.gz is no whole archive" in one_line(run("logs.tar.gz"))
    assert "public" not in library.heads(exact=True)


def test_a_zip_of_a_repository_is_read(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / f"{LOGS}.zip", "w") as file:
        for path in sorted((tmp_path / LOGS).rglob("*.*")):
            file.write(path, path.relative_to(tmp_path))
    found = document(run(f"{LOGS}.zip", "--dry-run", "--format", "json"))
    assert [(each["round"], each["time_to_train_minutes"]) for each in found["results"]] == [("v9.9", 12)]
    assert found["source"] == "training-results-v9-9"


def test_a_long_place_has_a_source_of_its_own_within_its_length(run: Run, tmp_path: Path) -> None:
    sources = set()
    for number in range(2):
        place = f"Graphcore/results/{'long-' * 12}{number}/resnet"
        write_runs(tmp_path / LOGS / place, (10, 11, 12))
        sources.add(document(run(f"{LOGS}/{place}", "--format", "json"))["source"])
    assert len(sources) == 2 and all(len(each) <= 64 for each in sources)
