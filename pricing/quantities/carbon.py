"""Greenhouse gases of training: of the energy used, and of making the systems. All masses are of CO2 equivalents.

Source: Green Software Foundation, Software Carbon Intensity 1.1.0 (ISO/IEC 21031:2024), ((E · I) + M) per R, where R is
one training run. I is location-based there; the market-based figure of the GHG Protocol (scope 2) stands apart.
"""

from pricing.quantities.tag import quantity
from pricing.quantities.units import GRAMS_PER_KG, HOURS_PER_YEAR, MINUTES_PER_HOUR


@quantity("kg / run", better="less", beside=True)
def operational_carbon_per_run_kg(energy_per_run_kwh: float, grid_intensity_g_per_kwh: float) -> float:
    """Of a run's energy, cooling counted, by the mean intensity of the place's grid (location-based)."""
    return energy_per_run_kwh * grid_intensity_g_per_kwh / GRAMS_PER_KG


@quantity("kg / year", better="less", beside=True)
def operational_carbon_per_year_kg(energy_per_year_kwh: float, grid_intensity_g_per_kwh: float) -> float:
    """Of a year's energy, idle hours counted (location-based)."""
    return energy_per_year_kwh * grid_intensity_g_per_kwh / GRAMS_PER_KG


@quantity("kg / run", better="less", beside=True)
def market_based_carbon_per_run_kg(energy_per_run_kwh: float, market_intensity_g_per_kwh: float) -> float:
    """Of a run's energy by the contracts under which it was bought; it never enters SCI."""
    return energy_per_run_kwh * market_intensity_g_per_kwh / GRAMS_PER_KG


@quantity("kg / year", better="less", beside=True)
def market_based_carbon_per_year_kg(energy_per_year_kwh: float, market_intensity_g_per_kwh: float) -> float:
    """Of a year's energy by the contracts under which it was bought."""
    return energy_per_year_kwh * market_intensity_g_per_kwh / GRAMS_PER_KG


@quantity("kg / run", better="less", beside=True)
def embodied_carbon_per_run_kg(
    embodied_carbon_kg: float, system_count: float, time_to_train_minutes: float, embodied_life_years: float
) -> float:
    """A run's share of what making the systems emitted: M = total · (time in the run / life)."""
    hours = time_to_train_minutes / MINUTES_PER_HOUR
    return embodied_carbon_kg * system_count * hours / (embodied_life_years * HOURS_PER_YEAR)


@quantity("kg / year", better="less", beside=True)
def embodied_carbon_per_year_kg(embodied_carbon_kg: float, system_count: float, embodied_life_years: float) -> float:
    """A year's share of what making the systems emitted."""
    return embodied_carbon_kg * system_count / embodied_life_years


@quantity("kg / run", better="less")
def carbon_per_run_kg(operational_carbon_per_run_kg: float, embodied_carbon_per_run_kg: float) -> float:
    """Software carbon intensity of one training run: operational, location-based, and embodied."""
    return operational_carbon_per_run_kg + embodied_carbon_per_run_kg


@quantity("kg / year", better="less", beside=True)
def carbon_per_year_kg(operational_carbon_per_year_kg: float, embodied_carbon_per_year_kg: float) -> float:
    """A year's operational, location-based, and embodied emissions."""
    return operational_carbon_per_year_kg + embodied_carbon_per_year_kg
