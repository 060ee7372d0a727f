"""Which results may be set beside a given one: alike rules, division and kind of source."""

import csv
from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing.analysis.comparable import comparable_with, objections, result_named
from pricing.catalogue.catalogue import Catalogue, shipped
from pricing.catalogue.facts import DATA
from pricing.errors import UnknownName
from schemas.benchmark_result import BenchmarkResult

POD = "v1.1/Graphcore/ipu-pod16-TF1/resnet"
ROUNDS = {"v0.6", "v0.7", "v1.0", "v1.1", "v2.0", "v2.1", "v3.0", "v3.1", "v4.0"}
"""The rounds with ResNet at 75.9 %: 74.9 % in v0.5, and none after v4.0."""
results = st.integers(0, len(shipped().results) - 1).map(shipped().results.__getitem__)


def rows() -> Iterator[dict[str, str]]:
    """The rounds' own tables, as they came from the logs."""
    for path in sorted((DATA / "mlperf").glob("results_v*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)


def why(catalogue: Catalogue, one: str, other: str) -> str:
    return "; ".join(objections(catalogue, catalogue.by_id[one], catalogue.by_id[other]))


def test_every_scored_closed_resnet_of_the_same_rules_compares(catalogue: Catalogue) -> None:
    expected = {
        "/".join((each["round"], each["submitter"], each["system_id"], "resnet"))
        for each in rows()
        if each["benchmark"] == "resnet" and each["division"] == "closed" and each["official_minutes"]
        and each["round"] in ROUNDS
    }  # fmt: skip
    found = {each.result.id for each in comparable_with(catalogue, POD)}
    assert found == expected - {POD}
    assert len(found) > 300


def test_bert_of_v0_7_and_v1_0_do_not_compare(catalogue: Catalogue) -> None:
    old, new = "v0.7/Google/tpu-v4-128-TF/bert", "v1.0/Google/tpu-v4-128-TF/bert"
    assert "the rules differ: bert-0.712, bert-0.720" in why(catalogue, old, new)
    assert {each.result.row.round for each in comparable_with(catalogue, old)} == {"v0.7"}
    assert "v0.7" not in {each.result.row.round for each in comparable_with(catalogue, new)}


def test_ssd_does_not_compare_across_v2_0(catalogue: Catalogue) -> None:
    # from v2.0 on the logs' ssd is RetinaNet
    before = "v1.1/NVIDIA/dgxa100_ngc21.09_mxnet/ssd"
    later = [each for each in catalogue.results if each.row.benchmark == "ssd" and each.row.round == "v2.0"]
    assert later
    assert {each.benchmark for each in later} == {"retinanet"}
    assert why(catalogue, before, later[0].id) == "the benchmarks differ: ssd, retinanet"
    assert {each.result.row.round for each in comparable_with(catalogue, before)} <= {"v0.6", "v0.7", "v1.0", "v1.1"}


def test_closed_and_open_do_not_compare(catalogue: Catalogue) -> None:
    closed, opened = (f"v1.1/Graphcore/ipu-pod16-POPART-{division}/bert" for division in ("closed", "open"))
    assert why(catalogue, closed, opened) == "the divisions differ: closed, open"
    assert {each.result.row.division for each in comparable_with(catalogue, closed)} == {"closed"}
    assert {each.result.row.division for each in comparable_with(catalogue, opened)} == {"open"}


def test_where_mlcommons_table_differs_from_the_rules_its_word_counts_too(catalogue: Catalogue) -> None:
    # RNN-T: one version group by rules and logs, but MLCommons keeps v1.0 apart from v1.1
    old, new = "v1.0/NVIDIA/dgxa100_ngc21.05_pytorch/rnnt", "v1.1/NVIDIA/dgxa100_ngc21.09_pytorch/rnnt"
    assert why(catalogue, old, new) == "MLCommons' table has v1.0 and v1.1 in different groups"


@pytest.mark.parametrize("kind", ["own_run", "vendor", "dawnbench"])
def test_what_is_not_mlcommons_does_not_compare_with_what_is(catalogue: Catalogue, kind: str) -> None:
    pod = catalogue.by_id[POD]
    other = replace(pod, id="other", kind=kind)
    assert list(objections(catalogue, pod, other)) == [f"the kinds of source differ: mlperf, {kind}"]
    assert list(objections(catalogue, other, replace(other, id="another"))) == []


def test_logs_of_a_book_compare_and_say_so(catalogue: Catalogue) -> None:
    read = replace(catalogue.by_id[POD], id="mine/logs", kind="logs", book="mine")
    with_book = copy(catalogue)
    with_book.results = (*catalogue.results, read)
    with_book.by_id = {each.id: each for each in with_book.results}
    cautions = {each.result.id: each.cautions for each in comparable_with(with_book, POD)}
    assert any("did not check that MLCommons published it" in each for each in cautions["mine/logs"])
    others = [each for name, each in cautions.items() if name != "mine/logs"]
    assert not any("did not check" in each for each in sum(others, ()))


def cautions(catalogue: Catalogue, name: str, other: str) -> tuple[str, ...]:
    return next(each.cautions for each in comparable_with(catalogue, name) if each.result.id == other)


def test_cautions_name_what_differs_and_nothing_else(catalogue: Catalogue) -> None:
    dgx = "v1.1/NVIDIA/dgxa100_ngc21.09_mxnet/resnet"
    assert cautions(catalogue, POD, dgx) == ("accelerators: 16, 8",)
    assert cautions(catalogue, POD, "v1.0/Graphcore/ipu-pod16-TF1/resnet") == ("round: v1.1, v1.0",)
    again = "v2.1/Dell/XE8545x4A100-SXM-80GB/resnet"
    assert "repeats v2.0/Dell/XE8545x4A100-SXM-80GB/resnet: no new measurement" in cautions(catalogue, POD, again)


def test_in_the_open_division_models_may_differ(catalogue: Catalogue) -> None:
    opened = list(comparable_with(catalogue, "v1.1/Graphcore/ipu-pod16-POPART-open/bert"))
    assert opened
    assert all("open division: the models and methods may differ" in each.cautions for each in opened)


def test_a_doubt_is_said(catalogue: Catalogue) -> None:
    asked = next(each.id for each in catalogue.results if each.benchmark == "minigo" and each.row.round == "v2.1"
                 and each.row.submitter == "NVIDIA")  # fmt: skip
    found = cautions(catalogue, asked, "v2.1/Dell/R750xax4A100-PCIE-80GB/minigo")
    assert "doubt (high): log names another server (XE8545, SXM)" in found


def test_a_result_is_not_comparable_with_itself_and_an_unscored_one_with_none(catalogue: Catalogue) -> None:
    found = [each.result for each in comparable_with(catalogue, POD)]
    assert POD not in [each.id for each in found]
    assert all(each.time_to_train_minutes for each in found)
    unscored = [each for each in catalogue.results if each.benchmark == "resnet" and not each.time_to_train_minutes]
    assert unscored
    assert not {each.id for each in unscored} & {each.id for each in found}


def test_an_unknown_result_is_an_error_that_names_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownName) as error:
        result_named(catalogue, POD.replace("resnet", "resnot"))
    assert POD in str(error.value)
    with pytest.raises(UnknownName):
        list(comparable_with(catalogue, "nothing"))


@given(results, results)
def test_comparing_is_symmetric(one: BenchmarkResult, other: BenchmarkResult) -> None:
    catalogue = shipped()
    there, back = list(objections(catalogue, one, other)), list(objections(catalogue, other, one))
    assert len(there) == len(back)
    assert list(objections(catalogue, one, one)) == []


@given(results, results)
def test_what_compares_is_of_one_benchmark_division_and_rules(one: BenchmarkResult, other: BenchmarkResult) -> None:
    alike = (one.benchmark, one.version_group, one.row.division) == (
        other.benchmark, other.version_group, other.row.division
    )  # fmt: skip
    assert alike or list(objections(shipped(), one, other))
