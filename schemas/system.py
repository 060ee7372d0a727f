"""A system: what one buys or rents as a unit, such as an IPU-POD16 or a DGX A100."""

from dataclasses import dataclass
from typing import Literal

from marshmallow import Schema, fields

Deployment = Literal["on_premises", "cloud"]


@dataclass(frozen=True, slots=True)
class System:
    """One system of the catalogue; a figure without a source is None, never a guess.

    `rack_units` [U], `max_power_kw` and `typical_power_kw` [kW] are for one system. A pod whose hosts vary
    with the workload has them in its PodHosts row instead.
    """

    id: str
    name: str
    vendor: str
    family: str
    accelerator_model: str
    accelerators: int
    hosts: int
    deployment: Deployment
    rack_units: float | None
    max_power_kw: float | None
    typical_power_kw: float | None
    released: str | None
    aliases: tuple[str, ...]
    sources: str
    result_rows: int

    def __post_init__(self) -> None:
        """Refuse a height or power that cannot be."""
        figures = (self.rack_units, self.max_power_kw, self.typical_power_kw)
        if any(figure is not None and figure <= 0 for figure in figures):
            raise ValueError("rack units and power are above 0, or blank")


@dataclass(frozen=True, slots=True)
class PodHosts:
    """What a pod needs for one workload: servers, machines of accelerators, rack units, power.

    Switches are not in `rack_units`; `rack_units_with_switches` adds an assumed 1U each.
    """

    system: str
    benchmark: str
    hosts: int
    ipu_machines: int
    rack_units: float
    rack_units_status: str
    rack_units_with_switches: float | None
    typical_power_kw: float
    power_status: str
    rounds: str
    source: str


class SystemSchema(Schema):
    """A system as the API shows it."""

    id = fields.String(required=True, metadata={"description": "Stable id", "example": "ipu-pod16"})
    name = fields.String(required=True)
    vendor = fields.String(required=True)
    family = fields.String(required=True)
    accelerator_model = fields.String(required=True)
    accelerators = fields.Integer(required=True, strict=True, metadata={"description": "Per system"})
    hosts = fields.Integer(required=True, strict=True, metadata={"description": "Servers per system"})
    deployment = fields.String(required=True)
    rack_units = fields.Float(required=True, allow_none=True, metadata={"description": "Height [U]"})
    max_power_kw = fields.Float(required=True, allow_none=True, metadata={"description": "Rated maximum [kW]"})
    typical_power_kw = fields.Float(required=True, allow_none=True, metadata={"description": "Typical [kW]"})
    released = fields.String(required=True, allow_none=True)
    aliases = fields.List(fields.String(), required=True, metadata={"description": "Other exact names"})
    sources = fields.String(required=True, metadata={"description": "Where each figure is from"})
    result_rows = fields.Integer(required=True, strict=True, metadata={"description": "MLPerf results held"})
