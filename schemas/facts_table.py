"""A table of facts that ships with the package."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class FactsTable:
    """A file of `pricing/data/`: how many rows it has, where they are from and when they were taken in."""

    file: str
    rows: int
    source: str
    licence: str
    taken_in: date
    note: str
