"""What it all comes to. The three sums at the bottom are generated from the model's components."""

from pricing import ops
from pricing.quantities.tag import quantity
from pricing.quantities.units import ONE, ONE_YEAR


@quantity("money", better="less")
def tco_undiscounted(
    acquisition_cost: float,
    operating_cost_per_year: float,
    recovered_value: float,
    service_life_years: float,
) -> float:
    """Total cost of ownership over the service life, money of all years added as it is."""
    return acquisition_cost + operating_cost_per_year * service_life_years - recovered_value


@quantity("money", better="less")
def tco_present_value(
    acquisition_cost: float,
    operating_cost_per_year: float,
    recovered_value: float,
    annuity_factor: float,
    terminal_discount_factor: float,
) -> float:
    """Total cost of ownership in money of the day of purchase; year 0 is not discounted."""
    running = operating_cost_per_year * annuity_factor
    return acquisition_cost + running - recovered_value * terminal_discount_factor


@quantity("money / year", better="less")
def tco_equivalent_annual(tco_present_value: float, capital_recovery_factor: float) -> float:
    """The level yearly payment that is worth the present value (equivalent annual cost)."""
    return tco_present_value * capital_recovery_factor


@quantity("money / hour", better="less")
def cost_per_useful_hour(tco_equivalent_annual: float, useful_hours_per_year: float) -> float:
    """Cost of an hour in which the cluster's training advances."""
    return tco_equivalent_annual / useful_hours_per_year


@quantity("money / accelerator / hour", better="less")
def cost_per_useful_accelerator_hour(cost_per_useful_hour: float, cluster_accelerators: float) -> float:
    """The same for one accelerator (levelised cost)."""
    return cost_per_useful_hour / cluster_accelerators


@quantity("money / run", better="less")
def cost_per_run(tco_equivalent_annual: float, runs_per_year: float) -> float:
    """Cost of one training run."""
    return tco_equivalent_annual / runs_per_year


@quantity("run / money", better="more")
def performance_per_tco_dollar(cost_per_run: float) -> float:
    """Training runs for one unit of money, all costs of ownership counted; not the CapEx figure."""
    return ONE / cost_per_run


@quantity("1")
def year_share(year: float, service_life_years: float) -> float:
    """Share of a year of service that lies within the service life: 1, or less in the last one."""
    return ops.larger(ONE - ONE, ops.smaller(ONE, (service_life_years - year + ONE_YEAR) / ONE_YEAR))
