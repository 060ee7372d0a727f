"""How sure a comparison is, as an answer."""

from typing import Any

from pricing.analysis.robustness import Contest, Flip, Interval, Robustness
from pricing.analysis.uncertainty import Span
from pricing.graph import unit_of
from service.answers.answer import Block, Line, Page, Records
from service.answers.documents import assumptions_of, caveat_document, cited, heading, named, warned
from service.answers.saying import called, workload
from service.answers.words import label, number

WORDS = {
    "ahead": "{side} is ahead of {base}: in {ahead:.1%} of the draws",
    "behind": "{side} is behind {base}: in {behind:.1%} of the draws",
    "not_settled": "this data does not settle whether {side} is ahead of {base}: it is in {ahead:.1%} of the draws",
}
RATIOS = frozenset((0, 1, 2, 3))
MOST_SHOWN = 8
PURE = "1"


class RobustnessAnswer:
    """Intervals, the chance that each side is ahead, what moves the ratio most, and where it turns over."""

    def __init__(self, robustness: Robustness) -> None:
        self.robustness = robustness
        self.comparison = robustness.comparison
        self.asked = self.comparison.question
        self.unit = unit_of(robustness.metric, self.asked.currency)

    def document(self) -> dict[str, Any]:
        """The whole answer as JSON holds it."""
        each, compared = self.robustness, self.comparison
        return {
            **heading(compared.catalogue, self.asked, compared.rules),
            "metric": each.metric,
            "unit": self.unit,
            "better": each.better,
            "baseline": compared.baseline.name,
            "samples": each.samples,
            "seed": each.seed,
            "varied": [self._span(span) for span in each.spans],
            "systems": [
                {**named(side), **_interval(interval)}
                for side, interval in zip(compared.sides, each.sides, strict=True)
            ],
            "contests": [self._contest(contest) for contest in each.contests],
            "assumptions": assumptions_of(compared.catalogue, self.asked, compared.sides),
            "caveats": [caveat_document(caveat) for caveat in compared.caveats],
            "notices": list(compared.notices),
        }

    def _span(self, span: Span) -> dict[str, Any]:
        return {
            "side": span.side, "name": span.name, "unit": unit_of(span.name, self.asked.currency), "low": span.low,
            "middle": span.middle, "high": span.high, "shape": span.shape, "why": span.why,
        }  # fmt: skip

    def _contest(self, contest: Contest) -> dict[str, Any]:
        return {
            **named(contest.side),
            "ratio": _interval(contest.ratio),
            "ahead_share": contest.ahead_share,
            "behind_share": contest.behind_share,
            "verdict": contest.verdict,
            "told": self._verdict(contest),
            "effects": [
                {
                    "side": effect.span.side, "name": effect.span.name, "ratio_at_low": effect.at_low,
                    "ratio_at_high": effect.at_high, "elasticity": effect.elasticity,
                }
                for effect in contest.effects
            ],
            "flips": [
                {
                    "side": flip.side, "name": flip.name, "unit": unit_of(flip.name, self.asked.currency),
                    "now": flip.now, "level": flip.level,
                }
                for flip in contest.flips
            ],
        }  # fmt: skip

    def _verdict(self, contest: Contest) -> str:
        shares = {"ahead": contest.ahead_share, "behind": contest.behind_share}
        return WORDS[contest.verdict].format(side=contest.side.name, base=self.comparison.baseline.name, **shares)

    def records(self) -> Records:
        """One row a contest, with its most telling flip points in words."""
        each, compared = self.robustness, self.comparison
        beside = cited(compared.catalogue, self.asked, compared.rules)
        names = (
            "system", "baseline", "metric", "ratio", "low", "median", "high", "ahead_share", "behind_share", "verdict",
            "flips", "samples", "seed", "caveats", "notices",
        )  # fmt: skip
        rows = [
            [
                contest.side.name, compared.baseline.name, each.metric, *contest.ratio, contest.ahead_share,
                contest.behind_share, contest.verdict, "; ".join(self._flip(flip) for flip in contest.flips),
                each.samples, each.seed, warned(compared.caveats), " ".join(compared.notices), *beside.values(),
            ]
            for contest in each.contests
        ]  # fmt: skip
        return Records(tuple((name, None) for name in (*names, *beside)), rows)

    def _flip(self, flip: Flip) -> str:
        whose = f"{label(flip.name)} of {flip.side}" if flip.side else label(flip.name)
        unit = unit_of(flip.name, self.asked.currency)
        now = number(flip.now) if unit == PURE else f"{number(flip.now)} {unit}"
        if flip.level is None:
            return f"never level by the {whose} alone, from a hundredth to a hundred times {now}"
        return f"level when the {whose} is {number(flip.level)} (now {now})"

    def page(self) -> Page:
        """Sides, then for each contest what moves its ratio; verdicts and flip points below."""
        each, compared = self.robustness, self.comparison
        names = [called(side) for side in compared.sides]
        sides = [Line(side.name, "", list(interval)) for side, interval in zip(compared.sides, each.sides, strict=True)]
        heads = (label(each.metric), "5 % below", "median", "95 % below")
        blocks = [Block(heads, sides, units=(self.unit,) * len(heads))]
        for contest in each.contests:
            ratio = Line(f"ratio {contest.side.name} / {compared.baseline.name}", "", list(contest.ratio))
            blocks.append(Block(("ratio", *heads[1:]), [ratio], RATIOS))
            blocks.append(self._effects(contest))
        title = [f"{' against '.join(names)}: how sure?", workload(compared), f"by {label(each.metric)}"]
        return Page(title, [block for block in blocks if block.lines], self._notes())

    def _effects(self, contest: Contest) -> Block:
        lines = [
            Line(effect.span.key, "", [effect.at_low, effect.at_high, effect.elasticity])
            for effect in contest.effects[:MOST_SHOWN]
        ]
        return Block(("ratio at low", "ratio at high", "elasticity"), lines, frozenset((0, 1, 2)))

    def _notes(self) -> list[str]:
        each, compared = self.robustness, self.comparison
        found = [note for contest in each.contests for note in self._told(contest)]
        found += [
            f"varied: {span.key} {number(span.low)} to {number(span.high)}, {span.shape}: {span.why}"
            for span in each.spans
        ]
        found += [] if each.spans else ["nothing varied: no number that this metric reads is known to be unsure"]
        found += [f"{each.samples:,} draws, seed {each.seed}"]
        found += [f"{caveat.severity}: {caveat.detail}" for caveat in compared.caveats]
        return [*found, *compared.notices, f"catalogue {compared.catalogue.version}"]

    def _told(self, contest: Contest) -> list[str]:
        return [self._verdict(contest), *(self._flip(flip) for flip in contest.flips[:MOST_SHOWN])]


def _interval(interval: Interval) -> dict[str, float]:
    return dict(interval._asdict())
