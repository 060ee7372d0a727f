"""Published claims, recomputed, as an answer."""

from typing import Any

from pricing.analysis.claims import Check, Claim
from pricing.catalogue.catalogue import Catalogue
from service.answers.answer import Block, Line, Page, Records


class ClaimsAnswer:
    """What was said, what the data gives, the verdict and why."""

    def __init__(self, catalogue: Catalogue, claims: list[Claim]) -> None:
        self.catalogue, self.claims = catalogue, claims

    def document(self) -> dict[str, Any]:
        """The claims as JSON holds them."""
        return {"catalogue": self.catalogue.version, "claims": [_claim(each) for each in self.claims]}

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
        )
        rows = [
            [each.number, part.row.part, part.row.statement, _number(part), part.row.unit, part.computed,
             part.verdict, part.reason, part.row.source_url]
            for each in self.claims
            for part in each.checks
        ]  # fmt: skip
        return Records(tuple((name, None) for name in names), rows)

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
        title = ["published claims, recomputed from MLPerf's logs and list prices"]
        block = Block(("published", "ours", "verdict"), lines)
        return Page(title, [block], [*notes, *sources, f"catalogue {self.catalogue.version}"])


def _number(part: Check) -> float | None:
    return float(part.row.published) if part.row.published is not None else None


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
