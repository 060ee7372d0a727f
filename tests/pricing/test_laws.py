"""Laws of money that hold for every model of paying, whatever the numbers."""

import math
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing.analysis.tco import ACQUISITION, AGREED, OPERATING, RECOVERED, SUMS, YEARLY, parts
from pricing.graph import figures, graph
from pricing.quantities.inputs import INPUTS
from pricing.quantities.models import MODELS, Model
from pricing.registry import choices

TOTALS = ("tco_undiscounted", "tco_present_value", "tco_equivalent_annual", "cost_per_useful_hour")
SHARES = {each.name for each in INPUTS if each.high <= 1}
PLAUSIBLE = {  # a system that someone might buy; what is not here is between the ends of its range
    "price": (1e4, 1e6), "rental_price_per_hour": (1.0, 200.0), "rack_units": (1.0, 20.0), "hosts": (0.0, 4.0),
    "system_count": (1.0, 64.0), "max_power_kw": (1.0, 20.0), "accelerators": (1.0, 16.0), "hardware_age_years": (0.0, 5.0),
    "time_to_train_minutes": (1.0, 1e4), "service_life_years": (1.0, 10.0), "import_duty_share": (0.0, 0.3),
    "declining_balance_factor": (1.0, 3.0), "discount_rate_share": (0.0, 0.3), "inflation_share": (0.0, 0.1),
    "loan_rate_share": (0.0, 0.3), "lease_rate_share": (0.0, 0.3), "load_factor_share": (0.3, 1.0), "ramp_up_months": (0.0, 6.0),
    "utilisation_share": (0.05, 1.0), "availability_share": (0.5, 1.0), "goodput_share": (0.5, 1.0),
    "income_tax_rate_share": (0.0, 0.5), "network_cost_share": (0.0, 0.5), "pue_ratio": (1.0, 2.0),
    "hardware_price_decline_share": (0.0, 0.5), "salary_overhead_ratio": (1.0, 2.0), "facility_life_years": (5.0, 30.0),
    "reserved_share": (0.3, 1.0), "equity_return_share": (0.0, 0.3), "embodied_life_years": (1.0, 10.0),
}  # fmt: skip
ORDINARY = (1.0, 1e3)


def between(name: str) -> st.SearchStrategy[float]:
    low, high = PLAUSIBLE.get(name, (0.0, 0.3) if name in SHARES else ORDINARY)
    return st.floats(low, high)


NUMBERS = st.fixed_dictionaries({each.name: between(each.name) for each in INPUTS if each.name != "year"})
OPTIONS = st.fixed_dictionaries({
    choice: st.sampled_from(options) for choice, options in choices().items() if choice != "model"
})  # fmt: skip


def evaluate(values: dict[str, float], names: tuple[str, ...], **chosen: str) -> dict[str, float]:
    under = tuple({name: chosen.get(name, options[0]) for name, options in choices().items()}.items())
    found, gaps = dict(values), {}
    graph(under).evaluate(found, gaps, names)
    assert all(name in found for name in names), gaps
    return found


@cache
def details(model: str) -> tuple[str, ...]:
    return tuple(f"{part.stem}_present_value" for part in parts(MODELS[model]))


def same(one: float, other: float, scale: float) -> bool:
    """Equal to a cent, or to what a float holds of such sums."""
    return abs(one - other) <= max(0.005, 1e-11 * abs(scale))


@given(values=NUMBERS, chosen=OPTIONS, model=st.sampled_from(list(MODELS)))
def test_the_components_are_the_totals_to_the_cent(
    values: dict[str, float], chosen: dict[str, str], model: str
) -> None:
    due = list(parts(MODELS[model]))
    names = (*TOTALS, *details(model), *(part.name for part in due), "running_years")
    found = evaluate(values, names, **chosen, model=model)
    largest = max(abs(found[name]) for name in details(model))
    assert same(math.fsum(found[name] for name in details(model)), found["tco_present_value"], largest)
    times = {ACQUISITION: 1.0, AGREED: values["service_life_years"], OPERATING: found["running_years"], RECOVERED: 1.0}
    paid = [found[part.name] * times[part.total] * (-1 if part.comes_back else 1) for part in due]
    assert same(math.fsum(paid), found["tco_undiscounted"], max(map(abs, paid)))


@given(values=NUMBERS, chosen=OPTIONS, model=st.sampled_from(list(MODELS)))
def test_the_years_are_the_totals_to_the_cent(values: dict[str, float], chosen: dict[str, str], model: str) -> None:
    yearly = [part for part in parts(MODELS[model]) if part.due == YEARLY]
    years = range(1, math.ceil(values["service_life_years"]) + 1)
    paid = tuple(f"{part.stem}_in_year" for part in yearly)
    worth = tuple(f"{part.stem}_in_year_present_value" for part in yearly)
    sums = (*SUMS, "running_years", "annuity_factor", "running_annuity_factor")
    each = [evaluate({**values, "year": float(year)}, (*paid, *worth, *sums), **chosen, model=model) for year in years]
    of = each[0]
    nominal = of[AGREED] * values["service_life_years"] + of[OPERATING] * of["running_years"]
    assert same(math.fsum(found[name] for found in each for name in paid), nominal, nominal)
    present = of[AGREED] * of["annuity_factor"] + of[OPERATING] * of["running_annuity_factor"]
    assert same(math.fsum(found[name] for found in each for name in worth), present, present)


@given(values=NUMBERS, chosen=OPTIONS, model=st.sampled_from([name for name in MODELS if name != "rented"]))
def test_cost_is_straight_in_the_price(values: dict[str, float], chosen: dict[str, str], model: str) -> None:
    at = [evaluate({**values, "price": price}, TOTALS, **chosen, model=model) for price in (0.0, 1e5, 3e5)]
    for name in TOTALS:
        none, one, three = (found[name] for found in at)
        assert three - none == pytest.approx(3 * (one - none), rel=1e-8, abs=1e-6 * (1 + abs(none)))


@given(
    values=NUMBERS,
    chosen=OPTIONS,
    shares=st.lists(st.floats(0.05, 1), min_size=2, max_size=4),
    model=st.sampled_from(list(MODELS)),
)
def test_cost_never_falls_with_the_hours_used(
    values: dict[str, float], chosen: dict[str, str], shares: list[float], model: str
) -> None:
    """Given that an idle system draws no more than a busy one."""
    calm = {**values, "idle_power_share": values["load_factor_share"] / 2}
    at = [evaluate({**calm, "utilisation_share": share}, TOTALS, **chosen, model=model) for share in sorted(shares)]
    for low, high in pairwise(at):
        assert high["tco_present_value"] >= low["tco_present_value"] * (1 - 1e-12)


@given(values=NUMBERS, chosen=OPTIONS, model=st.sampled_from(list(MODELS)))
def test_cost_is_continuous_as_the_rates_go_to_zero(
    values: dict[str, float], chosen: dict[str, str], model: str
) -> None:
    rates = ("discount_rate_share", "loan_rate_share", "lease_rate_share", "equity_return_share", "inflation_share")

    def at(rate: float) -> dict[str, float]:
        return evaluate({**values, **dict.fromkeys(rates, rate)}, TOTALS, **chosen, model=model)

    none, little = at(0.0), at(1e-12)
    for name in TOTALS:
        assert little[name] == pytest.approx(none[name], rel=1e-9, abs=1e-6)


@given(values=NUMBERS, chosen=OPTIONS)
def test_owning_borrowing_leasing_and_renting_cost_the_same_on_the_same_terms(
    values: dict[str, float], chosen: dict[str, str]
) -> None:
    """Lender and lessor ask the buyer's own cost of capital; the rent is what owning costs for an hour that is paid."""
    rate = evaluate(values, ("cost_of_capital_share",), **{**chosen, "discount_basis": "nominal"})[
        "cost_of_capital_share"
    ]
    terms = {**values, "loan_rate_share": rate, "lease_rate_share": rate}
    nominal = {**chosen, "discount_basis": "nominal"}
    owned = evaluate(terms, (*TOTALS, "rented_hours_per_year"), **nominal, model="owned")
    for model in ("borrowed", "leased", "finance_leased"):
        other = evaluate(terms, TOTALS, **nominal, model=model)
        assert other["tco_present_value"] == pytest.approx(owned["tco_present_value"], rel=1e-9, abs=1e-3)
    nothing_else = dict.fromkeys(
        ("rental_upfront_price", "storage_tb", "egress_tb_per_year", "software_licence_per_accelerator_year"), 0.0
    )
    hours = owned["rented_hours_per_year"] * terms["system_count"]
    rent = {"rental_price_per_hour": owned["tco_equivalent_annual"] / hours}
    rented = evaluate({**terms, **nothing_else, **rent}, TOTALS, **nominal, model="rented")
    for name in ("tco_present_value", "tco_equivalent_annual"):
        assert rented[name] == pytest.approx(owned[name], rel=1e-9, abs=1e-3)


@given(values=NUMBERS, chosen=OPTIONS)
def test_books_fall_from_the_price_to_what_comes_back(values: dict[str, float], chosen: dict[str, str]) -> None:
    last = math.ceil(values["service_life_years"])
    at = [
        evaluate({**values, "year": float(year)}, ("book_value", "acquisition_cost", "recovered_value"), **chosen)
        for year in range(last + 1)
    ]
    books = [found["book_value"] for found in at]
    assert books[0] == pytest.approx(max(at[0]["acquisition_cost"], books[0]), rel=1e-12)
    if at[0]["acquisition_cost"] >= at[0]["recovered_value"]:
        assert all(later <= earlier * (1 + 1e-12) + 1e-6 for earlier, later in pairwise(books))
        if chosen["depreciation_basis"] == "straight_line":
            assert books[-1] == pytest.approx(at[0]["recovered_value"], rel=1e-9, abs=1e-3)


def test_macrs_writes_off_what_the_irs_says() -> None:
    """IRS Publication 946, table A-1, five-year property, half-year convention, as NREL's ATB has it."""
    shares = [0.2, 0.32, 0.192, 0.1152, 0.1152, 0.0576]
    values = {"acquisition_cost": 1000.0}
    books = [
        evaluate({**values, "year": float(year)}, ("book_value",), depreciation_basis="macrs")["book_value"]
        for year in range(7)
    ]
    assert [one - other for one, other in pairwise(books)] == pytest.approx([1000 * share for share in shares])


def test_double_declining_is_excels() -> None:
    """Excel's DDB(2400, 300, 10, period): 480 in the first year, 22.12 in the tenth (its reference, recalled)."""
    values = {
        "acquisition_cost": 2400.0,
        "recovered_value": 300.0,
        "service_life_years": 10.0,
        "declining_balance_factor": 2.0,
    }
    books = [
        evaluate({**values, "year": float(year)}, ("book_value",), depreciation_basis="declining_balance")["book_value"]
        for year in range(11)
    ]
    assert books[0] - books[1] == pytest.approx(480)
    assert round(books[9] - books[10], 2) == 22.12


def test_inflation_and_a_nominal_rate_are_a_real_rate() -> None:
    """(1 + 0.08) / (1 + 0.03) - 1 = 4.854 %: costs that grow, counted nominally, are level costs at the real rate."""
    values = {"discount_rate_share": 0.08, "inflation_share": 0.03, "service_life_years": 5.0}
    found = evaluate(values, ("running_annuity_factor", "running_years"))
    assert found["running_annuity_factor"] == pytest.approx(sum((1.03 / 1.08) ** year for year in range(1, 6)))
    assert found["running_years"] == pytest.approx(sum(1.03**year for year in range(1, 6)))
    real = {**values, "discount_rate_share": 1.08 / 1.03 - 1}
    assert evaluate(real, ("running_annuity_factor",), discount_basis="real")[
        "running_annuity_factor"
    ] == pytest.approx(found["running_annuity_factor"])


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_every_component_is_a_figure_of_its_model(model: Model) -> None:
    under = tuple({name: options[0] for name, options in choices().items()} | {"model": model.name})
    chosen = tuple({**{name: options[0] for name, options in choices().items()}, "model": model.name}.items())
    assert {part.name for part in parts(model)} <= set(figures(chosen)), under
