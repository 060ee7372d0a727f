"""Ranking, total cost of ownership and claims."""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from pricing.analysis.asking import ask
from pricing.analysis.claims import Claim, claims
from pricing.analysis.ranking import Ranking, rank
from pricing.analysis.tco import Ownership, tco
from pricing.catalogue.catalogue import Catalogue
from service.parameters import claims_parameters, compare_parameters, ranking_parameters


@pytest.fixture
def ranked(catalogue: Catalogue) -> Callable[..., Ranking]:
    return lambda **fields: rank(catalogue, ranking_parameters()().load(fields))


@pytest.fixture
def owned(catalogue: Catalogue) -> Callable[..., Ownership]:
    def run(systems: str, **fields: Any) -> Ownership:
        return tco(catalogue, ask(catalogue, compare_parameters()().load({"systems": systems, **fields})))

    return run


@pytest.fixture
def claimed(catalogue: Catalogue) -> Callable[..., dict[int, Claim]]:
    def run(*own: str, **asked: str) -> dict[int, Claim]:
        fields = claims_parameters()().load({"set": list(own), **asked} if own else asked)
        return {claim.number: claim for claim in claims(catalogue, fields).claims}

    return run


def test_a_ranking_is_sorted_by_number_and_not_by_text(ranked: Callable) -> None:
    values = [side.values["list_cost"] for side in ranked(benchmark="bert", round="v2.0", metric="list_cost").sides]
    assert values == sorted(values)
    assert len(values) > 4
    best = ranked(benchmark="bert", round="v2.0").sides
    metric = [side.values["performance_per_dollar"] for side in best]
    assert metric == sorted(metric, reverse=True)


def test_what_has_no_price_is_listed_apart_and_never_the_cheapest(ranked: Callable) -> None:
    found = ranked(benchmark="resnet", round="v1.1", metric="list_cost")
    assert "ipu-pod64" in {name for name, _ in found.unranked}
    assert all(side.values["list_cost"] > 0 for side in found.sides)
    reasons = dict(found.unranked)
    assert reasons["ipu-pod64"] == "the catalogue has no price of ipu-pod64"


def test_every_measured_system_is_ranked_or_told_why_not(ranked: Callable, catalogue: Catalogue) -> None:
    found = ranked(benchmark="resnet", round="v1.1")
    measured = {(each.system, each.units) for each in catalogue.measured[("resnet", "v1.1", "closed")]}
    assert len(found.sides) + len(found.unranked) == len(measured)


def test_a_row_of_high_doubt_leaves_the_ranking(ranked: Callable) -> None:
    # v5.1 Dell XE9780 RetinaNet: logs byte-identical to the XE9680L of v5.0
    found = ranked(benchmark="retinanet", round="v5.1", metric="time_to_train_minutes")
    assert "in doubt" in dict(found.unranked)["dell-xe9780-b200"]
    assert "dell-xe9780-b200" not in {side.name for side in found.sides}


def test_a_ranking_without_a_round_takes_the_latest_that_has_the_benchmark(ranked: Callable) -> None:
    assert ranked(benchmark="resnet").question.round == "v4.0"
    assert ranked(benchmark="rgat").question.round == "v5.1"


def test_years_and_components_add_up_to_the_totals(owned: Callable) -> None:
    found = owned("ipu-pod16,dgx-a100-640gb")
    for side, parts, years in zip(found.comparison.sides, found.components, found.years, strict=True):
        values = side.values
        assert years[-1].cumulative == pytest.approx(values["tco_undiscounted"], abs=0.005)
        worth = sum(part.present_value for part in parts)
        assert worth == pytest.approx(values["tco_present_value"], abs=0.005)
        assert [year.year for year in years] == [0, 1, 2, 3, 4]


def test_a_life_that_ends_within_a_year_pays_that_part_of_it(owned: Callable) -> None:
    found = owned("dgx-a100-640gb", service_life_years="2.5")
    years = found.years[0]
    assert len(years) == 4
    assert years[3].costs["staff_cost_per_year"] == pytest.approx(years[2].costs["staff_cost_per_year"] / 2)
    assert years[-1].cumulative == pytest.approx(found.comparison.sides[0].values["tco_undiscounted"], abs=0.005)


def test_a_component_that_is_missing_leaves_the_totals_open(owned: Callable) -> None:
    found = owned("ipu-pod64")
    price = found.components[0][0]
    assert price.amount is None
    assert "no price" in (price.reason or "")
    assert found.years[0] == ()
    assert "tco_present_value" not in found.comparison.sides[0].values


def test_another_price_changes_the_verdict(claimed: Callable) -> None:
    assert claimed()[14].verdict == "holds_after_rounding"
    below = claimed("dgx-a100-640gb.price:299920.96")[14]
    assert below.verdict == "does_not_hold"
    assert "printed as 1.5" in below.checks[0].reason
    assert claimed("dgx-a100-640gb.price:299920.98")[14].verdict == "holds_after_rounding"
    # 1.6 * 37.1152 * 149995 / 28.7709 = 309,594
    assert claimed("dgx-a100-640gb.price:309594")[14].verdict == "holds"


def test_another_time_changes_the_verdict(claimed: Callable) -> None:
    assert claimed()[12].verdict == "does_not_hold"
    assert claimed("ipu-pod128.time_to_train_minutes:5.78", claim="12")[12].verdict == "holds"
    assert claimed("ipu-pod16.time_to_train_minutes:30", claim="1")[1].verdict == "does_not_hold"
    assert claimed("ipu-pod16.time_to_train_minutes:30", claim="3")[3].verdict == "does_not_hold"


def test_an_improvement_holds_as_speed_up_only_if_it_is_one(catalogue: Catalogue) -> None:
    changed = copy(catalogue)
    rows = [replace(row, published=Decimal(31)) if row.claim == 6 else row for row in catalogue.facts.of("claims.csv")]
    tables = {**catalogue.facts.tables, "claims.csv": rows}
    changed.facts = replace(catalogue.facts, tables=tables)
    found = {claim.number: claim for claim in claims(changed, {}).claims}
    assert found[6].verdict == "holds"  # 37.1152 / 28.3345 is a speed-up of 31 %


def test_every_claim_has_a_source_and_a_reason(claimed: Callable) -> None:
    for claim in claimed().values():
        for check in claim.checks:
            assert check.reason
            assert check.row.source_url.startswith("https://")
