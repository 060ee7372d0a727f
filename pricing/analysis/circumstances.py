"""What follows for a side's costs from where it stands and how it is sold, before a preset fills in the rest."""

from pricing.analysis.question import Question
from pricing.analysis.side import Origin, Side
from pricing.catalogue.catalogue import Catalogue

NETWORK, NETWORK_POWER = "network_cost_share", "network_power_share"
EMBODIED, GRID = "embodied_carbon_kg", "grid_intensity_g_per_kwh"
ALONE: Origin = {"status": "derived", "source": "a single system needs no cluster network"}
WITH_SWITCHES: Origin = {"status": "derived", "source": "the price holds the switches"}
MEASURED_WHOLE: Origin = {"status": "derived", "source": "the measured energy holds the network"}
WITH_TAX: Origin = {"status": "derived", "source": "the price holds the tax"}


def add_circumstances(side: Side, catalogue: Catalogue, question: Question) -> None:
    """What takes the place of a preset's value, since nothing must be counted twice or for another system."""
    price = side.price_row
    alone = side.choice.count == 1
    if alone or (price and price.includes and "switches" in price.includes):
        side.put(NETWORK, 0.0, ALONE if alone else WITH_SWITCHES)
    if alone or side.power_basis == "measured":
        side.put(NETWORK_POWER, 0.0, ALONE if alone else MEASURED_WHOLE)
    if price and price.tax_scope == "included":
        side.put("sales_tax_share", 0.0, WITH_TAX)
    own = catalogue.assumptions.get((EMBODIED, side.choice.system))
    if own:
        basis = {"basis": own.status, "setting": own.setting, "year": own.year}
        side.put(EMBODIED, own.value, {"status": "assumed", **basis, "source": own.source_title, "url": own.source_url})
    if question.grid:
        place = catalogue.grid(question.grid)
        origin = {"status": "listed", "source": place.source, "url": place.url, "year": place.year}
        side.put(GRID, place.intensity, {**origin, "setting": place.name})
