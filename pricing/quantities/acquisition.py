"""What the systems cost to buy, and what comes back at the end."""

from pricing.quantities.tag import quantity
from pricing.quantities.units import ONE


@quantity("money", better="less")
def list_cost(price: float, system_count: float) -> float:
    """Price of all systems before discounts. Source: FOCUS 1.2, ListCost = ListUnitPrice · PricingQuantity."""
    return price * system_count


@quantity("accelerator")
def cluster_accelerators(accelerators: float, system_count: float) -> float:
    """Accelerators of all systems."""
    return accelerators * system_count


@quantity("money / accelerator", better="less")
def price_per_accelerator(price: float, accelerators: float) -> float:
    """The price shared out over the accelerators, hosts and all."""
    return price / accelerators


@quantity("money / machine")
def price_per_machine(price: float, machines: float) -> float:
    """The price of a pod shared out over its accelerator machines, such as the four IPU-M2000 of a POD16."""
    return price / machines


@quantity("money", better="less")
def contracted_cost(list_cost: float, list_discount_share: float) -> float:
    """What is paid after the negotiated discount. Source: FOCUS 1.2, ContractedCost."""
    return list_cost * (ONE - list_discount_share)


@quantity("money", better="more")
def residual_value(contracted_cost: float, residual_value_share: float) -> float:
    """Resale at the end of the service life."""
    return contracted_cost * residual_value_share
