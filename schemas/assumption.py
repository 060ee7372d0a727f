"""An assumption: a value that depends on the buyer, with bounds and, where one was found, a source."""

from dataclasses import dataclass
from typing import Literal

from marshmallow import Schema, fields


@dataclass(frozen=True, slots=True)
class Assumption:
    """One value of a named assumption under a `setting`; `unit` says which money, if any."""

    name: str
    setting: str
    low: float
    value: float
    high: float
    unit: str
    year: int
    status: Literal["sourced", "assumed"]
    source_title: str
    source_url: str | None
    note: str | None

    def __post_init__(self) -> None:
        """Refuse bounds that do not hold the value."""
        if not self.low <= self.value <= self.high:
            raise ValueError("low <= value <= high expected")


@dataclass(frozen=True, slots=True)
class PresetRow:
    """One member of a preset: which setting of which assumption it takes."""

    preset: str
    name: str
    setting: str
    note: str | None


class AssumptionSchema(Schema):
    """An assumption as the API shows it."""

    name = fields.String(required=True)
    setting = fields.String(required=True)
    low = fields.Float(required=True)
    value = fields.Float(required=True)
    high = fields.Float(required=True)
    unit = fields.String(required=True)
    year = fields.Integer(required=True, strict=True)
    status = fields.String(required=True, metadata={"description": "sourced or assumed"})
    source_title = fields.String(required=True)
    source_url = fields.String(required=True, allow_none=True)
    note = fields.String(required=True, allow_none=True)
    presets = fields.List(fields.String(), required=True, metadata={"description": "Presets that take it"})
