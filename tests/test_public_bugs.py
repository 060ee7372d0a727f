"""Public bug reports of price lists and calculators, each turned into an input with its right answer.

The numbers are those of the collection they were gathered in; each names the report. Where another test module
holds the whole matter, the case here is the report's own input.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from pricing.catalogue.library import Library
from pricing.catalogue.per_unit import amount_per_system
from pricing.catalogue.resolution import choose_price
from pricing.errors import UnknownName
from schemas.price import Offer
from service.app import create_app
from service.settings import Settings
from tests.documents import ROOT
from tests.pricing.catalogue.books.imports import DGX, HEADER, amounts, faults, opened, prices, take_in
from tests.service.test_api import ASKED, strict

RANKING = "/v1/ranking?benchmark=resnet&round=v1.0"


@pytest.fixture
def app(library: Library) -> Iterator[FlaskClient]:
    made = create_app(Settings(database_url=library.database))
    yield made.test_client()
    made.extensions["traincost"].close()


def after(app: FlaskClient, library: Library, *rows: str, **given: Any) -> None:
    """Import prices, and let the service see them."""
    report = prices(library, *rows, **given)
    assert report.published, report.lines()
    app.application.extensions["traincost"].heads(exact=True)


@pytest.mark.parametrize("shape", ["table", "csv", "json"])
def test_b05_one_currency_code_everywhere(app: FlaskClient, shape: str) -> None:
    """infracost#919: figures in EUR, but one block still says $."""
    text = app.get(f"{ASKED}&currency=EUR&as_of=2026-10-30&format={shape}").text
    assert "$" not in text or shape == "json"
    if shape == "json":  # where a source is quoted as it is called
        answer = json.loads(text)
        assert answer["currency"] == "EUR"
        assert not [unit for unit in answer["units"].values() if "USD" in unit]


def test_b06_a_currency_without_a_rate_changes_no_symbol(app: FlaskClient) -> None:
    """opencost#822: choosing INR changed only the symbol."""
    with_rate = strict(app.get(f"{ASKED}&currency=INR&as_of=2026-10-30"))["systems"][0]
    rate = with_rate["provenance"]["price"]["exchange"]
    assert with_rate["price"] == pytest.approx(149995 * rate["rate"]) and rate["date"] == "2026-10-30"
    without = strict(app.get(f"{ASKED}&currency=AED&as_of=2026-10-30"))["systems"][0]
    assert without["price"] is None and "no rate of AED" in without["gaps"]["price"]


def test_b08_an_empty_price_refuses_the_list_and_the_old_one_goes_on(app: FlaskClient, library: Library) -> None:
    """opencost#3010: an empty price took the pipeline down."""
    after(app, library, DGX)
    assert faults(prices(library, DGX.replace("250000", ""))) == (
        "line 2, column amount: a blank cell; an amount, or low and high, is required"
    )
    assert strict(app.get(ASKED))["systems"][1]["price"] == 250000


def test_b09_a_price_of_zero_is_zero_and_an_absent_one_is_a_gap(app: FlaskClient, library: Library) -> None:
    """tokscale#1069: an explicit 0 was treated as missing."""
    after(app, library, DGX.replace("250000", "0"), accept=("outlier",))
    free = strict(app.get(ASKED))["systems"][1]
    assert (free["price"], free["list_cost"], free["performance_per_dollar"]) == (0, 0, None)
    assert "0" in free["gaps"]["performance_per_dollar"]
    assert strict(app.get("/v1/compare?systems=ipu-pod64"))["systems"][0]["price"] is None


@pytest.mark.parametrize("row", [DGX.replace("250000", "-10.5"), DGX.replace("250000", "-0.01")])
def test_b10_a_negative_price_is_refused_with_the_range(library: Library, row: str) -> None:
    """kubesphere#3747: a negative price gave a negative bill."""
    assert faults(prices(library, row)) == "line 2, column amount: amounts are 0 or more"


def test_b11_a_system_without_a_price_is_never_the_cheapest(app: FlaskClient, library: Library) -> None:
    """skypilot#3615: a missing price was shown as 0 and looked cheapest."""
    after(app, library, DGX)
    ranking = strict(app.get(RANKING))
    assert all(each["list_cost"] > 0 for each in ranking["ranked"])
    reasons = {each["system"]: each["reason"] for each in ranking["unranked"]}
    assert any("has no price" in reason for reason in reasons.values())


def test_b12_the_same_offer_twice_is_an_error(library: Library) -> None:
    """skypilot#1367: duplicate rows skewed the price."""
    assert (
        faults(prices(library, DGX, DGX.replace("250000", "240000")))
        == "line 2 and line 3 are the same offer on the same day"
    )


@pytest.mark.parametrize("name", ["DGX A100 64GB", "A100", "POD1", "IPU-POD12", "DGX A100 640"])
def test_b13_a_part_of_a_name_is_no_name(library: Library, name: str) -> None:
    """Soup#831: A100-SXM4-80GB was priced as A100 40GB by a substring."""
    assert "column system: unknown system" in faults(prices(library, DGX.replace("dgx-a100-640gb", name)))
    with pytest.raises(UnknownName):
        library.facts.system(name)
    assert library.facts.system("DGX A100 640GB").id != library.facts.system("DGX A100 320GB").id


def test_b14_per_accelerator_and_per_system_are_the_same_money(app: FlaskClient, library: Library) -> None:
    """opencost#2523: the price of one GPU times their number was applied twice."""
    header = f"{HEADER},per"
    found = []
    for cell, per in (("240000", "system"), ("30000", "accelerator"), ("240000", "node")):
        after(app, library, f"{DGX.replace('250000', cell)},{per}", header=header, accept=("jump",))
        side = strict(app.get(ASKED))["systems"][1]
        found.append(
            {name: side[name] for name in ("price", "list_cost", "performance_per_dollar", "tco_present_value")}
        )
        assert side["listed_price"]["per"] == per and per in side["listed_price"]["unit"]
    assert found[0] == found[1] == found[2] and found[0]["list_cost"] == 240000


def test_b15_unlike_scopes_are_flagged(app: FlaskClient, library: Library) -> None:
    """skypilot-catalog#31: a host without its accelerator was read as the whole machine."""
    header = f"{HEADER},includes"
    after(app, library, f"{DGX},host switches", "ipu-pod16,140000,USD,list,a test,2026-01-01,host", header=header)
    caveats = {each["code"]: each["detail"] for each in strict(app.get(ASKED))["caveats"]}
    assert "host and switches" in caveats["unlike_price_scope"]
    after(app, library, f"{DGX},none", header=header)
    assert strict(app.get(ASKED))["systems"][1]["listed_price"]["book"] == "facts", (
        "a box without its host is no price of it"
    )


def test_b16_a_price_by_the_month_is_not_multiplied_by_hours(app: FlaskClient, library: Library) -> None:
    """komiser#1298: 0.30 a month times 730 hours was 219."""
    header = f"{HEADER},every"
    row = "aws-p4d-24xlarge,0.30,USD,on_demand,a test,2026-01-01"
    after(app, library, f"{row},month", header=header, accept=("outlier",))
    (listed,) = [
        each
        for each in strict(app.get("/v1/prices?system=aws-p4d-24xlarge&limit=500"))["prices"]
        if each["book"] == "public"
    ]
    assert (listed["amount"], listed["unit"]) == (0.3, "USD / system / month")
    # a month is a twelfth of 8,760 hours: 0.30 / 730 an hour
    assert listed["amount_per_system_hour"] == pytest.approx(0.30 / 730)
    assert listed["hours_convention"] == "a month is 730 hours, a year 8,760"
    after(app, library, f"{row.replace('0.30', '3.60')},year", header=header, accept=("outlier", "jump"))
    (listed,) = strict(app.get("/v1/prices?system=aws-p4d-24xlarge&book=public"))["prices"]
    assert listed["amount_per_system_hour"] == pytest.approx(3.60 / 8760)
    assert "column every: one of once, hour, month, year" in faults(prices(library, f"{row},3-year", header=header))


@pytest.mark.parametrize("cell", ["149.9950", "149995000"])
def test_b17_an_amount_a_thousand_times_off_must_be_confirmed(library: Library, cell: str) -> None:
    """litellm#18981: prices 8,000 times wrong from a slip of a unit."""
    row = f"ipu-pod16,{cell},USD,list,a test,2026-01-01"
    assert prices(library, row).unconfirmed == ["outlier"]
    assert prices(library, row, accept=("outlier",)).published


POD16 = "/v1/compare?systems=ipu-pod16&benchmark=resnet&round=v1.1&set=ipu-pod16.accelerator_hours_per_run:10"


def test_b18_accelerator_hours_are_not_wall_hours(app: FlaskClient) -> None:
    """impact#39: nobody could tell whether hours are by the clock or of all GPUs together."""
    (side,) = strict(app.get(POD16))["systems"]
    # an IPU-POD16 has 16 accelerators: 10 hours of them are 10 × 60 / 16 min by the clock
    assert (side["accelerator_hours_per_run"], side["time_to_train_minutes"]) == (10, 37.5)
    (two,) = strict(app.get(POD16.replace("systems=", "systems=2*")))["systems"]
    assert two["time_to_train_minutes"] == 10 * 60 / 32


@pytest.mark.parametrize("other", ["time_to_train_minutes", "performance"])
def test_b18_a_time_that_is_given_twice_is_an_error_that_names_both(app: FlaskClient, other: str) -> None:
    response = app.get(f"{POD16}&set=ipu-pod16.{other}:37.5")
    assert response.status_code == 422
    detail = strict(response)["detail"]
    assert "accelerator_hours_per_run" in detail and other in detail


def test_b19_a_score_from_logs_is_the_published_one_and_says_which_runs_it_keeps(
    library: Library, tmp_path: Path
) -> None:
    """training_results_v0.7#8: logs have the runs, the table a mean of some: BERT on an IPU-POD128, v1.1, open."""
    from service.importing_logs import import_logs  # noqa: PLC0415
    from tests.pricing.mlperf.building import describe, repository  # noqa: PLC0415

    minutes = (7.2094, 5.9803, 5.2706, 7.6491, 5.6164, 5.3176, 5.5546, 6.0283, 6.0525, 4.8494)
    place = "Graphcore/results/ipu-pod128-POPART-open/bert"
    root = repository(tmp_path, place, minutes)
    describe(root, place, division="open", accelerators_per_node="128")
    _, booking = import_logs(library, root, {}, lambda done, total: None)
    (found,) = booking.document()["results"]
    assert found["time_to_train_minutes"] == pytest.approx(5.878698, abs=0.01), "MLPerf's own scorer"
    slowest_and_fastest = (3, 9)
    kept = {f"result_{number}.txt" for number in range(10) if number not in slowest_and_fastest}
    assert set(found["kept_runs"]) == kept and found["run_minutes"] == sorted(minutes)
    assert library.facts.by_id[f"v1.1/{place.replace('/results', '')}"].time_to_train_minutes == 5.8787


def test_b20_a_byte_order_mark_loses_no_column(library: Library) -> None:
    """dotCMS#36508: the first column of an Excel CSV vanished."""
    assert take_in(library, b"\xef\xbb\xbf" + f"{HEADER}\n{DGX}\n".encode()).rows == 1
    assert amounts(library) == ["250000"]


@pytest.mark.parametrize("cell", ['"$149,995"', '"149.995,00 €"', '"1,49,995"', "1.355,90€".replace(",", "#")])
def test_b21_an_amount_with_marks_is_refused_with_its_cell_and_never_cut(library: Library, cell: str) -> None:
    """BudgetMaster#731: 1.355,90 was read as 1.35."""
    assert "line 2, column amount" in faults(prices(library, DGX.replace("250000", cell)))


def test_b22_scientific_notation_is_a_number(library: Library) -> None:
    """csvbase#55: scientific notation gave a 500."""
    prices(library, "ipu-pod16,1.49995e5,USD,list,a test,2026-01-01")
    assert amounts(library) == ["149995"]


@pytest.mark.parametrize("text", ["NA", "null", "None", "inf"])
def test_b24_a_region_or_a_system_of_that_name_is_kept(library: Library, text: str) -> None:
    """pandas#11839: Namibia became NaN."""
    system = f"id,name,vendor,accelerator_model,accelerators,hosts,source\n{text},{text},{text},X1,8,0,ours\n"
    assert take_in(library, system, "systems").published
    assert prices(
        library, f"{text},1000,USD,list,a test,2026-01-01,{text}", header=f"{HEADER},region", accept=("outlier",)
    ).published
    (held,) = opened(library, "public").books
    (row,) = held.prices.page({}, 0, 2)
    assert (row.system, row.region) == (text, text)


def test_b29_an_old_rate_keeps_its_own_date(app: FlaskClient) -> None:
    """FinSight-AI#1037: an old rate was stamped with today's date."""
    answer = strict(app.get(f"{ASKED}&currency=EUR&as_of=2027-01-28"))
    rate = answer["systems"][0]["provenance"]["price"]["exchange"]
    assert (rate["date"], rate["age_days"]) == ("2026-10-30", 90)
    assert "stale_rate" in {each["code"] for each in answer["caveats"]}


def test_b34_a_missing_day_is_today_and_said_and_a_future_one_is_answered(app: FlaskClient, library: Library) -> None:
    """glpi#2171: a missing purchase date made the monthly cost the total."""
    from pricing.analysis.asking import today  # noqa: PLC0415

    assert "column valid_from: a blank cell; it is required" in faults(prices(library, DGX.replace("2026-01-01", "")))
    coming = (today() + timedelta(days=200)).isoformat()
    after(app, library, DGX.replace("2026-01-01", coming))
    now = strict(app.get("/v1/tco?systems=dgx-a100-640gb"))
    assert now["as_of"] == today().isoformat() and now["systems"][0]["price"] == 300000
    later = strict(app.get(f"/v1/tco?systems=dgx-a100-640gb&as_of={coming}"))
    assert (later["as_of"], later["systems"][0]["price"]) == (coming, 250000)
    for answer in (now, later):
        side = answer["systems"][0]
        assert len(side["years"]) > 1 and side["operating_cost_per_year"] < side["tco_undiscounted"]
    assert app.get("/v1/tco?systems=dgx-a100-640gb&as_of=").status_code == 422


def test_b38_an_old_price_says_its_age_and_still_answers(app: FlaskClient, library: Library) -> None:
    """skypilot#3794: a price months out of date went unnoticed."""
    after(app, library, DGX.replace("2026-01-01", "2024-01-01"))
    answer = strict(app.get(f"{ASKED}&as_of=2026-01-01"))
    (old,) = [each["detail"] for each in answer["caveats"] if each["code"] == "old_price"]
    assert "dgx-a100-640gb on 2024-01-01 (731 days ago)" in old, "2024 had a 29 February"
    fresh = strict(app.get(f"{ASKED}&as_of=2024-06-01"))
    assert not [each for each in fresh["caveats"] if each["code"] == "old_price" and "dgx" in each["detail"]]


def test_the_exact_amount_of_a_system_is_an_exact_product() -> None:
    from pricing.catalogue.catalogue import shipped  # noqa: PLC0415

    catalogue = shipped()
    found = choose_price(catalogue, Offer("ipu-pod16", ("list",), date(2026, 1, 1)), "USD")
    assert found.price is not None and amount_per_system(found.price, catalogue.system("ipu-pod16")) == Decimal(149995)


def test_a_hostile_file_costs_the_machine_little(tmp_path: Any) -> None:
    """Memory and time of the worst line of a CSV, in a child with limits on both."""
    path = tmp_path / "bomb.csv"
    path.write_bytes(HEADER.encode() + b"\n" + b'"' + b"x" * 10_000_000)
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (20, 20))\n"
        "from pathlib import Path; from pricing.catalogue.sources.delimited import CsvFile\n"
        "from pricing.catalogue.sources.base import SourceFault\n"
        "start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"try: list(CsvFile('x', Path({str(path)!r})).prices())\n"
        "except SourceFault as fault: print(fault)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) < 100_000)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.splitlines() == ["line 2: the line has more than 1,000,000 bytes", "True"]
