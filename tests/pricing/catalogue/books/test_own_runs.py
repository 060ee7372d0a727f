"""Own runs: one time by the clock or in accelerator-hours, scored as MLPerf scores, and never called official."""

from collections.abc import Sequence
from math import sqrt
from statistics import stdev

import pytest

from pricing.catalogue.exporting import EXPORTS, export_of
from pricing.catalogue.importing.report import Report
from pricing.catalogue.library import Library
from pricing.catalogue.results import spread_of
from schemas.benchmark_result import BenchmarkResult
from tests.pricing.catalogue.books.imports import faults, opened, take_in

HEADER = (
    "benchmark,round,submitter,system,units,run_id,source,wall_minutes,accelerator_hours,converged,division,framework"
)
FIVE = ("14", "10", "13", "11", "12")
"""Minutes of five runs; without 10 and 14 their mean is (11 + 12 + 13) / 3 = 12."""


def run(number: object = 1, wall: str = "", hours: str = "", converged: str = "", **changes: str) -> str:
    """A row of one run on a DGX-2, which has 16 accelerators, with changes to the usual one."""
    usual = {"benchmark": "resnet", "round": "v1.1", "submitter": "Acme", "system": "dgx-2", "units": "1",
             "run_id": str(number), "source": "my log", "wall_minutes": wall, "accelerator_hours": hours,
             "converged": converged, "division": "", "framework": ""}  # fmt: skip
    return ",".join({**usual, **changes}.values())


def several(minutes: Sequence[str] = FIVE, failed: Sequence[str] = (), **changes: str) -> list[str]:
    """Rows of runs of these minutes; then those that did not converge."""
    ended = [(each, "") for each in minutes] + [(each, "no") for each in failed]
    return [run(number, wall, converged=how, **changes) for number, (wall, how) in enumerate(ended)]


def bring(library: Library, *rows: str) -> Report:
    return take_in(library, "\n".join((HEADER, *rows)) + "\n", "runs")


def results(library: Library, *rows: str) -> list[BenchmarkResult]:
    """The results that a book has after these runs are its only ones."""
    report = bring(library, *rows)
    assert report.published, report.lines()
    return [each for each in opened(library, "public").results if each.book == "public"]


def result(library: Library, *rows: str) -> BenchmarkResult:
    (found,) = results(library, *rows)
    return found


def test_five_runs_are_one_result_whose_time_leaves_out_the_fastest_and_the_slowest(library: Library) -> None:
    found = result(library, *several())
    assert found.time_to_train_minutes == pytest.approx((11 + 12 + 13) / 3)
    assert (found.kind, found.book, found.row.runs, found.row.runs_failed) == ("own_run", "public", 5, 0)
    assert (found.system, found.units, found.row.accelerators_total) == ("dgx-2", 1, 16)
    assert found.note == "the mean of 3 of 5 runs: 3, 4, 2"


def test_the_result_keeps_every_time_and_says_how_far_runs_differ(library: Library) -> None:
    found = result(library, *several())
    assert found.run_minutes == (10, 11, 12, 13, 14)
    known = spread_of(found)
    assert known is not None and known.deviation == pytest.approx(stdev((10, 11, 12, 13, 14)))
    # a table of Student's t has 2.132 for four degrees of freedom and 90 %, both sides together
    assert known.half_width == pytest.approx(2.132 * sqrt(2.5) / sqrt(5), rel=1e-3)


def test_a_run_that_did_not_converge_counts_as_the_slowest(library: Library) -> None:
    found = result(library, *several(("10", "11", "12", "13"), failed=("9",)))
    assert found.time_to_train_minutes == pytest.approx((11 + 12 + 13) / 3), "9 min were no time to train"
    assert found.run_minutes == (10, 11, 12, 13)
    assert (found.row.runs, found.row.runs_failed) == (5, 1)


def test_two_runs_of_five_that_did_not_converge_are_no_score(library: Library) -> None:
    found = result(library, *several(("10", "11", "12"), failed=("9", "9")))
    assert (found.time_to_train_minutes, found.note) == (None, "2 of 5 runs did not converge; 1 may")


@pytest.mark.parametrize(("count", "failed"), [(1, 0), (2, 0), (1, 1)])
def test_fewer_than_three_runs_are_no_score_and_the_result_says_why(library: Library, count: int, failed: int) -> None:
    found = result(library, *several(FIVE[:count], failed=FIVE[:failed]))
    assert found.time_to_train_minutes is None
    assert found.note == f"{count + failed} are too few runs: 1 at either end are left out"


def test_of_forty_runs_of_unet3d_four_are_left_out_at_either_end(library: Library) -> None:
    minutes = [str(each) for each in range(1, 37)]
    whole = {"benchmark": "unet3d", "round": "v1.1"}
    # four did not converge and are the slowest; of 1 to 36 remain 5 to 36, whose mean is (5 + 36) / 2
    assert result(library, *several(minutes, failed=("50",) * 4, **whole)).time_to_train_minutes == 20.5
    fifth = result(library, *several(minutes[1:], failed=("50",) * 5, **whole))
    assert (fifth.time_to_train_minutes, fifth.note) == (None, "5 of 40 runs did not converge; 4 may")


@pytest.mark.parametrize(
    "change",
    [{"system": "dgx-a100-640gb"}, {"units": "2"}, {"framework": "JAX"}, {"submitter": "Zenith"}, {"round": "v1.0"}],
)
def test_runs_that_differ_in_what_ran_are_different_results(library: Library, change: dict[str, str]) -> None:
    more = ("20", "21", "22", "23", "24")
    found = results(library, *several(), *several(more, **change))
    assert sorted(each.time_to_train_minutes or 0 for each in found) == pytest.approx([12, 22])
    assert len({each.id for each in found}) == 2


def test_results_of_two_divisions_have_ids_of_their_own(library: Library) -> None:
    found = results(library, *several(division="closed"), *several(division="open"))
    assert sorted(each.row.division or "" for each in found) == ["closed", "open"]
    assert len({each.id for each in found}) == 2, "an id that is two results names neither"


def test_a_run_without_a_division_is_in_the_open_one(library: Library) -> None:
    rows = [*several(("14", "10"), division="open"), *(run(each, each) for each in ("13", "11", "12"))]
    found = result(library, *rows)
    assert (found.row.division, found.row.runs, found.time_to_train_minutes) == ("open", 5, 12)


def test_accelerator_hours_are_wall_time_times_all_accelerators(library: Library) -> None:
    """16 accelerators × 2 systems for 15 min are 8 accelerator-hours."""
    rows = [run(each, hours=hours, units="2") for each, hours in enumerate(("8", "16", "24"))]
    found = result(library, *rows)
    assert found.run_minutes == pytest.approx((15, 30, 45))
    assert found.time_to_train_minutes == pytest.approx(16 * 60 / (2 * 16))


def test_both_times_of_a_run_are_taken_where_they_agree(library: Library) -> None:
    """16 accelerators for 60 min are 16 hours; 16.01 is the same within a thousandth."""
    found = result(library, *(run(each, "60", hours) for each, hours in enumerate(("16", "16.01", "15.99"))))
    assert found.time_to_train_minutes == 60


@pytest.mark.parametrize(
    ("wall", "hours", "expected"),
    [
        ("60", "1", "wall_minutes 60 and accelerator_hours 1 disagree: 60 min on 16 accelerators are 16 accelerator-hours"),
        ("60", "16.5", "wall_minutes 60 and accelerator_hours 16.5 disagree"),
        ("", "", "wall_minutes or accelerator_hours is required"),
        ("0", "", "above 0"), ("-5", "", "above 0"), ("", "0", "above 0"), ("nan", "", "wall_minutes"),
    ],
)  # fmt: skip
def test_a_run_whose_time_cannot_be_is_refused_with_its_line(
    library: Library, wall: str, hours: str, expected: str
) -> None:
    """mlco2/impact#39 (B18): nobody could tell whether hours are by the clock or of all accelerators together."""
    found = faults(bring(library, run(1, "12"), run(2, wall, hours)))
    assert found.startswith("line 3") and expected in found


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (run(1, "5", system="dgx-3"), "line 2, column system: unknown system 'dgx-3'; nearest: dgx-2"),
        (run(1, "5", benchmark="resnet50"), "line 2, column benchmark: unknown benchmark"),
        (run(1, "5", round="v9.9"), "line 2, column round: unknown round 'v9.9'"),
        (run(1, "5", converged="maybe"), "line 2, column converged: one of yes, no expected"),
        (run(1, "5", division="half"), "line 2, column division: one of closed, open expected"),
        (run(1, "5", units="0"), "units are above 0"),
        (run("", "5"), "line 2, column run_id: a blank cell"),
    ],
)
def test_a_wrong_cell_of_a_run_is_named_with_what_was_expected(library: Library, row: str, expected: str) -> None:
    assert expected in faults(bring(library, row))


def test_a_run_of_one_id_twice_is_refused(library: Library) -> None:
    assert "line 3" in faults(bring(library, run(1, "5"), run(1, "6")))


def test_accelerator_hours_of_a_system_without_accelerators_are_refused(library: Library) -> None:
    cpus = "id,name,vendor,accelerator_model,accelerators,hosts,source\nrig,Rig,Acme,none,0,1,ours\n"
    assert take_in(library, cpus, "systems").published
    assert "the system has no accelerators: give wall_minutes" in faults(bring(library, run(1, "", "8", system="rig")))
    assert bring(library, run(1, "5", system="rig")).published


def test_a_system_that_changes_after_its_runs_leaves_the_catalogue_readable(library: Library) -> None:
    """Both times agreed for 8 accelerators: 60 min are 8 hours. With 16 they no longer do."""
    rig = "id,name,vendor,accelerator_model,accelerators,hosts,source\nrig,Rig,Acme,X1,{},1,ours\n"
    assert take_in(library, rig.format(8), "systems").published
    assert bring(library, *(run(each, "60", "8", system="rig") for each in range(3))).published
    changed = take_in(library, rig.format(16), "systems").published
    assert opened(library, "public").system("rig").accelerators == (16 if changed else 8)


@pytest.mark.parametrize("form", EXPORTS)
def test_exported_runs_are_imported_unchanged(library: Library, form: str) -> None:
    rows = [run("=1+1", "12.3450", framework="TensorFlow 1.15"), run("00123", "1.5", converged="no", division="closed")]
    assert bring(library, *rows).published
    assert same_again(library, form)


def test_an_exported_name_that_looks_like_a_number_stays_as_it_is(library: Library) -> None:
    assert bring(library, run("1.234", "12", framework="2.100")).published
    assert same_again(library, "csv")


def same_again(library: Library, form: str) -> bool:
    """Whether a book's runs, exported and imported into another, are the same."""
    exported = b"".join(export_of(opened(library, "public"), "runs", "public", form))
    assert take_in(library, exported, "runs", name=f"list.{form}", book="two").published
    (one,), (two,) = opened(library, "public").books, opened(library, "two").books
    kept = [[(name, row.get(name)) for name in HEADER.split(",")] for row in one.facts("runs").values()]
    return kept == [[(name, row.get(name)) for name in HEADER.split(",")] for row in two.facts("runs").values()]
