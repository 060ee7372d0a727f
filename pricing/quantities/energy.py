"""Power and energy. Nameplate, maximum, typical and measured watts are four different things.

`busy_power_kw` is the mean draw while training. Where it was measured or a typical figure is known, that
figure takes its place; only else is it the rated maximum times the load factor. `rated_power_kw` is the
listed maximum where there is one; only else is it inferred.
"""

from pricing.quantities.tag import bought, quantity
from pricing.quantities.units import HOURS_PER_YEAR, MINUTES_PER_HOUR, MONTHS_PER_YEAR, ONE


@quantity("kW / system")
def busy_power_kw(max_power_kw: float, load_factor_share: float) -> float:
    """Mean IT power of one system while training, from its rated maximum."""
    return max_power_kw * load_factor_share


@quantity("kW / system")
def measured_power_kw(run_energy_kwh: float, time_to_train_minutes: float, system_count: float) -> float:
    """Mean IT power of one system in a run whose energy was measured by MLPerf's method."""
    return run_energy_kwh * MINUTES_PER_HOUR / time_to_train_minutes / system_count


@quantity("kW / system")
def rated_power_kw(busy_power_kw: float, load_factor_share: float) -> float:
    """Maximum power of one system, inferred from its mean power where no maximum is listed."""
    return busy_power_kw / load_factor_share


@quantity("kW / system")
def idle_power_kw(rated_power_kw: float, idle_power_share: float) -> float:
    """Power of one system that waits for work."""
    return rated_power_kw * idle_power_share


@quantity("kW / system")
def mean_power_kw(busy_power_kw: float, idle_power_kw: float, utilisation_share: float) -> float:
    """Power of one system over the whole year: u · busy + (1 - u) · idle."""
    return utilisation_share * busy_power_kw + (ONE - utilisation_share) * idle_power_kw


@quantity("kW", better="less")
def cluster_busy_power_kw(busy_power_kw: float, system_count: float) -> float:
    """Mean IT power of all systems while training."""
    return busy_power_kw * system_count


@quantity("kW", better="less")
def cluster_rated_power_kw(rated_power_kw: float, system_count: float) -> float:
    """Maximum power of all systems: what racks and contracts must provide."""
    return rated_power_kw * system_count


@quantity("kW", better="less", beside=True)
def cluster_nameplate_power_kw(nameplate_power_kw: float, system_count: float) -> float:
    """Sum of all power supplies: what circuits and breakers are chosen by, and no figure of what is drawn."""
    return nameplate_power_kw * system_count


@quantity("kWh / run", better="less")
def it_energy_per_run_kwh(cluster_busy_power_kw: float, time_to_train_minutes: float) -> float:
    """IT energy of one training run, cooling not in it."""
    return cluster_busy_power_kw * time_to_train_minutes / MINUTES_PER_HOUR


@quantity("kWh / run", better="less")
def energy_per_run_kwh(it_energy_per_run_kwh: float, pue_ratio: float) -> float:
    """Facility energy of one training run: IT energy times PUE."""
    return it_energy_per_run_kwh * pue_ratio


@quantity("kWh / year", better="less")
def energy_per_year_kwh(
    mean_power_kw: float, system_count: float, network_power_share: float, pue_ratio: float
) -> float:
    """Facility energy of a year, idle hours and the cluster's network counted."""
    return mean_power_kw * system_count * (ONE + network_power_share) * pue_ratio * HOURS_PER_YEAR


@bought("money / year", better="less")
def energy_cost_per_year(energy_per_year_kwh: float, electricity_tariff_per_kwh: float) -> float:
    """What that energy costs."""
    return energy_per_year_kwh * electricity_tariff_per_kwh


@bought("kW", better="less", beside=True)
def peak_facility_power_kw(cluster_rated_power_kw: float, pue_ratio: float) -> float:
    """The highest power that the meter sees: all systems at their maximum, cooling counted."""
    return cluster_rated_power_kw * pue_ratio


@bought("money / year", better="less", beside=True)
def demand_cost_per_year(peak_facility_power_kw: float, demand_charge_per_kw_month: float) -> float:
    """Demand charge, which is paid by the month's highest power, beside an energy-only tariff.

    Averages of tariffs already hold it: then it is 0.
    """
    return peak_facility_power_kw * demand_charge_per_kw_month * MONTHS_PER_YEAR
