"""A scaling as an answer."""

from typing import Any

from pricing.analysis.curves import Curve
from pricing.analysis.sizes import Estimate, Scaling, Size
from service.answers.answer import About, Block, Line, Page, Records
from service.answers.documents import result_document
from service.answers.results import noticed, rules, suite
from service.answers.words import number

COLUMNS = (
    ("accelerators", "accelerator"), ("time_to_train_minutes", "minute"), ("status", None), ("low_minutes", "minute"),
    ("high_minutes", "minute"), ("speed_up", "1"), ("scaling_efficiency", "1"), ("step_speed_up", "1"),
    ("step_efficiency", "1"), ("fitted_minutes", "minute"), ("residual", "1"), ("result", None), ("rule", None),
)  # fmt: skip
RATIOS = frozenset((1, 2, 3, 4))
"""Which columns for people are ratios."""


class ScalingAnswer:
    """Measured sizes, the curve through them, and the time of a size that was asked for."""

    def __init__(self, scaling: Scaling) -> None:
        self.scaling = scaling
        self.asked = scaling.question
        self.notices = noticed(scaling.catalogue, self.asked, [each.result for each in scaling.sizes])

    def _best(self) -> Curve | None:
        return self.scaling.curves[0] if self.scaling.curves else None

    def document(self) -> dict[str, Any]:
        """The scaling as JSON holds it."""
        each = self.scaling
        return {
            **rules(each.catalogue, self.asked, self.asked.round),
            "system": each.system.id,
            "family": each.system.family,
            "accelerator_model": each.system.accelerator_model,
            "sizes": [self._size(size) for size in each.sizes],
            "curves": [_curve(curve) for curve in each.curves],
            "estimate": _estimate(each.estimate) if each.estimate else None,
            "cautions": list(each.cautions),
            "left_out": [{"name": left.name, "reason": left.reason} for left in each.left_out],
            "notices": self.notices,
        }

    def _size(self, size: Size) -> dict[str, Any]:
        best = self._best()
        shown = result_document(size.result)
        fitted = best.minutes(size.accelerators) if best else None
        return {
            "system": size.result.system,
            "units": size.result.units,
            "accelerators": size.accelerators,
            "time_to_train_minutes": size.minutes,
            "status": "measured",
            "low_minutes": shown["time_low_minutes"],
            "high_minutes": shown["time_high_minutes"],
            "speed_up": size.speed_up,
            "scaling_efficiency": size.scaling_efficiency,
            "step_speed_up": size.step_speed_up,
            "step_efficiency": size.step_efficiency,
            "fitted_minutes": fitted,
            "residual": size.minutes / fitted - 1 if fitted and best and best.deviation is not None else None,
            "result": size.result.id,
            "repeat_of": size.result.repeat_of,
        }

    def records(self) -> Records:
        """One row a size; then the one that was asked for, and those left out with the reason."""
        each = self.scaling
        beside = {**rules(each.catalogue, self.asked, self.asked.round), "notices": " ".join(self.notices)}
        beside["books"] = ",".join(beside["books"])
        beside["cautions"] = "; ".join(each.cautions)
        rows = [self._size(size) for size in each.sizes]
        rows += [_estimate(each.estimate)] if each.estimate else []
        rows += [{"status": "left out", "result": left.name, "rule": left.reason} for left in each.left_out]
        cells = [[*(row.get(name) for name, _ in COLUMNS), *beside.values()] for row in rows]
        return Records((*COLUMNS, *((name, None) for name in beside)), cells)

    def page(self) -> Page:
        """Sizes down; times, speed-up and efficiency across."""
        each = self.scaling
        heads = ("time", "speed-up", "efficiency", "efficiency of step", "off the curve")
        sized = {size.accelerators: self._line(self._size(size)) for size in each.sizes}
        if estimate := each.estimate:
            cells = [About(estimate.minutes), *(None,) * len(RATIOS)]
            sized[estimate.accelerators] = Line(f"{estimate.accelerators:,}, {estimate.status}", "", cells)
        lines = [line for _, line in sorted(sized.items())]
        title = [
            f"{each.system.family}: time over size",
            suite(self.asked, self.asked.round, [size.result for size in each.sizes]),
        ]
        units = ("min", *("",) * len(RATIOS))
        return Page(title, [Block(heads, lines, RATIOS, units)], [*self._notes(), *self.notices, self._version()])

    def _line(self, row: dict[str, Any]) -> Line:
        names = ("time_to_train_minutes", "speed_up", "scaling_efficiency", "step_efficiency", "residual")
        return Line(_name(row["accelerators"]), "", [row[name] for name in names])

    def _notes(self) -> list[str]:
        each = self.scaling
        found = [f"{_name(size.accelerators)}: {size.result.id}" for size in each.sizes]
        found += [_described(best)] if (best := self._best()) else []
        found += [_told(each.estimate)] if each.estimate else []
        found += [f"caution: {caution}" for caution in each.cautions]
        return [*found, *(f"left out: {left.name}: {left.reason}" for left in each.left_out)]

    def _version(self) -> str:
        return f"catalogue {self.scaling.catalogue.version}"


def _name(accelerators: int) -> str:
    return f"{accelerators:,} accelerator{'s' * (accelerators != 1)}"


def _described(curve: Curve) -> str:
    unsure = "two sizes say nothing of its error"
    if curve.deviation is not None:
        unsure = f"the sizes lie off it by {curve.deviation:.1%} (standard deviation)"
    known = f"a = {number(curve.a)}, b = {number(curve.b)}"
    return f"curve: {curve.form.formula}, {curve.form.about}; {known}; {unsure}"


def _told(estimate: Estimate) -> str:
    span = ""
    if estimate.low is not None and estimate.high is not None:
        span = f", 90 % interval {number(estimate.low)} to {number(estimate.high)}"
    return f"{_name(estimate.accelerators)}: {number(estimate.minutes)} min{span}; {estimate.rule}; nobody measured it"


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "name": curve.form.name,
        "formula": curve.form.formula,
        "about": curve.form.about,
        "a": curve.a,
        "b": curve.b,
        "residual_deviation": curve.deviation,
        "residuals": list(curve.residuals()),
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "accelerators": estimate.accelerators,
        "time_to_train_minutes": estimate.minutes,
        "low_minutes": estimate.low,
        "high_minutes": estimate.high,
        "status": estimate.status,
        "rule": estimate.rule,
    }
