"""Figures that others published come out, from the shipped catalogue and the service's own formulas."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from pricing.analysis.claims import claims
from pricing.catalogue.catalogue import Catalogue
from pricing.graph import graph
from pricing.registry import choices

KNOWN = Path(__file__).parent / "known"


def rows(name: str) -> list[dict[str, str]]:
    with (KNOWN / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def bases(**chosen: str) -> tuple[tuple[str, str], ...]:
    return tuple((choice, chosen.get(choice, options[0])) for choice, options in choices().items())


@pytest.mark.parametrize("row", rows("seeds.csv"), ids=lambda row: f"{row['system']}-{row['field']}-{row['round']}")
def test_the_first_questions_have_the_answers_of_the_logs(row: dict[str, str], compared: Callable) -> None:
    fields = {name: row[name] for name in ("benchmark", "round", "division")}
    answer = compared(f"{row['system']},{row['baseline']}", row["baseline"], **fields)
    name = row["field"].removeprefix("relative.")
    numbers = answer.relative[0] if name != row["field"] else answer.sides[0].values
    assert round(numbers[name], int(row["digits"])) == float(row["expected"])


@pytest.mark.parametrize("row", rows("finance.csv"), ids=lambda row: row["id"])
def test_published_finance_and_price_examples_come_out(row: dict[str, str]) -> None:
    values = {name: float(value) for name, value in (pair.split("=") for pair in row["inputs"].split())}
    staff = "group" if "systems_per_admin_group" in values else "fte"
    support = "amortisation" if "support_amortisation_share" in values else "list"
    gaps: dict[str, str] = {}
    graph(bases(staff_basis=staff, support_basis=support)).evaluate(values, gaps, (row["quantity"],))
    expected, tolerance = float(row["expected"]), float(row["tolerance"])
    assert values[row["quantity"]] * float(row["factor"]) == pytest.approx(expected, rel=0, abs=tolerance or 1e-9)


@pytest.mark.parametrize("row", rows("lambda.csv"), ids=lambda row: row["id"])
def test_lambdas_server_tco_comes_out_to_the_dollar(row: dict[str, str], compared: Callable) -> None:
    count, years = int(row["systems"]), row["years"]
    given = {
        "list_cost": row["upfront"], "space_cost_per_year": row["colocation"], "energy_cost_per_year": "0",
        "support_cost_per_year": "0",
    }  # fmt: skip
    answer = compared(
        f"{count}*lambda-hyperplane-16",
        set=[f"lambda-hyperplane-16.{name}:{value}" for name, value in given.items()],
        staff_basis="group",
        systems_per_admin_group="4",
        admin_cost_per_group_year="10000",
        list_discount_share="0",
        residual_value_share="0",
        service_life_years=years,
    )
    values = answer.sides[0].values
    per_system_and_year = values["tco_undiscounted"] / float(years) / count
    found = {**values, "per_system_and_year": per_system_and_year}[row["field"]]
    assert round(found) == int(row["expected"])


def test_every_claim_of_the_posts_gets_its_verdict(catalogue: Catalogue) -> None:
    found = claims(catalogue, {}).claims
    checks = {(claim.number, check.row.part or ""): check for claim in found for check in claim.checks}
    expected = rows("claims.csv")
    assert [(int(row["claim"]), row["part"]) for row in expected] == list(checks)
    for row in expected:
        check = checks[int(row["claim"]), row["part"]]
        assert check.verdict == row["verdict"], row
        assert check.computed is not None
        assert round(check.computed, int(row["digits"])) == pytest.approx(float(row["computed"])), row
    assert [claim.verdict for claim in found] == [claim.checks[0].verdict for claim in found]


def test_a_rate_and_a_first_principal_payment_come_out_of_the_factors() -> None:
    """numpy-financial's docstrings: RATE(10, 0, -3500, 10000) is 0.1107; PPMT(10%/12, 1, 60, 55000) is -710.25."""
    from pricing import ops  # noqa: PLC0415

    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        low, high = (rate, high) if 10000 * ops.discount(rate, 10.0) > 3500 else (low, rate)
    assert low == pytest.approx(0.1107, abs=1e-4)
    rate = 0.1 / 12
    first = 55000 / ops.annuity(rate, 60.0) - 55000 * rate
    assert first == pytest.approx(710.25, abs=0.01)


def test_nrels_levelised_cost_comes_out_of_the_useful_hour() -> None:
    """NREL ATB test data, land-based wind 2030 Class 1 Moderate: 1000·(CRF·PFF·CapEx + fixed cost)/(8760·CF) - PTC."""
    values = {
        "tco_equivalent_annual": 0.08154088720906985 * 1.064156447332059 * 1407.9532235867798 + 29.2637731474106,
        "utilisation_share": 0.53259,
        "availability_share": 1.0,
        "goodput_share": 1.0,
    }
    graph(bases()).evaluate(values, {}, ("cost_per_useful_hour",))
    assert 1000 * values["cost_per_useful_hour"] - 23.103016002020194 == pytest.approx(9.355548790816908, rel=1e-6)


def test_hamiltons_shares_of_a_data_centres_monthly_cost_come_out() -> None:
    """Hamilton, Overall Data Center Costs (2010): servers 57 %, network 8, power and cooling 18, power 13, other 4."""

    def monthly(capital: float, months: float) -> float:
        values = {"discount_rate_share": 0.05 / 12, "service_life_years": months}
        graph(bases()).evaluate(values, {}, ("capital_recovery_factor",))
        return capital * values["capital_recovery_factor"]

    power = {"mean_power_kw": 8000 * 0.8, "system_count": 1.0, "pue_ratio": 1.45, "electricity_tariff_per_kwh": 0.07}
    graph(bases()).evaluate(power, {}, ("energy_cost_per_year",))
    lines = {
        "servers": monthly(46_000 * 1_450, 36),
        "network": monthly(12.81e6, 48),
        "power and cooling": monthly(0.82 * 72e6, 120),
        "other": monthly(0.18 * 72e6, 120),
        "power": power["energy_cost_per_year"] / 12,
    }
    total = sum(lines.values())
    assert total == pytest.approx(3.5e6, abs=50_000)
    shares = {name: round(100 * amount / total) for name, amount in lines.items()}
    assert shares == {"servers": 57, "network": 8, "power and cooling": 18, "power": 13, "other": 4}
