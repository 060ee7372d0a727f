"""Electricity facts by place and year."""

from dataclasses import dataclass

from marshmallow import Schema, fields


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
class Place:
    """A place whose electricity grid is known [g CO2e/kWh]."""

    code: str
    name: str
    year: int
    intensity: float
    source: str
    url: str


@dataclass(frozen=True, slots=True)
class YearlyTariff:
    """US industrial average electricity price [USD/kWh]."""

    year: int
    usd_per_kwh: float


class PlaceSchema(Schema):
    """A place as the API shows it."""

    code = fields.String(required=True, metadata={"description": "ISO 3166-1 alpha-3, or US- and a state's letters"})
    name = fields.String(required=True)
    year = fields.Integer(required=True, strict=True)
    intensity = fields.Float(required=True, metadata={"description": "g CO2e / kWh, location-based"})
    source = fields.String(required=True)
    url = fields.String(required=True)
