"""Room for the systems. Height and power both fill a rack; the fuller one counts."""

from pricing import ops
from pricing.quantities.tag import bought
from pricing.quantities.units import MONTHS_PER_YEAR, ONE, WATTS_PER_KW


@bought("rack_unit", better="less")
def cluster_rack_units(rack_units: float, system_count: float) -> float:
    """Height of all systems."""
    return rack_units * system_count


@bought("rack", better="less")
def rack_count(
    cluster_rack_units: float,
    rack_height_u: float,
    cluster_rated_power_kw: float,
    rack_power_limit_kw: float,
) -> float:
    """Whole racks: by height or by power, whichever needs more."""
    by_height = cluster_rack_units / rack_height_u
    by_power = cluster_rated_power_kw / rack_power_limit_kw
    return ops.ceil(ops.larger(by_height, by_power))


@bought("rack_unit", better="less")
def billed_rack_units(
    cluster_rack_units: float,
    cluster_rated_power_kw: float,
    rack_height_u: float,
    rack_power_limit_kw: float,
) -> float:
    """Rack units that the systems block: their height, or the height whose power they use up."""
    return ops.larger(cluster_rack_units, cluster_rated_power_kw * rack_height_u / rack_power_limit_kw)


@bought("money / year", name="space_cost_per_year", basis=("space_basis", "kw"), better="less")
def space_cost_by_kw(cluster_rated_power_kw: float, colocation_price_per_kw_month: float) -> float:
    """Colocation by contracted power, which is paid whether drawn or not; energy is apart."""
    return cluster_rated_power_kw * colocation_price_per_kw_month * MONTHS_PER_YEAR


@bought("money / year", name="space_cost_per_year", basis=("space_basis", "facility"), better="less")
def space_cost_by_facility(
    cluster_rated_power_kw: float,
    facility_build_cost_per_watt: float,
    facility_ai_premium_share: float,
    facility_opex_per_watt_month: float,
    facility_recovery_factor: float,
) -> float:
    """Own facility: its building cost as a yearly payment over its life, and its running."""
    built = facility_build_cost_per_watt * (ONE + facility_ai_premium_share) * facility_recovery_factor
    run = facility_opex_per_watt_month * MONTHS_PER_YEAR
    return cluster_rated_power_kw * WATTS_PER_KW * (built + run)


@bought("1 / year", basis=("space_basis", "facility"))
def facility_recovery_factor(discount_rate_share: float, facility_life_years: float) -> float:
    """Level yearly payment for 1 of building cost over the facility's life."""
    return ONE / ops.annuity(discount_rate_share, facility_life_years)


@bought("money / year", name="space_cost_per_year", basis=("space_basis", "rack"), better="less")
def space_cost_by_rack(rack_count: float, colocation_price_per_rack_month: float) -> float:
    """Colocation by whole racks."""
    return rack_count * colocation_price_per_rack_month * MONTHS_PER_YEAR


@bought("money / year", name="space_cost_per_year", basis=("space_basis", "rack_unit"), better="less")
def space_cost_by_rack_unit(billed_rack_units: float, colocation_price_per_u_month: float) -> float:
    """Colocation by rack units blocked."""
    return billed_rack_units * colocation_price_per_u_month * MONTHS_PER_YEAR
