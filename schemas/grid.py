"""Electricity facts by place and year."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CountryIntensity:
    """Grid intensity of a country [g CO2e/kWh]."""

    iso3: str
    country: str
    year: int
    gco2e_per_kwh: float


@dataclass(frozen=True, slots=True)
class StateIntensity:
    """Grid intensity of a US state [lb/MWh and g/kWh]."""

    state: str
    code: str
    lb_per_mwh: float
    g_per_kwh: float


@dataclass(frozen=True, slots=True)
class YearlyTariff:
    """US industrial average electricity price [USD/kWh]."""

    year: int
    usd_per_kwh: float
