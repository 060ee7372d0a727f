"""The graph evaluates what was asked, only that, and names what is missing."""

import math

from hypothesis import given
from hypothesis import strategies as st

from pricing.explain import recompute, steps
from pricing.graph import graph, metrics
from pricing.quantities.inputs import INPUTS
from pricing.quantities.models import OWNED
from pricing.registry import choices

BASES = tuple((choice, options[0]) for choice, options in choices().items())
WHOLE = graph(BASES)
PLAIN = {each.name: 0.5 if each.high <= 1 else 2.0 for each in INPUTS}


def evaluated(values: dict[str, float], *targets: str) -> tuple[dict[str, float], dict[str, str]]:
    found, gaps = dict(values), {}
    WHOLE.evaluate(found, gaps, targets or metrics(BASES))
    return found, gaps


def test_performance_per_dollar_needs_three_quantities_of_all() -> None:
    order = [each.name for each in WHOLE.order(("performance_per_dollar",))]
    assert order == ["performance", "list_cost", "performance_per_dollar"]


def test_what_is_under_a_given_quantity_is_not_evaluated() -> None:
    values, gaps = evaluated({"list_cost": 100.0, "performance": 2.0}, "performance_per_dollar")
    assert values == {"list_cost": 100.0, "performance": 2.0, "performance_per_dollar": 0.02}
    assert gaps == {}


def test_a_missing_input_is_a_gap_above_it_and_the_rest_is_answered() -> None:
    values, gaps = evaluated({name: value for name, value in PLAIN.items() if name != "price"})
    assert "performance" in values and "energy_cost_per_year" in values
    assert "cost_per_run" not in values
    assert gaps["cost_per_run"] == gaps["list_cost"] == "no price"


def test_a_gap_carries_its_first_reason_upwards() -> None:
    values = {name: value for name, value in PLAIN.items() if name not in ("price", "rack_units")}
    gaps = {"price": "the catalogue has no price of it"}
    WHOLE.evaluate(values, gaps, metrics(BASES))
    assert gaps["performance_per_dollar"] == "the catalogue has no price of it"
    assert gaps["performance_per_rack_unit"] == "no rack_units"


def test_a_zero_divisor_is_a_gap_that_names_it_and_no_error() -> None:
    values, gaps = evaluated({**PLAIN, "load_factor_share": 0.0})
    assert gaps["performance_per_kw"] == "cluster_busy_power_kw is 0 and would divide"
    assert gaps["rated_power_kw"] == "load_factor_share is 0 and would divide"
    assert values["performance_per_dollar"] > 0


def test_a_rate_of_zero_divides_nothing() -> None:
    bases = tuple((choice, "facility" if choice == "space_basis" else option) for choice, option in BASES)
    values, gaps = {**PLAIN, "discount_rate_share": 0.0}, {}
    graph(bases).evaluate(values, gaps, metrics(bases))
    assert values["facility_recovery_factor"] == 1 / PLAIN["facility_life_years"]
    assert gaps == {}


extremes = {each.name: st.sampled_from([each.low or each.high / 1e6, each.high]) for each in INPUTS}


options = {choice: st.sampled_from(options) for choice, options in choices().items()}


@given(st.fixed_dictionaries(extremes), st.fixed_dictionaries(options))
def test_nothing_overflows_at_the_ends_of_the_ranges(values: dict[str, float], chosen: dict[str, str]) -> None:
    found, gaps = dict(values), {}
    whole = graph(tuple(chosen.items()))
    whole.evaluate(found, gaps, tuple(whole.quantities))
    assert all(math.isfinite(value) for value in found.values())
    assert not any("larger than a number" in reason for reason in gaps.values())


amounts = st.floats(1, 1e7)


@given(price=amounts, factor=st.floats(0.1, 10))
def test_cost_is_linear_in_price(price: float, factor: float) -> None:
    def cost(amount: float) -> float:
        return evaluated({**PLAIN, "price": amount}, "tco_present_value")[0]["tco_present_value"]

    fixed = cost(0.0)
    assert math.isclose(cost(price * factor) - fixed, (cost(price) - fixed) * factor, rel_tol=1e-9, abs_tol=1e-6)


@given(low=st.floats(0.01, 1), high=st.floats(0.01, 1))
def test_cost_per_hour_never_rises_with_the_hours_used(low: float, high: float) -> None:
    low, high = sorted((low, high))
    busy = {**PLAIN, "idle_power_share": 0.5, "load_factor_share": 0.5}

    def at(share: float) -> float:
        return evaluated({**busy, "utilisation_share": share}, "cost_per_useful_hour")[0]["cost_per_useful_hour"]

    assert at(high) <= at(low) * (1 + 1e-12)


def test_the_totals_are_the_sums_of_the_models_components() -> None:
    values, _ = evaluated(PLAIN)
    assert math.isclose(values["operating_cost_per_year"], math.fsum(values[name] for name in OWNED.yearly))
    assert values["acquisition_cost"] == sum(values[name] for name in OWNED.upfront)
    back = sum(values[name] for name in OWNED.returned) - sum(values[name] for name in OWNED.closing)
    assert values["recovered_value"] == back


def test_an_explanation_can_be_evaluated_again_to_the_same_digits() -> None:
    values, _ = evaluated(PLAIN)
    explained = steps(WHOLE, metrics(BASES), PLAIN, values)
    assert recompute(explained) == {step["name"]: values[step["name"]] for step in explained}
