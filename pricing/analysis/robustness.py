"""How sure an answer is: intervals, the chance that each side is ahead, what moves it most, and where it turns over.

Every draw of the Monte Carlo is an evaluation of the same formulas on arrays. Each number has a stream of its own,
seeded by the seed and its name, so that the digits depend on neither the order nor the number of the others.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from pricing.analysis.asking import ask
from pricing.analysis.compare import Comparison, compare
from pricing.analysis.levels import Model, Numbers, level
from pricing.analysis.ranking import default_metric
from pricing.analysis.side import Side
from pricing.analysis.uncertainty import Read, Span, spans
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find
from pricing.errors import BadQuestion
from pricing.graph import Bases, graph
from pricing.quantities.tag import Better
from schemas.vary import NORMAL

SAMPLES, SEED = 10_000, 1
FEWEST_SIDES, MOST_SIDES = 2, 10
SETTLED = 0.95
"""The share of draws in which a side must be ahead, or behind, for the data to settle it."""
QUANTILES = (0.05, 0.5, 0.95)
Z = 1.6448536269514722  # of a normal, 90 % lie within so many standard deviations
STEP = 1e-3  # for elasticities
TIME = "time_to_train_minutes"
FLIPS = ("price", "rental_price_per_hour", TIME)


class Interval(NamedTuple):
    """A plain value with what its draws say: 5th, 50th and 95th percentile."""

    value: float
    low: float
    median: float
    high: float


class Effect(NamedTuple):
    """What one number does to the ratio: at its low and high end, and by how many per cent for 1 % of it."""

    span: Span
    at_low: float
    at_high: float
    elasticity: float


class Flip(NamedTuple):
    """The value of one number at which both sides are level, all else as it is; None: at none that is near."""

    side: str | None
    name: str
    now: float
    level: float | None


@dataclass(frozen=True, slots=True)
class Contest:
    """A side against the baseline. `ahead_share` and `behind_share` are those of the draws; the rest of them tie."""

    side: Side
    ratio: Interval
    ahead_share: float
    behind_share: float
    effects: tuple[Effect, ...]
    flips: tuple[Flip, ...]

    @property
    def verdict(self) -> str:
        """ahead, behind, or not settled by this data."""
        if self.ahead_share >= SETTLED:
            return "ahead"
        return "behind" if self.behind_share >= SETTLED else "not_settled"


@dataclass(frozen=True, slots=True)
class Robustness:
    """A comparison by one metric, and how sure it is."""

    comparison: Comparison
    metric: str
    better: Better
    samples: int
    seed: int
    spans: tuple[Span, ...]
    sides: tuple[Interval, ...]
    contests: tuple[Contest, ...]


def robustness(catalogue: Catalogue, fields: Mapping[str, Any]) -> Robustness:
    """How sure a comparison by a metric is. Raises UnknownName, BadQuestion or ValidationError."""
    question = ask(catalogue, fields)
    if not FEWEST_SIDES <= len(question.choices) <= MOST_SIDES:
        raise BadQuestion("systems", f"{FEWEST_SIDES} to {MOST_SIDES} sides, which can be set against each other")
    metric, better = metric_asked(question.choices[0].bases, fields.get("metric"))
    asked = replace(question, targets=(metric,) if metric != TIME else ())
    comparison = compare(catalogue, asked, fields.get("baseline"))
    for side in comparison.sides:
        if metric not in side.values:
            raise BadQuestion("metric", f"no {metric} of {side.name}: {side.gaps.get(metric) or 'it is missing'}")
    models = {side.name: Model(metric, side) for side in comparison.sides}
    read: Read = {name: model.read for name, model in models.items()}
    found = tuple(spans(catalogue, question, comparison.sides, read, fields.get("vary", ())))
    samples, seed = fields.get("samples") or SAMPLES, fields.get("seed", SEED)
    drawn = {each.key: draw(each, samples, seed) for each in found}
    values = {name: model.at(drawn, samples) for name, model in models.items()}
    sides = tuple(_interval(side.values[metric], values[side.name]) for side in comparison.sides)
    contests = tuple(_contests(comparison, models, values, (found, better)))
    return Robustness(comparison, metric, better, samples, seed, found, sides, contests)


def metric_asked(bases: Bases, asked: str | None) -> tuple[str, Better]:
    """A metric by which sides can be set against each other, and which way is better. Raises UnknownName."""
    name = asked or default_metric(bases)
    quantities = graph(bases).quantities.values()
    known: dict[str, Better] = {each.name: each.better for each in quantities if each.better and not each.detail}
    return name, find("metric", name, {**known, TIME: "less"})


def draw(span: Span, samples: int, seed: int) -> Numbers:
    """So many draws of a number. They depend on the seed and on its name alone."""
    stream = np.random.Generator(np.random.PCG64([seed, crc32(span.key.encode())]))
    if span.shape == NORMAL:
        found = stream.normal(span.middle, (span.high - span.low) / 2 / Z, samples)
        return np.maximum(found, span.middle * STEP)
    return stream.triangular(span.low, span.middle, span.high, samples)


def _interval(value: float, draws: Numbers) -> Interval:
    low, median, high = np.quantile(draws, QUANTILES)
    return Interval(value, float(low), float(median), float(high))


def _contests(
    comparison: Comparison,
    models: Mapping[str, Model],
    values: Mapping[str, Numbers],
    about: tuple[Sequence[Span], Better],
) -> Iterator[Contest]:
    base = comparison.baseline.name
    for side in comparison.sides:
        if side.name != base:
            yield _contest((models[side.name], models[base]), (values[side.name], values[base]), *about)


Pair = tuple[Model, Model]


def _contest(models: Pair, draws: tuple[Numbers, Numbers], found: Sequence[Span], better: Better) -> Contest:
    ours, theirs = models
    against = theirs.side.values[theirs.metric]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = draws[0] / draws[1]
    if against == 0 or not np.isfinite(ratios).all():
        raise _undefined(ours.metric, theirs.side.name)
    plain = ours.side.values[ours.metric] / against
    more, less = (float(np.mean(draws[0] > draws[1])), float(np.mean(draws[0] < draws[1])))
    ahead, behind = (more, less) if better == "more" else (less, more)
    effects = sorted(_effects(models, found), key=lambda each: -abs(each.at_high - each.at_low))
    return Contest(ours.side, _interval(plain, ratios), ahead, behind, tuple(effects), tuple(_flips(models, found)))


def _ratio(models: Pair, drawn: Mapping[str, float]) -> float:
    ours, theirs = (float(each.at(drawn)[0]) for each in models)
    if theirs == 0 or not math.isfinite(ours / theirs):
        raise _undefined(models[0].metric, f"{models[1].side.name} where a number is at an end of its range")
    return ours / theirs


def _undefined(metric: str, where: str) -> BadQuestion:
    return BadQuestion("metric", f"{metric} of {where} is 0 or has no value, so that there is no ratio to it")


def _effects(models: Pair, found: Sequence[Span]) -> Iterator[Effect]:
    """Each number that moves the ratio, alone."""
    for span in found:
        low, high = (_ratio(models, {span.key: end}) for end in (span.low, span.high))
        if low != high:
            yield Effect(span, low, high, _elasticity(models, span))


def _elasticity(models: Pair, span: Span) -> float:
    """How many per cent of the ratio 1 % of a number makes, at its middle, by a central difference."""
    up, down = (_ratio(models, {span.key: span.middle * (1 + step)}) for step in (STEP, -STEP))
    if not up * down > 0:
        raise BadQuestion("metric", f"{models[0].metric} turns from above 0 to below by {span.name}: there is no ratio")
    return math.log(up / down) / (math.log1p(STEP) - math.log1p(-STEP))


def _apart(models: Pair, key: str) -> Callable[[float], float]:
    """How far both sides are from a tie where one number is another."""
    return lambda value: float(models[0].at({key: value})[0] - models[1].at({key: value})[0])


def _flips(models: Pair, found: Sequence[Span]) -> Iterator[Flip]:
    """Where each side's price and time, and all that is not firm, would have to be for a tie."""
    own = {each.key(name): (each, name) for each in models for name in FLIPS if name in each.read}
    for key, (model, name) in own.items():
        now = model.side.known[name]
        yield Flip(model.side.choice.owner(name), name, now, level(_apart(models, key), name, now))
    for span in found:
        if span.key not in own:
            yield Flip(span.side, span.name, span.middle, level(_apart(models, span.key), span.name, span.middle))
