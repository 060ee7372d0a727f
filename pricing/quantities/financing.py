"""From money at one time to money at another. Rates are a year's; costs of a year are paid at its end.

Rates are nominal, unless a name says real. The yearly costs of an answer are in prices of the day of purchase and
grow with inflation, so that their present value is that of level costs at the real rate.
"""

from pricing import ops
from pricing.quantities.tag import bought, quantity
from pricing.quantities.units import ONE, ONE_YEAR, TWICE

MACRS_1, MACRS_2, MACRS_3, MACRS_4, MACRS_6 = 0.2, 0.32, 0.192, 0.1152, 0.0576  # the fifth is as the fourth


@quantity("1 / year", name="cost_of_capital_share", basis=("discount_basis", "nominal"), beside=True)
def cost_of_capital_nominal(discount_rate_share: float) -> float:
    """The rate at which money of another year is counted: the discount rate, as it is."""
    return discount_rate_share


@quantity("1 / year", name="cost_of_capital_share", basis=("discount_basis", "real"), beside=True)
def cost_of_capital_from_real(discount_rate_share: float, inflation_share: float) -> float:
    """The nominal rate where the discount rate is a real one: (1 + r) · (1 + i) - 1."""
    return discount_rate_share * (ONE + inflation_share * ONE_YEAR) + inflation_share


@quantity("1 / year", name="cost_of_capital_share", basis=("discount_basis", "wacc"), beside=True)
def cost_of_capital_by_wacc(
    debt_share: float, loan_rate_share: float, income_tax_rate_share: float, equity_return_share: float
) -> float:
    """Weighted average cost of capital, after tax, nominal: w · r_d · (1 - tax) + (1 - w) · r_e. Source: NREL ATB."""
    return debt_share * loan_rate_share * (ONE - income_tax_rate_share) + (ONE - debt_share) * equity_return_share


@quantity("1 / year", beside=True)
def real_cost_of_capital_share(cost_of_capital_share: float, inflation_share: float) -> float:
    """The same in money of one year: (1 + nominal) / (1 + inflation) - 1. Source: NREL ATB."""
    return (cost_of_capital_share - inflation_share) / (ONE + inflation_share * ONE_YEAR)


@quantity("1 / year", beside=True)
def escalation_rate_share(inflation_share: float) -> float:
    """The rate at which costs that grow with inflation are counted undiscounted: 1 / (1 + i) - 1."""
    return ONE / (ONE_YEAR * (ONE + inflation_share * ONE_YEAR)) - ONE / ONE_YEAR


@quantity("year")
def annuity_factor(cost_of_capital_share: float, service_life_years: float) -> float:
    """Present value of 1 a year, paid at each year's end, over the service life; the life itself at rate 0."""
    return ops.annuity(cost_of_capital_share, service_life_years)


@quantity("year", beside=True)
def running_annuity_factor(real_cost_of_capital_share: float, service_life_years: float) -> float:
    """Present value of a cost of 1 a year that grows with inflation, over the service life."""
    return ops.annuity(real_cost_of_capital_share, service_life_years)


@quantity("year", beside=True)
def running_years(escalation_rate_share: float, service_life_years: float) -> float:
    """What a cost of 1 a year that grows with inflation comes to, undiscounted; the life itself without inflation."""
    return ops.annuity(escalation_rate_share, service_life_years)


@quantity("1 / year")
def capital_recovery_factor(annuity_factor: float) -> float:
    """Level yearly payment for 1 now: r / (1 - (1 + r)^-n), 1 / n at rate 0. Source: NREL ATB."""
    return ONE / annuity_factor


@quantity("1")
def terminal_discount_factor(cost_of_capital_share: float, service_life_years: float) -> float:
    """Present value of 1 at the end of the service life."""
    return ops.discount(cost_of_capital_share, service_life_years)


@bought("money / year", better="less")
def capital_cost_per_year(
    contracted_cost: float,
    residual_value: float,
    terminal_discount_factor: float,
    capital_recovery_factor: float,
) -> float:
    """Equivalent yearly cost of owning the systems, resale counted: (C - S / (1 + r)^n) · CRF."""
    return (contracted_cost - residual_value * terminal_discount_factor) * capital_recovery_factor


@quantity("1", beside=True)
def depreciation_present_value_share(cost_of_capital_share: float) -> float:
    """Present value of the tax depreciation of 1: five-year MACRS, six shares at the years' ends.

    Source: NREL ATB, MACRS_6 = 20, 32, 19.2, 11.52, 11.52 and 5.76 % (US IRS Publication 946, table A-1).
    """
    return (
        MACRS_1 * ops.discount(cost_of_capital_share, ONE_YEAR)
        + MACRS_2 * ops.discount(cost_of_capital_share, TWICE * ONE_YEAR)
        + MACRS_3 * ops.discount(cost_of_capital_share, 3.0 * ONE_YEAR)
        + MACRS_4 * ops.discount(cost_of_capital_share, 4.0 * ONE_YEAR)
        + MACRS_4 * ops.discount(cost_of_capital_share, 5.0 * ONE_YEAR)
        + MACRS_6 * ops.discount(cost_of_capital_share, 6.0 * ONE_YEAR)
    )


@quantity("1", better="less", beside=True)
def project_finance_factor(income_tax_rate_share: float, depreciation_present_value_share: float) -> float:
    """What taxes make of 1 of investment: (1 - tax · PVD) / (1 - tax). Source: NREL ATB."""
    return (ONE - income_tax_rate_share * depreciation_present_value_share) / (ONE - income_tax_rate_share)


@quantity("1 / year", better="less", beside=True)
def fixed_charge_rate(project_finance_factor: float, running_annuity_factor: float) -> float:
    """Yearly revenue for 1 of investment, in money of the day of purchase: CRF(real) · PFF. Source: NREL ATB."""
    return project_finance_factor / running_annuity_factor


@quantity("money / hour", better="less", beside=True)
def levelised_cost_per_useful_hour(
    fixed_charge_rate: float,
    acquisition_cost: float,
    agreed_cost_per_year: float,
    operating_cost_per_year: float,
    useful_hours_per_year: float,
) -> float:
    """(FCR · CapEx + yearly costs) / useful hours, before resale. Source: NREL ATB's levelised cost of energy."""
    yearly = fixed_charge_rate * acquisition_cost + agreed_cost_per_year + operating_cost_per_year
    return yearly / useful_hours_per_year
