"""What bought goods are worth in the books, by several methods, and on the market.

Book values are those at the end of a year of service; year 0 is the day of purchase. What comes back at the end of the
service life is not depreciated, but under MACRS, which knows no residual value.
"""

from pricing import ops
from pricing.quantities.financing import MACRS_1, MACRS_2, MACRS_3, MACRS_4, MACRS_6
from pricing.quantities.tag import bought, quantity
from pricing.quantities.units import HOURS_PER_JULIAN_YEAR, ONE, ONE_YEAR, TWICE


@bought("money / year", better="less")
def straight_line_depreciation_per_year(
    contracted_cost: float, residual_value: float, service_life_years: float
) -> float:
    """Book depreciation of the systems, the same each year: (C - S) / n. Source: Excel's SLN."""
    return (contracted_cost - residual_value) / service_life_years


@quantity("money", name="book_value", basis=("depreciation_basis", "straight_line"))
def book_value_straight_line(
    acquisition_cost: float, recovered_value: float, service_life_years: float, year: float
) -> float:
    """What is in the books where it falls by the same amount each year."""
    gone = ops.smaller(year, service_life_years) / service_life_years
    return acquisition_cost - (acquisition_cost - recovered_value) * gone


@quantity("money", name="book_value", basis=("depreciation_basis", "declining_balance"))
def book_value_declining_balance(
    acquisition_cost: float,
    recovered_value: float,
    service_life_years: float,
    declining_balance_factor: float,
    year: float,
) -> float:
    """What is in the books where it falls by the same share each year, factor / n, down to what comes back.

    Source: Excel's DDB, whose factor is 2 (double declining).
    """
    kept = ops.larger(ONE - ONE, ONE - declining_balance_factor * ONE_YEAR / service_life_years)
    return ops.larger(recovered_value, acquisition_cost * ops.power(kept, year / ONE_YEAR))


@quantity("money", name="book_value", basis=("depreciation_basis", "macrs"))
def book_value_macrs(acquisition_cost: float, macrs_depreciated_share: float) -> float:
    """What is left for US tax by five-year MACRS."""
    return acquisition_cost * (ONE - macrs_depreciated_share)


@quantity("1", basis=("depreciation_basis", "macrs"))
def macrs_depreciated_share(year: float) -> float:
    """Share that five-year MACRS has written off by the end of a year; half a year each in the first and last.

    Source: US IRS Publication 946, table A-1.
    """
    return (
        MACRS_6 * ops.larger(ONE - ONE, ops.smaller(ONE, year / ONE_YEAR - 5.0))
        + MACRS_4 * ops.larger(ONE - ONE, ops.smaller(TWICE, year / ONE_YEAR - 3.0))
        + MACRS_3 * ops.larger(ONE - ONE, ops.smaller(ONE, year / ONE_YEAR - TWICE))
        + MACRS_2 * ops.larger(ONE - ONE, ops.smaller(ONE, year / ONE_YEAR - ONE))
        + MACRS_1 * ops.smaller(ONE, year / ONE_YEAR)
    )


@quantity("money", name="book_value", basis=("depreciation_basis", "economic"))
def book_value_economic(acquisition_cost: float, hardware_price_decline_share: float, year: float) -> float:
    """What the goods would fetch on the market, which falls by the same share each year. Source: Epoch AI."""
    return acquisition_cost * ops.power(ONE - hardware_price_decline_share * ONE_YEAR, year / ONE_YEAR)


@bought("money / accelerator", better="less", beside=True)
def cluster_cost_per_accelerator(
    contracted_cost: float, host_cost: float, network_cost: float, cluster_accelerators: float
) -> float:
    """Systems, hosts and network, shared out over the accelerators."""
    return (contracted_cost + host_cost + network_cost) / cluster_accelerators


@bought("money / accelerator", better="less", beside=True)
def market_value_per_accelerator(
    cluster_cost_per_accelerator: float, hardware_price_decline_share: float, hardware_age_years: float
) -> float:
    """What of that is left when a run starts, by the fall of market prices since purchase: V0 · (1 - d)^t."""
    kept = ops.power(ONE - hardware_price_decline_share * ONE_YEAR, hardware_age_years / ONE_YEAR)
    return cluster_cost_per_accelerator * kept


@bought("money / accelerator / hour", better="less", beside=True)
def economic_depreciation_per_accelerator_hour(
    market_value_per_accelerator: float, hardware_price_decline_share: float
) -> float:
    """What an hour takes from the market value, whatever is run in it: V · ln(1 / (1 - d)) a year of 8,766 hours.

    Source: Epoch AI (Cottier et al. 2024, arXiv 2405.21015), k · ln 10 with k = 0.14 orders of magnitude a year.
    """
    fall = ops.log(ONE / (ONE - hardware_price_decline_share * ONE_YEAR))
    return market_value_per_accelerator * fall / ONE_YEAR / HOURS_PER_JULIAN_YEAR


@bought("money / run", better="less", beside=True)
def economic_cost_per_run(
    economic_depreciation_per_accelerator_hour: float,
    accelerator_hours_per_run: float,
    energy_per_run_kwh: float,
    electricity_tariff_per_kwh: float,
) -> float:
    """A run's share of the hardware's fall in value, and its energy: Epoch AI's amortised hardware and energy cost."""
    fallen = economic_depreciation_per_accelerator_hour * accelerator_hours_per_run
    return fallen + energy_per_run_kwh * electricity_tariff_per_kwh
