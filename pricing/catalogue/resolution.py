"""Which row wins. One rule for prices, one for results; what competed is kept beside the winner."""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pricing.catalogue.catalogue import Catalogue, round_key
from pricing.catalogue.names import nearest
from pricing.errors import Competing, UnknownName
from schemas.benchmark_result import BenchmarkResult
from schemas.price import Price
from schemas.submission import Submitter
from schemas.system import System

BOUGHT_KINDS = ("list", "street")


class ChosenPrice(NamedTuple):
    """A price that won, or the reason why there is none."""

    price: Price | None
    competing: tuple[Price, ...]
    reason: str


class ChosenResult(NamedTuple):
    """A result that won, or the reason why there is none."""

    result: BenchmarkResult | None
    competing: tuple[BenchmarkResult, ...]
    reason: str


class Wanted(NamedTuple):
    """Under which rules a result is wanted, and whose."""

    benchmark: str
    round: str
    division: str
    submitter: str | None = None
    result: str | None = None


def choose_price(catalogue: Catalogue, system: str, kinds: Sequence[str], as_of: date, currency: str) -> ChosenPrice:
    """The price of the first kind asked that has one, the latest seen on or before `as_of`.

    A price without the host is no price of a system that has one. Raises Competing when two rows of that
    kind are of the same day.
    """
    prices = [each for each in catalogue.prices.get(system, ()) if is_whole(each, catalogue.systems[system])]
    bought = [each for each in prices if each.every == "once" and each.valid_from <= as_of]
    for kind in kinds:
        of_kind = [each for each in bought if each.kind == kind]
        if of_kind:
            latest = max(each.valid_from for each in of_kind)
            winners = [each for each in of_kind if each.valid_from == latest]
            return _only(winners, tuple(each for each in bought if each not in winners), currency)
    return ChosenPrice(None, tuple(bought), _no_price(system, prices, kinds, as_of))


def is_whole(price: Price, system: System) -> bool:
    """Whether the price holds the host that the system has."""
    return system.hosts == 0 or "host" in price.includes


def _only(winners: list[Price], competing: tuple[Price, ...], currency: str) -> ChosenPrice:
    first = winners[0]
    if len(winners) > 1:
        rows = [f"{each.amount} {each.currency} per {each.per} ({each.source})" for each in winners]
        raise Competing("price", f"two {first.kind} prices of {first.system} on {first.valid_from}; give one", rows)
    if first.amount is None:
        reason = f"the source gives a range, {first.low} to {first.high} {first.currency}: give a price"
        return ChosenPrice(None, (first, *competing), reason)
    if first.currency != currency:
        reason = f"priced in {first.currency}, and no exchange rate is applied: give a price in {currency}"
        return ChosenPrice(None, (first, *competing), reason)
    return ChosenPrice(first, competing, "")


def _no_price(system: str, prices: Sequence[Price], kinds: Sequence[str], as_of: date) -> str:
    wanted = " or ".join(kinds)
    if not prices:
        return f"the catalogue has no price of {system}"
    rented = sorted(
        {f"{each.kind} is per {each.every}" for each in prices if each.kind in kinds and each.every != "once"}
    )
    if rented:
        return f"a system that is owned is paid once, and {', '.join(rented)}: give a price"
    others = sorted({f"{each.kind} ({each.every}, from {each.valid_from})" for each in prices})
    return f"the catalogue has no {wanted} price of {system} on {as_of}; it has {', '.join(others)}"


def amount_per_system(price: Price, system: System) -> Decimal:
    """The amount for one whole system, whatever the price is per."""
    if price.amount is None:
        raise ValueError(f"a range has no amount: {price.system}")
    times = {"system": 1, "accelerator": system.accelerators, "node": system.hosts}[price.per]
    return price.amount * times


def choose_result(catalogue: Catalogue, system: System, count: int, wanted: Wanted) -> ChosenResult:
    """The result of exactly `count` of the system under the rules wanted; one named by its id, whatever its round.

    The vendor's own submission wins, of one submitter's several the fastest. Results of different other
    submitters raise Competing.
    """
    rows = catalogue.measured.get((wanted.benchmark, wanted.round, wanted.division), [])
    of_system = [each for each in rows if each.system == system.id]
    fits = [each for each in of_system if each.units == count]
    if wanted.result:
        fits = _named(catalogue, (system.id, count), wanted, fits)
    if wanted.submitter:
        fits = by_submitter(catalogue, fits, wanted.submitter)
    if not fits:
        return ChosenResult(None, (), _no_result(system, count, wanted, of_system))
    ours = _preferred(fits, system, catalogue.submitters)
    organisations = sorted({each.organisation for each in ours})
    if len(organisations) > 1:
        listed = [f"{each.id}: {each.time_to_train_minutes} min" for each in ours]
        raise Competing("submitter", f"several submitters measured {system.id}", listed)
    fastest = min(ours, key=lambda each: each.time_to_train_minutes or 0.0)
    return ChosenResult(fastest, tuple(each for each in fits if each is not fastest), "")


def by_submitter(catalogue: Catalogue, results: Iterable[BenchmarkResult], name: str) -> list[BenchmarkResult]:
    """The results that this name submitted, as it is spelled; else those of the organisation that it names."""
    found = list(results)
    submitter = catalogue.submitters.get(name)
    organisations = {name, submitter.organisation} if submitter else {name}
    return [each for each in found if each.row.submitter == name] or [
        each for each in found if each.organisation in organisations
    ]


def _named(
    catalogue: Catalogue, side: tuple[str, int], wanted: Wanted, fits: list[BenchmarkResult]
) -> list[BenchmarkResult]:
    """The result of that full id, or of that submission among those that fit. Raises UnknownName."""
    result, benchmark = wanted.result or "", wanted.benchmark
    of_side = [
        each
        for each in catalogue.results
        if (each.system, each.units) == side and each.benchmark == benchmark and each.time_to_train_minutes
    ]
    named = [each for each in of_side if each.id == result] or [each for each in fits if each.row.system_id == result]
    if not named:
        raise UnknownName("result", result, nearest(result, [each.id for each in of_side]))
    return named


def _preferred(fits: list[BenchmarkResult], system: System, submitters: dict[str, Submitter]) -> list[BenchmarkResult]:
    """The vendor's own rows; else those of joint submissions in which the vendor has a part; else all."""
    own = [each for each in fits if submitters_vendor(each, submitters) == system.vendor]
    joint = [each for each in fits if _has_part(each, system.vendor, submitters)]
    return own or joint or fits


def submitters_vendor(result: BenchmarkResult, submitters: dict[str, Submitter]) -> str | None:
    """Whose systems the submitter sells."""
    submitter = submitters.get(result.row.submitter)
    return submitter.system_vendor if submitter else result.organisation


def _has_part(result: BenchmarkResult, vendor: str, submitters: dict[str, Submitter]) -> bool:
    submitter = submitters.get(result.row.submitter)
    if submitter is None or not submitter.joint:
        return False
    parts = submitter.submitter.replace("_", "+").replace("-", "+").split("+")
    return any(submitters[part].system_vendor == vendor for part in parts if part in submitters)


def _no_result(system: System, count: int, wanted: Wanted, of_system: list[BenchmarkResult]) -> str:
    what = f"no {wanted.division} {wanted.benchmark} result of {wanted.round or 'any round'} for {count} of {system.id}"
    whose = [each.organisation for each in of_system if each.units == count]
    if wanted.submitter and whose:
        return f"{what} by {wanted.submitter}; there is one by {', '.join(dict.fromkeys(whose))}"
    if of_system:
        sizes = ", ".join(str(size) for size in sorted({each.units or 0 for each in of_system}))
        return f"{what}; measured were {sizes} of it"
    return what


def rounds_of(
    catalogue: Catalogue,
    side: tuple[str, int],
    rules: tuple[str, str],
    submitter: str | None = None,
    submission: str | None = None,
) -> list[str]:
    """Rounds, oldest first, in which that many of a system have a scored result of (benchmark, division).

    Only by that submitter, and only of the submission of that id, where one is named.
    """
    found = {
        key[1]
        for key, rows in catalogue.measured.items()
        if (key[0], key[2]) == rules and _is_measured(catalogue, rows, side, (submitter, submission))
    }
    return sorted(found, key=round_key)


def _is_measured(
    catalogue: Catalogue,
    rows: Iterable[BenchmarkResult],
    side: tuple[str, int],
    whose: tuple[str | None, str | None],
) -> bool:
    submitter, submission = whose
    of_side = [each for each in rows if (each.system, each.units) == side and submission in (None, each.row.system_id)]
    return bool(by_submitter(catalogue, of_side, submitter) if submitter else of_side)
