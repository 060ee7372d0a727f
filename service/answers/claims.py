"""Published claims, recomputed, as an answer."""

from typing import Any

from pricing.analysis.claims import Check, Checked, Claim
from pricing.catalogue.resolution import BOUGHT_KINDS
from service.answers.answer import Block, Line, Page, Records


class ClaimsAnswer:
    """What was said, what the data gives, the verdict and why."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.claims = checked.claims

    def document(self) -> dict[str, Any]:
        """The claims as JSON holds them."""
        return {
            **self._beside(),
            "given": [{"system": system, "name": name, "value": value} for system, name, value in self.checked.given],
            "claims": [_claim(each) for each in self.claims],
        }

    def _beside(self) -> dict[str, Any]:
        """What must stand beside every verdict."""
        asked = self.checked.question
        return {
            "currency": asked.currency,
            "as_of": asked.as_of.isoformat(),
            "price_kind": list(asked.price_kinds or BOUGHT_KINDS),
            "catalogue": self.checked.catalogue.version,
        }

    def records(self) -> Records:
        """One row a part of a claim."""
        names = (
            "claim",
            "part",
            "statement",
            "published",
            "unit",
            "computed",
            "verdict",
            "reason",
            "source_url",
            "given",
        )
        beside = {**self._beside(), "price_kind": ",".join(self.checked.question.price_kinds or BOUGHT_KINDS)}
        rows = [
            [each.number, part.row.part, part.row.statement, _number(part), part.row.unit, part.computed,
             part.verdict, part.reason, part.row.source_url, _given(part), *beside.values()]
            for each in self.claims
            for part in each.checks
        ]  # fmt: skip
        return Records(tuple((name, None) for name in (*names, *beside)), rows)

    def page(self) -> Page:
        """Statements down; the printed figure, ours and the verdict across."""
        lines = [
            Line(f"{each.number}. {part.row.statement}", "", [_number(part), part.computed, part.verdict])
            for each in self.claims
            for part in each.checks
        ]
        notes = [f"{each.number}: {part.reason}" for each in self.claims for part in each.checks]
        sources = dict.fromkeys(f"{part.row.source_title}, {part.row.source_date}: {part.row.source_url}"
                                for each in self.claims for part in each.checks)  # fmt: skip
        asked = self.checked.question
        title = [
            "published claims, recomputed from MLPerf's logs and the catalogue's prices",
            f"{' or '.join(asked.price_kinds or BOUGHT_KINDS)} prices on {asked.as_of}, {asked.currency}",
        ]
        given = [f"given by the caller: {name} {value:,.10g} of {system}" for system, name, value in self.checked.given]
        block = Block(("published", "ours", "verdict"), lines)
        return Page(title, [block], [*given, *notes, *sources, f"catalogue {self.checked.catalogue.version}"])


def _number(part: Check) -> float | None:
    return float(part.row.published) if part.row.published is not None else None


def _given(part: Check) -> str:
    """The caller's own figures on which a part rests."""
    return "; ".join(
        f"{side['system']} {name} {value:.10g}" for side in part.sides for name, value in side["given"].items()
    )


def _claim(each: Claim) -> dict[str, Any]:
    first = each.checks[0].row
    return {
        "claim": each.number,
        "verdict": each.verdict,
        "source_title": first.source_title,
        "source_url": first.source_url,
        "source_date": first.source_date.isoformat(),
        "checks": [
            {
                "part": part.row.part,
                "statement": part.row.statement,
                "published": _number(part),
                "unit": part.row.unit or "",
                "computed": part.computed,
                "verdict": part.verdict,
                "reason": part.reason,
                "sides": [dict(side) for side in part.sides],
            }
            for part in each.checks
        ],
    }
