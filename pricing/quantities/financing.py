"""From money at one time to money at another."""

from pricing import ops
from pricing.quantities.tag import quantity
from pricing.quantities.units import ONE


@quantity("year")
def annuity_factor(discount_rate_share: float, service_life_years: float) -> float:
    """Present value of 1 a year, paid at each year's end, over the service life; the life itself at rate 0."""
    return ops.annuity(discount_rate_share, service_life_years)


@quantity("1 / year")
def capital_recovery_factor(annuity_factor: float) -> float:
    """Level yearly payment for 1 now: r / (1 - (1 + r)^-n), 1 / n at rate 0. Source: NREL ATB."""
    return ONE / annuity_factor


@quantity("1")
def terminal_discount_factor(discount_rate_share: float, service_life_years: float) -> float:
    """Present value of 1 at the end of the service life."""
    return ops.discount(discount_rate_share, service_life_years)


@quantity("money / year", better="less")
def capital_cost_per_year(
    contracted_cost: float,
    residual_value: float,
    terminal_discount_factor: float,
    capital_recovery_factor: float,
) -> float:
    """Equivalent yearly cost of owning the systems, resale counted: (C - S / (1 + r)^n) · CRF."""
    return (contracted_cost - residual_value * terminal_discount_factor) * capital_recovery_factor


@quantity("money / year", better="less")
def straight_line_depreciation_per_year(
    contracted_cost: float, residual_value: float, service_life_years: float
) -> float:
    """Book depreciation, the same each year: (C - S) / n."""
    return (contracted_cost - residual_value) / service_life_years
