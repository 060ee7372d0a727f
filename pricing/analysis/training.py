"""The time of training a model that nobody measured: work over rate, with a stated utilisation; an estimate, always."""

from collections.abc import Mapping
from typing import Any

from pricing.analysis.own import in_range
from pricing.analysis.question import Question, Training
from pricing.analysis.side import GIVEN, Side
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from pricing.quantities.estimation import estimated_time_to_train_minutes, training_flop
from pricing.symbols import write
from schemas.accelerator import Accelerator
from schemas.assumption import Assumption

PRECISION = "bf16"
ALL_WEIGHTS = 6.0  # FLOP for each parameter and token, where all weights are trained
COUNT: Mapping[str, Any] = {
    "status": "assumed",
    "source": "6 N D: all weights are trained, and attention's own work is not counted",
}
BILLION = 1e9
SETTINGS = {"bf16": "16-bit", "fp16": "16-bit", "fp8": "8-bit"}
"""Of which precisions the utilisation of runs is known."""
RATE = ("training_flop", "cluster_accelerators", "peak_tflops", "mfu_share")
FORMULA = write(estimated_time_to_train_minutes, RATE).text
WISHES = ("parameters", "tokens", "precision", "flop_per_parameter_token", "mfu_share")


def training_of(fields: Mapping[str, Any]) -> Training | None:
    """The model that a request asks about, if it asks about one. Raises BadQuestion or ValidationError."""
    asked = [name for name in WISHES if name in fields]
    if not asked:
        return None
    if "parameters" not in fields or "tokens" not in fields:
        missing = "tokens" if "parameters" in fields else "parameters"
        raise BadQuestion(missing, f"it is needed beside {asked[0]}: the time is estimated from parameters and tokens")
    if "benchmark" in fields:
        raise BadQuestion("benchmark", "its times are measured, those of parameters and tokens estimated: ask for one")
    count = fields.get("flop_per_parameter_token")
    return Training(
        in_range("parameters", fields["parameters"]),
        in_range("tokens", fields["tokens"]),
        fields.get("precision") or PRECISION,
        ALL_WEIGHTS if count is None else in_range("flop_per_parameter_token", count),
        in_range("mfu_share", fields["mfu_share"]) if "mfu_share" in fields else None,
    )


def add_estimated_time(side: Side, catalogue: Catalogue, question: Question) -> None:
    """Estimate the side's time from the model asked; what is missing for it is the gap's reason."""
    training = question.training
    if training is None or "time_to_train_minutes" in side.values:
        return
    side.put("parameters", training.parameters, GIVEN)
    side.put("tokens", training.tokens, GIVEN)
    usual = training.flop_per_parameter_token == ALL_WEIGHTS
    side.put("flop_per_parameter_token", training.flop_per_parameter_token, COUNT if usual else GIVEN)
    _add_peak(side, catalogue, training.precision)
    mfu = _add_mfu(side, catalogue, training)
    if "mfu_share" not in side.values:
        side.miss("mfu_share", f"no utilisation of runs in {training.precision} is known: give mfu_share")
    lacking = next((name for name in ("accelerators", "peak_tflops", "mfu_share") if name not in side.values), None)
    if lacking:
        side.miss("time_to_train_minutes", side.gaps.get(lacking) or f"no {lacking}")
        return
    _put_time(side, training.precision, mfu)


def _add_peak(side: Side, catalogue: Catalogue, precision: str) -> None:
    """The dense peak of the side's accelerator in that precision."""
    if side.system is None:
        side.miss("peak_tflops", f"{side.choice.system} is not in the catalogue and no peak_tflops was given")
        return
    model = side.system.accelerator_model
    known = accelerators(catalogue).get(model)
    peaks = known.peaks() if known else {}
    if known is None or precision not in peaks:
        held = f"; it has {', '.join(peaks)}" if peaks else ""
        side.miss("peak_tflops", f"the catalogue has no {precision} peak of {model}{held}: give peak_tflops")
        return
    origin = {"status": "listed", "source": known.source_title, "url": known.source_url, "basis": precision}
    side.put("peak_tflops", peaks[precision], origin)
    if side.values["peak_tflops"] > peaks[precision]:
        side.dense_peak_tflops = peaks[precision]


def accelerators(catalogue: Catalogue) -> dict[str, Accelerator]:
    """The accelerators with their peaks, by their canonical names."""
    return {each.accelerator_model: each for each in catalogue.facts.of("accelerators.csv")}


def assumed_mfu(catalogue: Catalogue, precision: str) -> Assumption | None:
    """The utilisation of runs in that precision; None where none is known."""
    return catalogue.assumptions.get(("mfu_share", SETTINGS.get(precision, "")))


def _add_mfu(side: Side, catalogue: Catalogue, training: Training) -> Assumption | None:
    """The utilisation: the side's own, the question's, else the assumed one, which is returned for its range."""
    if training.mfu_share is not None:
        side.put("mfu_share", training.mfu_share, GIVEN)
    assumed = assumed_mfu(catalogue, training.precision)
    if "mfu_share" in side.values or assumed is None:
        return None
    origin = {"status": "assumed", "source": assumed.source_title, "setting": assumed.setting, "year": assumed.year}
    side.put("mfu_share", assumed.value, origin)
    return assumed


def billions(count: float) -> str:
    """A large count as people say it."""
    return f"{count / BILLION:,.6g} billion"


def _put_time(side: Side, precision: str, mfu: Assumption | None) -> None:
    values = side.values
    work = training_flop(values["flop_per_parameter_token"], values["parameters"], values["tokens"])
    count = values["accelerators"] * values["system_count"]

    def minutes(share: float) -> float:
        return estimated_time_to_train_minutes(work, count, values["peak_tflops"], share)

    peak = "given" if side.status("peak_tflops") == "given" else f"{precision}, dense"
    rule = (
        f"from {values['flop_per_parameter_token']:g} × {billions(values['parameters'])} parameters × "
        f"{billions(values['tokens'])} tokens over {count:g} accelerators × "
        f"{values['peak_tflops']:g} TFLOP/s ({peak}) × MFU {values['mfu_share']:g}"
    )
    span: dict[str, Any] = {}
    if mfu:
        basis = f"With an MFU from {mfu.low:g} to {mfu.high:g}, assumed after {mfu.source_title}"
        span = {"low": minutes(mfu.high), "high": minutes(mfu.low), "range": basis}
    origin = {"status": "estimated", "rule": rule, "formula": FORMULA, **span}
    side.put("time_to_train_minutes", minutes(values["mfu_share"]), origin)
