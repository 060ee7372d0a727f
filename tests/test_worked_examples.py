"""Examples that others published come out of the service's own formulas; published errors do not.

Each example names the quantities that it uses; the published values are in known/worked_examples.csv. Grades: A and B
were read or corroborated, C is recalled, D and R are derived or recomputed, X is a published error.
"""

import math
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

from pricing.analysis.breakeven import breakeven
from pricing.analysis.levels import level
from pricing.analysis.verdicts import agree
from pricing.catalogue.catalogue import shipped
from pricing.graph import graph
from pricing.quantities.rental import rented_cost_per_run
from pricing.registry import choices
from service.parameters import body_of, breakeven_parameters
from tests.test_known import rows

PUBLISHED = {row["id"]: row for row in rows("worked_examples.csv")}
CASES: dict[str, Callable[[], float]] = {}
WHOLE = {"utilisation_share": 1, "availability_share": 1, "goodput_share": 1, "ramp_up_months": 0}


def bases(**chosen: str) -> tuple[tuple[str, str], ...]:
    return tuple((choice, chosen.get(choice, options[0])) for choice, options in choices().items())


def evaluate(names: tuple[str, ...], under: dict[str, str], inputs: dict[str, float]) -> dict[str, float]:
    """The quantities of those names from these inputs alone."""
    values = {name: float(value) for name, value in inputs.items()}
    gaps: dict[str, str] = {}
    graph(bases(**under)).evaluate(values, gaps, names)
    assert all(name in values for name in names), gaps
    return values


def value(name: str, under: dict[str, str] | None = None, **inputs: float) -> float:
    return evaluate((name,), under or {}, inputs)[name]


def case(name: str) -> Callable[[Callable[[], float]], Callable[[], float]]:
    def add(function: Callable[[], float]) -> Callable[[], float]:
        CASES[name] = function
        return function

    return add


def shared(prefix: str, of: Callable[..., float], **each: Any) -> None:
    """Examples that are the same sum with other figures."""
    for name, figures in each.items():
        CASES[prefix + name] = lambda figures=figures: of(*figures)  # type: ignore[misc]


# A: Graphcore's posts. Times in minutes, prices in dollars.
def per_dollar(ours: tuple[float, float], theirs: tuple[float, float]) -> float:
    one, other = (
        value("performance_per_dollar", time_to_train_minutes=time, price=price, system_count=1)
        for time, price in (ours, theirs)
    )
    return one / other


CASES["A1"] = lambda: round(per_dollar((37.12, 149995), (28.77, 300000)), 1)
CASES["A2"] = lambda: round(per_dollar((34.49, 149995), (21.69, 300000)), 1)
CASES["A3"] = lambda: value("price_per_machine", price=149995, machines=4)
CASES["A4"] = lambda: (
    value("price_per_accelerator", price=149995, accelerators=16)
    / value("price_per_accelerator", price=300000, accelerators=8)
)
CASES["A5"] = lambda: value("list_cost", price=149995, system_count=1) / value("list_cost", price=3e5, system_count=1)
CASES["A6"] = lambda: round(
    100 * (1 - value("performance", time_to_train_minutes=37.12) / value("performance", time_to_train_minutes=28.3))
)
CASES["A8"] = lambda: (  # the work of a run in accelerator-hours, which without loss would be the same at both sizes
    value("accelerator_hours_per_run", time_to_train_minutes=5.67, cluster_accelerators=128)
    / value("accelerator_hours_per_run", time_to_train_minutes=3.79, cluster_accelerators=256)
)
CASES["A9"] = lambda: (
    value("performance_per_rack_unit", time_to_train_minutes=37.1152, rack_units=5, system_count=1)
    / value("performance_per_rack_unit", time_to_train_minutes=28.7709, rack_units=6, system_count=1)
)


# B: monthly payments of data centres, by the loan that is paid by the month.
def monthly(capital: float, rate: float, months: float) -> float:
    figures = {"loan_amount": capital, "loan_rate_share": rate, "service_life_years": months / 12}
    return value("loan_payment_per_month", {"model": "borrowed"}, **figures)


def power(kw: float, pue: float, tariff: float) -> float:
    """Utility power a month, a twelfth of a year of 8,760 hours."""
    figures = {"mean_power_kw": kw, "pue_ratio": pue, "electricity_tariff_per_kwh": tariff}
    return value("energy_cost_per_year", system_count=1, network_power_share=0, **figures) / 12


def hamilton() -> dict[str, float]:
    """46,000 servers at $1,450 over 36 months, network 48, an 8 MW hall at $9/W over 120, all at 5 %."""
    return {
        "a": monthly(46_000 * 1_450, 0.05, 36),
        "b": monthly(12.81e6, 0.05, 48),
        "c": monthly(0.82 * 72e6, 0.05, 120),
        "d": monthly(0.18 * 72e6, 0.05, 120),
        "e": power(8000 * 0.8, 1.45, 0.07),
    }


def share(line: str) -> float:
    return round(100 * hamilton()[line] / sum(hamilton().values()))


CASES["B1"] = lambda: monthly(50_000 * 2_000, 0.05, 36)
CASES["B2"] = lambda: monthly(0.82 * 200e6, 0.05, 180)
CASES["B4"] = lambda: power(15_000 * 0.8, 1.7, 0.07)
shared("B5", share, a="a", b="b", d="d", e="e")
CASES["B6"] = lambda: sum(hamilton().values())
# B7, recalled from Hennessy and Patterson, Fig. 6.13: $66.7M of servers over 36 months, $12.81M of network over 48,
# an $88M hall over 120 months, 82 % of it power and cooling, 8 MW at 80 %, PUE 1.45, 7 c/kWh; 5 % throughout
shared("B7", monthly, a=(66.7e6, 0.05, 36), b=(12.81e6, 0.05, 48), c=(72.16e6, 0.05, 120), d=(15.84e6, 0.05, 120))
CASES["B7e"] = lambda: power(8000 * 0.8, 1.45, 0.07)


@case("B8")
def evaltco() -> float:
    """500 W, $10,000, three years: the hall at $10/W over 12 years, 8 %, months of 720 hours, PUE 1.5."""
    hall = 500 * 10
    loan = {"loan_rate_share": 0.08}
    whole, server = (
        evaluate(
            ("amortising_interest_total",),
            {"model": "borrowed"},
            {**loan, "loan_amount": amount, "service_life_years": years},
        )["amortising_interest_total"]
        for amount, years in ((hall, 12), (10_000, 3))
    )
    hours = 36 * 720  # of its months; our years have 8,760 hours, so that the energy is written out
    drawn = value("it_energy_per_run_kwh", cluster_busy_power_kw=0.5, time_to_train_minutes=60 * hours)
    cooled = value("energy_per_run_kwh", it_energy_per_run_kwh=drawn, pue_ratio=1.5)
    kept = {"contracted_cost": 10_000, "service_life_years": 3, "support_amortisation_share": 0.05}
    repair = 3 * value("support_cost_per_year", {"support_basis": "amortisation"}, **kept)
    return hall * 3 / 12 + whole * 3 / 12 + 500 * 0.04 * 36 + cooled * 0.067 + 10_000 + repair + server


# C: Lambda's cluster, Lenovo's break-even, prices of an accelerator-hour.
def clusters(count: int, upfront: float, colocation: float, years: float) -> dict[str, float]:
    """Lambda: a price, colocation, and $10,000 for each started four systems; nothing else, nothing discounted."""
    names = ("staff_cost_per_year", "operating_cost_per_year", "tco_undiscounted")
    nothing = ("host_cost", "network_cost", "storage_cost", "rack_cost", "spares_cost", "installation_cost",
               "duty_cost", "sales_tax_cost", "energy_cost_per_year", "demand_cost_per_year", "support_cost_per_year",
               "software_cost_per_year", "insurance_cost_per_year", "decommissioning_cost", "residual_value",
               "inflation_share")  # fmt: skip
    figures = {
        "contracted_cost": upfront, "space_cost_per_year": colocation, "system_count": count,
        "systems_per_admin_group": 4, "admin_cost_per_group_year": 10_000, "service_life_years": years,
    }  # fmt: skip
    return evaluate(names, {"staff_basis": "group"}, {**dict.fromkeys(nothing, 0.0), **figures})


for _count, _upfront, _colocation in ((1, 299_504, 16_146), (16, 4_584_787, 254_436)):
    _of = (_count, _upfront, _colocation)
    CASES[f"C1-{_count}-opex"] = lambda of=_of: clusters(*of, 5)["operating_cost_per_year"]  # type: ignore[misc]
    CASES[f"C1-{_count}-adm"] = lambda of=_of: clusters(*of, 5)["staff_cost_per_year"]  # type: ignore[misc]
    for _years in (1, 3, 5):
        CASES[f"C1-{_count}-y{_years}"] = lambda of=_of, years=_years: clusters(*of, years)["tco_undiscounted"]  # type: ignore[misc]
    CASES[f"C1-{_count}-am"] = lambda of=_of: round(clusters(*of, 5)["tco_undiscounted"] / 5 / of[0])  # type: ignore[misc]


def hours_to_break_even(rent: float) -> float:
    """833,806 to buy and 0.87 an hour to run; every hour of the year is used."""
    figures = {
        "acquisition_cost": 833_806, "operating_cost_per_year": 0.87 * 8760, "recovered_value": 0,
        "rental_price_per_hour": rent,
    }  # fmt: skip
    sets = [f"own:rig.{name}:{figure}" for name, figure in figures.items()]
    fields = {"systems": "own:rig", "set": sets, "utilisation_share": 1, "availability_share": 1}
    (found,) = breakeven(shipped(), body_of(breakeven_parameters())().load(fields)).sides
    assert found.simple.hours is not None
    return found.simple.hours


CASES["C2a"] = lambda: round(hours_to_break_even(98.32))
CASES["C2b"] = lambda: round(hours_to_break_even(98.32) / 720, 1)  # Lenovo's months are of 720 hours
CASES["C2d"] = lambda: hours_to_break_even(33.0)
CASES["C3"] = lambda: value("performance_per_tco_dollar", cost_per_run=0.73) * 0.98
CASES["C4"] = lambda: value("performance_per_tco_dollar", cost_per_run=1 - 0.44)
shared(
    "C5",
    lambda price, count: value("rental_price_per_accelerator_hour", rental_price_per_hour=price, accelerators=count),
    a=(39.33, 8), b=(14.75, 8), c=(15.49, 16), d=(98.32, 8), e=(32.77, 8), f=(40.96, 8),
)  # fmt: skip


# D: Epoch AI's amortised hardware and energy. Its price of an accelerator holds the server around it.
def epoch(  # noqa: PLR0913, PLR0917 (as its source has them)
    server: float, bought: str, start: str, hours: float, kw: float, ratio: float, drawn: float, pue: float,
    tariff: float,
) -> float:  # fmt: skip
    """One accelerator as the cluster; 0.14 orders of magnitude a year, a network of 0.19 of the whole."""
    age = (datetime.fromisoformat(start) - datetime.fromisoformat(bought)).days / 365.25
    figures = {
        "price": server, "system_count": 1, "list_discount_share": 0, "hosts": 0, "host_price_each": 0,
        "network_cost_share": 0.19, "accelerators": 1, "hardware_price_decline_share": 1 - 10**-0.14,
        "hardware_age_years": age, "time_to_train_minutes": 60 * hours, "max_power_kw": kw * ratio,
        "load_factor_share": drawn, "pue_ratio": pue, "electricity_tariff_per_kwh": tariff,
    }  # fmt: skip
    return value("economic_cost_per_run", **figures)


A100 = (24875, "2020-08-12")
shared(
    "D-", epoch,
    **{
        "Llama 3.1-405B": (44489.88, "2022-12-19", "2024-02-24T18:00:00", 35094528, 0.7, 10.2 / 8 / 0.7, 0.75, 1.1, 0.0771),
        "GPT-4": (*A100, "2022-05-12", 57e6, 0.4, 6.5 / 8 / 0.4, 0.75, 1.25, 0.0806),
        "Falcon-180B": (*A100, "2023-01-09", 17694720, 0.4, 6.5 / 8 / 0.4, 0.75, 1.25, 0.0806),
        "Gemini 1.0 Ultra": (8473.88, "2021-05-20", "2023-05-10", 132e6, 0.17, 1.56, 0.43, 1.1, 0.0806),
    },
)  # fmt: skip


# E: finance. What is paid out is negative there.
def annuity(rate: float, periods: float) -> float:
    return value("annuity_factor", discount_rate_share=rate, service_life_years=periods)


def present(rate: float, flows: list[float]) -> float:
    return sum(
        flow * value("terminal_discount_factor", discount_rate_share=rate, service_life_years=year)
        for year, flow in enumerate(flows)
    )


CASES["E1"] = lambda: -15000 / annuity(0.08 / 12, 60)
CASES["E3"] = lambda: -12000 * annuity(0.07, 20)
CASES["E4"] = lambda: present(0.05, [-15000, 1500, 2500, 3500, 4500, 6000])


@case("E5")
def growth() -> float:
    """RATE(10, 0, -3500, 10000): the rate at which 10000 after ten years are worth 3500 now."""
    found = level(lambda rate: present(rate, [0] * 10 + [10000]) - 3500, "discount_rate_share", 0.05)
    assert found is not None
    return found


@case("E7")
def first_principal() -> float:
    """PPMT(10%/12, 1, 60, 55000): what the first of 60 payments takes off the loan; periods in place of years."""
    figures = {"loan_amount": 55000, "loan_rate_share": 0.1 / 12, "service_life_years": 60, "year": 1}
    return value("loan_balance", {"model": "borrowed"}, **figures) - 55000


CASES["E8"] = lambda: value(
    "straight_line_depreciation_per_year", contracted_cost=30000, residual_value=7500, service_life_years=10
)
CASES["E9"] = lambda: value(
    "tco_excel_npv", tco_present_value=present(0.1, [-10000, 3000, 4200, 6800]), discount_rate_share=0.1
)
CASES["E10"] = lambda: -10000 / annuity(0.08 / 12, 10)
CASES["E11"] = lambda: round(
    value("straight_line_depreciation_per_year", contracted_cost=40000, residual_value=0, service_life_years=3)
)

# F: NREL's Annual Technology Baseline.
CASES["F1"] = lambda: value(
    "cost_of_capital_share", {"discount_basis": "wacc"},
    debt_share=0.310424526291473, loan_rate_share=0.07, equity_return_share=0.09, income_tax_rate_share=0.2574,
)  # fmt: skip
CASES["F3"] = lambda: (
    1 / value("running_annuity_factor", real_cost_of_capital_share=0.05190076132629362, service_life_years=20)
)


@case("F4")
def levelised() -> float:
    """1000 · (CRF · PFF · CapEx + fixed) / (8760 · CF) - PTC, a kW of wind in place of a cluster [$/MWh]."""
    charge = value("fixed_charge_rate", project_finance_factor=1.064156447332059,
                   running_annuity_factor=1 / 0.08154088720906985)  # fmt: skip
    figures = {
        "fixed_charge_rate": charge, "acquisition_cost": 1407.9532235867798,
        "operating_cost_per_year": 29.2637731474106, "service_life_years": 20,
    }  # fmt: skip
    used = {**WHOLE, "utilisation_share": 0.53259}
    return 1000 * value("levelised_cost_per_useful_hour", **figures, **used) - 23.103016002020194


# G: carbon. One run; what an example gives in grams is a thousandth of ours.
def operational(kwh: float, intensity: float) -> float:
    return value("operational_carbon_per_run_kg", energy_per_run_kwh=kwh, grid_intensity_g_per_kwh=intensity)


def card(hours: float, watts: float, intensity: float) -> float:
    """Tonnes by a model card: accelerator-hours × watts × intensity [kg/kWh]."""
    return operational(value("it_energy_per_run_kwh", cluster_busy_power_kw=watts / 1000,
                             time_to_train_minutes=hours * 60), intensity * 1000) / 1000  # fmt: skip


def software(kwh: float, intensity: float, embodied_g: float) -> float:
    """Grams: operational and embodied."""
    return 1000 * value("carbon_per_run_kg", operational_carbon_per_run_kg=operational(kwh, intensity),
                        embodied_carbon_per_run_kg=embodied_g / 1000)  # fmt: skip


CASES["G1"] = lambda: sum(  # g/kWh of a mix: the grams of 1 kWh, source by source
    1000 * operational(part, of) for part, of in ((0.25, 995), (0.35, 816), (0.26, 743), (0.14, 29))
)
CASES["G2"] = lambda: operational(0.3, shipped().grid("USA").intensity)
CASES["G3"] = lambda: operational(1.0, shipped().grid("FRA").intensity)
shared("G4-", card, **{"Llama 2 7B": (184320, 400, 0.4235), "Llama 2 70B": (1720320, 400, 0.4235)})
shared("G5-", card, **{"3.1 8B": (1.46e6, 700, 0.413), "3.1 405B": (30.84e6, 700, 0.413),
                       "3 8B": (1.3e6, 700, 0.413), "3 70B": (6.4e6, 700, 0.413)})  # fmt: skip
CASES["G6"] = lambda: math.fsum((420, 2040, 8930))  # the card's own three models; no formula but a sum
CASES["G7"] = lambda: float(flagged("12.9", card(7.0e6, 700, 0.413)))
CASES["G8"] = lambda: value(
    "energy_per_run_kwh", cluster_busy_power_kw=10_000 * 0.33, time_to_train_minutes=14.8 * 24 * 60, pue_ratio=1.10
) / 1000  # fmt: skip
CASES["G9"] = lambda: 1000 * value(
    "embodied_carbon_per_run_kg", embodied_carbon_kg=1000, system_count=1, time_to_train_minutes=60,
    embodied_life_years=4,
)  # fmt: skip
CASES["G10a"] = lambda: software(0.0096, 951, 5.112)
CASES["G10b"] = lambda: software(0.023, 951, 4.305)

# H: DAWNBench, hours × the price of an hour.
shared(
    "H-", lambda price, hours: round(rented_cost_per_run(price, 1.0, hours * 60), 2),
    fastai_resnet50_p3_16_machine_pyto=(391.68, 0.3014392769998974),
    gehc_resnet50_1_p3_16xlarge_tensor=(24.48, 1.742588889),
    google_amoeba_net_d_tpu_tensorflow=(6.595, 7.474843),
    alibabacloud_resnet50_gn6e_1_machi=(20.6, 0.360461111),
    dawn_resnet152_b_4M60_ec2_tensorfl=(7.2, 322.6934347160657),
    **{
        "setu_resnet50_azure-ndv2_pytorch.j": (12.24, 1.70637),
        "dawn_resnet152_b_8k80_ec2_mxnet.js": (4.56, 243.99949777777786),
        "diux_resnet50_p3-tensorpack.json": (24.48, 14.633055555555556),
    },
)  # fmt: skip

# I: Meta's Llama 3 on 16,384 accelerators: 419 interruptions in 54 days, 72 of them of memory, 148 of the accelerator.
CASES["I1"] = lambda: round(
    value("cluster_mtbf_hours", {"goodput_basis": "checkpoint"},
          mtbf_accelerator_hours=54 * 24 * 16384 / 419, cluster_accelerators=16384)
)  # fmt: skip
CASES["I2"] = lambda: round(100 * 72 / 419, 1)  # no formula of ours but a share
CASES["I3"] = lambda: round(100 * 148 / 419, 1)
shared(
    "J", lambda price: value("price_per_accelerator", price=price, accelerators=8),
    **{"1": (149000,), "3": (300000,), "4": (125000,)},
)  # fmt: skip


def flagged(printed: str, computed: float) -> bool:
    """Whether the service's own verdict is that the printed figure does not hold."""
    return agree(computed, SimpleNamespace(published=Decimal(printed)))[1] == "does_not_hold"  # type: ignore[arg-type]


def test_every_example_is_worked() -> None:
    assert CASES.keys() == PUBLISHED.keys()
    assert {row["grade"] for row in PUBLISHED.values()} == set("ABCDRX")


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_example_comes_out_within_its_tolerance(name: str) -> None:
    row = PUBLISHED[name]
    expected = float({"True": "1"}.get(row["published"], row["published"]))
    tolerance = float(row["tolerance"])
    within = {"rel": tolerance or 1e-12, "abs": 0.0} if row["kind"] == "rel" else {"rel": 0.0, "abs": tolerance or 1e-9}
    assert CASES[name]() == pytest.approx(expected, **within)


def test_epochs_amortised_costs_come_out_to_the_cent() -> None:
    for name in (each for each in PUBLISHED if each.startswith("D-")):
        assert round(CASES[name](), 2) == float(PUBLISHED[name]["published"])


@pytest.mark.parametrize(
    ("printed", "computed"),
    [
        ("30.1", lambda: 100 * 148 / 419),  # Llama 3 report: 148 of 419 interruptions; it is 35.3 %
        ("12.9", lambda: card(7.0e6, 700, 0.413)),  # Llama 3.3 card: 7.0 M hours at 700 W are about 2,040 t
        ("26.178", lambda: software(0.02394, 951, 4.305)),  # eShoppen: with the energy that its text shows, 27.072 g
        ("11.9", lambda: hours_to_break_even(98.32) / 730),  # Lenovo's months are of 720 hours; of 730 they are 11.7
        ("24", lambda: 100 * (37.12 / 28.3 - 1)),  # Graphcore's "improvement" is a time reduction; the speed-up is 31 %
        ("731.59", lambda: operational(1.0, CASES["G1"]())),  # CodeCarbon's page prints kg/kWh; 731.59 are grams
    ],
)  # fmt: skip
def test_published_errors_are_flagged_and_not_reproduced(printed: str, computed: Callable[[], float]) -> None:
    assert flagged(printed, computed())


def test_the_checkpoint_formula_agrees_with_what_meta_saw() -> None:
    """economics: 3.09 h between failures and a checkpoint of a minute: every 19 minutes, 10.4 % lost; over 90 % useful."""
    names = ("checkpoint_interval_hours", "checkpoint_waste_share", "effective_goodput_share")
    figures = {
        "mtbf_accelerator_hours": 50676,
        "cluster_accelerators": 16384,
        "checkpoint_minutes": 1,
        "restart_minutes": 0,
    }
    found = evaluate(names, {"goodput_basis": "checkpoint"}, figures)
    assert round(found["checkpoint_interval_hours"] * 60) == 19
    assert round(100 * found["checkpoint_waste_share"], 1) == 10.4
    assert found["effective_goodput_share"] > 0.9


def test_loans_that_amortise_and_loans_of_interest_only_differ() -> None:
    """economics: $10,000 at 8 % over three years cost 1,281.09 of interest by the month, 2,400 if paid back at the end."""
    loan = {"loan_amount": 10_000, "loan_rate_share": 0.08, "service_life_years": 3}
    found = evaluate(("amortising_interest_total", "interest_only_total"), {"model": "borrowed"}, loan)
    assert (round(found["amortising_interest_total"], 2), found["interest_only_total"]) == (1281.09, 2400)


def test_the_intensity_of_a_place_is_attributed(client: FlaskClient) -> None:
    side = client.get("/v1/compare?systems=dgx-a100-640gb&benchmark=resnet&grid=US-CA").json["systems"][0]
    origin = next(each for each in [side] if each)["provenance"]["carbon_per_run_kg"]
    assert origin["status"] == "derived"
    explained = client.get(
        "/v1/compare?systems=dgx-a100-640gb&benchmark=resnet&grid=US-CA&system=dgx-a100-640gb"
        "&field=operational_carbon_per_run_kg&explain=1"
    ).json
    told = str(explained)
    assert "US EPA eGRID2023" in told and "public domain" in told and "california" in told
