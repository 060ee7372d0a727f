"""Own or rent, as an answer."""

from typing import Any

from pricing.analysis.breakeven import LONGEST_YEARS, Breakeven, Meeting, OwnOrRent, Payback, Tie
from pricing.analysis.robustness import SETTLED
from pricing.graph import unit_of
from pricing.quantities.units import HOURS_PER_YEAR, MONTHS_PER_YEAR
from service.answers.answer import Block, Line, Page, Records
from service.answers.documents import assumptions_of, caveat_document, cited, heading, named, warned
from service.answers.words import label, number

HOURS_PER_MONTH = HOURS_PER_YEAR / MONTHS_PER_YEAR
PURE = "1"


class BreakevenAnswer:
    """For each side: a year owned and rented, the payback, and where both would cost the same."""

    def __init__(self, breakeven: Breakeven) -> None:
        self.breakeven, self.comparison = breakeven, breakeven.comparison
        self.asked = self.comparison.question

    def document(self) -> dict[str, Any]:
        """The whole answer as JSON holds it."""
        compared = self.comparison
        return {
            **heading(compared.catalogue, self.asked, compared.rules),
            "unit": unit_of("rented_cost_per_year", self.asked.currency),
            "hours_per_month": HOURS_PER_MONTH,
            "baseline": compared.baseline.name,
            "systems": [self._side(each) for each in self.breakeven.sides],
            "metric": self.breakeven.metric,
            "ties": [self._tie(tie) for tie in self.breakeven.ties],
            "without_rent": dict(self.breakeven.without_rent),
            "assumptions": assumptions_of(compared.catalogue, self.asked, compared.sides),
            "caveats": [caveat_document(caveat) for caveat in compared.caveats],
            "notices": list(compared.notices),
        }

    def _side(self, each: OwnOrRent) -> dict[str, Any]:
        values = each.side.values
        return {
            **named(each.side),
            "owned_cost_per_year": values["tco_equivalent_annual"],
            "rented_cost_per_year": values["rented_cost_per_year"],
            "rented_hours_per_year": values["rented_hours_per_year"],
            "owned_over_rented_ratio": each.ratio,
            "verdict": each.verdict,
            "payback": _payback(each.simple),
            "discounted_payback": _payback(each.discounted),
            "meetings": [
                {"name": met.name, "unit": self._unit(met), "now": met.now, "level": met.level}
                for met in each.meetings
            ],
        }  # fmt: skip

    def _tie(self, tie: Tie) -> dict[str, Any]:
        return {
            "side": tie.side.name, "other": tie.other.name, "unit": unit_of(tie.side.price_name, self.asked.currency),
            "now": tie.now, "price_to_tie": tie.to_tie, "price_to_win": tie.to_win,
        }  # fmt: skip

    def _unit(self, met: Meeting) -> str:
        return unit_of(met.name, self.asked.currency)

    def records(self) -> Records:
        """One row for each side that is set against renting, then one for each tie."""
        compared = self.comparison
        beside = cited(compared.catalogue, self.asked, compared.rules)
        names = (
            "system", "owned_cost_per_year", "rented_cost_per_year", "rented_hours_per_year",
            "owned_over_rented_ratio", "verdict", "payback_months", "payback_hours", "discounted_payback_months",
            "discounted_payback_hours", "meetings", "other", "metric", "price_now", "price_to_tie", "price_to_win",
            "caveats", "notices",
        )  # fmt: skip
        rows = [
            [
                each.side.name, each.side.values["tco_equivalent_annual"], each.side.values["rented_cost_per_year"],
                each.side.values["rented_hours_per_year"], each.ratio, each.verdict,
                _months(each.simple), each.simple.hours, _months(each.discounted), each.discounted.hours,
                "; ".join(self._met(met) for met in each.meetings), *[None] * 5,
                warned(compared.caveats, each.side.name), " ".join(compared.notices), *beside.values(),
            ]
            for each in self.breakeven.sides
        ]  # fmt: skip
        rows += [
            [
                tie.side.name, *[None] * 10, tie.other.name, self.breakeven.metric, tie.now, tie.to_tie, tie.to_win,
                warned(compared.caveats, tie.side.name), " ".join(compared.notices), *beside.values(),
            ]
            for tie in self.breakeven.ties
        ]  # fmt: skip
        return Records(tuple((name, None) for name in (*names, *beside)), rows)

    def page(self) -> Page:
        """A column for each side; where both would cost the same below."""
        sides, currency = self.breakeven.sides, self.asked.currency
        lines = [
            Line(label(name), unit_of(name, currency), [each.side.values[name] for each in sides])
            for name in ("tco_equivalent_annual", "rented_cost_per_year", "rented_hours_per_year")
        ]
        lines.append(Line("owned over rented", "", [each.ratio for each in sides]))
        lines.append(Line("payback", "month", [_months(each.simple) for each in sides]))
        lines.append(Line("payback, discounted", "month", [_months(each.discounted) for each in sides]))
        blocks = [Block(tuple(each.side.name for each in sides), lines)] if sides else []
        title = ["own or rent, and at which price?", f"preset {self.asked.preset}, the same work on as many systems"]
        return Page(title, [*blocks, *self._tied()], self._notes())

    def _tied(self) -> list[Block]:
        """A table of prices for each pair, as people read them."""
        return [
            Block(
                (f"{tie.side.name} against {tie.other.name}",),
                [
                    Line(what, unit_of(tie.side.price_name, self.asked.currency), [cell])
                    for what, cell in (
                        (f"price of {tie.side.name}", tie.now),
                        ("price to tie", tie.to_tie),
                        ("price to win", tie.to_win),
                    )
                ],
            )
            for tie in self.breakeven.ties
        ]

    def _notes(self) -> list[str]:
        compared = self.comparison
        found = [note for each in self.breakeven.sides for note in self._told(each)]
        if self.breakeven.sides:
            found.append(f"a month is a twelfth of {HOURS_PER_YEAR:,.0f} hours, {HOURS_PER_MONTH:g}")
        if self.breakeven.ties:
            found.append(
                f"prices to tie and to win are by {label(self.breakeven.metric)}; at the price to win a side is ahead "
                f"in {SETTLED:.0%} of the draws, all else being as unsure as it is"
            )
            found += [f"not against renting: {reason}" for reason in self.breakeven.without_rent.values()]
        found += [f"{caveat.severity}: {caveat.detail}" for caveat in compared.caveats]
        return [*found, *compared.notices, f"catalogue {compared.catalogue.version}"]

    def _told(self, each: OwnOrRent) -> list[str]:
        name = each.side.name
        return [f"{name}: {_told(each.simple)}", *(f"{name}: {self._met(met)}" for met in each.meetings)]

    def _met(self, met: Meeting) -> str:
        unit = self._unit(met)
        now = number(met.now) if unit == PURE else f"{number(met.now)} {unit}"
        if met.level is None:
            return f"never level by the {label(met.name)} alone, in its range and up to a hundred times {now}"
        return f"level when the {label(met.name)} is {number(met.level)} (now {now})"


def _months(payback: Payback) -> float | None:
    return None if payback.years is None else payback.years * MONTHS_PER_YEAR


def _payback(payback: Payback) -> dict[str, Any]:
    return {"months": _months(payback), "hours": payback.hours, "told": _told(payback)}


def _told(payback: Payback) -> str:
    months = _months(payback)
    if months is None or payback.hours is None:
        return f"owning is never level with renting within {LONGEST_YEARS:g} years"
    return f"owning has cost what renting does after {number(months)} months, {number(payback.hours)} paid hours"
