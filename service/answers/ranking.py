"""A ranking as an answer."""

from collections.abc import Iterator
from typing import Any

from pricing.analysis.ranking import RENTED_SHOWN, SHOWN, Ranking
from pricing.graph import model_of, unit_of
from pricing.quantities.models import RENTED
from service.answers.answer import Block, Line, Page, Records
from service.answers.documents import assumptions_of, caveat_document, cited, heading, price_of, result_of, warned
from service.answers.words import label


class RankingAnswer:
    """The ranked, best first, and apart from them those without a place, each with the reason."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        rented = model_of(ranking.question.bases) == RENTED
        self.names = tuple(dict.fromkeys((ranking.metric, *(RENTED_SHOWN if rented else SHOWN))))

    def _units(self) -> dict[str, str]:
        asked = self.ranking.question
        return {name: unit_of(name, asked.currency) for name in self.names}

    def document(self) -> dict[str, Any]:
        """The ranking as JSON holds it."""
        each = self.ranking
        asked = each.question
        return {
            **heading(each.catalogue, asked, each.rules),
            "metric": each.metric,
            "assumptions": assumptions_of(each.catalogue, asked, each.sides),
            "ranked": [
                {
                    "rank": rank,
                    "system": side.choice.system,
                    "count": side.choice.count,
                    **{name: side.values.get(name) for name in self.names},
                    "result": result_of(side),
                    "listed_price": price_of(side),
                }
                for rank, side in zip(each.places(), each.sides, strict=True)
            ],
            "unranked": [{"system": name, "reason": reason} for name, reason in each.unranked],
            "units": self._units(),
            "caveats": [caveat_document(caveat) for caveat in each.caveats],
            "notices": list(each.notices),
        }

    def records(self) -> Records:
        """One row a system; those without a place follow with the reason."""
        each = self.ranking
        units = self._units()
        beside = cited(each.catalogue, each.question, each.rules)
        names = ("rank", "system", *self.names, "result", "submitter", "reason", "caveats", *beside)
        rows = [[*row, *beside.values()] for row in (*self._ranked(), *self._unranked())]
        return Records(tuple((name, units.get(name)) for name in names), rows)

    def _ranked(self) -> Iterator[list[Any]]:
        each = self.ranking
        for rank, side in zip(each.places(), each.sides, strict=True):
            result = side.result.result
            whose = (result.id, result.row.submitter) if result else (None, None)
            numbers = (side.values.get(name) for name in self.names)
            yield [rank, side.name, *numbers, *whose, None, warned(each.caveats, side.name)]

    def _unranked(self) -> Iterator[list[Any]]:
        for name, reason in self.ranking.unranked:
            yield [None, name, *(None for _ in self.names), None, None, reason, None]

    def page(self) -> Page:
        """Systems down, numbers across."""
        each = self.ranking
        units = self._units()
        heads = tuple(label(name) for name in self.names)
        lines = [
            Line(f"{rank}. {side.name}", "", [side.values.get(name) for name in self.names])
            for rank, side in zip(each.places(), each.sides, strict=True)
        ]
        asked = each.question
        suite = f"MLPerf Training {asked.round}, {asked.division} division"
        where = suite if each.catalogue.benchmark(asked.benchmark or "", asked.round or "") else "no MLPerf benchmark"
        title = [
            f"{asked.benchmark} by {label(each.metric)}",
            f"{where}, prices on {asked.as_of}, preset {asked.preset}",
        ]
        reasons: dict[str, list[str]] = {}
        for name, reason in each.unranked:
            reasons.setdefault(reason.replace(name.rpartition("*")[2], "it"), []).append(name)
        notes = [f"no place, since {reason}: {', '.join(names)}" for reason, names in reasons.items()]
        notes += [f"{caveat.severity}: {caveat.detail}" for caveat in each.caveats]
        return Page(
            title,
            [Block(heads, lines, units=tuple(units.values()))],
            [*notes, *each.notices, f"catalogue {each.catalogue.version}"],
        )
