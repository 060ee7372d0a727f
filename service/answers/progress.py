"""Progress over rounds as an answer."""

from collections.abc import Iterable
from typing import Any

from pricing.analysis.progress import Missing, Progress, Step
from service.answers.answer import Block, Line, Page, Records
from service.answers.results import noticed, rules, suite

COLUMNS = (
    ("round", None), ("time_to_train_minutes", "minute"), ("speed_up", "1"), ("time_reduction", "1"),
    ("step_speed_up", "1"), ("step_time_reduction", "1"), ("submitter", None), ("software", None), ("result", None),
    ("remark", None),
)  # fmt: skip
RATIOS = frozenset((1, 2, 3, 4))
"""Which columns for people are ratios."""


class ProgressAnswer:
    """Rounds down; speed-up and time reduction side by side, since the first round and since the one before."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.asked = progress.question
        self.notices = noticed(progress.catalogue, self.asked, [each.result for each in progress.steps])

    def document(self) -> dict[str, Any]:
        """The progress as JSON holds it."""
        each = self.progress
        return {
            **rules(each.catalogue, self.asked, None),
            "system": each.system.id,
            "count": each.count,
            "rounds": [_step(step) for step in each.steps],
            "missing": [{"round": gap.round, "reason": gap.reason} for gap in each.missing],
            "notices": self.notices,
        }

    def records(self) -> Records:
        """One row a round; those without a result follow with the reason."""
        shared = rules(self.progress.catalogue, self.asked, None)
        beside = {name: shared[name] for name in ("benchmark", "division", "catalogue")}
        beside |= {"books": ",".join(shared["books"]), "notices": " ".join(self.notices)}
        found = [_step(step) for step in self.progress.steps]
        found += [{"round": gap.round, "remark": gap.reason} for gap in self.progress.missing]
        rows = [[*(row.get(name) for name, _ in COLUMNS), *beside.values()] for row in found]
        return Records((*COLUMNS, *((name, None) for name in beside)), rows)

    def page(self) -> Page:
        """Rounds down; the two ways of saying faster across."""
        each = self.progress
        names = ("time_to_train_minutes", "speed_up", "time_reduction", "step_speed_up", "step_time_reduction")
        steps = [_step(step) for step in each.steps]
        lines = [Line(row["round"], "", [row[name] for name in names]) for row in steps]
        heads = ("time", "speed-up", "time cut", "speed-up of step", "time cut of step")
        called = f"{each.count} × {each.system.name}" if each.count > 1 else each.system.name
        notes = [_told(row) for row in steps]
        notes += _gaps(each.missing)
        units = ("min", *("",) * len(RATIOS))
        closing = [*notes, *self.notices, f"catalogue {each.catalogue.version}"]
        return Page(
            [f"{called}: rounds", suite(self.asked, None, [step.result for step in each.steps])],
            [Block(heads, lines, RATIOS, units)],
            closing,
        )


def _gaps(missing: Iterable[Missing]) -> list[str]:
    """Rounds without a result, those of one reason together."""
    found: dict[str, list[str]] = {}
    for gap in missing:
        found.setdefault(gap.reason.replace(f" of {gap.round}", ""), []).append(gap.round)
    return [f"{', '.join(rounds)}: {reason}" for reason, rounds in found.items()]


def _told(row: dict[str, Any]) -> str:
    return f"{row['round']}: {row['submitter']}, {row['software'] or 'software not said'}{_remarked(row)}"


def _remarked(row: dict[str, Any]) -> str:
    return f"; {row['remark']}" if row["remark"] else ""


def _step(step: Step) -> dict[str, Any]:
    first, before, result = step.since_first, step.since_before, step.result
    return {
        "round": result.row.round,
        "time_to_train_minutes": result.time_to_train_minutes,
        "speed_up": first and first.speed_up,
        "time_reduction": first and first.time_reduction,
        "step_speed_up": before and before.speed_up,
        "step_time_reduction": before and before.time_reduction,
        "submitter": result.row.submitter,
        "software": result.row.framework,
        "result": result.id,
        "repeat_of": result.repeat_of,
        "remark": _remark(step),
    }


def _remark(step: Step) -> str | None:
    """Why a change is missing, and what is weak in the result."""
    result = step.result
    found = [each.reason for each in (step.since_before, step.since_first) if each and each.reason]
    found += [f"repeats {result.repeat_of}: no new measurement"] if result.repeat_of else []
    found += [f"doubt ({result.doubt_level}): {result.doubt}"] if result.doubt else []
    return "; ".join(dict.fromkeys(found)) or None
