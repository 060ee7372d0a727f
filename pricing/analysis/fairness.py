"""Is it fair to set these sides beside each other? Each check reads the answer's own data."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from pricing.analysis.fairness_of_assumptions import EMBODIED, embodied_of_another, mostly_assumed, rent_of_another
from pricing.analysis.fairness_of_times import doubts, estimated_times, given_times, overlapping, unverified
from pricing.analysis.rounding import rounding_boundaries
from pricing.analysis.scene import Scene
from pricing.analysis.side import Side
from pricing.analysis.wording import few
from pricing.catalogue.exchange import FRESH_DAYS, source
from pricing.catalogue.resolution import submitters_vendor
from pricing.graph import Bases, graph
from pricing.money import money
from schemas.benchmark_result import BenchmarkResult
from schemas.caveat import Caveat, Severity
from schemas.price import Price

Check = Callable[[Scene], Iterator[Caveat]]
TWO = 2  # from so many sides on they may be unlike
NEARLY_ONE = 1 + 1e-9  # a maximum inferred from the mean may be off by a rounding
OF_NO_VENDOR = ("unspecified", "OEM")


def _unlike(code: str, severity: Severity, values: Mapping[str, str], what: str) -> Iterator[Caveat]:
    """One caveat when the sides do not all have the same."""
    if len(set(values.values())) > 1:
        groups: dict[str, list[str]] = {}
        for side, value in values.items():
            groups.setdefault(value, []).append(side)
        listed = "; ".join(f"{value} ({few(sides)})" for value, sides in groups.items())
        yield Caveat(code, tuple(values), severity, f"{what}: {listed}.")


def _rules(scene: Scene) -> Iterator[Caveat]:
    results = scene.ruled()
    if len(results) < TWO:
        return
    divisions = {side.name: result.row.division or "none" for side, result in results}
    yield from _unlike("unlike_division", "serious", divisions, "Divisions differ and do not compare")
    rounds = {side.name: result.row.round for side, result in results}
    yield from _unlike("unlike_round", "caution", rounds, "Results are from different rounds")
    groups = {side.name: result.version_group for side, result in results}
    yield from _unlike(
        "unlike_benchmark_version", "serious", groups, "The benchmark's rules differ, so times do not compare"
    )
    tables = {side.name: str(_group(scene, result)) for side, result in results}
    if (len(set(tables.values())) > 1) != (len(set(groups.values())) > 1):
        detail = (
            "The rules and logs, and MLCommons' compatibility table, do not agree on whether these rounds "
            f"compare: version groups {', '.join(sorted(set(groups.values())))}; MLCommons' groups "
            f"{', '.join(sorted(set(tables.values())))}."
        )
        yield Caveat("comparability_disputed", tuple(groups), "caution", detail)


def _group(scene: Scene, result: BenchmarkResult) -> int | None:
    return scene.catalogue.mlcommons_group(result.benchmark, result.row.round)


def _who(scene: Scene) -> Iterator[Caveat]:
    """Who measured what: availability, submitter, size of the machine."""
    results = scene.results()
    if len(scene.sides) >= TWO:
        yield from _unlike_who(scene, results)
    for side, result in results:
        if result.availability in ("preview", "research"):
            detail = f"{side.name} was submitted as {result.availability}: it could not be bought at that time."
            yield Caveat("not_available", (side.name,), "caution", detail)


def _unlike_who(scene: Scene, results: list[tuple[Side, BenchmarkResult]]) -> Iterator[Caveat]:
    available = {side.name: result.availability for side, result in results}
    yield from _unlike("unlike_availability", "caution", available, "Availability differs")
    kinds = {side.name: _submitter_kind(scene, side, result) for side, result in results}
    yield from _unlike("unlike_submitter_kind", "info", kinds, "Results are by different kinds of submitter")
    sizes = {
        side.name: f"{side.values['cluster_accelerators']:g}"
        for side in scene.sides
        if "cluster_accelerators" in side.values
    }
    yield from _unlike("unlike_accelerator_count", "info", sizes, "Numbers of accelerators differ")


def _submitter_kind(scene: Scene, side: Side, result: BenchmarkResult) -> str:
    vendor = side.system.vendor if side.system else None
    own = vendor and submitters_vendor(result, scene.catalogue.submitters) == vendor
    return "the system's vendor" if own else "another submitter"


def _prices(scene: Scene) -> Iterator[Caveat]:
    """Prices of unlike kind, scope or date, and prices that are not firm."""
    prices = scene.prices()
    if len(prices) >= TWO:
        yield from _unlike_prices(prices)
    for side, price in prices:
        yield from _price(scene, side, price)
    yield from _old(scene, prices)
    for side in scene.sides:
        if side.estimate and "price" in side.values:
            detail = f"The price of {side.name} is estimated, {side.estimate.rule}."
            yield Caveat("estimated_price", (side.name,), "serious", detail)
        if side.price_row and side.system and side.system.vendor in OF_NO_VENDOR:
            detail = (
                f"{side.name} stands for servers of several makers; its price and its time may be of different ones."
            )
            yield Caveat("generic_system", (side.name,), "caution", detail)


def _unlike_prices(prices: list[tuple[Side, Price]]) -> Iterator[Caveat]:
    """Prices of unlike kind, scope, tax or date."""
    kinds = {side.name: price.kind for side, price in prices}
    yield from _unlike("unlike_price_kind", "caution", kinds, "Kinds of price differ")
    scopes = {side.name: _scope(price) for side, price in prices}
    yield from _unlike("unlike_price_scope", "caution", scopes, "Prices include different things")
    if any(price.tax_scope == "included" for _, price in prices):
        taxes = {side.name: f"tax {price.tax_scope or 'not said'}" for side, price in prices}
        yield from _unlike("unlike_tax_scope", "caution", taxes, "Prices are with and without tax")
    dates = {side.name: price.valid_from.isoformat() for side, price in prices}
    yield from _unlike("unlike_price_date", "info", dates, "Prices were seen on different days")


def _old(scene: Scene, prices: list[tuple[Side, Price]]) -> Iterator[Caveat]:
    """One caveat for all prices that were seen long ago."""
    old = {}
    for side, price in prices:
        age = (scene.question.as_of - (price.observed_until or price.valid_from)).days
        if age > side.values.get("price_freshness_days", float("inf")):
            whose = price.system if side.estimate else side.name
            old[side.name] = f"{whose} on {price.observed_until or price.valid_from} ({age} days ago)"
    if old:
        detail = f"Prices are old; they were seen for {few(list(dict.fromkeys(old.values())))}."
        yield Caveat("old_price", tuple(old), "caution", detail)


def _price(scene: Scene, side: Side, price: Price) -> Iterator[Caveat]:
    amount = money(side.amount or 0.0, scene.question.currency)
    if price.about or price.low is not None:
        whose = f"{price.system}, from which that of {side.name} is estimated," if side.estimate else side.name
        its_own = price.currency == scene.question.currency and not side.estimate
        said = amount if its_own else f"{price.amount or price.low:,} {price.currency} per {price.per}"
        detail = f"The source of the price of {whose} says about {said} ({price.source})."
        yield Caveat("approximate_price", (side.name,), "caution", detail)
    if side.choice.count > 1 and not side.choice.rented:
        share = side.values.get("network_cost_share", 0.0)
        apart = (
            f"the network between them is counted apart, as {share:g} of the whole cluster"
            if share
            else "no network between them is counted"
        )
        detail = f"{side.name}: {side.choice.count} times {amount}; {apart}."
        yield Caveat("cluster_without_network", (side.name,), "caution", detail)


def _rates(scene: Scene) -> Iterator[Caveat]:
    """The exchange rates that were used, and those that are old."""
    on = scene.question.exchange_date or scene.question.as_of
    rates = sorted({each for side in scene.sides for each in side.rates})
    names = tuple(side.name for side in scene.sides if side.rates)
    if rates:
        listed = "; ".join(f"1 {each.base} = {each.rate:.6g} {each.target} on {each.day}" for each in rates)
        yield Caveat("converted_currency", names, "info", f"Amounts are converted: {listed} ({source()}).")
    if old := [each for each in rates if each.age_days(on) > FRESH_DAYS]:
        ages = "; ".join(
            f"{each.base} in {each.target} of {each.day} ({each.age_days(on)} days before)" for each in old
        )
        yield Caveat("stale_rate", names, "caution", f"No exchange rate of {on} is held; used are the last: {ages}.")


def _scope(price: Price) -> str:
    if price.includes is None:
        return "what the source does not say"
    return " and ".join(price.includes) if price.includes else "the bare system"


def _power(scene: Scene) -> Iterator[Caveat]:
    bases = {side.name: side.power_basis for side in scene.sides if side.power_basis}
    words = {"maximum": "rated maximum × load factor", "typical": "a typical figure", "measured": "measured"}
    shown = {side: words.get(basis, basis) for side, basis in bases.items()}
    yield from _unlike("unlike_power_basis", "caution", shown, "Power has unlike bases")

    for side in scene.sides:
        busy = side.values.get("busy_power_kw", 0.0)
        rated = min(side.values.get(name, math.inf) for name in ("rated_power_kw", "max_power_kw"))
        if busy > rated * NEARLY_ONE:
            detail = f"The mean power of {side.name}, {busy:g} kW, is above its maximum, {rated:g} kW."
            yield Caveat("power_above_maximum", (side.name,), "serious", detail)


def _space(scene: Scene) -> Iterator[Caveat]:
    for side in scene.sides:
        if (
            side.pod
            and side.pod.rack_units_with_switches
            and not {"rack_units", "cluster_rack_units"} & side.choice.given.keys()
        ):
            detail = (
                f"Rack units of {side.name} are without switches; with an assumed 1U each they are "
                f"{side.pod.rack_units_with_switches:g}."
            )
            yield Caveat("rack_units_without_switches", (side.name,), "caution", detail)


def _given(scene: Scene) -> Iterator[Caveat]:
    """Every number that the caller gave, so that no shape of an answer hides it."""
    if scene.question.assumptions:
        listed = ", ".join(f"{name} {value:g}" for name, value in scene.question.assumptions.items())
        yield Caveat("given_figures", tuple(side.name for side in scene.sides), "info", f"Given for all: {listed}.")
    for side in scene.sides:
        if side.choice.given:
            listed = ", ".join(f"{name} {value:,.10g}" for name, value in side.choice.given.items())
            yield Caveat("given_figures", (side.name,), "info", f"Given for {side.name}: {listed}.")


def _boundaries(scene: Scene) -> Iterator[Caveat]:
    if len(scene.sides) > 1:
        yield from rounding_boundaries(scene.question, scene.sides, scene.baseline)


TIME = ("time_to_train_minutes",)
PRICE = ("price", "rental_price_per_hour")
POWER = ("max_power_kw",)
SPACE = ("rack_units",)
OF_MANY: tuple[tuple[Check, tuple[str, ...]], ...] = (
    (_rules, TIME),
    (_who, TIME),
    (given_times, TIME),
    (estimated_times, TIME),
    (overlapping, TIME),
    (doubts, TIME),
    (_prices, PRICE),
    (_rates, ()),
    (unverified, TIME),
    (_power, POWER),
    (_space, SPACE),
    (embodied_of_another, (EMBODIED,)),
    (rent_of_another, ("rental_price_per_hour",)),
    (mostly_assumed, ("service_life_years",)),
    (_given, ()),
)
CHECKS = (*OF_MANY, (_boundaries, PRICE))
"""Each check with the inputs it speaks of: a figure that needs none of them has no such caveat."""


@cache
def _needed(bases: Bases, asked: tuple[str, ...]) -> frozenset[str]:
    return graph(bases).needs(asked) | set(asked)


def caveats(scene: Scene, checks: Sequence[tuple[Check, tuple[str, ...]]] = CHECKS) -> list[Caveat]:
    """All caveats of an answer, the serious ones first."""
    asked = scene.question.targets
    needed = {name for side in scene.sides for name in _needed(side.choice.bases, asked)} if asked else None
    found = [
        caveat
        for check, inputs in checks
        if needed is None or not inputs or not needed.isdisjoint(inputs)
        for caveat in check(scene)
    ]
    return sorted(found, key=lambda caveat: ("serious", "caution", "info").index(caveat.severity))
