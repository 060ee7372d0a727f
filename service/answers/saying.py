"""What answers say to people beside their numbers."""

from functools import cache

from pricing.analysis.compare import Comparison
from pricing.analysis.side import Side
from pricing.analysis.training import billions
from pricing.catalogue.results import NOT_MLPERF
from pricing.graph import graph
from pricing.registry import choices
from service.answers.answer import About
from service.answers.documents import explanation, not_counted
from service.answers.words import label, number

TIME = "time_to_train_minutes"
FOR_PEOPLE = (
    "list_cost", "rental_price_per_hour", "cluster_rack_units", "time_to_train_minutes", "performance",
    "performance_per_dollar", "performance_per_rack_unit", "cluster_busy_power_kw", "performance_per_kw",
    "energy_per_run_kwh",
    "tco_undiscounted", "tco_present_value", "tco_equivalent_annual", "cost_per_useful_accelerator_hour",
    "cost_per_run", "carbon_per_run_kg",
)  # fmt: skip
WHERE_THERE = ("rental_price_per_hour", "carbon_per_run_kg")
"""Shown only where a side has it: nobody misses it elsewhere."""


def shown(side: Side, name: str) -> float | None:
    """A number for people, marked where its source says about."""
    value = side.values.get(name)
    source = "price" if name == "list_cost" and name not in side.provenance else name
    about = side.provenance.get(source, {}).get("about") or (name in above_time() and has_estimated_time(side))
    return About(value) if about and value is not None else value


def has_estimated_time(side: Side) -> bool:
    """Whether nobody measured the side's time, so that all that follows from it is about."""
    return side.status("time_to_train_minutes") == "estimated"


@cache
def above_time() -> frozenset[str]:
    """The time, and the quantities that change with it."""
    bases = tuple((choice, options[0]) for choice, options in choices().items())
    return graph(bases).above(TIME) | {TIME}


def called(side: Side) -> str:
    """A side by the full name of its system."""
    name = side.system.name if side.system else side.choice.system
    paid = f", {label(side.choice.model)}" if side.choice.model else ""
    return f"{side.choice.count} × {name}{paid}" if side.choice.count > 1 else f"{name}{paid}"


def workload(each: Comparison) -> str:
    """The benchmark, round and division in one line."""
    asked = each.question
    if training := asked.training:
        model = f"{billions(training.parameters)} parameters on {billions(training.tokens)} tokens"
        return f"{model} in {training.precision}, estimated"
    if asked.benchmark is None:
        return "no benchmark: times and costs per run are left out"
    round_ = each.rules.round
    if round_ is None:
        return f"{asked.benchmark}, no MLPerf result used"
    version = each.catalogue.benchmark(asked.benchmark, round_.partition(", ")[0])
    if round_ == NOT_MLPERF:
        return f"{asked.benchmark}, not an MLPerf benchmark"
    model = f" ({version.model})" if version else ""
    official = any(side.ruling and side.ruling.kind == "mlperf" for side in each.sides)
    suite = "MLPerf Training" if official else "unverified, rules of MLPerf Training"
    return f"{asked.benchmark}{model}, {suite} {round_}, {each.rules.division} division"


def told(each: Comparison, side: Side, names: tuple[str, ...]) -> list[str]:
    """The side's sums for people, a line each."""
    return [
        f"{side.name}: {step['name']} = {step['formula']} = {number(step['value'])} {step['unit']}"
        for step in explanation(each, side, names)
    ]


def notes_of(each: Comparison, names: tuple[str, ...] = ()) -> list[str]:
    """What must be said below a table: gaps, caveats, notices, what is left out, and the version.

    Gaps are those of what people see, and of more names.
    """
    missed = tuple(name for name in dict.fromkeys((*names, *FOR_PEOPLE)) if name not in WHERE_THERE)
    gaps = [note for side in each.sides for note in _gaps(side, each.question.targets or missed)]
    firm = [f"{caveat.severity}: {caveat.detail}" for caveat in each.caveats]
    left_out = ", ".join(not_counted(each))
    close = [f"not counted: {left_out}" if left_out else "", f"catalogue {each.catalogue.version}"]
    return [note for note in (*gaps, *firm, *each.notices, *close) if note]


def _gaps(side: Side, names: tuple[str, ...]) -> list[str]:
    """What is missing of a side, each reason once."""
    reasons: dict[str, list[str]] = {}
    for name in names:
        if name in side.gaps and name not in side.values:
            reasons.setdefault(side.gaps[name], []).append(label(name))
    return [f"missing for {side.name}: {', '.join(labels)}; {reason}" for reason, labels in reasons.items()]
