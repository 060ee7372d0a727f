"""What there is to buy, and what comes back at the end."""

from pricing import ops
from pricing.quantities.tag import bought, quantity
from pricing.quantities.units import ONE, ONE_YEAR


@bought("money", better="less")
def list_cost(price: float, system_count: float) -> float:
    """Price of all systems before discounts. Source: FOCUS 1.2, ListCost = ListUnitPrice · PricingQuantity."""
    return price * system_count


@quantity("accelerator")
def cluster_accelerators(accelerators: float, system_count: float) -> float:
    """Accelerators of all systems."""
    return accelerators * system_count


@bought("money / accelerator", better="less")
def price_per_accelerator(price: float, accelerators: float) -> float:
    """The price shared out over the accelerators, hosts and all."""
    return price / accelerators


@bought("money / machine")
def price_per_machine(price: float, machines: float) -> float:
    """The price of a pod shared out over its accelerator machines, such as the four IPU-M2000 of a POD16."""
    return price / machines


@bought("money", better="less")
def contracted_cost(list_cost: float, list_discount_share: float) -> float:
    """What is paid after the negotiated discount. Source: FOCUS 1.2, ContractedCost."""
    return list_cost * (ONE - list_discount_share)


@bought("money", better="less", beside=True)
def host_cost(hosts: float, host_price_each: float, system_count: float) -> float:
    """Host servers that the price does not hold, by workload: a POD64 has one for BERT and four for ResNet."""
    return hosts * host_price_each * system_count


@bought("money", better="less", beside=True)
def network_cost(contracted_cost: float, host_cost: float, network_cost_share: float) -> float:
    """Cluster network as a share of systems, hosts and network together: x / (1 - x) of the first two.

    Source: Epoch AI, CLUSTER_INTERCONNECT_COST_FRACTION. A single system needs none.
    """
    return (contracted_cost + host_cost) * network_cost_share / (ONE - network_cost_share)


@bought("money", better="less", beside=True)
def storage_cost(storage_tb: float, storage_price_per_tb: float) -> float:
    """Shared storage that is bought beside the systems."""
    return storage_tb * storage_price_per_tb


@bought("money", better="less", beside=True)
def rack_cost(rack_count: float, rack_price_each: float, pdu_price_each: float, cabling_price_per_rack: float) -> float:
    """Racks with a power distribution unit and cabling each; how many, space and power say."""
    return rack_count * (rack_price_each + pdu_price_each + cabling_price_per_rack)


@bought("money", better="less", beside=True)
def spares_cost(contracted_cost: float, spares_share: float) -> float:
    """Spare parts, or spare systems, bought with the rest."""
    return contracted_cost * spares_share


@bought("money", better="less", beside=True)
def hardware_cost(
    contracted_cost: float,
    host_cost: float,
    network_cost: float,
    storage_cost: float,
    rack_cost: float,
    spares_cost: float,
) -> float:
    """All goods that are bought: what freight, duty, tax and insurance are counted on."""
    return contracted_cost + host_cost + network_cost + storage_cost + rack_cost + spares_cost


@bought("money", better="less", beside=True)
def installation_cost(hardware_cost: float, installation_freight_share: float) -> float:
    """Installation and freight."""
    return hardware_cost * installation_freight_share


@bought("money", better="less", beside=True)
def duty_cost(hardware_cost: float, import_duty_share: float) -> float:
    """Import duty on the goods."""
    return hardware_cost * import_duty_share


@bought("money", better="less", beside=True)
def sales_tax_cost(hardware_cost: float, duty_cost: float, sales_tax_share: float) -> float:
    """Sales or value-added tax that the buyer does not get back, on goods and duty. FOCUS 1.2: ChargeCategory Tax."""
    return (hardware_cost + duty_cost) * sales_tax_share


@bought("money", name="residual_value", basis=("residual_basis", "share"), better="more")
def residual_value_by_share(contracted_cost: float, residual_value_share: float) -> float:
    """Resale at the end of the service life, a share of what was paid for the systems."""
    return contracted_cost * residual_value_share


@bought("money", name="residual_value", basis=("residual_basis", "decline"), better="more")
def residual_value_by_decline(
    contracted_cost: float, hardware_price_decline_share: float, service_life_years: float
) -> float:
    """Resale where the market value falls by the same share each year: C · (1 - d)^n.

    Source: Epoch AI, V(t) = V0 · 10^(-0.14 t), a fall of 27.6 % a year.
    """
    return contracted_cost * ops.power(ONE - hardware_price_decline_share * ONE_YEAR, service_life_years / ONE_YEAR)


@bought("money", better="less", beside=True)
def decommissioning_cost(contracted_cost: float, decommissioning_share: float) -> float:
    """Taking the systems out at the end: removal, erasing, recycling."""
    return contracted_cost * decommissioning_share
