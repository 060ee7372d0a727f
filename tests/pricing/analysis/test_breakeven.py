"""Own or rent: published break-evens, laws, and what is no answer."""

import math
from typing import Any

import pytest
from flask.testing import FlaskClient

from pricing.analysis.breakeven import Breakeven, OwnOrRent, breakeven
from pricing.analysis.robustness import robustness
from pricing.catalogue.catalogue import shipped
from pricing.errors import BadQuestion
from service.parameters import body_of, breakeven_parameters, robustness_parameters

DGX = "dgx-a100-640gb"
ALL_HOURS = {"utilisation_share": 1, "availability_share": 1}


def asked(*sets: str, system: str = "own:rig", **more: Any) -> Breakeven:
    fields = {"systems": system, "set": [f"{system}.{each}" for each in sets], **more}
    return breakeven(shipped(), body_of(breakeven_parameters())().load(fields))


def one(*sets: str, **more: Any) -> OwnOrRent:
    (found,) = asked(*sets, **more).sides
    return found


def rig(price: float, running: float, rent: float) -> tuple[str, ...]:
    """A purchase, its running cost a year and the rent an hour; nothing is resold."""
    return (
        f"acquisition_cost:{price}", f"operating_cost_per_year:{running}", "recovered_value:0",
        f"rental_price_per_hour:{rent}",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rent", "hours"),
    [(98.32, 8556), (33.0, 25951)],  # Lenovo Press LP2225: 833,806 / (98.32 - 0.87); the second by a reader of it
)
def test_lenovos_break_even_in_hours(rent: float, hours: int) -> None:
    found = one(*rig(833_806, 0.87 * 8760, rent), **ALL_HOURS)
    assert found.simple.hours == pytest.approx(833_806 / (rent - 0.87), rel=1e-9)
    assert round(found.simple.hours) == hours
    # Lenovo says 11.9 months, of 720 hours each; ours are of 730
    assert rent != 98.32 or (round(found.simple.hours / 720, 1), round(found.simple.years * 12, 1)) == (11.9, 11.7)


def test_running_costs_hold_no_price_a_second_time() -> None:
    """B33: a public page divided by rent less a cost that held the price already, 137 months in place of 35.6."""
    price, running = 8 * 35_000 * 1.4, 12 * (3000 + 8 * 0.7 * 1.4 * 400 * 0.12)
    use = {"utilisation_share": 400 * 12 / 8760, "availability_share": 1}
    found = one(*rig(price, running, 8 * 4.50), **use)
    assert found.simple.years is not None and round(found.simple.years * 12, 1) == 35.6
    # over 4 years owning is the cheaper one: 392,000 / 4 + 40,515.84 = 138,515.84 against 172,800 a year
    plain = one(*rig(price, running, 36), **use, discount_rate_share=0, service_life_years=4)
    assert plain.ratio == pytest.approx(138_515.84 / 172_800, rel=1e-12) and plain.verdict == "own"


def test_never_is_an_answer(client: FlaskClient) -> None:
    found = one(*rig(833_806, 0.87 * 8760, 0.5), **ALL_HOURS)
    assert (found.simple.years, found.discounted.hours, found.verdict) == (None, None, "rent")
    sets = "&".join(f"set=own:rig.{each}" for each in rig(833_806, 0.87 * 8760, 0.5))
    (side,) = client.get(f"/v1/breakeven?systems=own:rig&{sets}").json["systems"]
    told = "owning is never level with renting within 30 years"
    assert side["payback"] == {"months": None, "hours": None, "told": told}


@pytest.mark.parametrize("name", ["rental_price_per_hour", "price", "utilisation_share", "electricity_tariff_per_kwh"])
def test_a_level_put_back_makes_owning_and_renting_equal(name: str) -> None:
    found = {each.name: each for each in one("rental_price_per_hour:22", system=DGX).meetings}
    assert found[name].level is not None and found[name].level != found[name].now
    rest = () if name == "rental_price_per_hour" else ("rental_price_per_hour:22",)
    level = one(f"{name}:{found[name].level!r}", *rest, system=DGX)
    assert level.ratio == pytest.approx(1, rel=1e-9)
    assert level.discounted.years == pytest.approx(level.side.values["service_life_years"], rel=1e-6)


def test_the_discounted_payback_is_the_later_one_and_costs_what_renting_does() -> None:
    found = one("rental_price_per_hour:20", system=DGX)
    assert found.simple.years is not None and found.discounted.years is not None
    assert found.simple.years < found.discounted.years
    level = one("rental_price_per_hour:20", system=DGX, service_life_years=found.discounted.years)
    assert level.ratio == pytest.approx(1, rel=1e-9)


def test_more_use_speaks_for_owning() -> None:
    ratios = [one("rental_price_per_hour:20", system=DGX, utilisation_share=each).ratio for each in (0.2, 0.5, 0.8, 1)]
    assert ratios == sorted(ratios, reverse=True)


def test_without_a_rent_it_is_said_how_to_give_one() -> None:
    with pytest.raises(BadQuestion, match=r"give dgx-a100-640gb\.rental_price_per_hour"):
        asked(system=DGX)


def test_no_payback_follows_from_a_cost_that_holds_for_one_life_only() -> None:
    with pytest.raises(BadQuestion, match="no payback follows from a given tco_equivalent_annual"):
        asked("tco_equivalent_annual:100000", "rental_price_per_hour:20")


def test_energy_that_the_host_pays_is_no_number_to_move() -> None:
    found = one("rental_price_per_hour:20", system=DGX, electricity_tariff_per_kwh=0)
    assert "electricity_tariff_per_kwh" not in {each.name for each in found.meetings}


PAIR = {"systems": "ipu-pod16,dgx-a100-640gb", "benchmark": "resnet", "round": "v1.0"}


def tied(**more: Any) -> Breakeven:
    return breakeven(shipped(), body_of(breakeven_parameters())().load({**PAIR, **more}))


def test_the_price_to_tie_is_that_of_the_hand() -> None:
    ties = {tie.side.name: tie for tie in tied().ties}
    # performance per dollar is 1 / (time × price): level where the prices are as the times, the other way round
    assert ties["dgx-a100-640gb"].to_tie == pytest.approx(149_995 * 37.1152 / 28.7709, rel=1e-9)
    assert ties["ipu-pod16"].to_tie == pytest.approx(300_000 * 28.7709 / 37.1152, rel=1e-9)
    assert math.floor(ties["dgx-a100-640gb"].to_tie or 0) == 193_497


@pytest.mark.parametrize("metric", ["performance_per_dollar", "cost_per_run"])
def test_a_price_to_tie_put_back_in_gives_a_tie(metric: str) -> None:
    for tie in tied(metric=metric).ties:
        again = robustness(shipped(), {
            **body_of(robustness_parameters())().load({**PAIR, "metric": metric, "samples": 100,
                                                       "set": [f"{tie.side.name}.price:{tie.to_tie!r}"]}),
        })  # fmt: skip
        assert again.contests[0].ratio.value == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("metric", ["performance_per_dollar", "cost_per_run"])
def test_at_the_price_to_win_a_side_is_ahead_in_ninety_five_of_a_hundred_draws(metric: str) -> None:
    for tie in tied(metric=metric).ties:
        assert tie.to_win is not None and tie.to_tie is not None and tie.to_win < tie.to_tie, "to be sure costs more"
        fields = {
            **PAIR,
            "metric": metric,
            "baseline": tie.other.name,
            "set": [f"{tie.side.name}.price:{tie.to_win!r}"],
        }
        (contest,) = robustness(shipped(), body_of(robustness_parameters())().load(fields)).contests
        assert contest.ahead_share == pytest.approx(0.95, abs=0.002)


def test_a_side_without_a_rent_has_prices_to_tie_and_says_why_not_more() -> None:
    found = tied()
    assert found.sides == () and set(found.without_rent) == {"ipu-pod16", "dgx-a100-640gb"}
    assert all("rent_from" in reason for reason in found.without_rent.values())


def test_the_simple_payback_counts_no_cost_of_capital_whatever_its_basis() -> None:
    plain = one("rental_price_per_hour:25", system=DGX)
    weighted = one(
        "rental_price_per_hour:25", system=DGX, discount_basis="wacc", debt_share=0.5, equity_return_share=0.1
    )
    assert weighted.simple.years == pytest.approx(plain.simple.years)
    assert plain.simple.years is not None and weighted.discounted.years is not None
    assert weighted.discounted.years > plain.simple.years
