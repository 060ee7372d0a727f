"""The list of results: every filter against the rounds' own tables, what compares with a result, and its runs."""

import csv
import statistics
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

import pytest
from flask.testing import FlaskClient
from scipy.stats import t

from pricing.catalogue.facts import DATA
from service.lists import LISTINGS
from tests.service.test_api import strict

Row = dict[str, str]
POD = "v1.1/Graphcore/ipu-pod16-TF1/resnet"


@cache
def rows() -> tuple[Row, ...]:
    """The rounds' tables as the logs gave them."""
    return tuple(_read(*sorted((DATA / "mlperf").glob("results_v*.csv"))))


def _read(*paths: Any) -> Iterator[Row]:
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)


def having(**values: str) -> set[str]:
    """The ids of the rows with these values."""
    return {_id(each) for each in rows() if all(each[name] == value for name, value in values.items())}


def _id(row: Row) -> str:
    return "/".join((row["round"], row["submitter"], row["system_id"], row["benchmark"]))


def tied(**values: str) -> set[str]:
    """The ids of the rows that mlperf_systems.csv ties to a system with these values."""
    ties = _read(DATA / "mlperf_systems.csv")
    fits = {
        (each["round"], each["submitter"], each["system_id"])
        for each in ties
        if all(each[name] == value for name, value in values.items())
    }
    return {_id(each) for each in rows() if (each["round"], each["submitter"], each["system_id"]) in fits}


def doubted(level: str) -> set[str]:
    return {_id(each) for each in _read(DATA / "mlperf_row_doubts.csv") if each["level"] == level}


def of_rules(group: str) -> set[str]:
    version = next(each for each in _read(DATA / "benchmarks.csv") if each["version_group"] == group)
    held = version["rounds"].split()
    return {_id(each) for each in rows() if each["benchmark"] == version["log_name"] and each["round"] in held}


def listed(client: FlaskClient, **filters: str) -> list[dict[str, Any]]:
    """All pages of the list."""
    found: list[dict[str, Any]] = []
    while True:
        response = client.get("/v1/results", query_string={**filters, "limit": "500", "offset": str(len(found))})
        assert response.status_code == 200, response.text
        page = strict(response)
        found += page["results"]
        if page["next"] is None:
            assert len(found) == page["total"]
            return found


FILTERS: dict[str, tuple[str, Callable[[], set[str]]]] = {
    "round": ("v5.1", lambda: having(round="v5.1")),
    "division": ("open", lambda: having(division="open")),
    "benchmark": ("dlrm", lambda: having(benchmark="dlrm")),
    "accelerators_total": ("4320", lambda: having(accelerators_total="4320")),
    "accelerator_model": ("Graphcore IPU GC200", lambda: having(accelerator_model="Graphcore IPU GC200")),
    "framework": (
        "TensorFlow 1.15 Poplar SDK 2.3.0", lambda: having(framework="TensorFlow 1.15 Poplar SDK 2.3.0"),
    ),
    "units": ("16", lambda: tied(units="16")),
    "system": ("ipu-pod64", lambda: tied(system="ipu-pod64")),
    "version_group": ("ssd-23.0", lambda: of_rules("ssd-23.0")),
    "doubt_level": ("high", lambda: doubted("high")),
    "kind": ("vendor", lambda: {"not-mlperf/Graphcore/ipu-pod256/efficientnet-b4"}),
    "submitter": ("nettrix", lambda: having(submitter="nettrix")),
    "availability": ("research", lambda: {_id(each) for each in rows() if each["status"].lower() in ("research", "rdi")}),
}  # fmt: skip


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_gives_just_the_rows_of_the_tables(client: FlaskClient, name: str) -> None:
    value, expected = FILTERS[name]
    found = {each["id"] for each in listed(client, **{name: value})}
    assert found
    assert found == expected()


def test_every_filter_of_the_list_is_tested_here() -> None:
    assert {*FILTERS, "book", "comparable_with"} == set(LISTINGS["results"].filters)


def test_the_facts_are_a_book_too(client: FlaskClient) -> None:
    # knowledge/mlperf.md, section 2: 2,257 rows of 13 rounds; and one time of a vendor
    assert len(rows()) == 2257
    assert strict(client.get("/v1/results?book=facts&limit=1"))["total"] == 2258
    assert strict(client.get("/v1/results?kind=mlperf&limit=1"))["total"] == 2257


def test_the_five_high_doubts_are_found(client: FlaskClient) -> None:
    # 80 rows whose logs name another platform, 5 of them high; three of Lambda; 14 energies of v4.0 that are estimates
    levels = {name: strict(client.get(f"/v1/results?doubt_level={name}&limit=1"))["total"] for name in ("high", "none")}
    assert levels == {"high": 5, "none": 2258 - 80 - 3 - 14}


def test_filters_narrow_together(client: FlaskClient) -> None:
    found = listed(client, units="1", accelerators_total="8", round="v1.1", benchmark="resnet", doubt_level="none")
    expected = tied(units="1") & having(accelerators_total="8", round="v1.1", benchmark="resnet")
    assert {each["id"] for each in found} == expected - doubted("high") - doubted("medium") - doubted("low")
    empty = client.get("/v1/results?units=540&system=ipu-pod16")
    assert (empty.status_code, strict(empty)["total"]) == (200, 0), "each is known, the mix is empty"


@pytest.mark.parametrize(
    ("name", "value", "near"),
    [
        ("units", "541", "540"),
        ("accelerators_total", "4321", "4320"),
        ("framework", "TensorFlow 1.15 Poplar SDK 2.4.0", "TensorFlow 1.15 Poplar SDK 2.3.0"),
        ("version_group", "bert-0.721", "bert-0.720"),
        ("kind", "mlpref", "mlperf"),
        ("accelerator_model", "Graphcore GC200", "Graphcore IPU GC200"),
        ("doubt_level", "hihg", "high"),
        ("book", "fact", "facts"),
        ("availability", "previw", "preview"),
        ("comparable_with", POD[:-1], POD),
    ],
)
def test_an_unknown_value_is_an_error_with_suggestions(client: FlaskClient, name: str, value: str, near: str) -> None:
    response = client.get("/v1/results", query_string={name: value})
    problem = strict(response)
    assert response.status_code == 404
    assert repr(value) in problem["detail"]
    assert near in problem["nearest"]
    assert near in problem["detail"]


def test_what_compares_is_listed_with_cautions(client: FlaskClient) -> None:
    found = listed(client, comparable_with=POD)
    held = {"v0.6", "v0.7", "v1.0", "v1.1", "v2.0", "v2.1", "v3.0", "v3.1", "v4.0"}
    scored = {
        _id(each) for each in rows()
        if each["benchmark"] == "resnet" and each["division"] == "closed" and each["official_minutes"]
        and each["round"] in held
    }  # fmt: skip
    assert {each["id"] for each in found} == scored - {POD}
    dgx = next(each for each in found if each["id"] == "v1.1/NVIDIA/dgxa100_ngc21.09_mxnet/resnet")
    assert dgx["cautions"] == ["accelerators: 16, 8"]


def test_what_compares_is_narrowed_by_other_filters_too(client: FlaskClient) -> None:
    found = listed(client, comparable_with=POD, round="v1.1", system="dgx-a100-640gb")
    assert {each["units"] for each in found} == {1, 8, 128, 540}


def test_without_a_result_to_compare_with_there_are_no_cautions(client: FlaskClient) -> None:
    assert not any(each["cautions"] for each in listed(client, round="v1.1"))


def test_the_address_of_the_logs_is_mlcommons_and_quotes_blanks(client: FlaskClient) -> None:
    found = listed(client, submitter="nettrix", round="v1.0")
    blank = [each for each in found if each["system_id"] == "X660 G45_SXM4-40G_mxnet"]
    assert blank
    for each in blank:
        begin = "https://github.com/mlcommons/training_results_v1.0/tree/HEAD/nettrix/results/"
        assert each["log_url"] == f"{begin}X660%20G45_SXM4-40G_mxnet/{each['benchmark']}"


def test_every_log_has_an_address_that_holds_its_folder(client: FlaskClient) -> None:
    folders = {_id(each): each["results_dir"] for each in rows()}
    for each in listed(client, kind="mlperf"):
        begin = f"https://github.com/mlcommons/training_results_{each['round']}/tree/HEAD/"
        assert each["log_url"].startswith(begin)
        path = each["log_url"].removeprefix(begin)
        assert unquote(path) == folders[each["id"]]
        assert quote(unquote(path)) == path, "an address holds no blank and no plus"


def test_a_vendors_time_has_no_logs(client: FlaskClient) -> None:
    (found,) = listed(client, kind="vendor")
    assert (found["log_url"], found["run_minutes"], found["time_low_minutes"]) == (None, [], None)


RUNS = (7.2094, 5.9803, 5.2706, 7.6491, 5.6164, 5.3176, 5.5546, 6.0283, 6.0525, 4.8494)
"""POD128, BERT, open, v1.1: knowledge/mlperf.md, claim 12; without the fastest and slowest their mean is 5.8787."""


def test_a_result_has_its_runs_and_the_interval_of_its_time(client: FlaskClient) -> None:
    found = strict(client.get("/v1/results/v1.1/Graphcore/ipu-pod128-POPART-open/bert"))
    assert found["run_minutes"] == sorted(RUNS)
    assert found["time_to_train_minutes"] == pytest.approx(statistics.mean(sorted(RUNS)[1:-1]), abs=5e-5)
    assert found["run_deviation_minutes"] == pytest.approx(statistics.stdev(RUNS))
    half = t.ppf(0.95, 9) * statistics.stdev(RUNS) / 10**0.5
    assert found["time_low_minutes"] == pytest.approx(5.8787 - half)
    assert found["time_high_minutes"] == pytest.approx(5.8787 + half)


def test_runs_that_did_not_converge_are_not_among_them(client: FlaskClient) -> None:
    # one of the five of POD16's ResNet in v1.1 was aborted
    found = strict(client.get(f"/v1/results/{POD}"))
    assert (found["runs"], found["runs_failed"], len(found["run_minutes"])) == (5, 1, 4)


def test_runs_are_scaled_as_the_score_is(client: FlaskClient) -> None:
    scaled = [each for each in listed(client, round="v3.0") if each["scaling_factor"] > 1 and each["run_minutes"]]
    assert scaled
    for each in scaled:
        assert each["run_minutes"][0] == pytest.approx(each["minutes_min"] * each["scaling_factor"])
        assert each["run_minutes"][-1] == pytest.approx(each["minutes_max"] * each["scaling_factor"])
        assert each["time_low_minutes"] < each["time_to_train_minutes"] < each["time_high_minutes"]


def test_a_list_of_results_says_where_they_are_from_and_what_is_no_mlperf_result(client: FlaskClient) -> None:
    both = client.get("/v1/results?limit=500&system=ipu-pod256").json
    assert {each["kind"] for each in both["results"]} == {"mlperf", "vendor"}
    first, last = both["notices"]
    assert first.startswith("Results from MLCommons' public result repositories") and "trademark" in first
    assert last.startswith("not-mlperf/Graphcore/ipu-pod256/efficientnet-b4: published by its vendor")


def test_a_list_of_what_nobody_has_to_be_told_of_has_no_notices(client: FlaskClient) -> None:
    assert client.get("/v1/systems?limit=1").json["notices"] == []


def test_the_table_says_why_a_time_is_missing_or_in_doubt(client: FlaskClient) -> None:
    """All five logs of the entry are over 4 MB, so that they are not in the mirror that was read."""
    asked = "/v1/results?benchmark=resnet&round=v1.1&submitter=Azure&units=128&format=table"
    text = " ".join(client.get(asked).text.split())
    assert "nd96amsr_a100_v4_n128_ngc21.09_mxnet/resnet: the logs of 5 of its 5 runs are not in the repository" in text
    doubted = next(row for row in rows_in_doubt() if row["system"])
    asked = f"/v1/results?round={doubted['round']}&submitter={doubted['submitter']}&benchmark={doubted['benchmark']}"
    text = " ".join(client.get(f"{asked}&format=table").text.split())
    assert f"in doubt ({doubted['level']}): {doubted['doubt']}" in text


def rows_in_doubt() -> tuple[Row, ...]:
    return tuple(_read(DATA / "mlperf_row_doubts.csv"))
