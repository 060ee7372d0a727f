"""Where results lie: which files are runs, of which submission, and what is said of the others."""

from pathlib import Path

import pytest

from pricing.mlperf.repository import read_repository
from tests.pricing.mlperf.building import (
    FIVE,
    MINUTE,
    PLACE,
    REPOSITORY,
    describe,
    log,
    mlp,
    only,
    repository,
    skipped,
    text,
    write,
    write_runs,
)


def test_a_repository_gives_a_row_by_the_names_of_its_folders(tmp_path: Path) -> None:
    row = only(repository(tmp_path)).row
    assert (row.round, row.submitter, row.system_id, row.benchmark) == ("v1.1", "Graphcore", "ipu-pod16-TF1", "resnet")
    assert (row.minutes, row.official_minutes, row.runs, row.runs_failed) == (12.0, 12.0, 5, 0)
    assert (row.minutes_min, row.minutes_max, row.results_dir) == (10.0, 14.0, PLACE)
    assert row.system_json == "Graphcore/systems/ipu-pod16-TF1.json"
    assert (row.nodes, row.accelerators_total, row.host_processors_total) == (1, 16, 2)
    assert (row.division, row.status, row.system_name, row.submitter_json) == ("closed", "onprem", "POD16", "Graphcore")


@pytest.mark.parametrize(
    "name",
    [
        ".!65506!result_4.txt",  # an editor's, in Azure/…/maskrcnn of v1.1
        "rcp_checker.log",
        "unet3d.txt",
        "compliance_1.out",
        "nvlog.json",
        ".DS_Store",
        "logs.tgz",
        "result_5.txt.swp",
        "result_5.log",
        "Result_5.txt",
        "xresult_5.txt",
        "result_5.txt~",
        "scaling.txt",
    ],
)
def test_neighbours_of_the_runs_are_no_runs(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path)
    write(root / PLACE / name, log(1, "aborted"))
    assert only(root).row.runs == 5 and only(root).row.minutes == 12


@pytest.mark.parametrize(
    "name",
    [
        "result_run10.txt",
        "result_4_16N4R_2k_1.txt",
        "result_5016-240510051637692552791_20.txt",
        "result_5_raw_1.txt",
        "result_.txt",
        "result_a b+c(1).txt",
        "result_5.tar.txt",
        "result_ö\udcff.txt",  # a name that is no UTF-8
        "result_a\nb.txt",
    ],
)
def test_odd_names_of_runs_are_runs(tmp_path: Path, name: str) -> None:
    """Without 10 and 30: (11 + 12 + 13 + 14) / 4 = 12.5."""
    root = repository(tmp_path)
    write(root / PLACE / name, log(30 * MINUTE))
    row = only(root).row
    assert (row.runs, row.minutes, row.minutes_max) == (6, 12.5, 30.0)


def test_swap_files_of_an_editor_beside_the_descriptions_are_nothing(tmp_path: Path) -> None:
    """As Graphcore/systems/.ipu-pod16-POPART.json.swp of v1.0."""
    root = repository(tmp_path)
    write(root / "Graphcore/systems/.ipu-pod16-TF1.json.swp", b"b0VIM 8.0\0\0\xff\xfe\0somebody\0")
    write(root / "Graphcore/systems/README.md", "# Systems")
    write(root / "Graphcore/systems/package_checker.log", "ok")
    assert only(root).row.nodes == 1 and skipped(root) == {}


def test_bert_nested_under_resnet_is_a_copy_and_no_row(tmp_path: Path) -> None:
    """As Habana/results/SYS-420GH-TNGR/resnet/bert of v1.0."""
    root = repository(tmp_path, "Habana/results/SYS-420GH-TNGR/resnet")
    write_runs(root / "Habana/results/SYS-420GH-TNGR/resnet/bert", FIVE, benchmark="bert")
    assert only(root).row.benchmark == "resnet"
    assert "copy, or misplaced" in skipped(root)["Habana/results/SYS-420GH-TNGR/resnet/bert"]


def test_without_a_folder_of_the_benchmark_the_logs_name_it(tmp_path: Path) -> None:
    """As Alibaba/results/v100-256/result_4.txt of v0.7, of which no description is there."""
    root = tmp_path / "training_results_v0.7"
    write_runs(root / "Alibaba/results/v100-256", FIVE, org="alibaba")
    found = only(root)
    assert (found.row.submitter, found.row.system_id, found.row.benchmark) == ("Alibaba", "v100-256", "resnet")
    assert (found.row.division, found.row.status, found.row.nodes) == ("closed", "onprem", None)
    assert found.row.official_minutes == 12 and "no description of the system" in found.notes


def test_runs_of_another_name_are_told_and_not_read(tmp_path: Path) -> None:
    """As Alibaba/results/a100-8/resnet/200711025203744603517_1.log of v0.7."""
    root = repository(tmp_path)
    for number in range(1, 6):
        write(root / f"Alibaba/results/a100-8/resnet/20071102520374460351{number}.log", log(MINUTE))
    assert only(root).row.submitter == "Graphcore"
    told = skipped(root)["Alibaba/results/a100-8/resnet"]
    assert told.startswith("no result_*.txt; not read: 200711025203744603511.log, ") and told.endswith(" …")


@pytest.mark.parametrize(
    "place",
    [
        "nettrix/results/X660 G45_SXM4-40G_mxnet/resnet",
        "Supermicro/results/AS-4124GO-NART+/resnet",
        "IBM+CoreWeave+NVIDIA/results/n2496/resnet",
        "PCL/results/CloudBrainII_[1-2]*?/resnet",
        "Université/results/8×B200/resnet",
    ],
)
def test_names_with_blanks_and_signs_are_names(tmp_path: Path, place: str) -> None:
    submitter, _, system, _ = place.split("/")
    row = only(repository(tmp_path, place)).row
    assert (row.submitter, row.system_id, row.nodes, row.results_dir) == (submitter, system, 1, place)


def old_repository(folder: Path, place: str) -> Path:
    """A repository of v0.5: runs of 1 to 5 minutes, whose mean without 1 and 5 is 3."""
    root = folder / "training_results_v0.5"
    for number in range(1, 6):
        lines = (mlp(1000, "run_start"), mlp(1000 + number * 60, "run_stop", '{"success": true}'))
        write(root / place / f"result_{number}.txt", text(*lines))
    entry = '{"division": "closed", "status": "on-premise", "nodes": [{"num_nodes": 2, "num_accelerators": 8}]}'
    write((root / place).parent / "entry.json", entry)
    return root


OLD_PLACE = "v0.5.0/intel/intel_resnet_submission/results/skx_8180_4s_4x/resnet"


def test_v05_has_its_submitters_below_a_folder_and_descriptions_beside_the_benchmarks(tmp_path: Path) -> None:
    row = only(old_repository(tmp_path, OLD_PLACE)).row
    assert (row.round, row.submitter, row.benchmark) == ("v0.5", "intel", "resnet")
    assert row.system_id == "intel_resnet_submission/skx_8180_4s_4x"
    assert (row.minutes, row.division, row.nodes, row.accelerators_total) == (3.0, "closed", 2, 16)


def test_v05_may_have_more_folders_between_submitter_and_results(tmp_path: Path) -> None:
    place = "v0.5.0/google/cloud_v2.512/resnet-tpuv2-512/results/tpu/resnet"
    row = only(old_repository(tmp_path, place)).row
    assert (row.submitter, row.system_id) == ("google", "cloud_v2.512/resnet-tpuv2-512/tpu")


def test_mask_is_maskrcnn(tmp_path: Path) -> None:
    """As Google's of v0.6."""
    row = only(repository(tmp_path, "Google/results/tpu-v3-128/mask")).row
    assert (row.benchmark, row.benchmark_raw) == ("maskrcnn", "mask")


PARTS = ["Graphcore", "Graphcore/results", "Graphcore/results/ipu-pod16-TF1", PLACE]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_a_repository_gives_the_row_of_the_whole(tmp_path: Path, part: str) -> None:
    root = repository(tmp_path)
    assert only(root / part) == only(root)


@pytest.mark.parametrize("part", ["v0.5.0", "v0.5.0/intel", "v0.5.0/intel/intel_resnet_submission/results", OLD_PLACE])
def test_a_part_of_v05_gives_the_row_of_the_whole(tmp_path: Path, part: str) -> None:
    root = old_repository(tmp_path, OLD_PLACE)
    assert only(root / part) == only(root)


def test_a_relative_path_gives_the_same_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path)
    monkeypatch.chdir(root / PLACE)
    assert only(Path(".")) == only(root)


@pytest.mark.parametrize("above", ["results", "results/2021/mine", "power"])
def test_a_repository_below_a_folder_of_a_name_that_means_something_within_is_read(tmp_path: Path, above: str) -> None:
    assert only(repository(tmp_path / above)) == only(repository(tmp_path / "elsewhere"))


def test_a_folder_of_logs_outside_any_repository_takes_all_from_the_logs(tmp_path: Path) -> None:
    write_runs(tmp_path / "mine", FIVE, benchmark="bert", org="Somebody", division="open", status="research")
    found = only(tmp_path / "mine")
    assert (found.row.round, found.row.submitter, found.row.system_id) == ("unknown", "Somebody", "mine")
    assert (found.row.benchmark, found.row.division, found.row.status) == ("bert", "open", "research")
    assert found.row.official_minutes == 12 and found.row.nodes is None


def test_the_round_asked_goes_before_that_of_the_folder(tmp_path: Path) -> None:
    assert only(repository(tmp_path), "v4.0").row.round == "v4.0"


@pytest.mark.parametrize(
    ("name", "in_round"),
    [("training_results_v4.1", "v4.1"), ("training_results_v1.1-main", "v1.1"), ("mlperf", "unknown")],
)
def test_the_round_is_that_of_the_folders_name(tmp_path: Path, name: str, in_round: str) -> None:
    root = repository(tmp_path).rename(tmp_path / name)
    assert only(root).row.round == in_round


def test_logs_that_name_no_benchmark_are_skipped(tmp_path: Path) -> None:
    write(tmp_path / "mine/result_0.txt", log(MINUTE, said={}))
    assert skipped(tmp_path / "mine") == {".": "neither folder nor log says which benchmark it is"}


def test_rows_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    places = ["B/results/y/ssd", "A/results/z/bert", "B/results/y/bert", "A/results/x/resnet"]
    for place in places:
        write_runs(tmp_path / REPOSITORY / place, FIVE)
        describe(tmp_path / REPOSITORY, place)
    found = read_repository(tmp_path / REPOSITORY)
    assert [each.row.results_dir for each in found.results] == sorted(places)


def test_what_was_read_is_told_up_to_all_of_it(tmp_path: Path) -> None:
    """Five logs of one submission, three of another."""
    root = repository(tmp_path)
    write_runs(root / "Graphcore/results/ipu-pod64-TF1/resnet", FIVE[:3])
    told: list[tuple[int, int]] = []
    read_repository(root, tell=lambda done, total: told.append((done, total)))
    assert told == [(5, 8), (8, 8)]


def test_an_empty_folder_has_no_results(tmp_path: Path) -> None:
    assert read_repository(tmp_path) == ((), ())
