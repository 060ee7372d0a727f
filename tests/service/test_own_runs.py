"""Own runs by HTTP and by command: sent as rows, listed as they were sent, answered as one unverified result."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from pricing.catalogue.keys import make_key
from pricing.catalogue.library import Library
from service.app import create_app
from service.cli import main
from service.settings import Settings
from tests.service.test_api import strict

HEADER = "benchmark,round,submitter,system,units,run_id,source,wall_minutes,accelerator_hours"
ROWS = [f"resnet,v1.1,Acme,dgx-2,1,{number},my log,{wall}," for number, wall in enumerate((14, 10, 13, 11, 12))]
CSV = "\n".join((HEADER, *ROWS)) + "\n"


@pytest.fixture
def database(tmp_path: Path) -> str:
    """One engine here: that both hold the same is tested with the books."""
    return f"sqlite:///{tmp_path / 'books.db'}"


@pytest.fixture
def app(library: Library) -> Iterator[FlaskClient]:
    made = create_app(Settings(database_url=library.database))
    yield made.test_client()
    made.extensions["traincost"].close()


def send(app: FlaskClient, library: Library, body: str = CSV) -> tuple[int, str]:
    """Send runs as an administrator."""
    assert library.store is not None
    key = {"Authorization": f"Bearer {make_key(library.store, 'the administrator', ['admin'])}"}
    done = app.post("/v1/imports?noun=runs&source=runs", data=body, headers={**key, "Content-Type": "text/csv"})
    app.application.extensions["traincost"].heads(exact=True)
    return done.status_code, done.text


def test_runs_that_are_sent_are_listed_and_answered_as_one_result(app: FlaskClient, library: Library) -> None:
    assert send(app, library)[0] == 201
    listed = strict(app.get("/v1/runs?book=public"))
    assert [(each["run_id"], each["wall_minutes"], each["converged"]) for each in listed["runs"]] == [
        (str(number), wall, None) for number, wall in enumerate((14, 10, 13, 11, 12))
    ]
    (result,) = strict(app.get("/v1/results?kind=own_run"))["results"]
    assert (result["time_to_train_minutes"], result["run_minutes"]) == (12, [10, 11, 12, 13, 14])
    # five times a minute apart deviate by √2.5 min; Student's t of four degrees of freedom is 2.132 at 90 %
    assert result["run_deviation_minutes"] == pytest.approx(2.5**0.5)
    assert result["time_high_minutes"] - 12 == pytest.approx(2.132 * (2.5 / 5) ** 0.5, rel=1e-3)


def test_a_result_of_own_runs_is_answered_as_unverified_and_never_as_official(
    app: FlaskClient, library: Library
) -> None:
    send(app, library)
    answer = strict(app.get("/v1/compare?systems=dgx-2&benchmark=resnet&round=v1.1&division=open"))
    origin = answer["systems"][0]["provenance"]["time_to_train_minutes"]
    assert (answer["systems"][0]["time_to_train_minutes"], origin["status"]) == (12, "listed")
    assert "unverified_result" in {each["code"] for each in answer["caveats"]}
    assert any(each.startswith("dgx-2: an own run of book public, unverified") for each in answer["notices"])
    assert not [each for each in answer["notices"] if "official" in each]


def test_times_that_disagree_are_refused_with_their_line_and_both_names(app: FlaskClient, library: Library) -> None:
    """A DGX-2 has 16 accelerators: 60 min of it are 16 accelerator-hours."""
    status, text = send(app, library, f"{HEADER}\nresnet,v1.1,Acme,dgx-2,1,1,my log,60,1\n")
    assert status == 422
    assert "wall_minutes 60 and accelerator_hours 1 disagree" in text and "line 2" in text


def test_a_template_that_is_filled_in_is_imported_and_comes_back(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAINCOST_DATABASE_URL", library.database or "")
    monkeypatch.chdir(tmp_path)
    template = CliRunner().invoke(main, ("runs", "template")).stdout
    assert template.startswith("benchmark,round,submitter,system,units,run_id,source,")
    columns = template.strip().split(",")
    cells = {"benchmark": "resnet", "round": "v1.1", "submitter": "Acme", "system": "dgx-2", "units": "1",
             "run_id": "a", "source": "my log", "accelerator_hours": "8", "converged": "yes"}  # fmt: skip
    Path("runs.csv").write_text(template + ",".join(cells.get(name, "") for name in columns) + "\n")
    done = CliRunner().invoke(main, ("runs", "import", "runs.csv"))
    assert done.exit_code == 0, done.output
    exported = CliRunner().invoke(main, ("runs", "export")).stdout.splitlines()
    found = dict(zip(*(line.split(",") for line in exported), strict=True))
    # 8 accelerator-hours on the 16 accelerators of a DGX-2 are half an hour, which is kept beside them
    assert {name: cell for name, cell in found.items() if cell} == {**cells, "wall_minutes": "30.0"}
