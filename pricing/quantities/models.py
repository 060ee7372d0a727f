"""Models of paying: which components make up the cost. A component added here is in every total."""

from typing import NamedTuple


class Model(NamedTuple):
    """A model's cost components: paid once at the start, paid each year, got back at the end."""

    name: str
    upfront: tuple[str, ...]
    yearly: tuple[str, ...]
    returned: tuple[str, ...]


OWNED = Model(
    name="owned",
    upfront=("contracted_cost",),
    yearly=(
        "energy_cost_per_year",
        "space_cost_per_year",
        "support_cost_per_year",
        "staff_cost_per_year",
    ),
    returned=("residual_value",),
)

MODELS = {OWNED.name: OWNED}
