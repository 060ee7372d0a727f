"""A tiny guest: another package that brings a source of prices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from pricing.catalogue.sources.base import Cell, SourceFault


@dataclass(slots=True)
class ExampleSource:
    """Two prices that it knows by heart."""

    kind: ClassVar[str] = "example"
    name: str
    is_open: bool = True

    def prices(self) -> Iterator[Mapping[str, Cell]]:
        """Its two rows; a fault when the shop is shut."""
        if not self.is_open:
            raise SourceFault("", "the shop is shut")
        for system, amount in (("dgx-a100-640gb", "261000"), ("ipu-pod16", "139000.50")):
            yield {
                "system": system,
                "amount": amount,
                "currency": "USD",
                "kind": "list",
                "source": "the example's own list",
                "valid_from": "2026-09-01",
            }
