"""How much training a system does, and per what."""

from pricing.quantities.tag import bought, quantity
from pricing.quantities.units import MINUTES_PER_HOUR


@quantity("run / hour", better="more")
def performance(time_to_train_minutes: float) -> float:
    """Training runs per hour of the whole cluster.

    Source: MLPerf Training rules, time to train to the quality target.
    """
    return MINUTES_PER_HOUR / time_to_train_minutes


@bought("run / hour / money", better="more")
def performance_per_dollar(performance: float, list_cost: float) -> float:
    """Performance over what the systems cost to buy at the price used (CapEx), before any discount.

    It knows no running cost: see `performance_per_tco_dollar`. Source: Graphcore, "Raising the bar",
    2021-06-30, which compares systems so.
    """
    return performance / list_cost


@bought("run / hour / rack_unit", better="more")
def performance_per_rack_unit(performance: float, cluster_rack_units: float) -> float:
    """Performance over rack height; it says nothing of whether a rack can feed the power."""
    return performance / cluster_rack_units


@quantity("run / hour / kW", better="more")
def performance_per_kw(performance: float, cluster_busy_power_kw: float) -> float:
    """Performance over mean IT power while training.

    It is no MLPerf metric; only with power measured by MLPerf's method is it near one.
    """
    return performance / cluster_busy_power_kw


@quantity("accelerator * hour / run", better="less")
def accelerator_hours_per_run(time_to_train_minutes: float, cluster_accelerators: float) -> float:
    """Accelerator-hours of one run: wall time times accelerators, which is not the wall time."""
    return time_to_train_minutes * cluster_accelerators / MINUTES_PER_HOUR
