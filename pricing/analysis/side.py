"""One side of a question: its numbers, where each is from, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pricing.analysis.estimates import Estimate, estimate_linear
from pricing.analysis.question import Choice, Question
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.resolution import (
    ChosenPrice,
    ChosenResult,
    Wanted,
    amount_per_system,
    choose_price,
    choose_result,
)
from pricing.graph import Gaps, Graph, Values
from pricing.units_of_money import currency_of
from schemas.price import Price
from schemas.system import PodHosts, System

JOULES_PER_KWH = 3.6e6
MINUTES_PER_HOUR = 60.0
Origin = Mapping[str, Any]
NO_RESULT = ChosenResult(None, (), "")
NO_PRICE = ChosenPrice(None, (), "")


@dataclass(slots=True)
class Side:
    """A system, or several as one cluster. `known` are its numbers before the graph was walked."""

    choice: Choice
    system: System | None
    values: Values = field(default_factory=dict)
    gaps: Gaps = field(default_factory=dict)
    provenance: dict[str, Origin] = field(default_factory=dict)
    result: ChosenResult = NO_RESULT
    price: ChosenPrice = NO_PRICE
    estimate: Estimate | None = None
    pod: PodHosts | None = None
    power_basis: str | None = None
    known: Values = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the side is called in an answer: 2*dgx-a100-640gb for a cluster of two."""
        count = self.choice.count
        return f"{count}*{self.choice.system}" if count > 1 else self.choice.system

    def put(self, name: str, value: float, origin: Origin) -> None:
        """Set a number with its origin, unless the caller gave it."""
        if name not in self.values:
            self.values[name] = value
            self.provenance[name] = origin
            self.gaps.pop(name, None)

    def walk(self, graph: Graph, targets: Sequence[str]) -> None:
        """Add what the graph computes from what is known."""
        self.known = dict(self.values)
        graph.evaluate(self.values, self.gaps, targets)

    def miss(self, name: str, reason: str) -> None:
        """Say why a number is missing, unless the caller gave it."""
        if name not in self.values:
            self.gaps[name] = reason


def gather(catalogue: Catalogue, question: Question, choice: Choice) -> Side:
    """Put together what is known of one side: the caller's own first, then what the catalogue holds."""
    system = None if choice.brought else catalogue.system(choice.system)
    side = Side(choice, system)
    for name, value in (*choice.given.items(), *question.assumptions.items()):
        side.put(name, value, GIVEN)
    side.put("system_count", float(choice.count), GIVEN)
    if system is None:
        for name in ("time_to_train_minutes", "price", "rack_units", "accelerators", "hosts", "max_power_kw"):
            side.miss(name, f"{choice.system} is not in the catalogue and no {name} was given")
        side.power_basis = "given" if "busy_power_kw" in side.values else "maximum"
    else:
        side.pod = catalogue.pods.get((system.id, question.benchmark or ""))
        _add_result(side, system, catalogue, question)
        _add_price(side, system, catalogue, question)
        _add_system(side, system)
        _add_power(side, system)
    _add_assumptions(side, catalogue, question)
    return side


GIVEN: Origin = {"status": "given"}


def _add_result(side: Side, system: System, catalogue: Catalogue, question: Question) -> None:
    if question.benchmark is None:
        side.miss("time_to_train_minutes", "no benchmark was asked")
        return
    if "time_to_train_minutes" in side.values:
        return
    wishes = side.choice.wishes
    wanted = Wanted(
        question.benchmark,
        wishes.get("round") or question.round or "",
        wishes.get("division") or question.division,
        wishes.get("submitter") or question.submitter,
        wishes.get("result") or question.result,
    )
    side.result = choose_result(catalogue, system, side.choice.count, wanted)
    result = side.result.result
    if result is None or result.time_to_train_minutes is None:
        side.miss("time_to_train_minutes", side.result.reason)
        return
    status = "measured" if result.row.division in ("closed", "open") else "listed"
    source = f"MLPerf Training {result.row.round}, {result.row.submitter}: {result.row.results_dir}"
    origin = {"status": status, "source": source if status == "measured" else result.row.results_dir}
    side.put("time_to_train_minutes", result.time_to_train_minutes, {**origin, "result": result.id})


def _add_price(side: Side, system: System, catalogue: Catalogue, question: Question) -> None:
    if "price" in side.values or "list_cost" in side.values:
        side.miss("price", "list_cost was given")
        return
    kind = side.choice.wishes.get("price_kind")
    kinds = (kind,) if kind else question.price_kinds
    side.price = choose_price(catalogue, system.id, kinds, question.as_of, question.currency)
    if side.price.price:
        amount = amount_per_system(side.price.price, system)
        side.put("price", float(amount), price_origin(side.price.price, "listed"))
        return
    if question.estimate == "linear" and (estimate := estimate_linear(catalogue, system, question)):
        side.estimate = estimate
        origin = price_origin(estimate.price, "estimated")
        side.put("price", float(estimate.amount), {**origin, "rule": estimate.rule})
        return
    side.miss("price", side.price.reason)


def price_origin(price: Price, status: str) -> Origin:
    """Where a price is from, as the answer shows it."""
    return {
        "status": status,
        "kind": price.kind,
        "source": price.source,
        "url": price.url,
        "valid_from": price.valid_from.isoformat(),
        "about": price.about,
    }


def _add_system(side: Side, system: System) -> None:
    """Add the facts of a system; a pod has those that vary with the workload in its own table."""
    listed: Origin = {"status": "listed", "source": system.sources}
    if system.accelerators:
        side.put("accelerators", float(system.accelerators), listed)
    side.miss("accelerators", f"{system.id} has no accelerators")
    side.miss("machines", f"{system.id} is not sold as machines of accelerators, or its count is not known")
    pod = side.pod
    if pod:
        published = pod.rack_units_status.startswith("published")
        origin = {"status": "listed" if published else "derived", "source": pod.source}
        side.put("rack_units", pod.rack_units, origin)
        side.put("hosts", float(pod.hosts), {"status": "derived", "source": pod.source})
        side.put("machines", float(pod.ipu_machines), {"status": "listed", "source": pod.source})
        return
    if system.rack_units is not None:
        side.put("rack_units", system.rack_units, listed)
    side.miss("rack_units", _unknown("rack units", system))
    side.put("hosts", float(system.hosts), listed)


def _add_power(side: Side, system: System) -> None:
    """Add power on the best basis there is: measured, else typical, else the rated maximum."""
    listed: Origin = {"status": "listed", "source": system.sources}
    if system.max_power_kw is not None:
        side.put("max_power_kw", system.max_power_kw, listed)
    if "max_power_kw" in side.values:
        side.put("rated_power_kw", side.values["max_power_kw"], side.provenance["max_power_kw"])
    side.miss("max_power_kw", _unknown("maximum power", system))
    if "busy_power_kw" in side.values:
        side.power_basis = "given"
    elif (measured := _measured_power(side)) is not None:
        side.power_basis = "measured"
        side.put("busy_power_kw", measured, {**side.provenance["time_to_train_minutes"], "basis": "measured"})
    elif side.pod:
        side.power_basis = "typical"
        origin = {"status": side.pod.power_status, "source": side.pod.source, "basis": "typical"}
        side.put("busy_power_kw", side.pod.typical_power_kw, origin)
    elif system.typical_power_kw is not None:
        side.power_basis = "typical"
        side.put("busy_power_kw", system.typical_power_kw, {**listed, "basis": "typical"})
    elif "max_power_kw" in side.values:
        side.power_basis = "maximum"


def _measured_power(side: Side) -> float | None:
    """Mean power of one system in the measured run [kW]: energy over time over systems."""
    result = side.result.result
    if result is None or not result.row.energy_j or not result.time_to_train_minutes:
        return None
    hours = result.time_to_train_minutes / MINUTES_PER_HOUR
    return result.row.energy_j / JOULES_PER_KWH / hours / side.choice.count


def _unknown(what: str, system: System) -> str:
    return f"the catalogue has no {what} of {system.id}"


def _add_assumptions(side: Side, catalogue: Catalogue, question: Question) -> None:
    """Fill in the preset; what it holds in another currency stays a gap."""
    values, origins, foreign = preset_values(catalogue, question.preset, question.currency)
    for name, value in values.items():
        if name not in side.values:
            side.values[name] = value
            side.provenance[name] = origins[name]
    for name, reason in foreign.items():
        side.miss(name, reason)


Filled = tuple[Values, dict[str, Origin], Gaps]
_FILLED: dict[tuple[str, str, str], Filled] = {}


def preset_values(catalogue: Catalogue, preset: str, currency: str) -> Filled:
    """The preset's values, their origins, and the reasons for those that are in another currency."""
    key = (catalogue.version, preset, currency)
    if key not in _FILLED:
        values: Values = {}
        origins: dict[str, Origin] = {}
        foreign: Gaps = {}
        for name, each in catalogue.preset(preset).items():
            money = currency_of(each.unit)
            if money and money != currency:
                foreign[name] = f"preset {preset} has it in {each.unit}; give it in {currency}"
                continue
            values[name] = each.value
            basis = {"basis": each.status, "setting": each.setting, "year": each.year}
            source = {"source": each.source_title, "url": each.source_url}
            origins[name] = {"status": "assumed", **basis, **source}
        _FILLED[key] = (values, origins, foreign)
    return _FILLED[key]
