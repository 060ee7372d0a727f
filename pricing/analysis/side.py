"""One side of a question: its numbers, where each is from, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pricing.analysis.estimates import Estimate
from pricing.analysis.question import Choice
from pricing.catalogue.exchange import Rate
from pricing.catalogue.resolution import ChosenPrice, ChosenResult
from pricing.graph import Gaps, Graph, Values
from schemas.benchmark_result import BenchmarkResult
from schemas.price import Price
from schemas.system import PodHosts, System

Origin = Mapping[str, Any]
GIVEN: Origin = {"status": "given"}
NO_RESULT = ChosenResult(None, (), "")
NO_PRICE = ChosenPrice(None, (), "")


@dataclass(slots=True)
class Side:
    """A system, or several as one cluster. `known` are its numbers before the graph was walked."""

    choice: Choice
    system: System | None
    name: str
    values: Values = field(default_factory=dict)
    gaps: Gaps = field(default_factory=dict)
    provenance: dict[str, Origin] = field(default_factory=dict)
    result: ChosenResult = NO_RESULT
    price: ChosenPrice = NO_PRICE
    sized: tuple[BenchmarkResult, ...] = ()
    """The measured sizes from which the time was estimated."""
    estimate: Estimate | None = None
    pod: PodHosts | None = None
    power_basis: str | None = None
    dense_peak_tflops: float | None = None
    """The known peak, where the caller gave a higher one."""
    rates: set[Rate] = field(default_factory=set)
    known: Values = field(default_factory=dict)

    @property
    def ruling(self) -> BenchmarkResult | None:
        """The result whose rules the side's time follows: its own, or one that it was estimated from."""
        return self.result.result or (self.sized[0] if self.sized else None)

    @property
    def price_row(self) -> Price | None:
        """The price of the catalogue that the side's price is, or is estimated from."""
        return self.price.price or (self.estimate.price if self.estimate else None)

    @property
    def price_name(self) -> str:
        """The name of what one system costs: to buy, or an hour where it is rented."""
        return "rental_price_per_hour" if self.choice.rented else "price"

    @property
    def amount(self) -> float | None:
        """What one system costs to buy, or an hour of it where it is rented."""
        return self.values.get(self.price_name)

    def again(self, assumptions: Mapping[str, float]) -> "Side":
        """The same side before anything was computed, with other values of assumptions that the caller gave."""
        own = self.choice.given
        other = {name: value for name, value in assumptions.items() if name not in own}
        return replace(
            self, values={**self.values, **other}, gaps=dict(self.gaps), provenance=self.provenance, known={}
        )

    def put(self, name: str, value: float, origin: Origin) -> None:
        """Set a number with its origin, unless the caller gave it."""
        if name not in self.values:
            self.values[name] = value
            self.provenance[name] = origin
            self.gaps.pop(name, None)

    def miss(self, name: str, reason: str) -> None:
        """Say why a number is missing, unless it is there."""
        if name not in self.values:
            self.gaps[name] = reason

    def walk(self, graph: Graph, targets: Sequence[str]) -> None:
        """Add what the graph computes from what is known."""
        self.known = dict(self.values)
        graph.evaluate(self.values, self.gaps, targets)

    def status(self, name: str) -> str | None:
        """Whether a number was given, listed, measured, estimated or assumed; None for a derived one."""
        origin = self.provenance.get(name)
        return str(origin["status"]) if origin else None
