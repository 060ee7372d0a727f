"""What rented systems cost, and how owning compares."""

from pricing.quantities.tag import quantity
from pricing.quantities.units import HOURS_PER_YEAR, MINUTES_PER_HOUR


@quantity("money / run", better="less")
def rented_cost_per_run(rental_price_per_hour: float, system_count: float, time_to_train_minutes: float) -> float:
    """What one run costs on systems that are paid by the hour, busy time only.

    Source: DAWNBench, cost = hours to the target accuracy × price of the machine an hour.
    """
    return rental_price_per_hour * system_count * time_to_train_minutes / MINUTES_PER_HOUR


@quantity("hour / year")
def rented_hours_per_year(utilisation_share: float, availability_share: float) -> float:
    """Hours of a year that are paid where rented systems do the same work: those with a job, while up."""
    return HOURS_PER_YEAR * utilisation_share * availability_share


@quantity("money / year", better="less")
def rented_cost_per_year(rental_price_per_hour: float, system_count: float, rented_hours_per_year: float) -> float:
    """What a year of the same work costs on rented systems."""
    return rental_price_per_hour * system_count * rented_hours_per_year


@quantity("1", better="less")
def owned_over_rented_ratio(tco_equivalent_annual: float, rented_cost_per_year: float) -> float:
    """A year of owning over a year of renting for the same work; below 1 owning is cheaper."""
    return tco_equivalent_annual / rented_cost_per_year
