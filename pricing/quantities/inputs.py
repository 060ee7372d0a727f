"""The inputs of the formulas: what each is, in which unit, and in which range it may lie."""

from typing import Literal, NamedTuple

Origin = Literal["result", "price", "system", "assumption", "question", "given"]


class Input(NamedTuple):
    """An input: `low` itself is left out when `open_low`; `money` in a unit is the answer's currency.

    What is `by_caveats` is read by no formula but decides what an answer warns of.
    """

    name: str
    unit: str
    origin: Origin
    low: float
    high: float
    open_low: bool
    about: str
    by_caveats: bool = False

    @property
    def whole(self) -> bool:
        """Whether it counts things of which there are no halves."""
        return self.unit in ("accelerator / system", "machine / system", "server / system")


def _above(name: str, unit: str, origin: Origin, high: float, about: str) -> Input:
    return Input(name, unit, origin, 0.0, high, True, about)


def _from(name: str, unit: str, origin: Origin, high: float, about: str) -> Input:
    return Input(name, unit, origin, 0.0, high, False, about)


def _within(name: str, unit: str, high: float, about: str) -> Input:
    return Input(name, unit, "assumption", 0.0, high, False, about)


def _from_one(name: str, unit: str, origin: Origin, high: float, about: str) -> Input:
    return Input(name, unit, origin, 1.0, high, False, about)


def _for_caveats(name: str, unit: str, high: float, about: str) -> Input:
    return Input(name, unit, "assumption", 0.0, high, False, about, by_caveats=True)


INPUTS = (
    _above("time_to_train_minutes", "minute / run", "result", 1e9, "Official time to train of the whole cluster"),
    _above("run_energy_kwh", "kWh / run", "result", 1e12, "IT energy of the measured run, by MLPerf's method"),
    _above("price", "money / system", "price", 1e15, "Price of one system, before any discount"),
    _above("system_count", "system", "question", 1e6, "Systems working together on one job"),
    _above("rack_units", "rack_unit / system", "system", 1e6, "Height of one system with its hosts"),
    _above("accelerators", "accelerator / system", "system", 1e6, "Accelerators in one system"),
    _above("machines", "machine / system", "system", 1e6, "Accelerator machines in one pod (IPU-M2000, Bow-2000)"),
    _from("hosts", "server / system", "system", 1e6, "Servers in one system"),
    _above("max_power_kw", "kW / system", "system", 1e6, "Rated or declared maximum power of one system"),
    _from("load_factor_share", "1", "assumption", 1.0, "Mean power while busy over the rated maximum"),
    _from("idle_power_share", "1", "assumption", 1.0, "Power while idle over the rated maximum"),
    _above("utilisation_share", "1", "assumption", 1.0, "Hours with a job over calendar hours"),
    _above("availability_share", "1", "assumption", 1.0, "Share of those hours in which the system is up"),
    _above("goodput_share", "1", "assumption", 1.0, "Useful share of busy time: restarts and lost steps left out"),
    _from_one("pue_ratio", "1", "assumption", 10.0, "Facility energy over IT energy"),
    _from("electricity_tariff_per_kwh", "money / kWh", "assumption", 1e6, "Energy price, all in"),
    _from("colocation_price_per_kw_month", "money / kW / month", "assumption", 1e9, "Contracted power, energy apart"),
    _from("colocation_price_per_rack_month", "money / rack / month", "assumption", 1e9, "A whole rack"),
    _from("colocation_price_per_u_month", "money / rack_unit / month", "assumption", 1e9, "One rack unit"),
    _above("rack_height_u", "rack_unit / rack", "assumption", 100.0, "Usable height of a rack"),
    _above("rack_power_limit_kw", "kW / rack", "assumption", 1e4, "Power that one rack may draw"),
    _from("facility_build_cost_per_watt", "money / watt", "assumption", 1e6, "Own facility, per critical watt"),
    _from("facility_ai_premium_share", "1", "assumption", 10.0, "What a hall for AI costs more"),
    _from("facility_opex_per_watt_month", "money / watt / month", "assumption", 1e6, "Running the own facility"),
    _above("facility_life_years", "year", "assumption", 100.0, "Years over which the facility is paid"),
    _from("list_discount_share", "1", "assumption", 1.0, "Negotiated discount off list"),
    _from("residual_value_share", "1", "assumption", 1.0, "Resale at the end of life over what was paid"),
    _above("service_life_years", "year", "assumption", 30.0, "Years in service"),
    _from("discount_rate_share", "1 / year", "assumption", 1.0, "Cost of capital, nominal"),
    _from("support_share", "1 / year", "assumption", 1.0, "Yearly support over list cost"),
    _from("support_amortisation_share", "1", "assumption", 10.0, "Yearly support over yearly amortisation"),
    _above("servers_per_admin", "server / FTE", "assumption", 1e6, "Servers that one administrator keeps"),
    _from("admin_salary_per_year", "money / FTE / year", "assumption", 1e9, "Salary of an administrator"),
    _from_one("salary_overhead_ratio", "1", "assumption", 10.0, "Full cost of staff over salary"),
    _above("systems_per_admin_group", "system / group", "assumption", 1e6, "Systems in one administered group"),
    _from("admin_cost_per_group_year", "money / group / year", "assumption", 1e9, "Price of a started group"),
    _from("host_price_each", "money / server", "assumption", 1e9, "A host server that the price does not hold"),
    _within("network_cost_share", "1", 0.95, "Cluster network over systems, hosts and network together"),
    _from("network_power_share", "1", "assumption", 1.0, "Power of the cluster network over that of the systems"),
    _from("storage_tb", "TB", "assumption", 1e9, "Shared storage beside the systems"),
    _from("storage_price_per_tb", "money / TB", "assumption", 1e6, "Shared storage, bought"),
    _from("rack_price_each", "money / rack", "assumption", 1e7, "A rack"),
    _from("pdu_price_each", "money / rack", "assumption", 1e7, "The power distribution of a rack"),
    _from("cabling_price_per_rack", "money / rack", "assumption", 1e7, "Cabling of a rack"),
    _from("spares_share", "1", "assumption", 1.0, "Spares over what was paid for the systems"),
    _from("installation_freight_share", "1", "assumption", 1.0, "Installation and freight over all hardware"),
    _from("import_duty_share", "1", "assumption", 10.0, "Import duty over all hardware"),
    _from("sales_tax_share", "1", "assumption", 1.0, "Sales tax that is not got back, over hardware and duty"),
    _from("decommissioning_share", "1", "assumption", 1.0, "Taking out at the end over what was paid for the systems"),
    _within("hardware_price_decline_share", "1 / year", 0.99, "Fall of the market value of hardware in a year"),
    _above("nameplate_power_kw", "kW / system", "given", 1e6, "Sum of the power supplies of one system"),
    _from("hardware_age_years", "year", "given", 100.0, "Years from purchase to the start of a run"),
    _from("software_licence_per_accelerator_year", "money / accelerator / year", "assumption", 1e9, "Software"),
    _from("demand_charge_per_kw_month", "money / kW / month", "assumption", 1e6, "By the highest power of a month"),
    _from("insurance_share", "1 / year", "assumption", 1.0, "Yearly insurance over all hardware"),
    _from("inflation_share", "1 / year", "assumption", 1.0, "Growth of all yearly costs"),
    _within("ramp_up_months", "month", 120.0, "Months at the start in which nothing is trained"),
    _above("checkpoint_minutes", "minute", "assumption", 1e5, "Time that writing a checkpoint takes"),
    _from("restart_minutes", "minute", "assumption", 1e5, "Time from a failure until training goes on"),
    _above("mtbf_accelerator_hours", "accelerator * hour", "assumption", 1e12, "Accelerator-hours between failures"),
    _from("repair_time_hours", "system * hour", "assumption", 1e5, "Hours of a system lost by a failed accelerator"),
    _from("debt_share", "1", "assumption", 1.0, "Debt over debt and equity, for the cost of capital"),
    _from("equity_return_share", "1 / year", "assumption", 1.0, "Return that equity asks"),
    _from("loan_rate_share", "1 / year", "assumption", 1.0, "Interest of a loan, a year"),
    _from("loan_share", "1", "assumption", 1.0, "What of the systems' price is borrowed"),
    _from("lease_rate_share", "1 / year", "assumption", 1.0, "Rate that the lessor counts with, a year"),
    _from("lease_buyout_share", "1", "assumption", 1.0, "Purchase at the end of a finance lease over what was paid"),
    _within("income_tax_rate_share", "1", 0.95, "Tax on income"),
    _above("declining_balance_factor", "1", "assumption", 10.0, "2 is double declining balance"),
    _above("reserved_share", "1", "assumption", 1.0, "Hours that are reserved over all hours of a year"),
    _from("spot_interruption_share", "1 / system", "assumption", 100.0, "Systems taken back in 30 days, over all"),
    _from("interruption_loss_hours", "hour", "assumption", 1e4, "Hours of work lost when a system is taken back"),
    _from("rental_upfront_price", "money / system", "assumption", 1e12, "Paid on the first day of a reservation"),
    _from("egress_tb_per_year", "TB / year", "assumption", 1e9, "Data moved out of the provider's network"),
    _from("egress_price_per_gb", "money / GB", "assumption", 1e6, "Moving data out"),
    _from("object_storage_price_per_gb_month", "money / GB / month", "assumption", 1e6, "Keeping data at a provider"),
    _from("grid_intensity_g_per_kwh", "gram / kWh", "assumption", 1e5, "CO2e of the place's grid (location-based)"),
    _from("market_intensity_g_per_kwh", "gram / kWh", "assumption", 1e5, "CO2e by the contracts for energy"),
    _from("embodied_carbon_kg", "kg / system", "assumption", 1e9, "CO2e of making one system"),
    _above("embodied_life_years", "year", "assumption", 100.0, "Years over which that is shared out"),
    _above("rental_price_per_hour", "money / system / hour", "price", 1e9, "Price of one rented system an hour"),
    _above("parameters", "parameter", "given", 1e18, "Parameters of a model; of a mixture of experts the active ones"),
    _above("tokens", "token", "given", 1e20, "Tokens that a training run reads"),
    _from_one("flop_per_parameter_token", "FLOP / parameter / token / run", "given", 100.0, "6 if all weights train"),
    _above("peak_tflops", "TFLOP / second / accelerator", "given", 1e9, "Dense peak of one accelerator"),
    _above("mfu_share", "1", "given", 1.0, "Model FLOP utilisation by the 6ND count, of the peak's precision"),
    _for_caveats("about_price_spread_share", "1", 0.99, "How far a price that is about may be off, either way"),
    _for_caveats("exchange_rate_age_days", "day", 1e4, "Age up to which an exchange rate is used"),
    _for_caveats("price_freshness_days", "day", 1e6, "Age from which a price is called old"),
    _above("demanded_runs_per_year", "run / year", "question", 1e12, "Training runs that are wanted in a year"),
    _from("year", "year", "question", 100.0, "A year of service, from 1; 0 is the day of purchase"),
)  # fmt: skip

BY_NAME = {each.name: each for each in INPUTS}
