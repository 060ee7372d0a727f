"""Exchange rates: the ECB's own, of the day or the last before, never relabelled, refused when too old.

The rates are those that the ECB published (eurofxref): on 2021-06-30 1 EUR was 1.1884 USD, and 1 USD 0.72202 GBP
and 1,128.753 KRW.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from flask.testing import FlaskClient
from marshmallow import ValidationError

from pricing.analysis.compare import Comparison
from pricing.catalogue.currencies import fault_of, is_tender, successors
from pricing.catalogue.exchange import NoRate, rate
from tests.service.test_api import ASKED, strict

DAY = date(2021, 6, 30)
PAIR = "ipu-pod16,dgx-a100-640gb"
RESNET = {"benchmark": "resnet", "round": "v1.0"}


@pytest.mark.parametrize(
    ("base", "target", "expected", "digits"),
    [("EUR", "USD", "1.1884", 4), ("USD", "GBP", "0.72202", 5), ("USD", "KRW", "1128.753", 3), ("USD", "USD", "1", 0)],
)
def test_a_rate_is_the_published_one_of_its_day(base: str, target: str, expected: str, digits: int) -> None:
    found = rate(base, target, DAY, 30)
    assert round(found.rate, digits) == Decimal(expected)
    assert (found.day, found.age_days(DAY)) == (DAY, 0)


def test_there_and_back_is_where_one_was() -> None:
    there, back = rate("USD", "JPY", DAY, 30).rate, rate("JPY", "USD", DAY, 30).rate
    assert float(there * back) == pytest.approx(1, rel=1e-15)


def test_on_a_weekend_the_last_rate_holds() -> None:
    sunday = rate("EUR", "USD", date(2021, 7, 4), 30)  # 2021-07-02 was a Friday
    assert (sunday.day, sunday.rate) == (date(2021, 7, 2), rate("EUR", "USD", date(2021, 7, 2), 30).rate)
    easter = rate("EUR", "USD", date(2021, 4, 5), 30)  # Easter Monday; the last day before it was Thursday, 1 April
    assert easter.day == date(2021, 4, 1)


def test_a_rate_older_than_the_limit_is_refused() -> None:
    with pytest.raises(NoRate, match="2026-10-30, older than exchange_rate_age_days, 30: give exchange_date"):
        rate("EUR", "USD", date(2026, 11, 30), 30)
    assert rate("EUR", "USD", date(2026, 11, 30), 31).age_days(date(2026, 11, 30)) == 31


@pytest.mark.parametrize(
    ("code", "day", "expected"),
    [
        ("HRK", date(2026, 1, 1), "HRK ended on 2023-01-14; its successor is EUR: give amounts in EUR"),
        ("BYR", date(2026, 1, 1), "its successor is BYN"),
        ("TRL", date(2026, 1, 1), "its successor is TRY"),
        ("DEM", date(2026, 1, 1), "its successor is EUR"),
        ("eur", DAY, "write EUR"),
        ("ЕUR", DAY, "not an ISO 4217 code"),
        ("EURO", DAY, "not an ISO 4217 code"),
        ("XAU", DAY, "no currency that is legal tender"),
        ("QQQ", DAY, "no currency that is legal tender"),
        ("BYN", date(2010, 1, 1), "BYN was not legal tender on 2010-01-01"),
    ],
)
def test_a_code_that_is_no_money_of_its_day_is_an_error_that_says_what_is(code: str, day: date, expected: str) -> None:
    fault = fault_of(code, day)
    assert fault is not None and expected in fault


def test_an_old_currency_is_one_in_its_life() -> None:
    assert fault_of("HRK", date(2020, 1, 1)) is None
    assert is_tender("TRL", date(2004, 12, 31)) and not is_tender("TRL", date(2006, 1, 1))
    assert successors("VEF", date(2026, 1, 1)) == ["VES"]


def test_every_amount_and_unit_is_in_the_currency_asked(compared: Callable[..., Comparison]) -> None:
    dollars = compared(PAIR, **RESNET, as_of="2021-06-30")
    euros = compared(PAIR, **RESNET, as_of="2021-06-30", currency="EUR")
    for one, other in zip(dollars.sides, euros.sides, strict=True):
        for name, value in one.values.items():
            power = {"list_cost": -1, "tco_present_value": -1, "cost_per_run": -1, "performance_per_dollar": 1,
                     "energy_cost_per_year": -1, "price": -1, "performance": 0, "cluster_rack_units": 0}.get(name)  # fmt: skip
            if power is not None:
                assert other.values[name] == pytest.approx(value * 1.1884**power, rel=1e-12), name
    assert [dict(each) for each in euros.relative] == [
        pytest.approx(dict(each), rel=1e-12) for each in dollars.relative
    ]


@pytest.mark.parametrize("shape", ["table", "md", "csv", "tsv"])
def test_one_currency_stands_in_every_head_and_figure_of_an_answer(client: FlaskClient, shape: str) -> None:
    text = client.get(f"{ASKED}&currency=EUR&as_of=2021-06-30&format={shape}").text
    heads = text.split("caution:")[0].split("\n- ")[0] if shape in ("table", "md") else text.splitlines()[0]
    assert "EUR" in heads and "USD" not in heads and "$" not in heads


def test_an_answer_carries_the_rate_its_day_and_source(client: FlaskClient) -> None:
    answer = strict(client.get(f"{ASKED}&currency=GBP&as_of=2021-06-30"))
    held = answer["systems"][0]["provenance"]["price"]
    assert held["currency"] == "USD"
    assert {**held["exchange"], "rate": round(held["exchange"]["rate"], 5)} == {
        "from": "USD", "to": "GBP", "rate": 0.72202, "date": "2021-06-30", "age_days": 0,
        "source": held["exchange"]["source"],
    }  # fmt: skip
    assert "European Central Bank" in held["exchange"]["source"]
    assert answer["systems"][0]["price"] == pytest.approx(149995 * 0.72202, rel=1e-5)
    assert answer["systems"][0]["listed_price"]["amount"] == 149995, "the row is as it is listed"
    assert "converted_currency" in {each["code"] for each in answer["caveats"]}


def test_a_rate_of_long_ago_is_called_stale_and_then_refused(client: FlaskClient) -> None:
    stale = strict(
        client.get(f"{ASKED}&currency=EUR&as_of=2027-01-28")
    )  # the last rate is of 2026-10-30, 90 days before
    assert "stale_rate" in {each["code"] for each in stale["caveats"]}
    assert stale["systems"][0]["provenance"]["price"]["exchange"] | {"rate": 0, "source": ""} == {
        "from": "USD", "to": "EUR", "rate": 0, "date": "2026-10-30", "age_days": 90, "source": "",
    }  # fmt: skip
    refused = strict(client.get(f"{ASKED}&currency=EUR&as_of=2027-06-30"))
    assert refused["systems"][0]["price"] is None
    assert "exchange_rate_age_days, 180" in refused["systems"][0]["gaps"]["price"]
    assert strict(client.get(f"{ASKED}&currency=EUR&as_of=2027-06-30&exchange_rate_age_days=300"))["systems"][0][
        "price"
    ]


def test_a_day_of_rates_can_be_asked_so_that_digits_stay(client: FlaskClient) -> None:
    asked = f"{ASKED}&currency=EUR&as_of=2027-06-30&exchange_date=2021-06-30"
    answer = strict(client.get(asked))
    assert answer["exchange_date"] == "2021-06-30"
    assert answer["systems"][1]["price"] == pytest.approx(300000 / 1.1884, rel=1e-12)


@pytest.mark.parametrize(("code", "status"), [("INR", 200), ("KWD", 200), ("HRK", 422), ("usd", 422), ("XXX", 422)])
def test_a_currency_is_converted_or_refused_and_never_relabelled(client: FlaskClient, code: str, status: int) -> None:
    response = client.get(f"{ASKED}&currency={code}&as_of=2026-10-30")
    assert response.status_code == status
    price = strict(response)["systems"][0]["price"] if status == 200 else None
    # ECB, 2026-10-30: rates of INR are published, those of KWD are not
    assert price is None if code != "INR" else price > 149995 * 50


def test_given_amounts_are_in_the_currency_asked(compared: Callable[..., Comparison]) -> None:
    side = compared("ipu-pod16", **RESNET, as_of="2021-06-30", currency="EUR", set=["ipu-pod16.price:100000"]).sides[0]
    assert side.values["price"] == 100000


def test_a_currency_must_be_tender_on_the_day(compared: Callable[..., Comparison]) -> None:
    assert compared("ipu-pod16", currency="HRK", as_of="2021-06-30").sides[0].values["price"] > 149995
    with pytest.raises(ValidationError, match="successor is EUR"):
        compared("ipu-pod16", currency="HRK")
