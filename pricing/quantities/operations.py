"""Running the systems: hours, support, people."""

from pricing import ops
from pricing.quantities.tag import bought, quantity
from pricing.quantities.units import HOURS_PER_YEAR, MINUTES_PER_HOUR, MONTHS_PER_YEAR, ONE, TWICE


@quantity("1", name="effective_goodput_share", basis=("goodput_basis", "share"), beside=True)
def effective_goodput_by_share(goodput_share: float) -> float:
    """Useful share of busy time, as measured or assumed for jobs of such a size."""
    return goodput_share


@quantity("1", name="effective_goodput_share", basis=("goodput_basis", "checkpoint"), beside=True)
def effective_goodput_by_checkpoint(checkpoint_waste_share: float) -> float:
    """Useful share of busy time where failures cost checkpoints, lost steps and restarts: 1 / (1 + waste)."""
    return ONE / (ONE + checkpoint_waste_share)


@quantity("hour", basis=("goodput_basis", "checkpoint"), beside=True)
def cluster_mtbf_hours(mtbf_accelerator_hours: float, cluster_accelerators: float) -> float:
    """Mean time between failures of the job, which any failed accelerator stops.

    Source: Meta, The Llama 3 herd of models: 419 interruptions in 54 days on 16,384 accelerators, one in 3.1 hours.
    """
    return mtbf_accelerator_hours / cluster_accelerators


@quantity("hour", basis=("goodput_basis", "checkpoint"), beside=True)
def checkpoint_interval_hours(checkpoint_minutes: float, cluster_mtbf_hours: float) -> float:
    """The best time between checkpoints: sqrt(2 · δ · MTBF). Source: Young 1974, first order."""
    return ops.root(TWICE * checkpoint_minutes / MINUTES_PER_HOUR * cluster_mtbf_hours)


@quantity("1", basis=("goodput_basis", "checkpoint"), better="less", beside=True)
def checkpoint_waste_share(
    checkpoint_minutes: float, checkpoint_interval_hours: float, cluster_mtbf_hours: float, restart_minutes: float
) -> float:
    """Time lost over useful time: δ / τ + τ / (2 · MTBF) + R / MTBF. Source: Young 1974, Daly 2006, first order."""
    writing = checkpoint_minutes / MINUTES_PER_HOUR / checkpoint_interval_hours
    again = checkpoint_interval_hours / (TWICE * cluster_mtbf_hours)
    return writing + again + restart_minutes / MINUTES_PER_HOUR / cluster_mtbf_hours


@quantity("1", name="effective_availability_share", basis=("availability_basis", "share"), beside=True)
def effective_availability_by_share(availability_share: float) -> float:
    """Share of the hours with a job in which the systems are up, as measured or assumed."""
    return availability_share


@quantity("1", name="effective_availability_share", basis=("availability_basis", "repair"), beside=True)
def effective_availability_by_repair(
    mtbf_accelerator_hours: float, accelerators: float, repair_time_hours: float
) -> float:
    """The same where a system is down until a failed accelerator is repaired: MTBF / (MTBF + MTTR) of one system."""
    between = mtbf_accelerator_hours / accelerators
    return between / (between + repair_time_hours)


@quantity("1", better="more", beside=True)
def productive_share(ramp_up_months: float, service_life_years: float) -> float:
    """Share of the service life after the ramp-up, in which nothing is trained yet."""
    return ops.larger(ONE - ONE, ONE - ramp_up_months / MONTHS_PER_YEAR / service_life_years)


@quantity("hour / year")
def useful_hours_per_year(
    utilisation_share: float,
    effective_availability_share: float,
    effective_goodput_share: float,
    productive_share: float,
) -> float:
    """Hours of a year in which training advances: 8760 · u · A · G, the ramp-up spread over the service life.

    Source: the levelised cost form of NREL's ATB with utilisation for the capacity factor.
    """
    return (
        HOURS_PER_YEAR * utilisation_share * effective_availability_share * effective_goodput_share * productive_share
    )


@quantity("run / year", better="more")
def runs_per_year(performance: float, useful_hours_per_year: float) -> float:
    """Training runs that the useful hours hold."""
    return performance * useful_hours_per_year


@bought("money / year", name="support_cost_per_year", basis=("support_basis", "list"), better="less")
def support_cost_by_list(list_cost: float, support_share: float) -> float:
    """Support and maintenance, a share of list cost whatever the discount."""
    return list_cost * support_share


@bought("money / year", name="support_cost_per_year", basis=("support_basis", "amortisation"), better="less")
def support_cost_by_amortisation(
    contracted_cost: float, service_life_years: float, support_amortisation_share: float
) -> float:
    """Support and repair as a share of the yearly straight-line amortisation.

    Source: evalTCO's SrvOpexRate, after Barroso, Hölzle and Ranganathan.
    """
    return contracted_cost / service_life_years * support_amortisation_share


@bought("server", better="less")
def server_count(hosts: float, system_count: float) -> float:
    """Servers to administer; accelerator machines without an operating system are not counted."""
    return hosts * system_count


@bought("money / year", name="staff_cost_per_year", basis=("staff_basis", "fte"), better="less")
def staff_cost_by_fte(
    server_count: float,
    servers_per_admin: float,
    admin_salary_per_year: float,
    salary_overhead_ratio: float,
) -> float:
    """Administrators' time at full cost."""
    return server_count / servers_per_admin * admin_salary_per_year * salary_overhead_ratio


@bought("money / year", name="staff_cost_per_year", basis=("staff_basis", "group"), better="less")
def staff_cost_by_group(system_count: float, systems_per_admin_group: float, admin_cost_per_group_year: float) -> float:
    """A price for each started group of systems.

    Source: Lambda, Hyperplane-16 TCO: $10,000 a year for each started four.
    """
    return ops.ceil(system_count / systems_per_admin_group) * admin_cost_per_group_year


@quantity("money / year", better="less", beside=True)
def software_cost_per_year(cluster_accelerators: float, software_licence_per_accelerator_year: float) -> float:
    """Software that is licensed by the accelerator."""
    return cluster_accelerators * software_licence_per_accelerator_year


@bought("money / year", better="less", beside=True)
def insurance_cost_per_year(hardware_cost: float, insurance_share: float) -> float:
    """Insurance of the goods, by what they cost."""
    return hardware_cost * insurance_share
