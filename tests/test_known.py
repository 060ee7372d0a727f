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
    given = {"list_cost": row["upfront"], "space_cost_per_year": row["colocation"], "rack_cost": "0"}
    answer = compared(
        f"{count}*lambda-hyperplane-16",
        set=[f"lambda-hyperplane-16.{name}:{value}" for name, value in given.items()],
        staff_basis="group",
        systems_per_admin_group="4",
        admin_cost_per_group_year="10000",
        service_life_years=years,
        preset="bare",
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
