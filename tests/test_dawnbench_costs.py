"""What DAWNBench's entries say that a training cost comes out of their hours and the price of an hour."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.test_api import strict
from tests.test_known import rows

HALF_A_CENT = 0.005
ENTRIES = rows("dawnbench_costs.csv")


def cost(client: FlaskClient, count: int = 1, **figures: str) -> Any:
    """What a run on rented systems with these figures costs."""
    given = "&".join(f"set=own:rig.{name}:{figure}" for name, figure in figures.items())
    asked = f"/v1/compare?systems={count}*own:rig&{given}&field=rented_cost_per_run"
    return strict(client.get(asked))


@pytest.mark.parametrize("row", ENTRIES, ids=lambda row: row["entry"])
def test_the_published_cost_comes_out_to_half_a_cent(client: FlaskClient, row: dict[str, str]) -> None:
    minutes = str(float(row["hours"]) * 60)
    found = cost(client, rental_price_per_hour=row["usd_per_hour"], time_to_train_minutes=minutes)
    assert found["value"] == pytest.approx(float(row["cost_usd"]), rel=0, abs=HALF_A_CENT)
    assert (found["unit"], found["currency"]) == ("USD / run", "USD")


def test_sixteen_machines_cost_what_the_entry_says_of_all_together(client: FlaskClient) -> None:
    """16 p3.16xlarge at 24.48 USD an hour are the 391.68 of fast.ai's entry."""
    of = {each["entry"]: each for each in ENTRIES}
    many, one = of["fastai_resnet50_p3_16_machine_pytorch"], of["fastai_pytorch"]
    minutes = str(float(many["hours"]) * 60)
    found = cost(client, 16, rental_price_per_hour=one["usd_per_hour"], time_to_train_minutes=minutes)
    assert found["value"] == pytest.approx(float(many["cost_usd"]), rel=0, abs=HALF_A_CENT)


def test_half_the_machines_for_twice_the_time_cost_the_same(client: FlaskClient) -> None:
    many = cost(client, 4, rental_price_per_hour="24.48", time_to_train_minutes="30")
    few = cost(client, 2, rental_price_per_hour="24.48", time_to_train_minutes="60")
    assert many["value"] == pytest.approx(few["value"]) == pytest.approx(48.96)


def test_without_a_rental_price_or_a_time_there_is_no_cost_and_the_reason_is_told(client: FlaskClient) -> None:
    for figure in ("rental_price_per_hour", "time_to_train_minutes"):
        response = client.get(f"/v1/compare?systems=own:rig&set=own:rig.{figure}:1")
        (rig,) = strict(response)["systems"]
        assert rig["rented_cost_per_run"] is None
        assert rig["gaps"]["rented_cost_per_run"]
