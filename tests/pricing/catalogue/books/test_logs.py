"""Result logs in a book: tied to systems or left untied with the reason, never official, the same after each import."""

import csv
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pricing.catalogue.exporting import EXPORTS, export_of
from pricing.catalogue.importing.report import Report
from pricing.catalogue.library import Library
from pricing.errors import BadQuestion
from pricing.mlperf.booking import Booking
from schemas.benchmark_result import BenchmarkResult
from service.app import create_app
from service.importing_logs import import_logs
from service.settings import Settings
from tests.pricing.catalogue.books.imports import opened, take_in
from tests.pricing.mlperf.building import PLACE, describe, repository, write_runs
from tests.service.test_api import strict

POD16 = (28.3306, 28.3318, 28.3325, 28.3392)
"""Minutes of the runs of v1.1 PLACE that converged; the fifth was aborted. (28.3318 + 28.3325 + 28.3392) / 3 = 28.3345."""
SHIPPED = "v1.1/Graphcore/ipu-pod16-TF1/resnet"
OURS = f"public/{SHIPPED}"


@pytest.fixture
def app(library: Library) -> Iterator[FlaskClient]:
    made = create_app(Settings(database_url=library.database))
    yield made.test_client()
    made.extensions["traincost"].close()


def bring(library: Library, path: Path, **given: object) -> tuple[Report, Booking]:
    """Import result logs as the command does."""
    report, booking = import_logs(library, path, given, lambda done, total: None)
    assert not report.faults, report.lines()
    return report, booking


def later(folder: Path, name: str = "training_results_v9.9") -> Path:
    """A repository of a round that does not ship: five runs of a POD16, 12 min by MLPerf's rules."""
    return repository(folder).rename(folder / name)


def held(library: Library, book: str = "public") -> list[BenchmarkResult]:
    return [each for each in opened(library, book).results if each.book == book]


def test_a_new_round_is_listed_with_its_runs_and_who_holds_it(
    library: Library, app: FlaskClient, tmp_path: Path
) -> None:
    bring(library, later(tmp_path))
    (found,) = strict(app.get("/v1/results?round=v9.9"))["results"]
    assert (found["book"], found["kind"], found["id"]) == (
        "public",
        "logs",
        "public/v9.9/Graphcore/ipu-pod16-TF1/resnet",
    )
    assert (found["time_to_train_minutes"], found["run_minutes"]) == (12, [10, 11, 12, 13, 14])
    assert (found["system"], found["units"], found["log_url"]) == ("ipu-pod16", 1, None), "MLCommons shows no such logs"
    assert strict(app.get("/v1/results?kind=logs"))["total"] == 1


def test_the_note_says_when_the_rules_ask_another_number_of_runs(
    library: Library, app: FlaskClient, tmp_path: Path
) -> None:
    bring(library, repository(tmp_path, minutes=(14, 10, 13, 11)))
    (found,) = strict(app.get("/v1/results?kind=logs"))["results"]
    assert found["note"] == "4 runs where the rules ask 5"
    assert found["time_to_train_minutes"] == (11 + 13) / 2


def test_a_time_from_logs_compares_and_is_called_unverified(library: Library, app: FlaskClient, tmp_path: Path) -> None:
    root = later(tmp_path)
    write_runs(root / "NVIDIA/results/rig/resnet", (20, 24, 25, 26, 30), org="NVIDIA")
    bring(library, root, tie=("rig=1*dgx-a100-640gb",))
    answer = strict(app.get("/v1/compare?systems=ipu-pod16,dgx-a100-640gb&benchmark=resnet&round=v9.9"))
    pod, dgx = answer["systems"]
    assert (pod["time_to_train_minutes"], dgx["time_to_train_minutes"]) == (12, 25)
    assert pod["provenance"]["time_to_train_minutes"]["status"] == "listed"
    caveats = [each for each in answer["caveats"] if each["code"] == "unverified_result"]
    assert [(each["systems"], each["severity"]) for each in caveats] == [
        (["ipu-pod16"], "serious"), (["dgx-a100-640gb"], "serious")
    ]  # fmt: skip
    told = "read by traincost from result logs into book public; unverified"
    assert len([each for each in answer["notices"] if told in each]) == 2
    assert not [each for each in answer["notices"] if "official" in each]


def test_an_mlperf_benchmark_stays_one_in_a_round_that_does_not_ship(
    library: Library, app: FlaskClient, tmp_path: Path
) -> None:
    bring(library, later(tmp_path))
    table = app.get("/v1/compare?systems=ipu-pod16&benchmark=resnet&round=v9.9&format=table").text
    assert "not an MLPerf benchmark" not in table and "v9.9" in table.splitlines()[1]


def test_the_round_that_is_given_wins_over_the_name_of_the_folder(library: Library, tmp_path: Path) -> None:
    bring(library, later(tmp_path), round="v8.0")
    assert [each.row.round for each in held(library)] == ["v8.0"]


def tie_of(library: Library, path: Path, **given: object) -> tuple[str | None, int | None, str]:
    """The system of the only result below a path, how many of it, and why."""
    _, booking = bring(library, path, **given)
    ((_, tied),) = booking.tied
    return tied.system, tied.units, tied.reason


def test_a_tie_is_as_given_before_all_others(library: Library, tmp_path: Path) -> None:
    given = ("ipu-pod16-TF1=4*ipu-m2000",)
    assert tie_of(library, repository(tmp_path), tie=given) == ("ipu-m2000", 4, "as given")
    assert [(each.system, each.units) for each in held(library)] == [("ipu-m2000", 4)]


def test_a_tie_may_name_a_system_by_an_alias_and_one_of_it(library: Library, tmp_path: Path) -> None:
    assert tie_of(library, repository(tmp_path), tie=("ipu-pod16-TF1=Graphcore IPU-POD16",))[:2] == ("ipu-pod16", 1)


@pytest.mark.parametrize(
    ("tie", "reason"),
    [
        ("ipu-pod16-TF1=2*ipu-pod16", "ipu-pod16-TF1 has 16 accelerators, and 2\\*ipu-pod16 has 32"),
        (
            "ipu-pod16-TF1=2*dgx-a100-640gb",
            "says its accelerators are Graphcore GC200 IPU, and those of dgx-a100-640gb are NVIDIA A100",
        ),
    ],
)
def test_a_tie_to_what_a_submission_is_not_is_refused(library: Library, tmp_path: Path, tie: str, reason: str) -> None:
    root = repository(tmp_path)
    describe(root, accelerator_model_name="Graphcore IPU GC200")
    with pytest.raises(BadQuestion, match=reason):
        tie_of(library, root, tie=(tie,))


def test_a_submission_that_ships_is_tied_as_it_ships(library: Library, tmp_path: Path) -> None:
    """mlperf_systems.csv has ipu-pod128-TF1 of v1.1 as one IPU-POD128."""
    root = repository(tmp_path, "Graphcore/results/ipu-pod128-TF1/resnet")
    assert tie_of(library, root) == ("ipu-pod128", 1, "as shipped")


@pytest.mark.parametrize(
    ("nodes", "units"),
    [("1", 1), ("3", 3)],
)
def test_an_exact_name_whose_accelerators_divide_is_that_system(
    library: Library, tmp_path: Path, nodes: str, units: int
) -> None:
    """An IPU-POD16 has 16 IPUs."""
    root = later(tmp_path)
    describe(root, number_of_nodes=nodes)
    assert tie_of(library, root) == ("ipu-pod16", units, f"by its name; {16 * units} accelerators of 16 each")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"accelerators_per_node": "12"}, "ipu-pod16 has 16 accelerators, and the submission 12"),
        ({"accelerators_per_node": "0"}, "ipu-pod16 has 16 accelerators, and the submission 0"),
        ({"system_name": "POD16 with fans"}, "no system of the catalogue has exactly this name"),
        ({"system_name": None}, "no system of the catalogue has exactly this name"),
    ],
)
def test_what_is_no_system_exactly_is_kept_untied_and_the_report_says_why(
    library: Library, app: FlaskClient, tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    _, booking = bring(library, of_a_rig(tmp_path, **changes))
    assert f"tied to no system: Acme/rig_x16: {reason}" in booking.lines()
    assert "tie such a one with --tie SYSTEM_ID=UNITS*SYSTEM, or import its system first" in booking.lines()
    (found,) = strict(app.get("/v1/results?round=v9.9"))["results"]
    assert (found["system"], found["units"], found["time_to_train_minutes"]) == (None, None, 12)


def of_a_rig(folder: Path, **changes: str) -> Path:
    """A repository of one submission whose id is no system's name, and whose system's name is POD16 unless changed."""
    place = "Acme/results/rig_x16/resnet"
    root = repository(folder, place).rename(folder / "training_results_v9.9")
    describe(root, place, **changes)
    return root


def test_an_id_and_a_name_of_two_systems_are_said_to_be_of_two(library: Library, tmp_path: Path) -> None:
    root = later(tmp_path)
    describe(root, system_name="DGX-2")
    system, _, reason = tie_of(library, root)
    assert system is None and "ipu-pod16" in reason and "dgx-2" in reason


def test_a_system_of_the_book_ties_by_its_name(library: Library, tmp_path: Path) -> None:
    rig = "id,name,vendor,accelerator_model,accelerators,hosts,source\nrig-8,Acme Rig,Acme,X1,8,1,ours\n"
    assert take_in(library, rig, "systems").published
    root = of_a_rig(tmp_path, system_name="acme rig")
    assert tie_of(library, root) == ("rig-8", 2, "by its name; 16 accelerators of 8 each")


def test_the_same_logs_again_change_nothing(library: Library, tmp_path: Path) -> None:
    root = later(tmp_path)
    first, _ = bring(library, root)
    again, _ = bring(library, root)
    assert again.unchanged and again.published == first.published


def test_an_archive_stands_in_the_place_of_the_folder_that_it_is_of(library: Library, tmp_path: Path) -> None:
    root = later(tmp_path)
    archive = tmp_path / f"{root.name}.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(root, root.name)
    first, _ = bring(library, root)
    again, _ = bring(library, archive)
    assert again.unchanged and again.source == first.source == "training-results-v9-9"


def test_a_benchmarks_folder_and_the_whole_repository_stand_beside_each_other(library: Library, tmp_path: Path) -> None:
    root = later(tmp_path)
    part, _ = bring(library, root / PLACE)
    write_runs(root / PLACE.replace("resnet", "bert"), (10, 20, 30), benchmark="bert")
    shutil.rmtree(root / PLACE)
    whole, _ = bring(library, root)
    assert part.source != whole.source
    assert sorted(each.benchmark for each in held(library)) == ["bert", "resnet"], "neither replaced the other"


def test_a_repository_without_its_earlier_results_takes_them_away(library: Library, tmp_path: Path) -> None:
    root = later(tmp_path)
    write_runs(root / PLACE.replace("resnet", "bert"), (10, 20, 30), benchmark="bert")
    bring(library, root)
    shutil.rmtree(root / PLACE)
    bring(library, root)
    assert [each.benchmark for each in held(library)] == ["bert"]


def test_a_shipped_time_read_again_is_marked_and_replaces_no_official_result(
    library: Library, app: FlaskClient, tmp_path: Path
) -> None:
    bring(library, repository(tmp_path, minutes=POD16, failed=("aborted",)))
    (found,) = strict(app.get("/v1/results?kind=logs"))["results"]
    assert (found["id"], found["time_to_train_minutes"], found["repeat_of"]) == (OURS, 28.3345, SHIPPED)
    asked = "/v1/compare?systems=ipu-pod16&benchmark=resnet&round=v1.1"
    answer = strict(app.get(asked))
    assert answer["systems"][0]["provenance"]["time_to_train_minutes"]["status"] == "measured"
    assert answer["systems"][0]["provenance"]["time_to_train_minutes"]["result"] == SHIPPED
    assert not {"unverified_result", "competing_results"} & {each["code"] for each in answer["caveats"]}
    named = strict(app.get(f"{asked}&result={OURS}"))
    assert named["systems"][0]["provenance"]["time_to_train_minutes"]["status"] == "listed"
    assert {"unverified_result", "repeated_result"} <= {each["code"] for each in named["caveats"]}


def test_a_time_that_is_not_the_shipped_one_is_the_books_own(
    library: Library, app: FlaskClient, tmp_path: Path
) -> None:
    """A ten thousandth of a minute longer: (28.3318 + 28.3325 + 28.3395) / 3 = 28.3346."""
    bring(library, repository(tmp_path, minutes=(*POD16[:3], 28.3395), failed=("aborted",)))
    answer = strict(app.get("/v1/compare?systems=ipu-pod16&benchmark=resnet&round=v1.1"))
    assert answer["systems"][0]["time_to_train_minutes"] == 28.3346
    assert {"unverified_result", "competing_results"} <= {each["code"] for each in answer["caveats"]}


def test_a_set_with_two_aborted_runs_of_five_is_kept_without_a_time(
    library: Library, app: FlaskClient, tmp_path: Path
) -> None:
    root = repository(tmp_path, minutes=(10, 11, 12), failed=("aborted", "aborted"))
    _, booking = bring(library, root)
    assert f"no score: {PLACE}: 2 of 5 runs did not converge; 1 may" in booking.lines()
    (found,) = strict(app.get("/v1/results?kind=logs"))["results"]
    assert (found["time_to_train_minutes"], found["runs"], found["runs_failed"]) == (None, 5, 2)
    assert found["note"] == "2 of 5 runs did not converge; 1 may" and found["run_minutes"] == [10, 11, 12]
    answer = strict(app.get("/v1/compare?systems=ipu-pod16&benchmark=resnet&round=v1.1"))
    assert answer["systems"][0]["time_to_train_minutes"] == 28.3345, "the official time stays"


@pytest.mark.parametrize("form", EXPORTS)
def test_exported_results_of_logs_are_imported_unchanged(library: Library, tmp_path: Path, form: str) -> None:
    root = later(tmp_path)
    write_runs(root / "Acme/results/=rig/resnet", (10.125, 11, 12), failed=("aborted", "aborted"), org="Acme")
    bring(library, root)
    exported = b"".join(export_of(opened(library, "public"), "results", "public", form))
    assert take_in(library, exported, "results", name=f"list.{form}", book="two").faults == []
    (one,), (two,) = opened(library, "public").books, opened(library, "two").books
    assert cells(two.facts("results")) == cells(one.facts("results"))
    assert [each.run_minutes for each in held(library, "two")] == [(10.125, 11, 12), (10, 11, 12, 13, 14)]


def cells(rows: object) -> list[dict[str, str]]:
    """The rows of a book without where they stand."""
    assert isinstance(rows, dict)
    return [{name: cell for name, cell in row.items() if name not in ("row", "book")} for row in rows.values()]


def test_the_times_of_these_tests_are_those_that_ship() -> None:
    table = Path("pricing/data/mlperf/results_v1.1.csv")
    with (Path(__file__).parents[4] / table).open(newline="", encoding="utf-8") as file:
        (row,) = [each for each in csv.DictReader(file) if each["results_dir"] == PLACE]
    assert row["run_minutes"] == " ".join(f"{each:.4f}" for each in POD16)
