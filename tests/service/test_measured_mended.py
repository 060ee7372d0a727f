"""What a hostile reviewer of measured times found, and must not come back."""

import json
import os
import tarfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from pricing.mlperf.repository import read_repository
from service.app import create_app
from service.cli import main
from service.settings import Settings
from tests.pricing.mlperf.building import PLACE, describe, repository, write_runs
from tests.service.test_api import strict

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("TRAINCOST_DATABASE_URL", f"sqlite:///{tmp_path / 'books.db'}")
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words)


@pytest.fixture
def asking(run: Run, tmp_path: Path) -> FlaskClient:
    return create_app(Settings(database_url=f"sqlite:///{tmp_path / 'books.db'}")).test_client()


def caveats(answer: dict[str, Any]) -> dict[str, str]:
    return {each["code"]: each["detail"] for each in answer["caveats"]}


def test_the_interval_of_a_time_is_not_that_of_an_energy(client: FlaskClient) -> None:
    whose = "/v1/compare?systems=smc-hgx-h100&benchmark=unet3d&round=v4.0&submitter=smc-ac-power"
    for field in ("run_energy_kwh", "measured_power_kw"):
        assert "low" not in strict(client.get(f"{whose}&field={field}"))["provenance"]


def test_an_energy_that_is_an_estimate_says_so(client: FlaskClient) -> None:
    # knowledge of the v4.0 logs: 14 of 24 energies rest on power logs that stop at their start
    rows = strict(client.get("/v1/results?round=v4.0&limit=500"))["results"]
    told = [each for each in rows if each["energy_j"] and "its energy is an estimate" in (each["doubt"] or "")]
    assert (len(told), sum(each["energy_j"] is not None for each in rows)) == (14, 24)


@pytest.mark.parametrize("text", ["1e300 2 3", "abc", "0 1 2", "nan 1 2"])
def test_times_that_cannot_be_are_refused_where_they_come_in(run: Run, text: str) -> None:
    Path("evil.csv").write_text(
        "benchmark,round,submitter,source,division,system,units,time_to_train_minutes,run_minutes\n"
        f"resnet,v1.1,Acme,a log,closed,dgx-2,1,5,{text}\n"
    )
    done = run("results", "import", "evil.csv")
    assert done.exit_code == 1 and "run_minutes are numbers above 0" in done.output


def test_a_log_of_another_age_breaks_nothing(run: Run, asking: FlaskClient, tmp_path: Path) -> None:
    root = repository(tmp_path)
    text = '{"time_ms": 1e300, "key": "run_stop", "value": null, "metadata": {"status": "success"}}'
    (root / PLACE / "result_0.txt").write_text(f":::MLLOG {text}\n")
    assert run("results", "import", str(root)).exit_code == 0
    assert asking.get("/v1/results?round=v1.1&benchmark=resnet").status_code == 200


@pytest.mark.parametrize(
    "faulty", [{"framework": "x" * 2001}, {"system_name": "a\x1b[31m"}, {"number_of_nodes": "1e300"}]
)
def test_one_bad_description_never_stops_the_rest(run: Run, tmp_path: Path, faulty: dict[str, str]) -> None:
    root = repository(tmp_path)
    write_runs(root / "Other/results/rig/resnet", (10, 11, 12, 13, 14))
    describe(root, "Other/results/rig/resnet", **faulty)
    done = run("results", "import", str(root), "--format", "json")
    found = json.loads(done.output)
    assert done.exit_code == 0 and [each["submitter"] for each in found["results"]] == ["Graphcore"]
    assert [each["path"] for each in found["skipped"]] == ["Other/results/rig/resnet"]


def test_names_in_an_archive_that_cannot_be_written_are_skipped(run: Run, tmp_path: Path) -> None:
    root = repository(tmp_path)
    packed = tmp_path / "training_results_v1.1.tar"
    with tarfile.open(packed, "w") as archive:
        archive.add(root, root.name)
        for name in ("Graphcore/results/" + "x" * 300, f"{PLACE}/result_0.txt/below.txt"):
            member = tarfile.TarInfo(f"{root.name}/{name}")
            archive.addfile(member, BytesIO())
    done = run("results", "import", str(packed), "--dry-run", "--format", "json")
    found = json.loads(done.output)
    assert done.exit_code == 0 and len(found["results"]) == 1
    assert len(found["skipped"]) == 2


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    root = repository(tmp_path)
    os.mkfifo(root / PLACE / "scaling.json")
    found = read_repository(root)
    assert [each.reason for each in found.skipped] == ["it is no file"]
    assert found.results[0].row.official_minutes is None


RUNS = "benchmark,round,submitter,system,units,run_id,wall_minutes,division,source\n"


def own(*times: float, month: str, division: str = "closed", system: str = "dgx-2") -> str:
    rows = (f"resnet,v4.0,Acme,{system},1,{number},{time},{division},{month}\n" for number, time in enumerate(times))
    return RUNS + "".join(rows)


def test_runs_of_two_files_are_never_mixed(run: Run, asking: FlaskClient) -> None:
    Path("june.csv").write_text(own(5, 6, 7, month="June"))
    Path("july.csv").write_text(own(50, 60, 70, month="July"))
    assert run("runs", "import", "june.csv").exit_code == run("runs", "import", "july.csv").exit_code == 0
    rows = strict(asking.get("/v1/results?submitter=Acme"))["results"]
    # of three runs the middle one counts
    assert {each["system_id"]: each["time_to_train_minutes"] for each in rows} == {
        "1*dgx-2 (june)": 6,
        "1*dgx-2 (july)": 60,
    }


def test_own_runs_and_official_results_make_no_common_curve(run: Run, asking: FlaskClient) -> None:
    Path("own.csv").write_text(own(10, 11, 12, month="June", system="dgx-h100"))
    assert run("runs", "import", "own.csv").exit_code == 0
    found = strict(asking.get("/v1/scaling?system=dgx-h100&benchmark=resnet&round=v4.0"))
    assert [each["result"] for each in found["sizes"]] == ["public/v4.0/Acme/1*dgx-h100/resnet"]
    reasons = {each["name"]: each["reason"] for each in found["left_out"]}
    assert reasons and all(
        "does not compare" in reason or "another result is used" in reason for reason in reasons.values()
    )
    assert any("unverified" in notice for notice in found["notices"])


def test_nothing_lies_between_times_that_rise(client: FlaskClient) -> None:
    asked = "/v1/scaling?system=tpu-v4-8&benchmark=bert&round=v1.1&division=open"
    answer = client.get(f"{asked}&accelerators=1500")
    assert answer.status_code == 422 and "the measured time rises" in answer.text
    cautions = " ".join(strict(client.get(asked))["cautions"])
    assert "open division: the models and methods may differ" in cautions and "availability differ" in cautions


def test_another_submitter_is_no_progress(client: FlaskClient) -> None:
    rounds = {
        each["round"]: each for each in strict(client.get("/v1/progress?system=dgx-b200&benchmark=retinanet"))["rounds"]
    }
    assert rounds["v5.1"]["submitter"] == "University-of-Florida"
    assert rounds["v5.1"]["speed_up"] is None and "another submitter" in rounds["v5.1"]["remark"]


@pytest.mark.parametrize(("size", "nearest", "faster"), [(528, 527, True), (7 / 8, 1, False)])
def test_an_extrapolated_time_does_not_contradict_the_measured_end(
    client: FlaskClient, size: float, nearest: int, faster: bool
) -> None:
    accelerators = int(size * 8)
    found = strict(client.get(
        f"/v1/scaling?system=dgx-a100-640gb&benchmark=resnet&round=v2.1&accelerators={accelerators}&extrapolate=1"
    ))  # fmt: skip
    end = next(each for each in found["sizes"] if each["accelerators"] == nearest * 8)
    assert (found["estimate"]["time_to_train_minutes"] < end["time_to_train_minutes"]) == faster


MODEL = "/v1/compare?systems=dgx-h100&parameters=70e9&tokens=1e12"


def test_a_peak_that_the_caller_gave_is_called_given_and_a_sparse_one_is_warned_of(client: FlaskClient) -> None:
    found = caveats(strict(client.get(f"{MODEL}&set=dgx-h100.peak_tflops:1979")))
    assert "1979 TFLOP/s (given)" in found["estimated_time"]
    assert "above the dense peak that is known, 989" in found["peak_above_dense"]


@pytest.mark.parametrize("precision", ["tf32", "fp32"])
def test_no_utilisation_is_guessed_for_a_precision_without_runs(client: FlaskClient, precision: str) -> None:
    (side,) = strict(client.get(f"{MODEL.replace('dgx-h100', 'dgx-a100-640gb')}&precision={precision}"))["systems"]
    assert side["time_to_train_minutes"] is None and "give mfu_share" in side["gaps"]["time_to_train_minutes"]


def test_the_range_of_an_estimate_names_what_it_rests_on(client: FlaskClient) -> None:
    assert "DeepSeek-V3" in caveats(strict(client.get(f"{MODEL}&precision=fp8")))["estimated_time"]
    small = caveats(strict(client.get("/v1/compare?systems=dgx-h100&parameters=1e9&tokens=1e12")))
    assert "6 billion parameters and more" in small["small_model"]
    assert "small_model" not in caveats(strict(client.get(MODEL)))


def test_an_estimate_is_marked_in_the_figures_themselves(client: FlaskClient) -> None:
    table = client.get(f"{MODEL}&format=table").text
    (time,) = [line for line in table.splitlines() if line.startswith("time to train")]
    (cost,) = [line for line in table.splitlines() if line.startswith("cost per run")]
    assert "~" in time and "~" in cost
    sizes = client.get("/v1/scaling?system=ipu-pod16&benchmark=resnet&round=v1.1&accelerators=100&format=table").text
    rows = [line for line in sizes.splitlines() if line[:2].isdigit()]
    assert [row.split()[0] for row in rows] == ["16", "64", "100,", "128", "256"]
    assert rows[2].startswith("100, interpolated") and "~" in rows[2]


def test_what_is_unverified_stays_so_behind_an_estimate(run: Run, asking: FlaskClient) -> None:
    for units, times in ((1, (40, 41, 42)), (4, (12, 12.5, 13))):
        text = own(*times, month="June").replace(",dgx-2,1,", f",dgx-2,{units},")
        Path(f"own{units}.csv").write_text(text)
        assert run("runs", "import", f"own{units}.csv").exit_code == 0
    answer = strict(asking.get("/v1/compare?systems=2*dgx-2&benchmark=resnet&round=v4.0&time_estimate=interpolate"))
    assert "estimated from times that are an own run of book public" in caveats(answer)["unverified_result"]
    assert any("unverified; it is no MLPerf result" in notice for notice in answer["notices"])


def test_fewer_runs_than_the_rules_ask_are_said_wherever_the_time_goes(
    run: Run, asking: FlaskClient, tmp_path: Path
) -> None:
    root = repository(tmp_path)
    for number in (3, 4):
        (root / PLACE / f"result_{number}.txt").unlink()
    done = run("results", "import", str(root), "--round", "v6.0", "--tie", "ipu-pod16-TF1=1*ipu-pod16")
    assert "3 runs where the rules ask 5" in done.output
    answer = strict(asking.get("/v1/compare?systems=ipu-pod16&benchmark=resnet&round=v6.0"))
    assert "3 runs where the rules ask 5" in caveats(answer)["result_note"]


def test_a_result_without_a_time_says_why(client: FlaskClient) -> None:
    absent = strict(client.get("/v1/results/v1.1/Azure/nd96amsr_a100_v4_n128_ngc21.09_mxnet/resnet"))
    assert (absent["runs_absent"], absent["time_to_train_minutes"]) == (5, None)
    assert absent["note"] == "the logs of 5 of its 5 runs are not in the repository that was read"
    aborted = strict(client.get("/v1/results/v1.0/Supermicro/as-2124gq-nart+/bert"))
    assert aborted["note"] == "10 of its 10 runs did not converge"
    asked = f"/v1/compare?systems=128*{'azure-nd96amsr-a100-v4'}&benchmark=resnet&round=v1.1"
    (side,) = strict(client.get(asked))["systems"]
    assert "has no official time: the logs of 5" in side["gaps"]["time_to_train_minutes"]


def test_a_benchmark_of_ones_own_follows_no_round(run: Run, asking: FlaskClient) -> None:
    rows = own(5, 6, 7, month="June").replace("resnet,v4.0", "our-model,not-mlperf").replace(",closed,", ",,")
    Path("ours.csv").write_text(rows)
    assert run("runs", "import", "ours.csv").exit_code == 0
    answer = strict(asking.get("/v1/compare?systems=dgx-2&benchmark=our-model"))
    assert answer["systems"][0]["time_to_train_minutes"] == 6
    assert "unverified_result" in caveats(answer)


def test_an_archive_of_entries_says_what_to_do(run: Run) -> None:
    Path("dawn.tar.gz").write_bytes(b"")
    done = run("results", "import", "dawn.tar.gz", "--form", "dawnbench")
    assert done.exit_code == 2 and "unpack it" in done.output
