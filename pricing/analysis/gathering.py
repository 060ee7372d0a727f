"""Putting together what is known of a side: the caller's own first, then what the catalogue holds."""

from collections.abc import Sequence
from functools import lru_cache

from pricing.analysis.circumstances import add_circumstances
from pricing.analysis.converting import Exchange, convert, exchanging
from pricing.analysis.priced import add_price
from pricing.analysis.question import Choice, Question
from pricing.analysis.side import GIVEN, Origin, Side
from pricing.analysis.timing import add_result, add_time_from_others
from pricing.analysis.training import add_estimated_time
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.exchange import NoRate, Rate
from pricing.graph import Gaps, Values
from pricing.money import currency_of
from pricing.quantities.energy import measured_power_kw
from pricing.quantities.inputs import BY_NAME, INPUTS
from pricing.symbols import write
from schemas.assumption import Assumption
from schemas.system import PodHosts, System

JOULES_PER_KWH = 3.6e6
MEASURED_POWER = write(measured_power_kw, ("run_energy_kwh", "time_to_train_minutes", "system_count")).text
FACTS = tuple(each.name for each in INPUTS if each.origin in ("result", "price", "system"))


def gather(catalogue: Catalogue, question: Question, choice: Choice) -> Side:
    """Put together what is known of one side before anything is computed."""
    system = None if choice.brought else catalogue.system(choice.system)
    side = Side(choice, system, choice.name)
    for name, value in (*choice.given.items(), *question.assumptions.items()):
        side.put(name, value, GIVEN)
    side.put("system_count", float(choice.count), GIVEN)
    if question.training is None:
        side.miss("flop_per_parameter_token", "no parameters and tokens were asked")
    add_time_from_others(side, system)
    side.gaps.update(_all_missing(choice.system if system is None else None))
    exchange = exchanging(catalogue, question, side.values)
    if system:
        side.pod = catalogue.pods.get((system.id, question.benchmark or ""))
        add_result(side, system, catalogue, question)
        add_price(side, system, catalogue, (question, exchange))
        _add_system(side, system, catalogue.pods_of.get(system.id, []))
    add_estimated_time(side, catalogue, question)
    _add_power(side)
    add_circumstances(side, catalogue, question)
    _add_assumptions(side, preset_values(catalogue, question.preset, exchange))
    return side


@lru_cache(maxsize=256)
def _all_missing(brought: str | None) -> Gaps:
    """Why each fact is missing before anything is known; what is found later ends its gap."""
    held = f"{brought} is not in the catalogue and" if brought else "the catalogue has none and"
    return {name: f"{held} no {name} was given" for name in FACTS}


def _add_system(side: Side, system: System, pods: Sequence[PodHosts]) -> None:
    """Add the facts of a system; a pod has those that vary with the workload in its own table, a row for each."""
    listed: Origin = {"status": "listed", "source": system.sources}
    if system.accelerators:
        side.put("accelerators", float(system.accelerators), listed)
    side.miss("accelerators", f"{system.id} has no accelerators")
    if system.max_power_kw is not None:
        side.put("max_power_kw", system.max_power_kw, listed)
    side.miss("max_power_kw", _unknown("maximum power", system))
    for pod in (
        [side.pod or pods[0]] if pods else []
    ):  # the machines are the same for every workload; `traincost check` sees to it
        side.put("machines", float(pod.ipu_machines), {"status": "listed", "source": pod.source})
    side.miss("machines", f"{system.id} is not sold as machines of accelerators, or its count is not known")
    if side.pod:
        pod = side.pod
        published = pod.rack_units_status.startswith("published")
        origin = {"status": "listed" if published else "derived", "source": pod.source}
        side.put("rack_units", pod.rack_units, origin)
        side.put("hosts", float(pod.hosts), {"status": "derived", "source": pod.source})
        return
    if system.rack_units is not None:
        side.put("rack_units", system.rack_units, listed)
    by_workload = ", ".join(f"{pod.benchmark} {pod.rack_units:g}" for pod in pods)
    varies = f"rack units of {system.id} depend on the benchmark: {by_workload}"
    side.miss("rack_units", varies if pods else _unknown("rack units", system))
    side.put("hosts", float(system.hosts), listed)


def _unknown(what: str, system: System) -> str:
    return f"the catalogue has no {what} of {system.id}"


def _add_power(side: Side) -> None:
    """Add power on the best basis there is: given, else measured, else typical, else the rated maximum."""
    side.miss("run_energy_kwh", "the energy of this run was not measured")
    if "max_power_kw" in side.values:
        side.put("rated_power_kw", side.values["max_power_kw"], side.provenance["max_power_kw"])
    if "cluster_busy_power_kw" in side.values:
        each = side.values["cluster_busy_power_kw"] / side.values["system_count"]
        side.put("busy_power_kw", each, {"status": "derived", "formula": "cluster_busy_power_kw / system_count"})
    if "busy_power_kw" in side.values:
        side.power_basis = "given"
    elif (best := _measured_power(side) or _typical_power(side)) is not None:
        value, origin = best
        side.put("busy_power_kw", value, origin)
        side.power_basis = str(origin["basis"])
    elif "max_power_kw" in side.values:
        side.power_basis = "maximum"


def _measured_power(side: Side) -> tuple[float, Origin] | None:
    """Mean power of one system in the run whose energy was measured, or given [kW]."""
    if "measured_power_kw" in side.values:
        return side.values["measured_power_kw"], {**GIVEN, "basis": "given"}
    result = side.result.result
    if result and result.row.energy_j:
        told = side.provenance["time_to_train_minutes"]
        origin = {name: text for name, text in told.items() if name not in ("low", "high")}
        side.put("run_energy_kwh", result.row.energy_j / JOULES_PER_KWH, origin)
    needed = ("run_energy_kwh", "time_to_train_minutes", "system_count")
    if not side.values.keys() >= set(needed):
        return None
    energy = side.provenance["run_energy_kwh"]
    origin = {"status": "derived", "basis": "given"} if energy is GIVEN else {**energy, "basis": "measured"}
    return measured_power_kw(*(side.values[name] for name in needed)), {**origin, "formula": MEASURED_POWER}


def _typical_power(side: Side) -> tuple[float, Origin] | None:
    """The typical figure of a pod for its workload, or of the system [kW]."""
    if side.pod:
        origin = {"status": side.pod.power_status, "source": side.pod.source, "basis": "typical"}
        return side.pod.typical_power_kw, origin
    if side.system and side.system.typical_power_kw is not None:
        return side.system.typical_power_kw, {"status": "listed", "source": side.system.sources, "basis": "typical"}
    return None


def _add_assumptions(side: Side, filled: "Filled") -> None:
    """Fill in the preset; what it lacks, or cannot be converted, stays a gap."""
    side.rates.update(filled.rates)
    side.values = filled.values | side.values
    side.provenance = filled.origins | side.provenance
    side.gaps = {name: reason for name, reason in (filled.gaps | side.gaps).items() if name not in side.values}


class Filled:
    """What a preset fills in: values with their origins, and why others stay open."""

    def __init__(self, catalogue: Catalogue, preset: str, exchange: Exchange) -> None:
        self.values: Values = {}
        self.origins: dict[str, Origin] = {}
        self.gaps: Gaps = {}
        self.rates: set[Rate] = set()
        held = catalogue.preset(preset)
        for name, each in held.items():
            try:
                self._fill(name, each, exchange)
            except NoRate as error:
                self.gaps[name] = f"preset {preset} has {name} in {each.unit}: {error}"
        for known in INPUTS:
            if known.origin == "assumption" and known.name not in held:
                self.gaps[known.name] = f"preset {preset} has no {known.name}: give it"

    def _fill(self, name: str, each: Assumption, exchange: Exchange) -> None:
        """Take a value over, in the currency asked."""
        basis = {"basis": each.status, "setting": each.setting, "year": each.year}
        origin = {"status": "assumed", **basis, "source": each.source_title, "url": each.source_url}
        value = each.value
        if (money := currency_of(each.unit)) and name in BY_NAME:
            converted = convert(value, money, exchange)
            value, origin = converted.amount, {**origin, **converted.origin}
            if converted.rate:
                self.rates.add(converted.rate)
        self.values[name], self.origins[name] = value, origin


@lru_cache(maxsize=256)
def preset_values(catalogue: Catalogue, preset: str, exchange: Exchange) -> Filled:
    """What a preset fills in under a currency; made once for each catalogue."""
    return Filled(catalogue, preset, exchange)
