"""A comparison as an answer."""

from collections.abc import Iterator
from typing import Any

from pricing.analysis.compare import Comparison
from pricing.analysis.side import Origin, Side
from pricing.explain import steps
from pricing.graph import graph, unit_of
from pricing.quantities.inputs import BY_NAME
from schemas.benchmark_result import BenchmarkResult
from schemas.caveat import Caveat
from schemas.price import Price
from service.answers.answer import About, Block, Line, Page, Records
from service.answers.words import label

FOR_PEOPLE = (
    "list_cost", "cluster_rack_units", "time_to_train_minutes", "performance", "performance_per_dollar",
    "performance_per_rack_unit", "cluster_busy_power_kw", "performance_per_kw", "energy_per_run_kwh",
    "tco_undiscounted", "tco_present_value", "tco_equivalent_annual", "cost_per_useful_accelerator_hour",
    "cost_per_run",
)  # fmt: skip
SIDES_IN_A_BLOCK = 3
EXACT = 2.0**53
UNCERTAINTY = {"about_price_spread_share", "price_freshness_days"}


class CompareAnswer:
    """A comparison in every shape. With `explain` each side's sums are in the document, term by term."""

    def __init__(self, comparison: Comparison, *, explain: bool = False) -> None:
        self.comparison = comparison
        self.explain = explain
        self.names = comparison.shown()

    def document(self) -> dict[str, Any]:
        """The comparison as JSON holds it."""
        each = self.comparison
        return {
            **heading(each),
            "baseline": each.baseline.name,
            "systems": [self._side(side, dict(ratio)) for side, ratio in zip(each.sides, each.relative, strict=True)],
            **footing(each, self.names),
        }

    def _side(self, side: Side, relative: dict[str, float]) -> dict[str, Any]:
        found: dict[str, Any] = {
            "system": side.choice.system,
            "name": side.system.name if side.system else side.choice.system,
            "count": side.choice.count,
            **{name: exact(side.values.get(name)) for name in self.names},
            "relative": relative,
            "gaps": {name: side.gaps[name] for name in self.names if name in side.gaps},
            "power_basis": side.power_basis,
            "provenance": provenance(self.comparison, side, self.names),
            "result": result_of(side),
            "listed_price": price_of(side),
        }
        if self.explain:
            found["explanation"] = explanation(self.comparison, side, self.names)
        return found

    def records(self) -> Records:
        """One row a side: numbers, ratios, and notes on what is missing and what to mind."""
        units = units_of(self.comparison, self.names)
        columns: list[tuple[str, str | None]] = [("system", None), ("count", None)]
        columns += [(name, units[name]) for name in self.names]
        columns += [(f"relative.{name}", "1") for name in self.names]
        columns += [(name, None) for name in ("baseline", "gaps", "caveats", "catalogue", "as_of", "currency")]
        return Records(tuple(columns), list(self._rows()))

    def _rows(self) -> Iterator[list[Any]]:
        each = self.comparison
        for side, relative in zip(each.sides, each.relative, strict=True):
            gaps = "; ".join(f"{name}: {side.gaps[name]}" for name in self.names if name in side.gaps)
            codes = " ".join(dict.fromkeys(note.code for note in each.caveats if side.name in note.systems))
            yield [
                side.choice.system,
                side.choice.count,
                *(side.values.get(name) for name in self.names),
                *(relative.get(name) for name in self.names),
                *(each.baseline.name, gaps, codes, each.catalogue.version),
                *(each.question.as_of.isoformat(), each.question.currency),
            ]

    def page(self) -> Page:
        """Metrics down, systems across; with each system its ratio to the baseline."""
        each = self.comparison
        names = tuple(name for name in FOR_PEOPLE if name in self.names)
        others = [index for index, side in enumerate(each.sides) if side is not each.baseline]
        step = SIDES_IN_A_BLOCK - 1
        groups = [others[start : start + step] for start in range(0, len(others), step)] or [[]]
        blocks = [self._block(names, group) for group in groups]
        return Page(self._title(), blocks, notes_of(each))

    def _title(self) -> list[str]:
        each = self.comparison
        asked = each.question
        title = " against ".join(side.system.name if side.system else side.name for side in each.sides[:3])
        return [
            title,
            workload(each),
            f"baseline {each.baseline.name}, prices on {asked.as_of}, preset {asked.preset}",
        ]

    def _block(self, names: tuple[str, ...], group: list[int]) -> Block:
        each = self.comparison
        units = units_of(each, names)
        sides = [each.sides[index] for index in group]
        heads = tuple(head for side in sides for head in (side.name, "ratio"))
        lines = []
        for name in names:
            cells: list[Any] = [
                value
                for index, side in zip(group, sides, strict=True)
                for value in (_shown(side, name), each.relative[index].get(name))
            ]
            lines.append(Line(label(name), units[name], [*cells, _shown(each.baseline, name)]))
        ratios = frozenset(range(1, len(heads), 2))
        return Block((*heads, each.baseline.name), lines, ratios)


def exact(value: float | None) -> float | int | None:
    """A whole number as one, so that a price of 149995 is not written 149995.0."""
    return int(value) if value is not None and value.is_integer() and abs(value) < EXACT else value


def _shown(side: Side, name: str) -> float | None:
    """A number for people, marked where its source says about."""
    value = side.values.get(name)
    source = "price" if name == "list_cost" and name not in side.provenance else name
    about = side.provenance.get(source, {}).get("about")
    return About(value) if about and value is not None else value


def heading(each: Comparison) -> dict[str, Any]:
    """What was asked, and what we decided where it was left open."""
    asked = each.question
    return {
        "benchmark": asked.benchmark,
        "round": asked.round,
        "division": asked.division,
        "currency": asked.currency,
        "as_of": asked.as_of.isoformat(),
        "catalogue": each.catalogue.version,
        "preset": asked.preset,
        "bases": dict(asked.bases),
    }


def footing(each: Comparison, names: tuple[str, ...]) -> dict[str, Any]:
    """What belongs to all figures: units, assumptions, what is not counted, caveats and notices."""
    return {
        "units": units_of(each, names),
        "assumptions": assumptions_of(each),
        "not_counted": not_counted(each),
        "caveats": [caveat_document(caveat) for caveat in each.caveats],
        "notices": list(each.notices),
    }


def caveat_document(caveat: Caveat) -> dict[str, Any]:
    """A caveat as JSON holds it."""
    return {
        "code": caveat.code,
        "systems": list(caveat.systems),
        "severity": caveat.severity,
        "detail": caveat.detail,
    }


def units_of(each: Comparison, names: tuple[str, ...]) -> dict[str, str]:
    """The unit of each number."""
    return {name: unit_of(name, each.question.bases, each.question.currency) for name in names}


def assumptions_of(each: Comparison) -> dict[str, dict[str, Any]]:
    """The assumptions that the answer uses, with where each is from; a side's own stands with the side."""
    used = graph(each.question.bases).needs(tuple(graph(each.question.bases).quantities))
    found = {}
    for name in sorted(used):
        if BY_NAME[name].origin == "assumption":
            value = each.sides[0].values.get(name) if each.sides else None
            origin = each.sides[0].provenance.get(name, {"status": "missing"}) if each.sides else {}
            found[name] = {
                "value": value,
                "unit": unit_of(name, each.question.bases, each.question.currency),
                **origin,
            }
    return found


def not_counted(each: Comparison) -> list[str]:
    """Names in the preset that no formula reads: what the figures leave out."""
    return sorted(each.catalogue.preset(each.question.preset).keys() - BY_NAME.keys() - UNCERTAINTY)


def provenance(each: Comparison, side: Side, names: tuple[str, ...]) -> dict[str, Origin]:
    """Where each number of a side is from; an assumption of the side's own is among them."""
    quantities = graph(each.question.bases).quantities
    found: dict[str, Origin] = {}
    for name in names:
        if name in side.provenance:
            found[name] = side.provenance[name]
        elif name in side.values:
            found[name] = {"status": "derived", "formula": quantities[name].text}
    own = (name for name in side.choice.given if name not in found)
    return found | {name: side.provenance[name] for name in own}


def explanation(each: Comparison, side: Side, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """The side's sums, term by term, each input with its unit and source."""
    whole = graph(each.question.bases)
    found = steps(whole, names, side.known, side.values)
    for step in found:
        step["unit"] = unit_of(step["name"], each.question.bases, each.question.currency)
        step["sources"] = {name: side.provenance[name] for name in step["inputs"] if name in side.provenance}
    return found


def result_of(side: Side) -> dict[str, Any] | None:
    """The result whose time was used, and those that competed with it."""
    result = side.result.result
    if result is None:
        return None
    return {**result_document(result), "competing": [each.id for each in side.result.competing]}


def result_document(result: BenchmarkResult) -> dict[str, Any]:
    """A result as JSON holds it."""
    row = result.row
    return {
        "id": result.id, "benchmark": result.benchmark, "round": row.round, "division": row.division,
        "version_group": result.version_group, "submitter": row.submitter, "organisation": result.organisation,
        "system_id": row.system_id, "system": result.system, "units": result.units, "hosts": result.hosts,
        "availability": result.availability, "accelerator_model": row.accelerator_model,
        "accelerators_total": row.accelerators_total, "time_to_train_minutes": result.time_to_train_minutes,
        "unscaled_minutes": row.minutes, "minutes_min": row.minutes_min, "minutes_max": row.minutes_max,
        "runs": row.runs, "runs_failed": row.runs_failed, "scaling_factor": row.scaling_factor,
        "energy_j": row.energy_j, "framework": row.framework, "results_dir": row.results_dir,
        "repeat_of": result.repeat_of, "doubt_level": result.doubt_level, "doubt": result.doubt,
    }  # fmt: skip


def price_of(side: Side) -> dict[str, Any] | None:
    """The price row that was used or estimated from, and those that competed with it."""
    price = side.price.price or (side.estimate.price if side.estimate else None)
    if price is None:
        return None
    return {**price_document(price), "competing": [price_document(each) for each in side.price.competing]}


def price_document(price: Price) -> dict[str, Any]:
    """A price as JSON holds it."""
    return {
        "system": price.system, "amount": price.amount, "low": price.low, "high": price.high,
        "currency": price.currency, "kind": price.kind, "per": price.per, "every": price.every,
        "includes": list(price.includes), "valid_from": price.valid_from.isoformat(),
        "observed_until": price.observed_until.isoformat() if price.observed_until else None,
        "date_precision": price.date_precision, "about": price.about, "source": price.source,
        "url": price.url, "confidence": price.confidence, "note": price.note,
    }  # fmt: skip


def workload(each: Comparison) -> str:
    """The benchmark, round and division in one line."""
    asked = each.question
    if asked.benchmark is None:
        return "no benchmark: times and costs per run are left out"
    version = each.catalogue.benchmark(asked.benchmark, asked.round or "")
    model = f" ({version.model})" if version else ""
    suite = f"MLPerf Training {asked.round}, {asked.division} division" if version else "not an MLPerf benchmark"
    return f"{asked.benchmark}{model}, {suite}"


def notes_of(each: Comparison) -> list[str]:
    """What must be said below a table: gaps, caveats, notices, what is left out, and the version."""
    gaps = [note for side in each.sides for note in _gaps(side)]
    firm = [f"{caveat.severity}: {caveat.detail}" for caveat in each.caveats]
    left_out = ", ".join(not_counted(each))
    close = [f"not counted: {left_out}" if left_out else "", f"catalogue {each.catalogue.version}"]
    return [note for note in (*gaps, *firm, *each.notices, *close) if note]


def _gaps(side: Side) -> list[str]:
    """What is missing of a side, each reason once."""
    reasons: dict[str, list[str]] = {}
    for name in FOR_PEOPLE:
        if name in side.gaps and name not in side.values:
            reasons.setdefault(side.gaps[name], []).append(label(name))
    return [f"missing for {side.name}: {', '.join(names)}; {reason}" for reason, names in reasons.items()]
