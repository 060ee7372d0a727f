"""How many clusters a demand needs, and what they come to together; each stands in racks of its own."""

from pricing import ops
from pricing.quantities.tag import bought, quantity
from pricing.quantities.units import ONE


@quantity("1", better="less")
def fleet_clusters(demanded_runs_per_year: float, runs_per_year: float) -> float:
    """Clusters of this size that do so many training runs in a year: whole ones, and at least one."""
    return ops.larger(ONE, ops.ceil(demanded_runs_per_year / runs_per_year))


@quantity("money", better="less")
def fleet_acquisition_cost(fleet_clusters: float, acquisition_cost: float) -> float:
    """What is paid for all of them on the day of purchase."""
    return fleet_clusters * acquisition_cost


@quantity("money / year", better="less")
def fleet_cost_per_year(fleet_clusters: float, tco_equivalent_annual: float) -> float:
    """What all of them cost a year, all costs of ownership counted."""
    return fleet_clusters * tco_equivalent_annual


@bought("rack", better="less")
def fleet_rack_count(fleet_clusters: float, rack_count: float) -> float:
    """Racks of all of them."""
    return fleet_clusters * rack_count


@bought("rack_unit", better="less")
def fleet_rack_units(fleet_clusters: float, cluster_rack_units: float) -> float:
    """Height of all of them."""
    return fleet_clusters * cluster_rack_units


@bought("kW", better="less")
def fleet_power_kw(fleet_clusters: float, cluster_rated_power_kw: float) -> float:
    """Maximum IT power of all of them."""
    return fleet_clusters * cluster_rated_power_kw
