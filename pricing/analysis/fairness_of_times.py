"""Is it fair to set these times beside each other? Where each is from, and how sure it is."""

from collections.abc import Iterator

from pricing.analysis.scene import Scene
from pricing.analysis.side import Side
from schemas.caveat import Caveat, Severity
from schemas.price import FACTS

GIVEN = {
    "time_to_train_minutes": "time",
    "performance": "performance",
    "accelerator_hours_per_run": "number of accelerator-hours",
}


def given_times(scene: Scene) -> Iterator[Caveat]:
    """Times that the caller gave."""
    for side in scene.sides:
        for name, word in GIVEN.items():
            if side.status(name) == "given":
                detail = f"The {word} of {side.name} was given by the caller; it is unverified and no MLPerf result."
                yield Caveat("given_time", (side.name,), "serious", detail)


OF_SIZES = "90 % interval {low:.4g} to {high:.4g} min."
SPAN = {
    "interpolated": OF_SIZES,
    "extrapolated": OF_SIZES,
    None: "With the MFU of published runs, from their 5th to their 95th percentile, {low:.6g} to {high:.6g} min.",
}
"""What the two ends of an estimate mean, by its basis."""


def estimated_times(scene: Scene) -> Iterator[Caveat]:
    """Times that nobody measured."""
    for side in scene.sides:
        origin = side.provenance.get("time_to_train_minutes", {})
        if origin.get("status") != "estimated":
            continue
        span = f" {SPAN[origin.get('basis')].format(**origin)}" if "low" in origin else ""
        detail = f"The time of {side.name} is estimated, {origin['rule']}; nobody measured it.{span}"
        names = (side.name,)
        if origin.get("basis") == "interpolated":
            yield Caveat("interpolated_time", names, "serious", detail)
        elif origin.get("basis") == "extrapolated":
            yield Caveat("extrapolated_time", names, "serious", detail)
        else:
            yield Caveat("estimated_time", names, "serious", detail)


def overlapping(scene: Scene) -> Iterator[Caveat]:
    """Measured times whose difference from the baseline's is within what repeated runs differ by."""
    spans = {side.name: span for side in scene.sides if (span := measured_span(side))}
    base = scene.baseline.name
    for name, (low, high) in spans.items():
        if name == base or base not in spans:
            continue
        base_low, base_high = spans[base]
        if low <= base_high and base_low <= high:
            detail = (
                f"The times of {name} and {base} differ by less than repeated runs do: 90 % intervals "
                f"{low:.4g} to {high:.4g} and {base_low:.4g} to {base_high:.4g} min."
            )
            yield Caveat("within_run_spread", (name, base), "caution", detail)


def measured_span(side: Side) -> tuple[float, float] | None:
    """The 90 % interval of a time that was measured in several runs [min]."""
    origin = side.provenance.get("time_to_train_minutes", {})
    return (origin["low"], origin["high"]) if "low" in origin and side.result.result else None


def doubts(scene: Scene) -> Iterator[Caveat]:
    """Results that are no MLPerf score, are doubtful, repeat another, or won over others."""
    for side, result in scene.results():
        if result.kind == "vendor":
            detail = f"The time of {side.name} was published by {result.organisation}; it is no MLPerf result."
            yield Caveat("vendor_time", (side.name,), "serious", detail)
        if result.doubt:
            severity: Severity = "serious" if result.doubt_level == "high" else "info"
            detail = f"Doubt ({result.doubt_level}) about the result of {side.name}: {result.doubt}."
            yield Caveat("doubtful_result", (side.name,), severity, detail)
        if result.repeat_of:
            detail = f"The result of {side.name} repeats {result.repeat_of}: no new measurement."
            yield Caveat("repeated_result", (side.name,), "info", detail)
        if side.result.competing:
            others = ", ".join(f"{each.id} {each.time_to_train_minutes} min" for each in side.result.competing)
            detail = f"{side.name} has other results of this size: {others}; used is {result.id}."
            yield Caveat("competing_results", (side.name,), "info", detail)


FROM = {
    "own_run": "an own run of",
    "logs": "read from result logs in",
    "dawnbench": "a DAWNBench entry in",
    "vendor": "a vendor's figure in",
}


def unverified(scene: Scene) -> Iterator[Caveat]:
    """Results that a user brought."""
    for side, result in scene.results():
        if result.book != FACTS:
            detail = f"The time of {side.name} is {FROM[result.kind]} book {result.book}, not verified by MLCommons."
            yield Caveat("unverified_result", (side.name,), "serious", detail)
