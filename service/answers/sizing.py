"""Which system and how much of it, as an answer."""

from typing import Any

from pricing.analysis.sizing import MOST_SHOWN, SHOWN, Candidate, Sizing
from pricing.graph import unit_of
from service.answers.answer import Block, Line, Page, Records
from service.answers.documents import assumptions_of, caveat_document, cited, heading, named, warned
from service.answers.words import label, number

FOR_PEOPLE = ("time_to_train_minutes", "fleet_clusters", "fleet_acquisition_cost", "fleet_cost_per_year")


class SizingAnswer:
    """The cheapest that fits, the Pareto front, and every candidate with the limits that it breaks."""

    def __init__(self, sizing: Sizing) -> None:
        self.sizing = sizing
        self.units = {name: unit_of(name, sizing.question.currency) for name in SHOWN}

    def document(self) -> dict[str, Any]:
        """The whole answer as JSON holds it."""
        each = self.sizing
        asked = each.question
        return {
            **heading(each.catalogue, asked, each.rules),
            "limits": dict(each.limits),
            "demanded_runs_per_year": each.demand,
            "best": _candidate(each.best) if each.best else None,
            "front": [found.side.name for found in each.candidates if found.on_front],
            "candidates": [_candidate(found) for found in each.candidates],
            "left_out": [{"name": name, "reason": reason} for name, reason in each.left_out],
            "assumptions": assumptions_of(each.catalogue, asked, [found.side for found in each.candidates]),
            "units": self.units,
            "caveats": [caveat_document(caveat) for caveat in each.caveats],
            "notices": list(each.notices),
        }

    def records(self) -> Records:
        """One row a candidate, then one for each size that could not be judged."""
        each = self.sizing
        beside = cited(each.catalogue, each.question, each.rules)
        names = ("size", "basis", "fits", "on_front", *SHOWN, "result", "breaks", "caveats", *beside)
        rows = [
            [
                found.side.name, found.basis, found.fits, found.on_front,
                *(found.side.values.get(name) for name in SHOWN), _result(found), "; ".join(found.breaks),
                warned(each.caveats, found.side.name), *beside.values(),
            ]
            for found in each.candidates
        ]  # fmt: skip
        rows += [
            [name, None, False, False, *(None for _ in SHOWN), None, reason, None, *beside.values()]
            for name, reason in each.left_out
        ]
        return Records(tuple((name, self.units.get(name)) for name in names), rows)

    def page(self) -> Page:
        """The front, the cheapest first; what does not fit, and why, below."""
        each = self.sizing
        asked = each.question
        fitting = [found for found in each.candidates if found.fits]
        front = [found for found in fitting if found.on_front][:MOST_SHOWN]
        heads = tuple(label(name) for name in FOR_PEOPLE)
        lines = [Line(_marked(found), "", [found.side.values.get(name) for name in FOR_PEOPLE]) for found in front]
        limits = ", ".join(f"{label(name)} {number(most)}" for name, most in each.limits.items()) or "no limits"
        demand = f", {number(each.demand)} runs a year" if each.demand else ", one cluster"
        title = [
            f"the cheapest for {asked.benchmark}: {each.best.side.name if each.best else 'nothing fits'}",
            f"{limits}{demand}",
            f"{asked.round}, {asked.division} division, prices on {asked.as_of}, preset {asked.preset}",
        ]
        blocks = [Block(heads, lines, units=tuple(self.units[name] for name in FOR_PEOPLE))] if lines else []
        return Page(title, blocks, self._notes(len(fitting) - len(front)))

    def _notes(self, more: int) -> list[str]:
        each = self.sizing
        found = ["shown is the Pareto front of time, cost a year, rack units and energy a run, the cheapest first"]
        if more:
            found.append(f"{more} more fit")
        reasons: dict[str, list[str]] = {}
        for one in each.candidates:
            if one.breaks:
                reasons.setdefault("; ".join(one.breaks), []).append(one.side.name)
        found += [f"does not fit, {names[0]}: {reason}" for reason, names in list(reasons.items())[:MOST_SHOWN]]
        if len(reasons) > MOST_SHOWN:
            found.append(f"{len(reasons) - MOST_SHOWN} more do not fit")
        if each.left_out:
            found.append(f"{len(each.left_out)} sizes could not be judged, such as {each.left_out[0].name}: "
                         f"{each.left_out[0].reason}")  # fmt: skip
        found += [f"{caveat.severity}: {caveat.detail}" for caveat in each.caveats]
        return [*found, *each.notices, f"catalogue {each.catalogue.version}"]


def _marked(found: Candidate) -> str:
    basis = "" if found.basis == "measured" else f", {found.basis}"
    return f"{found.side.name}{basis}"


def _result(found: Candidate) -> str | None:
    result = found.side.result.result
    return result.id if result else None


def _candidate(found: Candidate) -> dict[str, Any]:
    return {
        **named(found.side),
        "name": found.side.name,
        "basis": found.basis,
        "fits": found.fits,
        "breaks": list(found.breaks),
        "on_front": found.on_front,
        **{name: found.side.values.get(name) for name in SHOWN},
        "result": _result(found),
    }
