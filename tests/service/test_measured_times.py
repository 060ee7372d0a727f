"""Measured times over HTTP and by command: how they scale, how they progressed, and those that nobody measured."""

import csv
import io
import json
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from service.cli import main
from tests.service.test_api import strict

POD = "system=ipu-pod16&benchmark=resnet"
SCALING = f"/v1/scaling?{POD}&round=v1.1"
PROGRESS = f"/v1/progress?{POD}"
ESTIMATED = "/v1/compare?systems=16*dgx-a100-640gb,ipu-pod16&benchmark=resnet&round=v1.1&time_estimate=interpolate"
QUESTIONS = {
    "measured sizes": SCALING,
    "a size between": f"{SCALING}&accelerators=32",
    "a size beyond": f"{SCALING}&accelerators=512&extrapolate=1",
    "sizes of many accelerators": "/v1/scaling?system=dgx-a100-640gb&benchmark=resnet&round=v1.1",
    "a size of two left out": "/v1/scaling?system=bow-pod16&benchmark=bert&round=v2.0&submitter=Baidu",
    "rounds": PROGRESS,
    "rounds with repeats": "/v1/progress?system=2*dell-xe8545-a100-80gb&benchmark=resnet",
    "rounds under new rules": "/v1/progress?system=dgx-1-v100&benchmark=ssd",
    "an estimated side": ESTIMATED,
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def table(client: FlaskClient, address: str) -> list[dict[str, str]]:
    """The CSV of a question, by the names of its columns without their units."""
    rows = list(csv.reader(io.StringIO(client.get(f"{address}&format=csv").text)))
    heads = [head.split(" [")[0] for head in rows[0]]
    return [dict(zip(heads, row, strict=True)) for row in rows[1:]]


def test_sizes_are_answered_with_the_seeds_efficiency(client: FlaskClient) -> None:
    answer = strict(client.get(SCALING))
    assert [each["time_to_train_minutes"] for each in answer["sizes"]] == [28.3345, 8.5037, 5.6718, 3.7949]
    # POD128 to POD256: 5.6718 / 3.7949 / 2
    assert round(answer["sizes"][-1]["step_efficiency"], 3) == 0.747
    assert answer["estimate"] is None
    assert {each["status"] for each in answer["sizes"]} == {"measured"}
    for size in answer["sizes"]:
        assert size["low_minutes"] < size["time_to_train_minutes"] < size["high_minutes"]
        assert size["fitted_minutes"] * (1 + size["residual"]) == pytest.approx(size["time_to_train_minutes"])


def test_what_is_derived_is_said_to_be_no_mlperf_result(client: FlaskClient) -> None:
    for address in (SCALING, PROGRESS):
        text = " ".join(strict(client.get(address))["notices"])
        assert "MLPerf is a trademark of MLCommons" in text
        assert "no official MLCommons results" in text


def test_a_size_between_comes_with_its_interval_and_rule(client: FlaskClient) -> None:
    found = strict(client.get(f"{SCALING}&accelerators=32"))["estimate"]
    assert found["time_to_train_minutes"] == pytest.approx((28.3345 * 8.5037) ** 0.5)
    assert found["status"] == "interpolated"
    assert found["low_minutes"] < found["time_to_train_minutes"] < found["high_minutes"]


def test_beyond_the_sizes_the_error_says_how_to_ask(client: FlaskClient) -> None:
    response = client.get(f"{SCALING}&accelerators=512")
    assert response.status_code == 422
    assert "ask for extrapolate" in strict(response)["detail"]
    assert strict(client.get(f"{SCALING}&accelerators=512&extrapolate=1"))["estimate"]["status"] == "extrapolated"


@pytest.mark.parametrize(
    "wrong", ["accelerators=0", "accelerators=x", "accelerators=1.5", "extrapolate=2", "rounds=v1.1"]
)
def test_a_wrong_parameter_is_an_error_and_not_ignored(client: FlaskClient, wrong: str) -> None:
    response = client.get(f"{SCALING}&{wrong}")
    assert response.status_code == 422
    assert strict(response)["errors"][0]["field"] == wrong.partition("=")[0]


def test_one_size_is_an_error_where_a_time_is_asked(client: FlaskClient) -> None:
    address = "/v1/scaling?system=bow-pod64&benchmark=rnnt&round=v2.0&division=open"
    assert client.get(address).status_code == 200
    response = client.get(f"{address}&accelerators=128&extrapolate=1")
    assert response.status_code == 422
    assert "at least two of the family are needed" in strict(response)["detail"]


def test_speed_up_and_time_cut_stand_side_by_side(client: FlaskClient) -> None:
    first, second = strict(client.get(PROGRESS))["rounds"]
    assert (first["speed_up"], first["time_reduction"]) == (None, None)
    assert round(second["speed_up"], 4) == 1.3099
    assert round(second["time_reduction"], 4) == 0.2366
    assert second["speed_up"] * (1 - second["time_reduction"]) == pytest.approx(1)


@pytest.mark.parametrize("address", QUESTIONS.values(), ids=QUESTIONS)
def test_a_table_fits_a_terminal(client: FlaskClient, address: str) -> None:
    lines = client.get(f"{address}&format=table").text.splitlines()
    assert len(lines) > 8
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("address", QUESTIONS.values(), ids=QUESTIONS)
def test_markdown_has_the_figures_of_the_table(client: FlaskClient, address: str) -> None:
    def figures(text: str, blank: str) -> list[list[str]]:
        rows = [line.replace("|", blank).split() for line in text.splitlines()]
        return [[cell for cell in row if cell.replace(".", "").isdigit() and "." in cell] for row in rows]

    block = client.get(f"{address}&format=table").text.split("\n\n")[1]
    shown = [each for each in figures(block, "|") if each]
    written = [each for each in figures(client.get(f"{address}&format=md").text, " ") if each]
    assert shown
    assert shown == written[: len(shown)]


@pytest.mark.parametrize("name", ["sizes", "rounds"])
def test_rows_hold_the_same_digits_as_the_document(client: FlaskClient, name: str) -> None:
    address = SCALING if name == "sizes" else PROGRESS
    document = strict(client.get(address))[name]
    rows = [row for row in table(client, address) if row["time_to_train_minutes"]]  # the others say what is missing
    assert len(rows) == len(document) > 1
    for row, item in zip(rows, document, strict=True):
        for field in row.keys() & item.keys():
            value = item[field]
            if isinstance(value, int | float):
                assert float(row[field]) == value
            else:
                assert row[field] == (value or "")
        assert row["catalogue"] and "MLPerf" in row["notices"]


def test_an_estimate_is_the_last_row_and_marked(client: FlaskClient) -> None:
    rows = table(client, f"{SCALING}&accelerators=512&extrapolate=1")
    assert [each["status"] for each in rows] == ["measured"] * 4 + ["extrapolated"]
    assert rows[-1]["result"] == ""
    assert "extrapolated from 256 accelerators" in rows[-1]["rule"]


@pytest.mark.parametrize("address", [SCALING, PROGRESS])
def test_one_value_is_refused_with_the_formats_that_there_are(client: FlaskClient, address: str) -> None:
    response = client.get(f"{address}&format=value")
    assert response.status_code == 422
    assert "must be one of json, csv, tsv, table, md" in strict(response)["detail"]


def test_an_estimated_figure_is_one_bare_number(client: FlaskClient) -> None:
    one = client.get(f"{ESTIMATED}&system=16*dgx-a100-640gb&field=time_to_train_minutes&format=value")
    # 128 is one of the four doublings from 64 to 1,024: a quarter of the way in logarithms
    assert float(one.text) == pytest.approx(4.5337 * (0.5747 / 4.5337) ** 0.25)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("scaling", {"system": "ipu-pod16", "benchmark": "resnet", "round": "v1.1", "accelerators": 32}),
        ("scaling", {"system": "ipu-pod16", "benchmark": "resnet", "accelerators": 512, "extrapolate": True}),
        ("scaling", {"system": "bow-pod16", "benchmark": "bert", "round": "v2.0", "submitter": "Baidu"}),
        ("progress", {"system": "ipu-pod64", "benchmark": "bert", "division": "open"}),
        ("compare", {"systems": "2*ipu-pod16", "benchmark": "resnet", "time_estimate": "interpolate"}),
    ],
)
def test_post_with_json_is_the_same_question(client: FlaskClient, path: str, body: dict[str, Any]) -> None:
    query = {name: "1" if value is True else value for name, value in body.items()}
    asked = client.get(f"/v1/{path}", query_string=query)
    assert asked.status_code == 200
    assert client.post(f"/v1/{path}", json=body).data == asked.data


@pytest.mark.parametrize("name", ["json", "csv", "tsv", "table", "md"])
@pytest.mark.parametrize(
    ("arguments", "address"),
    [
        ("scaling ipu-pod16 --benchmark resnet --round v1.1 --accelerators 32", f"{SCALING}&accelerators=32"),
        ("scaling POD16 --benchmark bert --division open", "/v1/scaling?system=POD16&benchmark=bert&division=open"),
        ("progress ipu-pod16 --benchmark resnet", PROGRESS),
        ("results --units 540 --round v1.1", "/v1/results?units=540&round=v1.1"),
    ],
)
def test_the_command_gives_the_bytes_of_the_service(
    client: FlaskClient, arguments: str, address: str, name: str
) -> None:
    found = run(*arguments.split(), "--format", name)
    assert found.exit_code == 0
    assert found.stdout_bytes == client.get(f"{address}&format={name}").data


def test_an_error_of_the_command_has_the_text_of_the_service(client: FlaskClient) -> None:
    result = run("scaling", "ipu-pod16", "--benchmark", "resnet", "--round", "v1.1", "--accelerators", "512")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error: {strict(client.get(f'{SCALING}&accelerators=512'))['detail']}\n"


def test_an_estimated_side_has_its_interval_rule_and_no_result(client: FlaskClient) -> None:
    answer = strict(client.get(ESTIMATED))
    side, pod = answer["systems"]
    origin = side["provenance"]["time_to_train_minutes"]
    assert (origin["status"], origin["basis"]) == ("estimated", "interpolated")
    assert origin["low"] < side["time_to_train_minutes"] < origin["high"]
    assert origin["rule"].startswith("interpolated between 64 and 1,024 accelerators")
    assert side["result"] is None and pod["result"] is not None
    (caveat,) = (each for each in answer["caveats"] if each["code"] == "interpolated_time")
    assert (caveat["severity"], caveat["systems"]) == ("serious", ["16*dgx-a100-640gb"])


def test_an_estimate_alone_says_of_which_results_it_is(client: FlaskClient) -> None:
    alone = "/v1/compare?systems=16*dgx-a100-640gb&benchmark=resnet&round=v1.1&time_estimate=interpolate"
    answer = strict(client.get(alone))
    assert (answer["round"], answer["division"]) == ("v1.1", "closed")
    assert any("MLPerf is a trademark of MLCommons" in each for each in answer["notices"])


def test_what_the_documentation_offers_as_a_system_is_answered(client: FlaskClient) -> None:
    paths = json.loads(client.get("/openapi.json").data)["paths"]
    for name in ("scaling", "progress"):
        (about,) = (each for each in paths[f"/v1/{name}"]["get"]["parameters"] if each["name"] == "system")
        if "8*dgx-a100-640gb" in about["description"]:
            assert client.get(f"/v1/{name}?system=8*dgx-a100-640gb&benchmark=resnet").status_code == 200, name


@pytest.mark.parametrize("name", ["scaling", "progress"])
def test_a_vendors_time_is_not_headed_as_mlperf(client: FlaskClient, name: str) -> None:
    text = client.get(f"/v1/{name}?system=ipu-pod256&benchmark=efficientnet-b4&format=table").text
    assert "MLPerf Training" not in text.split("\n\n")[0]


@pytest.mark.parametrize("name", ["json", "table", "csv"])
@pytest.mark.parametrize("asked", ["dell-r750xa-4xa100-pcie-80gb minigo", "xfusion-g5500-v7-8xa30 bert"])
def test_progress_with_a_result_in_high_doubt_says_so(client: FlaskClient, asked: str, name: str) -> None:
    # mlperf_row_doubts.csv: the first log names an XE8545, the second row is that of another server
    system, benchmark = asked.split()
    assert "doubt" in client.get(f"/v1/progress?system={system}&benchmark={benchmark}&format={name}").text


def test_rows_of_sizes_do_not_hide_what_was_left_out(client: FlaskClient) -> None:
    address = QUESTIONS["a size of two left out"]
    assert len(strict(client.get(address))["left_out"]) == 2
    assert "bow-pod128" in client.get(f"{address}&format=csv").text
