"""How long a run of a side takes: as the caller, the winning result, or other sizes of its family say."""

from dataclasses import replace

from pricing.analysis.own import TIMES
from pricing.analysis.question import Choice, Question
from pricing.analysis.side import Side
from pricing.analysis.sizes import size_estimate
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.resolution import Wanted, choose_result
from pricing.catalogue.results import spread_of
from pricing.errors import BadQuestion
from pricing.statistics import Spread
from schemas.benchmark_result import BenchmarkResult
from schemas.price import FACTS
from schemas.system import System


def add_time_from_others(side: Side, system: System | None) -> None:
    """A time that follows from what the caller gave: a performance, or accelerator-hours."""
    if side.values.get("performance"):
        time = 60.0 / side.values["performance"]
        side.put("time_to_train_minutes", time, {"status": "derived", "formula": "60 / performance"})
    each_has = side.values.get("accelerators") or (system.accelerators if system else 0)
    if "accelerator_hours_per_run" in side.values and each_has:
        accelerators = each_has * side.choice.count
        time = side.values["accelerator_hours_per_run"] * 60.0 / accelerators
        formula = "accelerator_hours_per_run * 60 / cluster_accelerators"
        side.put("time_to_train_minutes", time, {"status": "derived", "formula": formula})


def add_result(side: Side, system: System, catalogue: Catalogue, question: Question) -> None:
    """The time of the result that wins, or of an estimate from other sizes; else why there is none."""
    if question.benchmark is None:
        side.miss("time_to_train_minutes", "no benchmark was asked")
        return
    if side.values.keys() & set(TIMES):
        side.miss("time_to_train_minutes", "no time follows from what was given")
        return
    wanted = _wanted(side, catalogue, question)
    side.result = choose_result(catalogue, system, side.choice.count, wanted)
    result = side.result.result
    if result is not None and result.time_to_train_minutes is not None:
        _put_measured(side, result, result.time_to_train_minutes, question.currency)
        return
    side.miss("time_to_train_minutes", side.result.reason)
    if question.time_from:
        _add_time_of_another(side, question.time_from, catalogue, (question, wanted))
    elif question.time_estimate:
        _add_size_estimate(side, system, catalogue, (question, wanted))


def sized_as(catalogue: Catalogue, choice: Choice, other: str) -> tuple[str, int]:
    """Another system, and how many of it have as many accelerators as this side. Raises BadQuestion."""
    given = choice.given.get("accelerators")
    each = given or (0 if choice.brought else catalogue.system(choice.system).accelerators)
    whole, theirs = each * choice.count, catalogue.system(other).accelerators
    if not theirs or not whole or whole % theirs:
        has = f"{choice.name} has {whole:g} accelerators, {other} {theirs}"
        raise BadQuestion("time_from", f"the time must be one at as many accelerators: {has}")
    return other, int(whole // theirs)


def _add_time_of_another(side: Side, other: str, catalogue: Catalogue, asked: tuple[Question, Wanted]) -> None:
    """The measured time of another system with as many accelerators, as the caller asks."""
    name, units = sized_as(catalogue, side.choice, other)
    found = choose_result(catalogue, catalogue.system(name), units, asked[1])
    result = found.result
    if result is None or result.time_to_train_minutes is None:
        side.miss("time_to_train_minutes", f"{side.result.reason}; {found.reason}")
        return
    of = f"{units}*{name}" if units > 1 else name
    origin = {"status": "estimated", "basis": "time_from", "rule": f"taken to be that of {of}", "source": result.id}
    side.put("time_to_train_minutes", result.time_to_train_minutes, origin)
    side.sized = (result,)


def _wanted(side: Side, catalogue: Catalogue, question: Question) -> Wanted:
    """Under which rules, and whose, the side's result is wanted: its own wishes before those for all."""
    wishes = side.choice.wishes
    named = wishes.get("result", "") in catalogue.by_id
    return Wanted(
        question.benchmark or "",
        wishes.get("round") or question.round or "",
        wishes.get("division") or question.division,
        wishes.get("submitter") or (None if named else question.submitter),
        wishes.get("result"),
    )


def _put_measured(side: Side, result: BenchmarkResult, minutes: float, currency: str) -> None:
    """A measured time with where it is from and how sure it is, and what its entry says of an hour's price."""
    official = result.row.division in ("closed", "open") and result.book == FACTS
    source = f"MLPerf Training {result.row.round}, {result.row.submitter}: {result.row.results_dir}"
    origin = {
        "status": "measured" if official else "listed",
        "source": source if official else result.row.results_dir,
        "result": result.id,
        **_span(minutes, spread_of(result)),
    }
    side.put("time_to_train_minutes", minutes, origin)
    if result.price_per_hour is not None and result.currency == currency:
        each = result.price_per_hour / side.choice.count
        side.put("rental_price_per_hour", each, {"status": "listed", "source": result.row.results_dir})


def _span(time: float, spread: Spread | None) -> dict[str, float]:
    """The 90 % interval of a measured time, from the spread of its runs [min]."""
    return {"low": max(time - spread.half_width, 0.0), "high": time + spread.half_width} if spread else {}


def _add_size_estimate(side: Side, system: System, catalogue: Catalogue, asked: tuple[Question, Wanted]) -> None:
    """The time of a size that nobody measured, from the measured sizes of its family."""
    question, wanted = asked
    under = replace(question, round=wanted.round, division=wanted.division, submitter=wanted.submitter)
    try:
        estimate = size_estimate(catalogue, under, system, side.choice.count)
    except BadQuestion as error:
        side.miss("time_to_train_minutes", f"{side.result.reason}; {error}")
        return
    span = {"low": estimate.low, "high": estimate.high} if estimate.low is not None else {}
    ids = ", ".join(each.id for each in estimate.results)
    origin = {"status": "estimated", "basis": estimate.status, "rule": estimate.rule, "source": ids, **span}
    side.put("time_to_train_minutes", estimate.minutes, origin)
    side.sized = estimate.results
