"""Buying on credit: a loan over the service life, amortising or interest-only."""

from pricing import ops
from pricing.quantities.tag import quantity
from pricing.quantities.units import MONTHS_PER_YEAR

BORROWED = ("borrowed",)


@quantity("money", better="less", beside=True, models=BORROWED)
def loan_amount(contracted_cost: float, loan_share: float) -> float:
    """What of the systems' price is borrowed."""
    return contracted_cost * loan_share


@quantity("money", better="less", beside=True, models=BORROWED)
def down_payment(contracted_cost: float, loan_amount: float) -> float:
    """What is paid from own money on the day of purchase."""
    return contracted_cost - loan_amount


@quantity("money / year", name="loan_payment_per_year", basis=("loan_basis", "amortising"), better="less",
          beside=True, models=BORROWED)  # fmt: skip
def loan_payment_amortising(loan_amount: float, loan_rate_share: float, service_life_years: float) -> float:
    """The same payment at each year's end, after the last of which nothing is owed."""
    return loan_amount / ops.annuity(loan_rate_share, service_life_years)


@quantity("money / year", name="loan_payment_per_year", basis=("loan_basis", "interest_only"), better="less",
          beside=True, models=BORROWED)  # fmt: skip
def loan_payment_interest_only(loan_amount: float, loan_rate_share: float) -> float:
    """Interest at each year's end; the loan itself is paid back at the end of the service life."""
    return loan_amount * loan_rate_share


@quantity("money", better="less", beside=True, models=BORROWED)
def loan_repayment(
    loan_amount: float, loan_payment_per_year: float, loan_rate_share: float, service_life_years: float
) -> float:
    """What is still owed at the end of the service life, and paid then: nothing of an amortising loan."""
    paid = loan_payment_per_year * ops.annuity(loan_rate_share, service_life_years)
    return (loan_amount - paid) / ops.discount(loan_rate_share, service_life_years)


@quantity("money", models=BORROWED)
def loan_balance(loan_amount: float, loan_payment_per_year: float, loan_rate_share: float, year: float) -> float:
    """What is owed at the end of a year: the loan with its interest, less the payments with theirs."""
    paid = loan_payment_per_year * ops.annuity(loan_rate_share, year)
    return (loan_amount - paid) / ops.discount(loan_rate_share, year)


@quantity("money / month", better="less", beside=True, models=BORROWED)
def loan_payment_per_month(loan_amount: float, loan_rate_share: float, service_life_years: float) -> float:
    """The monthly payment of an amortising loan, a twelfth of the rate a month. Source: Excel's PMT; Hamilton 2008."""
    return loan_amount / ops.annuity(loan_rate_share / MONTHS_PER_YEAR, service_life_years * MONTHS_PER_YEAR)


@quantity("money", better="less", beside=True, models=BORROWED)
def amortising_interest_total(loan_payment_per_month: float, loan_amount: float, service_life_years: float) -> float:
    """All interest of an amortising loan that is paid by the month. Source: evalTCO, after Barroso and Hölzle."""
    return loan_payment_per_month * MONTHS_PER_YEAR * service_life_years - loan_amount


@quantity("money", better="less", beside=True, models=BORROWED)
def interest_only_total(loan_amount: float, loan_rate_share: float, service_life_years: float) -> float:
    """All interest of a loan that is paid back only at the end."""
    return loan_amount * loan_rate_share * service_life_years
