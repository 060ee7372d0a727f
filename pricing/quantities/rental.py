"""What rented systems cost."""

from pricing.quantities.tag import quantity
from pricing.quantities.units import MINUTES_PER_HOUR


@quantity("money / run", better="less")
def rented_cost_per_run(rental_price_per_hour: float, system_count: float, time_to_train_minutes: float) -> float:
    """What one run costs on systems that are paid by the hour, busy time only.

    Source: DAWNBench, cost = hours to the target accuracy × price of the machine an hour.
    """
    return rental_price_per_hour * system_count * time_to_train_minutes / MINUTES_PER_HOUR
