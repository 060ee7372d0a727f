"""A caller's own figures and wishes for a side: which there are, in which range, and whether they mean anything."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any, get_args

from marshmallow import ValidationError

from pricing.analysis.question import Choice
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find, nearest
from pricing.catalogue.results import NOT_MLPERF
from pricing.errors import BadQuestion, UnknownName
from pricing.graph import Bases, Graph, figures, graph, read_under
from pricing.quantities.inputs import BY_NAME
from pricing.registry import MODEL, choices, divisors, written
from schemas.benchmark_result import BenchmarkResult
from schemas.numbers import Bounds, NumberError, read_number
from schemas.price import Kind

KINDS: tuple[str, ...] = get_args(Kind)
TIMES = ("time_to_train_minutes", "performance", "accelerator_hours_per_run")
"""What says how long a run takes; each follows from each other."""
WISHES = ("round", "division", "submitter", "result", "price_kind")
DIVISIONS = ("closed", "open")
MOST = 1e30


@cache
def settable(bases: Bases) -> tuple[str, ...]:
    """Names of the numbers that a caller may give for a side."""
    counted = ("system_count", "year", "demanded_runs_per_year", "parameters", "tokens", "flop_per_parameter_token")
    return (*(name for name in BY_NAME if name not in counted), *figures(bases))


def sort_own(figures: Iterable[tuple[str, Any]], bases: Bases) -> tuple[dict[str, float], dict[str, str]]:
    """Tell numbers from wishes such as another round; each name once."""
    given: dict[str, float] = {}
    wishes: dict[str, str] = {}
    for name, value in figures:
        if name in given or name in wishes:
            raise BadQuestion(name, "given twice for one system")
        if name in WISHES:
            wishes[name] = _text(name, value)
        elif name in settable(bases):
            given[name] = in_range(name, value)
        else:
            raise UnknownName("field", name, nearest(name, [*settable(bases), *WISHES]))
    return given, wishes


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValidationError({name: ["must be a text"]})
    return value


def check_wishes(catalogue: Catalogue, choice: Choice, benchmark: str | None) -> None:
    """What is wished for one system must exist."""
    wishes = choice.wishes
    if not wishes:
        return
    known: dict[str, Iterable[str]] = {
        "division": DIVISIONS,
        "price_kind": KINDS,
        "submitter": submitter_names(catalogue),
    }
    if benchmark:
        known["round"] = catalogue.rounds(benchmark)
    elif needing := [name for name in wishes if name != "price_kind"]:
        raise BadQuestion(needing[0], "it needs a benchmark")
    if "division" in wishes and known["round"] == (NOT_MLPERF,):
        raise BadQuestion("division", f"{benchmark} is no MLPerf benchmark and has no divisions")
    if "result" in wishes and not choice.brought:
        _check_result(catalogue, choice, benchmark)
    for name, value in wishes.items():
        if name in known:
            find(name.replace("_", " "), value, dict.fromkeys(known[name], value))


def _check_result(catalogue: Catalogue, choice: Choice, benchmark: str | None) -> None:
    result = choice.wishes["result"]
    rows = rows_of(catalogue, result, benchmark)
    if not any((each.system, each.units) == (choice.system, choice.count) for each in rows):
        raise BadQuestion("result", f"{result} is of {whose(rows)}, not of {choice.name}")


def submitter_names(catalogue: Catalogue) -> list[str]:
    """Every name of a submitter, and of the organisation behind it."""
    known = [name for each in catalogue.submitters.values() for name in (each.submitter, each.organisation)]
    return known if catalogue.official is None else [*known, *(each.organisation for each in catalogue.results)]


@cache
def bounds_of(name: str) -> Bounds:
    """The range in which a given number must lie: an input's own; above 0 for a quantity that divides, else from 0."""
    known = BY_NAME.get(name)
    if known:
        return Bounds(known.low, known.high, known.open_low)
    return Bounds(0.0, MOST, open_low=name in divisors())


def in_range(name: str, value: Any) -> float:
    """A given number as the engine takes it. Raises ValidationError that names the field."""
    try:
        number = read_number(value)
        bounds_of(name).check(number)
        if name in BY_NAME and BY_NAME[name].whole and number != int(number):
            raise NumberError(f"{number} is not a whole number")
    except ValidationError as error:
        raise ValidationError({name: error.messages}) from None
    except NumberError as error:
        raise ValidationError({name: [str(error)]}) from None
    return float(number)


def rows_of(catalogue: Catalogue, result: str, benchmark: str | None) -> list[BenchmarkResult]:
    """The scored rows of that id, or of that submission, for the benchmark. Raises UnknownName or BadQuestion."""
    rows = [each for each in catalogue.results if result in (each.id, each.row.system_id)]
    if not rows:
        raise UnknownName("result", result, nearest(result, (each.id for each in catalogue.results)))
    of_benchmark = [each for each in rows if each.benchmark == benchmark]
    if not of_benchmark:
        others = ", ".join(dict.fromkeys(each.benchmark for each in rows))
        raise BadQuestion("result", f"{result} is of {others}, not of {benchmark}")
    scored = [each for each in of_benchmark if each.time_to_train_minutes]
    if not scored:
        raise BadQuestion("result", f"{result} has no official score")
    tied = [each for each in scored if each.system]
    if not tied:
        raise BadQuestion("result", f"{result} belongs to no system of the catalogue")
    return tied


def with_division(catalogue: Catalogue, choice: Choice, benchmark: str | None) -> Choice:
    """The side with the division of the submission wished for it, where that has results in one division only."""
    submission = choice.wishes.get("result")
    if submission is None or submission in catalogue.by_id or "division" in choice.wishes:
        return choice
    side = (choice.system, choice.count)
    rows = (each for each in rows_of(catalogue, submission, benchmark) if (each.system, each.units) == side)
    divisions = {each.row.division or "" for each in rows}
    return replace(choice, wishes={**choice.wishes, "division": divisions.pop()}) if len(divisions) == 1 else choice


def whose(rows: Iterable[BenchmarkResult]) -> str:
    """The systems, with their counts, that results are of."""
    return " and ".join(dict.fromkeys(f"{each.units}*{each.system}" for each in rows))


def reads_results(choice: Choice) -> bool:
    """Whether the side's time comes from the catalogue."""
    return not choice.brought and not set(TIMES) & choice.given.keys()


def reads_prices(choice: Choice) -> bool:
    """Whether the side's price, or rent, comes from the catalogue."""
    own = {"rental_price_per_hour"} if choice.rented else {"price", "list_cost"}
    return not choice.brought and not own & choice.given.keys()


def check_effect(catalogue: Catalogue, choice: Choice, bases: Bases) -> None:
    """What could change nothing, or contradicts the rest, is a misunderstanding, and so an error."""
    for wish, text in choice.wishes.items():
        if choice.brought:
            raise BadQuestion(wish, f"no effect: the catalogue holds nothing of {choice.name}")
        reads = reads_prices if wish == "price_kind" else reads_results
        if not reads(choice):
            what = "price" if wish == "price_kind" else "time"
            raise BadQuestion(wish, f"no effect: {choice.name} has its own {what}")
        if wish not in ("result", "price_kind") and choice.wishes.get("result") in catalogue.by_id:
            raise BadQuestion(wish, f"{text} has no effect: the result of {choice.name} is named")
    if len(times := [name for name in TIMES if name in choice.given]) > 1:
        raise BadQuestion(times[1], f"it says again how long a run takes, as {times[0]} does: give one of them")
    for name in choice.given:
        check_read(name, bases)
        _check_follows(name, choice, graph(bases))


def _check_follows(name: str, choice: Choice, whole: Graph) -> None:
    """A quantity must not be given beside all that it is computed from. Raises BadQuestion."""
    others = frozenset(choice.given.keys() - {name} | {"system_count"})
    if name in whole.quantities and not whole.plan((name,), others).gaps:
        read = {each for quantity in whole.order((name,), others) for each in quantity.inputs}
        inputs = ", ".join(each for each in choice.given if each in read)
        raise BadQuestion(name, f"it follows from {inputs}, given too: give one or the other")


def check_read(name: str, *bases: Bases) -> None:
    """An assumption must be read on some of the bases chosen. Raises BadQuestion with the basis that reads it."""
    known = BY_NAME.get(name)
    if known is None or known.origin != "assumption" or known.by_caveats:
        return
    if any(name in read_under(each) for each in bases):
        return
    ways = (f"{choice}={option}" for choice, options in choices().items() for option in options)
    reading = [way for way in ways if name in needed_by(*way.split("="))]
    chosen = ", ".join("=".join(each) for each in bases[0])
    raise BadQuestion(name, f"no effect under {chosen}; it is read under {' or '.join(reading)}")


TOTALS = ("tco_undiscounted", "tco_present_value")


@cache
def needed_by(choice: str, option: str) -> frozenset[str]:
    """Assumptions that this way to the quantity needs."""
    ways = [each for each in written() if each.basis == (choice, option)]
    model = next((each.models[0] for each in ways if each.models), None)
    others = {name: model if model and name == MODEL else options[0] for name, options in choices().items()}
    whole = graph(tuple({**others, choice: option}.items()))
    needs = whole.needs(tuple(each.name for each in ways) or TOTALS)
    return frozenset(name for name in needs if BY_NAME[name].origin == "assumption")
