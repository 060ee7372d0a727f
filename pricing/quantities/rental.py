"""What rented systems cost, and how owning compares. The price of an hour holds energy, space and repair."""

from pricing.quantities.tag import quantity
from pricing.quantities.units import (
    GB_PER_TB,
    HOURS_PER_30_DAYS,
    HOURS_PER_YEAR,
    MINUTES_PER_HOUR,
    MONTHS_PER_YEAR,
    ONE,
)

RENTED = ("rented",)


@quantity("money / run", better="less")
def rented_cost_per_run(rental_price_per_hour: float, system_count: float, time_to_train_minutes: float) -> float:
    """What one run costs on systems that are paid by the hour, busy time only.

    Source: DAWNBench, cost = hours to the target accuracy × price of the machine an hour.
    """
    return rental_price_per_hour * system_count * time_to_train_minutes / MINUTES_PER_HOUR


@quantity("money / accelerator / hour", better="less", beside=True)
def rental_price_per_accelerator_hour(rental_price_per_hour: float, accelerators: float) -> float:
    """The price of an hour shared out over the accelerators."""
    return rental_price_per_hour / accelerators


@quantity("hour / year", name="rented_hours_per_year", basis=("rental_basis", "on_demand"))
def rented_hours_on_demand(utilisation_share: float, effective_availability_share: float) -> float:
    """Hours of a year that are paid where rented systems do the same work: those with a job, while up."""
    return HOURS_PER_YEAR * utilisation_share * effective_availability_share


@quantity("hour / year", name="rented_hours_per_year", basis=("rental_basis", "reserved"))
def rented_hours_reserved(reserved_share: float) -> float:
    """Hours of a year that are paid where they are reserved, used or not; all of them unless only a share is."""
    return HOURS_PER_YEAR * reserved_share


@quantity("hour / year", name="rented_hours_per_year", basis=("rental_basis", "spot"))
def rented_hours_spot(utilisation_share: float, effective_availability_share: float, spot_loss_share: float) -> float:
    """Hours of a year that are paid where the provider may take the systems back: what is lost is done again."""
    return HOURS_PER_YEAR * utilisation_share * effective_availability_share * (ONE + spot_loss_share)


@quantity("1", basis=("rental_basis", "spot"), better="less", beside=True)
def spot_loss_share(spot_interruption_share: float, system_count: float, interruption_loss_hours: float) -> float:
    """Hours lost over hours of work: any system that is taken back stops the job, and its last hours are lost."""
    return spot_interruption_share * system_count * interruption_loss_hours / HOURS_PER_30_DAYS


@quantity("money / year", better="less")
def rented_cost_per_year(rental_price_per_hour: float, system_count: float, rented_hours_per_year: float) -> float:
    """What a year of the same work costs on rented systems."""
    return rental_price_per_hour * system_count * rented_hours_per_year


@quantity("money", better="less", beside=True, models=RENTED)
def rental_upfront_cost(rental_upfront_price: float, system_count: float) -> float:
    """What a reservation asks on its first day, beside its price of an hour."""
    return rental_upfront_price * system_count


@quantity("money / year", better="less", beside=True, models=RENTED)
def cloud_storage_cost_per_year(storage_tb: float, object_storage_price_per_gb_month: float) -> float:
    """Data kept at the provider."""
    return storage_tb * GB_PER_TB * object_storage_price_per_gb_month * MONTHS_PER_YEAR


@quantity("money / year", better="less", beside=True, models=RENTED)
def egress_cost_per_year(egress_tb_per_year: float, egress_price_per_gb: float) -> float:
    """Data moved out of the provider's network."""
    return egress_tb_per_year * GB_PER_TB * egress_price_per_gb


@quantity("1", better="less", models=("owned", "borrowed"))
def owned_over_rented_ratio(tco_equivalent_annual: float, rented_cost_per_year: float) -> float:
    """A year of owning over a year of renting for the same work; below 1 owning is cheaper."""
    return tco_equivalent_annual / rented_cost_per_year
