"""Running the systems: hours, support, people."""

from pricing import ops
from pricing.quantities.tag import quantity
from pricing.quantities.units import HOURS_PER_YEAR


@quantity("hour / year")
def useful_hours_per_year(utilisation_share: float, availability_share: float, goodput_share: float) -> float:
    """Hours of a year in which training advances: 8760 · u · A · G.

    Source: the levelised cost form of NREL's ATB with utilisation for the capacity factor.
    """
    return HOURS_PER_YEAR * utilisation_share * availability_share * goodput_share


@quantity("run / year", better="more")
def runs_per_year(performance: float, useful_hours_per_year: float) -> float:
    """Training runs that the useful hours hold."""
    return performance * useful_hours_per_year


@quantity("money / year", name="support_cost_per_year", basis=("support_basis", "list"), better="less")
def support_cost_by_list(list_cost: float, support_share: float) -> float:
    """Support and maintenance, a share of list cost whatever the discount."""
    return list_cost * support_share


@quantity("money / year", name="support_cost_per_year", basis=("support_basis", "amortisation"), better="less")
def support_cost_by_amortisation(
    contracted_cost: float, service_life_years: float, support_amortisation_share: float
) -> float:
    """Support and repair as a share of the yearly straight-line amortisation.

    Source: evalTCO's SrvOpexRate, after Barroso, Hölzle and Ranganathan.
    """
    return contracted_cost / service_life_years * support_amortisation_share


@quantity("server", better="less")
def server_count(hosts: float, system_count: float) -> float:
    """Servers to administer; accelerator machines without an operating system are not counted."""
    return hosts * system_count


@quantity("money / year", name="staff_cost_per_year", basis=("staff_basis", "fte"), better="less")
def staff_cost_by_fte(
    server_count: float,
    servers_per_admin: float,
    admin_salary_per_year: float,
    salary_overhead_ratio: float,
) -> float:
    """Administrators' time at full cost."""
    return server_count / servers_per_admin * admin_salary_per_year * salary_overhead_ratio


@quantity("money / year", name="staff_cost_per_year", basis=("staff_basis", "group"), better="less")
def staff_cost_by_group(system_count: float, systems_per_admin_group: float, admin_cost_per_group_year: float) -> float:
    """A price for each started group of systems.

    Source: Lambda, Hyperplane-16 TCO: $10,000 a year for each started four.
    """
    return ops.ceil(system_count / systems_per_admin_group) * admin_cost_per_group_year
