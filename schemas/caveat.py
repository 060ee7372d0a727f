"""A caveat: what is unlike, approximate or doubtful in an answer."""

from dataclasses import dataclass
from typing import Literal

from marshmallow import Schema, fields

Severity = Literal["info", "caution", "serious"]


@dataclass(frozen=True, slots=True)
class Caveat:
    """What a reader must know before the figures are shown to anyone."""

    code: str
    systems: tuple[str, ...]
    severity: Severity
    detail: str


class CaveatSchema(Schema):
    """A caveat as the API shows it."""

    code = fields.String(required=True, metadata={"example": "approximate_price"})
    systems = fields.List(fields.String(), required=True)
    severity = fields.String(required=True, metadata={"enum": ["info", "caution", "serious"]})
    detail = fields.String(required=True)
