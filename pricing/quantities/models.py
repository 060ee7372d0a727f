"""Models of paying: which components make up the cost. A component added here is in every total."""

from typing import NamedTuple


class Model(NamedTuple):
    """A model's cost components: paid once at the start, each year, and at the end, and got back at the end.

    What is `agreed` is paid each year as a contract says; what else is `yearly` grows with inflation.
    """

    name: str
    about: str
    upfront: tuple[str, ...]
    agreed: tuple[str, ...]
    yearly: tuple[str, ...]
    closing: tuple[str, ...]
    returned: tuple[str, ...]


AROUND = (
    "host_cost", "network_cost", "storage_cost", "rack_cost", "spares_cost", "installation_cost", "duty_cost",
    "sales_tax_cost",
)  # fmt: skip
RUNNING = (
    "energy_cost_per_year", "demand_cost_per_year", "space_cost_per_year", "support_cost_per_year",
    "software_cost_per_year", "staff_cost_per_year", "insurance_cost_per_year",
)  # fmt: skip
END = ("decommissioning_cost",)
RESALE = ("residual_value",)

RENTED = "rented"
OWNED = Model("owned", "bought from own money", ("contracted_cost", *AROUND), (), RUNNING, END, RESALE)

MODELS = {
    each.name: each
    for each in (
        OWNED,
        Model(
            "borrowed", "bought on credit over the service life", ("down_payment", *AROUND),
            ("loan_payment_per_year",), RUNNING, ("loan_repayment", *END), RESALE,
        ),
        Model(
            "leased", "operating lease: the lessor keeps the systems", AROUND,
            ("lease_cost_per_year",), RUNNING, END, (),
        ),
        Model(
            "finance_leased", "finance lease: bought at its end", AROUND,
            ("lease_cost_per_year",), RUNNING, ("lease_buyout_cost", *END), RESALE,
        ),
        Model(
            RENTED, "rented by the hour", ("rental_upfront_cost",),
            ("rented_cost_per_year",),
            ("cloud_storage_cost_per_year", "egress_cost_per_year", "software_cost_per_year"),
            (), (),
        ),
    )
}  # fmt: skip
