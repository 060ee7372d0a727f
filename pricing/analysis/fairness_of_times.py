"""Is it fair to set these times beside each other? Where each is from, and how sure it is."""

from collections.abc import Iterator

from pricing.analysis.comparable import cautions_among
from pricing.analysis.scene import Scene
from pricing.analysis.side import Side
from schemas.caveat import Caveat, Severity
from schemas.price import FACTS


def number(value: float) -> str:
    """A figure in a sentence: four significant digits, and no exponent."""
    return f"{float(f'{value:.4g}'):,.10g}"


GIVEN = {
    "time_to_train_minutes": "time",
    "performance": "performance",
    "accelerator_hours_per_run": "number of accelerator-hours",
}


def given_times(scene: Scene) -> Iterator[Caveat]:
    """Times that the caller gave."""
    for side in scene.sides:
        for name in (each for each in GIVEN if each in side.choice.given):
            word = GIVEN[name]
            if side.status(name) == "given":
                detail = f"The {word} of {side.name} was given by the caller; it is unverified and no MLPerf result."
                yield Caveat("given_time", (side.name,), "serious", detail)


SMALL_MODEL = 6e9
"""Parameters of the smallest model among the runs from which the MFU is assumed."""


def estimated_times(scene: Scene) -> Iterator[Caveat]:
    """Times that nobody measured."""
    for side in scene.sides:
        origin = side.provenance.get("time_to_train_minutes", {})
        if origin.get("status") != "estimated":
            continue
        span = ""
        if "low" in origin:
            basis = origin.get("range") or "90 % interval"
            span = f" {basis}: {number(origin['low'])} to {number(origin['high'])} min."
        told = "".join(f" {caution[0].upper()}{caution[1:]}." for caution in cautions_among(side.sized))
        detail = f"The time of {side.name} is estimated, {origin['rule']}; nobody measured it.{span}{told}"
        names = (side.name,)
        if origin.get("basis") == "interpolated":
            yield Caveat("interpolated_time", names, "serious", detail)
        elif origin.get("basis") == "time_from":
            yield Caveat(
                "time_of_another_system", names, "serious", f"{detail} {_unlike_hardware(scene, side)}".strip()
            )
        elif origin.get("basis") == "extrapolated":
            yield Caveat("extrapolated_time", names, "serious", detail)
        else:
            yield Caveat("estimated_time", names, "serious", detail)
            yield from _of_model(side)


def _unlike_hardware(scene: Scene, side: Side) -> str:
    """That the time is of other accelerators, where it is."""
    theirs = scene.catalogue.system(side.sized[0].system or "").accelerator_model
    ours = side.system.accelerator_model if side.system else "not known"
    return "" if ours == theirs else f"Its accelerators are unlike: {ours}, and there {theirs}."


def _of_model(side: Side) -> Iterator[Caveat]:
    """What makes an estimate from a model's size weaker than its range says."""
    names = (side.name,)
    if side.values["parameters"] < SMALL_MODEL and side.status("mfu_share") == "assumed":
        detail = (
            f"The MFU assumed for {side.name} is that of models of 6 billion parameters and more; published runs of "
            "smaller ones mostly took longer than such a range says (see training_runs)."
        )
        yield Caveat("small_model", names, "serious", detail)
    if side.dense_peak_tflops is not None:
        detail = (
            f"The peak given for {side.name}, {side.values['peak_tflops']:g} TFLOP/s, is above the dense peak that is "
            f"known, {side.dense_peak_tflops:g}: sparse figures are not what training reaches."
        )
        yield Caveat("peak_above_dense", names, "serious", detail)


def overlapping(scene: Scene) -> Iterator[Caveat]:
    """Times whose intervals overlap with the baseline's, whether of repeated runs or of estimates."""
    spans = {side.name: span for side in scene.sides if (span := time_span(side))}
    base = scene.baseline.name
    for name, (low, high) in spans.items():
        if name == base or base not in spans or spans[name] == spans[base]:
            continue  # the same time, as where one system is paid for in two ways, is not two that overlap
        base_low, base_high = spans[base]
        if low <= base_high and base_low <= high:
            detail = (
                f"The intervals of the times of {name} and {base} overlap: {number(low)} to {number(high)} and "
                f"{number(base_low)} to {number(base_high)} min."
            )
            yield Caveat("times_overlap", (name, base), "caution", detail)


def time_span(side: Side) -> tuple[float, float] | None:
    """The interval of a time that was measured in several runs, or estimated [min]."""
    origin = side.provenance.get("time_to_train_minutes", {})
    return (origin["low"], origin["high"]) if "low" in origin else None


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
    """Results that a user brought, those behind an estimate, too, and what is said of how they came about."""
    for side in scene.sides:
        own = [side.result.result] if side.result.result else []
        if not side.sized and all(each.book == FACTS and not each.note for each in own):
            continue
        for kind, book in dict.fromkeys((each.kind, each.book) for each in (*own, *side.sized) if each.book != FACTS):
            what = "estimated from times that are" if side.sized else ""
            detail = f"The time of {side.name} is {what} {FROM[kind]} book {book}, not verified by MLCommons."
            yield Caveat("unverified_result", (side.name,), "serious", " ".join(detail.split()))
        for each in own:
            if each.note:
                severity: Severity = "info" if each.kind == "mlperf" else "caution"
                yield Caveat("result_note", (side.name,), severity, f"Of the time of {side.name}: {each.note}.")
