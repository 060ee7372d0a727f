"""Where a number would have to be for two costs to be level."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pricing.analysis.own import bounds_of
from pricing.analysis.side import Side
from pricing.graph import graph

REACH, HALVINGS = 100.0, 100
NOTHING: Mapping[str, float] = {}
Numbers = NDArray[np.float64]


class Model:
    """A side as a function of its numbers, some of which may be fixed in place of its own."""

    def __init__(self, metric: str, side: Side, fixed: Mapping[str, float] = NOTHING) -> None:
        self.metric, self.side = metric, side
        whole = graph(side.choice.bases)
        self._known = {**side.known, **fixed}
        self._plan = whole.plan((metric,), frozenset(self._known))
        self._run = self._plan.run
        self.read = self._plan.reads if metric not in side.known else frozenset({metric})

    def key(self, name: str) -> str:
        """How a number of this side is called among the spans of its own."""
        return f"{self.side.choice.owner(name)}.{name}"

    def at(self, drawn: Mapping[str, Any], samples: int = 1) -> Numbers:
        """The metric where some numbers are others, by their keys; its own and those of all sides.

        It is no number where a formula would divide by 0.
        """
        values: dict[str, Any] = dict(self._known)
        for name in self.read:
            for key in (name, self.key(name)):
                if key in drawn:
                    values[name] = drawn[key]
        try:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = values[self.metric] if self.metric in self._known else self._run(values)[self.metric]
        except ZeroDivisionError:
            found = math.nan
        return np.broadcast_to(np.asarray(found, dtype=np.float64), (samples,))


def level(apart: Callable[[float], float], name: str, now: float) -> float | None:
    """The value of a number nearest to now at which a function of it is 0; None: at none in reach.

    What is in reach lies between a hundredth and a hundred times it, within the range of that number.
    """
    if not now > 0:
        return None
    bounds = bounds_of(name)
    ends = (max(now / REACH, bounds.low), min(now * REACH, bounds.high))
    found = [each for end in ends if end > 0 and (each := _between(apart, now, end)) is not None]
    return min(found, key=lambda each: abs(math.log(each / now)), default=None)


def _between(apart: Callable[[float], float], near: float, far: float) -> float | None:
    """Where a function that is above 0 at one end and below at the other is 0, by halving; None where it is not so."""
    left, right = apart(near), apart(far)
    if left == 0:
        return near
    if not left * right <= 0:
        return None
    for _ in range(HALVINGS):
        middle = math.sqrt(near * far)
        between = apart(middle)
        if not math.isfinite(between):
            return None
        if between * left > 0:
            near = middle
        else:
            far = middle
    return far
