"""Leasing the systems over the service life; what stands around them is bought as for owned ones."""

from pricing import ops
from pricing.quantities.tag import quantity
from pricing.quantities.units import MONTHS_PER_YEAR

LEASED, FINANCED = ("leased",), ("finance_leased",)
EITHER = (*LEASED, *FINANCED)


@quantity("money / year", name="lease_cost_per_year", better="less", beside=True, models=LEASED)
def operating_lease_cost_per_year(
    contracted_cost: float, residual_value: float, lease_rate_share: float, service_life_years: float
) -> float:
    """Operating lease: the lessor keeps the systems, and asks what gives him his rate after reselling them."""
    resold = residual_value * ops.discount(lease_rate_share, service_life_years)
    return (contracted_cost - resold) / ops.annuity(lease_rate_share, service_life_years)


@quantity("money / year", name="lease_cost_per_year", better="less", beside=True, models=FINANCED)
def finance_lease_cost_per_year(
    contracted_cost: float, lease_buyout_cost: float, lease_rate_share: float, service_life_years: float
) -> float:
    """Finance lease: the payments and the purchase at the end pay the whole price at the lessor's rate."""
    bought = lease_buyout_cost * ops.discount(lease_rate_share, service_life_years)
    return (contracted_cost - bought) / ops.annuity(lease_rate_share, service_life_years)


@quantity("money", better="less", beside=True, models=FINANCED)
def lease_buyout_cost(contracted_cost: float, lease_buyout_share: float) -> float:
    """What the lessee pays at the end to own the systems."""
    return contracted_cost * lease_buyout_share


@quantity("money / month", better="less", beside=True, models=EITHER)
def lease_cost_per_month(lease_cost_per_year: float) -> float:
    """A twelfth of a year's lease."""
    return lease_cost_per_year / MONTHS_PER_YEAR
