"""What the checks of fairness look at."""

from collections.abc import Sequence
from typing import NamedTuple

from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from schemas.benchmark_result import BenchmarkResult
from schemas.price import Price


class Scene(NamedTuple):
    """What the checks look at. `baseline` is one of the sides."""

    catalogue: Catalogue
    question: Question
    sides: Sequence[Side]
    baseline: Side

    def results(self) -> list[tuple[Side, BenchmarkResult]]:
        """Sides with a result of the catalogue, and that result."""
        return [(side, side.result.result) for side in self.sides if side.result.result]

    def ruled(self) -> list[tuple[Side, BenchmarkResult]]:
        """Sides whose time follows the rules of a result, their own or one that they are estimated from."""
        return [(side, side.ruling) for side in self.sides if side.ruling]

    def prices(self) -> list[tuple[Side, Price]]:
        """Sides whose price is of the catalogue or estimated from one, and that row."""
        return [(side, side.price_row) for side in self.sides if side.price_row and side.amount is not None]
