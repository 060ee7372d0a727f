"""What it all comes to. The three sums at the bottom are generated from the model's components."""

from pricing import ops
from pricing.quantities.tag import quantity
from pricing.quantities.units import ONE, ONE_YEAR


@quantity("money", better="less")
def tco_undiscounted(
    acquisition_cost: float,
    agreed_cost_per_year: float,
    service_life_years: float,
    operating_cost_per_year: float,
    running_years: float,
    recovered_value: float,
) -> float:
    """Total cost of ownership over the service life, money of all years added as it is."""
    agreed = agreed_cost_per_year * service_life_years
    return acquisition_cost + agreed + operating_cost_per_year * running_years - recovered_value


@quantity("money", better="less")
def tco_present_value(
    acquisition_cost: float,
    agreed_cost_per_year: float,
    annuity_factor: float,
    operating_cost_per_year: float,
    running_annuity_factor: float,
    recovered_value: float,
    terminal_discount_factor: float,
) -> float:
    """Total cost of ownership in money of the day of purchase; year 0 is not discounted."""
    running = agreed_cost_per_year * annuity_factor + operating_cost_per_year * running_annuity_factor
    return acquisition_cost + running - recovered_value * terminal_discount_factor


@quantity("money", better="less", beside=True)
def tco_excel_npv(tco_present_value: float, cost_of_capital_share: float) -> float:
    """The same as Excel's NPV() gives it for the list of all years' costs: it discounts the first of them, too."""
    return tco_present_value * ops.discount(cost_of_capital_share, ONE_YEAR)


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


@quantity("year")
def year_share(year: float, service_life_years: float) -> float:
    """How much of a year of service lies within the service life: 1, or less in a short last year."""
    return ops.smaller(year, service_life_years) - ops.smaller(year - ONE_YEAR, service_life_years)


@quantity("year")
def year_share_present_value_factor(year: float, service_life_years: float, cost_of_capital_share: float) -> float:
    """What a level 1 a year, paid in a year of service, is worth on the day of purchase."""
    until = ops.annuity(cost_of_capital_share, ops.smaller(year, service_life_years))
    return until - ops.annuity(cost_of_capital_share, ops.smaller(year - ONE_YEAR, service_life_years))


@quantity("year")
def year_factor(year: float, service_life_years: float, escalation_rate_share: float) -> float:
    """What a cost of 1 a year comes to in a year of service, grown with inflation; less in a short last year."""
    until = ops.annuity(escalation_rate_share, ops.smaller(year, service_life_years))
    return until - ops.annuity(escalation_rate_share, ops.smaller(year - ONE_YEAR, service_life_years))


@quantity("year")
def year_present_value_factor(year: float, service_life_years: float, real_cost_of_capital_share: float) -> float:
    """The same in money of the day of purchase."""
    until = ops.annuity(real_cost_of_capital_share, ops.smaller(year, service_life_years))
    return until - ops.annuity(real_cost_of_capital_share, ops.smaller(year - ONE_YEAR, service_life_years))
