"""The command line asks the same engine: same digits, same error texts."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from pricing.catalogue.facts import DATA
from service.cli import main
from tests.documents import ROOT
from tests.servers import free_port
from tests.service.test_api import ASKED

PAIR = ["ipu-pod16", "dgx-a100-640gb", "--benchmark", "resnet", "--round", "v1.0", "--baseline", "dgx-a100-640gb"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("name", ["json", "csv", "tsv", "table", "md"])
def test_the_command_gives_the_bytes_of_the_service(client: FlaskClient, name: str) -> None:
    asked = ASKED.replace("&division=closed", "")
    assert run("compare", *PAIR, "--format", name).stdout_bytes == client.get(f"{asked}&format={name}").data


@pytest.mark.parametrize(
    ("arguments", "address"),
    [
        (("ranking", "bert", "--round", "v2.0"), "/v1/ranking?benchmark=bert&round=v2.0"),
        (("tco", "ipu-pod16", "dgx-a100-640gb"), "/v1/tco?systems=ipu-pod16,dgx-a100-640gb"),
        (("claims",), "/v1/claims?"),
        (("systems", "--vendor", "Graphcore"), "/v1/systems?vendor=Graphcore"),
        (("prices", "--system", "POD16"), "/v1/prices?system=POD16"),
        (("results", "--benchmark", "resnet", "--round", "v1.0", "--limit", "500"), "/v1/results?benchmark=resnet&round=v1.0&limit=500"),
        (("assumptions", "--limit", "500"), "/v1/assumptions?limit=500"),
        (("benchmarks",), "/v1/benchmarks?"),
        (("quantities", "--limit", "500"), "/v1/quantities?limit=500"),
    ],
)  # fmt: skip
def test_every_question_has_a_command(client: FlaskClient, arguments: tuple[str, ...], address: str) -> None:
    assert run(*arguments, "--format", "json").stdout_bytes == client.get(address).data


def test_a_table_is_what_a_person_gets() -> None:
    assert run("compare", *PAIR).output.startswith("Graphcore IPU-POD16 against NVIDIA DGX A100 640GB\n")


def test_one_figure_is_a_bare_number() -> None:
    one = ["--system", "ipu-pod16", "--field", "relative.performance_per_dollar", "--format", "value"]
    assert run("compare", *PAIR, *one).output == "1.5504084074432432"


@pytest.mark.parametrize(
    ("more", "query"),
    [
        (["--set", "ipu-pod16.price:149,995"], "&set=ipu-pod16.price:149,995"),
        (["--pue-ratio", "0.5"], "&pue_ratio=0.5"),
        (["--preset", "us"], "&preset=us"),
        (["--format", "xml"], "&format=xml"),
    ],
)
def test_an_error_has_the_text_of_the_service_and_exit_code_2(client: FlaskClient, more: list[str], query: str) -> None:
    result = run("compare", *PAIR, *more)
    assert result.exit_code == 2
    assert result.stdout == ""
    detail = client.get(ASKED.replace("&division=closed", "") + query).json["detail"]  # type: ignore[index]
    assert result.stderr == f"error: {detail}\n"


def test_repeated_own_figures_are_all_taken() -> None:
    own = [
        "--set",
        "ipu-pod16.price:100000",
        "--set",
        "ipu-pod16.rack_units:10",
        "--system",
        "ipu-pod16",
        "--format",
        "value",
    ]
    assert run("compare", *PAIR, *own, "--field", "price").output == "100000"
    assert run("compare", *PAIR, *own, "--field", "rack_units").output == "10"


def test_help_lists_every_command_and_every_assumption() -> None:
    assert all(name in run("--help").output for name in ("compare", "ranking", "tco", "claims", "check", "serve"))
    assert "--electricity-tariff-per-kwh" in run("compare", "--help").output


def test_the_tables_are_checked_by_a_command() -> None:
    result = run("check")
    assert result.exit_code == 0
    assert "0 faults" in result.output


def test_a_damaged_table_stops_the_service_with_one_line(tmp_path: Path) -> None:
    import shutil  # noqa: PLC0415

    shutil.copytree(DATA, tmp_path / "data")
    path = tmp_path / "data" / "prices.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",149995,", ",149995x,", 1), encoding="utf-8")
    environment = {"TRAINCOST_FACTS": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "service.cli", "serve"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: prices.csv, line 31: column amount: '149995x' is not a plain decimal number")
    assert done.stderr.count("\n") == 1


def test_gunicorn_itself_refuses_a_damaged_table_with_one_line(tmp_path: Path) -> None:
    import shutil  # noqa: PLC0415

    shutil.copytree(DATA, tmp_path / "data")
    (tmp_path / "data" / "presets.csv").unlink()
    environment = {"TRAINCOST_FACTS": str(tmp_path / "data"), "PATH": "/usr/bin:/bin", "PORT": str(free_port())}
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "-c",
        "service/gunicorn_conf.py",
        "--log-level",
        "error",
        "service.app:create_app()",
    ]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert done.stderr == "error: presets.csv, line 1: cannot be read: No such file or directory\n"


def test_an_unknown_setting_stops_the_service_with_one_line() -> None:
    environment = {"TRAINCOST_FACTZ": "x", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "service.cli", "serve"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "unknown setting TRAINCOST_FACTZ; known: TRAINCOST_FACTS" in done.stderr


def test_one_question_needs_neither_pandas_nor_flask() -> None:
    code = (
        "import sys; from service.cli import main\n"
        "try: main(['compare','ipu-pod16','--benchmark','resnet','--format','json'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('pandas','numpy','flask','requests','rich') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == "[]\n"
