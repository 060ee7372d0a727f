"""Which row wins. One rule for prices, one for results; what competed is kept beside the winner."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from pricing.catalogue.catalogue import Catalogue, round_key
from pricing.catalogue.names import nearest
from pricing.catalogue.per_unit import amount_per_system
from pricing.catalogue.results import why_unscored
from pricing.errors import Competing, UnknownName
from schemas.benchmark_result import BenchmarkResult
from schemas.price import Offer, Price
from schemas.submission import Submitter
from schemas.system import System

BOUGHT_KINDS, RENTED_KINDS = ("list", "street"), ("on_demand",)
"""The kinds of price, where none is asked, of what is bought and of what is rented."""
MOST_LOOKED_AT, MOST_NAMED, MOST_OFFERED = 100, 10, 4_000


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


def choose_price(catalogue: Catalogue, wanted: Offer, currency: str) -> ChosenPrice:
    """The price that wins: of the first book that has one, the facts last; there of the first kind asked.

    Of one kind the region's own wins over one for everywhere, then the largest tier that the quantity reaches, then
    the latest; of two that are still alike, the one in the currency of the question. A price without the host is
    no price of a system that has one. Raises Competing when two rows are alike in all of that.
    """
    system = catalogue.systems[wanted.system]
    if catalogue.books:
        wanted = replace(wanted, with_host=system.hosts > 0, currency=currency)
    held: list[Sequence[Price]] = [offers for book in catalogue.books if (offers := book.prices.offers(wanted))]
    shipped = facts_offers(catalogue, wanted)
    bought = [each for offers in (*held, shipped) for each in offers]
    asked = [offers for offers in (*held, shipped) if offers and offers[0].kind in wanted.kinds]
    if not asked:
        return ChosenPrice(None, tuple(bought), _no_price(catalogue, wanted))
    best = _rank(asked[0][0])
    winners = [each for each in asked[0] if _rank(each) == best]
    if len(winners) > 1:
        winners = [each for each in winners if each.currency == currency] or winners
        said = {(amount_per_system(each, system) if each.amount else each.low, each.currency) for each in winners}
        winners = winners[:1] if len(said) == 1 else winners  # they say the same
    won = {id(each) for each in winners}
    return _only(winners, tuple([each for each in bought if id(each) not in won]))


def facts_offers(catalogue: Catalogue, wanted: Offer) -> tuple[Price, ...]:
    """The shipped prices to buy, or rent, at that were seen by the day: of the kinds asked first, then the latest."""
    system = catalogue.systems[wanted.system]
    key = (wanted, system.hosts == 0)  # a book may know better how many hosts a system has
    found = catalogue.offered.get(key)
    if found is None:
        if len(catalogue.offered) >= MOST_OFFERED:
            catalogue.offered.clear()
        found = catalogue.offered[key] = tuple(_facts_offers(catalogue, wanted, system))
    return found


def _facts_offers(catalogue: Catalogue, wanted: Offer, system: System) -> list[Price]:
    bought = [
        each
        for each in catalogue.prices.get(wanted.system, ())
        if (each.every != "once") is wanted.rented and each.valid_from <= wanted.as_of and is_whole(each, system)
    ]
    places = {kind: place for place, kind in enumerate(wanted.kinds)}
    return sorted(bought, key=lambda each: (places.get(each.kind, len(places)), -each.valid_from.toordinal()))


def _rank(price: Price) -> tuple[str, str | None, int, date]:
    return price.kind, price.region, price.minimum_quantity, price.valid_from


def is_whole(price: Price, system: System) -> bool:
    """Whether the price holds the host that the system has; a source that does not say sells the system whole."""
    return system.hosts == 0 or price.includes is None or "host" in price.includes


def _only(winners: list[Price], competing: tuple[Price, ...]) -> ChosenPrice:
    first = winners[0]
    if len(winners) > 1:
        rows = [
            f"{each.amount} {each.currency} per {each.per} ({each.source}{f', {each.row}' if each.row else ''})"
            for each in winners
        ]
        what = f"{len(winners)} {first.kind} prices of {first.system} from {first.valid_from}"
        raise Competing("price", f"{what}; choose by books, or give one (set={first.system}.price:AMOUNT)", rows)
    if first.amount is None:
        reason = f"the source gives a range, {first.low} to {first.high} {first.currency}: give a price"
        return ChosenPrice(None, (first, *competing), reason)
    return ChosenPrice(first, competing, "")


def _no_price(catalogue: Catalogue, wanted: Offer) -> str:
    """Why there is none: nothing at all, or not of that kind, in that region, for that few, or on that day."""
    system, day = wanted.system, wanted.as_of
    whole = [each for each in catalogue.prices.get(system, ()) if is_whole(each, catalogue.systems[system])]
    held = [each for book in catalogue.books for each in book.prices.page({"system": system}, 0, MOST_LOOKED_AT)]
    prices = [*held, *whole]
    kinds = " or ".join(wanted.kinds)
    if not prices:
        return f"the catalogue has no price of {system}"
    bare = [each for each in held if not is_whole(each, catalogue.systems[system]) and each.kind in wanted.kinds]
    if bare and len(bare) == len([each for each in prices if each.kind in wanted.kinds]):
        return f"the prices of {system} are without its host ({bare[0].row}): give a price with it"
    of_kind = [each for each in prices if each.kind in wanted.kinds]
    if regions := sorted({each.region for each in of_kind if each.region and each.region != wanted.region}):
        return f"{system} is priced by region: give region, one of {', '.join(regions[:MOST_NAMED])}"
    if tiers := sorted({each.minimum_quantity for each in of_kind if each.minimum_quantity > wanted.quantity}):
        return f"{system} is priced from {tiers[0]} systems on, and the quantity is {wanted.quantity}: give quantity"
    rented = sorted({f"{each.kind} is per {each.every}" for each in of_kind if each.every != "once"})
    if rented and not wanted.rented:
        return f"a system that is owned is paid once, and {', '.join(rented)}: give a price"
    others = sorted({f"{each.kind} ({each.every}, {_validity(each)})" for each in prices})
    return f"the catalogue has no {kinds} price of {system} on {day}; it has {', '.join(others[:MOST_NAMED])}"


def _validity(price: Price) -> str:
    return f"from {price.valid_from}" + (f" until {price.valid_to}" if price.valid_to else "")


def choose_result(catalogue: Catalogue, system: System, count: int, wanted: Wanted) -> ChosenResult:
    """The result of exactly `count` of the system under the rules wanted; one named by its id, whatever its round.

    The first book that has one wins over the facts; then the vendor's own submission, of one submitter's several the
    fastest. Results of different other submitters raise Competing.
    """
    rows = catalogue.measured.get((wanted.benchmark, wanted.round, wanted.division), [])
    of_system = [each for each in rows if each.system == system.id]
    fits = [each for each in of_system if each.units == count]
    if wanted.result:
        fits = _named(catalogue, (system.id, count), wanted, fits)
    if wanted.submitter:
        fits = by_submitter(catalogue, fits, wanted.submitter)
    if not fits:
        unscored = _unscored(catalogue, (system.id, count), wanted)
        return ChosenResult(None, (), unscored or _no_result(system, count, wanted, of_system))
    if len(fits) == 1:
        return ChosenResult(fits[0], (), "")
    ours = _preferred(_of_first_book(catalogue, fits), system, catalogue.submitters)
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


def _of_first_book(catalogue: Catalogue, fits: list[BenchmarkResult]) -> list[BenchmarkResult]:
    """The results of the first book that has any; the facts are the last."""
    held = [[each for each in fits if each.book == book.name] for book in catalogue.books]
    return next((own for own in held if own), fits)


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


def _unscored(catalogue: Catalogue, side: tuple[str, int], wanted: Wanted) -> str | None:
    """Why a result that there is has no time; None where there is none at all."""
    rules = (wanted.benchmark, wanted.round, wanted.division)
    for each in catalogue.results:
        if (each.system, each.units) == side and (each.benchmark, each.row.round, each.row.division) == rules:
            return f"{each.id} has no official time: {why}" if (why := why_unscored(each)) else None
    return None


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
