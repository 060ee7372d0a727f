"""How unsure the numbers below an answer are: what the caller says, what sources say, what repeated runs show.

Assumptions are the same for all sides, so that one draw of each serves them all; prices and times are each side's own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pricing.analysis.own import bounds_of
from pricing.analysis.question import Question
from pricing.analysis.rounding import price_span
from pricing.analysis.side import Side
from pricing.analysis.sides import find_side, label_of
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from pricing.money import currency_of
from pricing.quantities.inputs import BY_NAME
from schemas.numbers import NumberError
from schemas.vary import NORMAL, TRIANGULAR, Varied

WIDEST_NORMAL_SHARE = 0.6
"""Half of a normal's 90 % interval over its middle; beyond it a positive number would too often be drawn below 0."""


class Span(NamedTuple):
    """A number that is not firm. A triangular lies between `low` and `high`; of a normal they are the 90 % interval.

    `side` is None for an assumption, which is the same for all sides.
    """

    side: str | None
    name: str
    low: float
    middle: float
    high: float
    shape: str
    why: str

    @property
    def key(self) -> str:
        """What tells it from the others, and seeds its draws."""
        return f"{self.side}.{self.name}" if self.side else self.name


Read = Mapping[str, frozenset[str]]
"""For each side, by its name, the numbers that the metric reads."""


def spans(
    catalogue: Catalogue, question: Question, sides: Sequence[Side], read: Read, varied: Iterable[Varied]
) -> list[Span]:
    """Everything that is not firm; what the caller says replaces what is known. Raises BadQuestion or UnknownName."""
    found = {each.key: each for side in sides for each in _known(catalogue, question, side, read[side.name])}
    for each in varied:
        span = _asked(catalogue, sides, read, each)
        found[span.key] = span
    return [each for each in found.values() if each.low < each.high]


def _known(catalogue: Catalogue, question: Question, side: Side, read: frozenset[str]) -> Iterator[Span]:
    """What sources, runs and presets say of a side's numbers."""
    values = side.known
    price = side.price_name
    if price in read and (ends := price_span(side)):
        whose = side.choice.owner(price)
        yield Span(whose, price, ends[0], values[price], ends[1], TRIANGULAR, "its source gives it so")
    origin = side.provenance.get("time_to_train_minutes", {})
    if "time_to_train_minutes" in read and "low" in origin:
        low, high, middle = origin["low"], origin["high"], values["time_to_train_minutes"]
        guessed = origin["status"] == "estimated" and "basis" not in origin
        why = str(origin.get("range") or origin.get("rule") or "the spread of its runs")
        whose = side.choice.owner("time_to_train_minutes")
        yield Span(whose, "time_to_train_minutes", low, middle, high, TRIANGULAR if guessed else NORMAL, why)
    for name, each in catalogue.preset(question.preset).items():
        if name in read and side.status(name) == "assumed" and (each.value or not currency_of(each.unit)):
            scale = values[name] / each.value if each.value else 1.0  # an amount in another currency
            yield Span(None, name, each.low * scale, values[name], each.high * scale, TRIANGULAR, each.source_title)


def _asked(catalogue: Catalogue, sides: Sequence[Side], read: Read, asked: Varied) -> Span:
    """What the caller says of a number that the metric reads, within its range."""
    if asked.system is None:
        known = BY_NAME.get(asked.name)
        if known is None or known.origin != "assumption":
            raise BadQuestion(
                "vary", f"{asked.name} is no assumption of all sides: name its system, SYSTEM.{asked.name}"
            )
        reading = [side for side in sides if asked.name in read[side.name]]
    else:
        reading = [side for side in _meant(catalogue, sides, asked.system) if asked.name in read[side.name]]
    if not reading:
        others = ", ".join(sorted(read[sides[0].name]))
        raise BadQuestion("vary", f"{asked.name} has no effect here; what is read: {others}")
    middle = reading[0].known[asked.name]
    low, centre, high = _ends(asked, middle)
    _check(asked, low, centre, high)
    whose = reading[0].choice.owner(asked.name) if asked.system else None
    return Span(whose, asked.name, low, centre, high, asked.shape, "given")


def _meant(catalogue: Catalogue, sides: Sequence[Side], name: str) -> list[Side]:
    """The side of that name, with those that are the same hardware paid for otherwise."""
    labels = dict.fromkeys(label_of(side.choice) for side in sides)
    alike = {label._replace(model="", apart=False): label for label in labels}
    label = find_side(catalogue, list(labels if "@" in name else alike.values()), name)
    return [side for side in sides if (side.choice.system, side.choice.count) == (label.system, label.units)]


def _ends(asked: Varied, middle: float) -> tuple[float, float, float]:
    if asked.share is not None:
        half = float(asked.share) * middle
        return middle - half, middle, middle + half
    low, high = float(asked.numbers[0]), float(asked.numbers[-1])
    if len(asked.numbers) > 2:  # noqa: PLR2004 (low, mode, high)
        return low, float(asked.numbers[1]), high
    return low, (low + high) / 2 if asked.shape == NORMAL else min(max(middle, low), high), high


def _check(asked: Varied, low: float, centre: float, high: float) -> None:
    """Both ends must be what the number may be."""
    try:
        for end in (low, high):
            bounds_of(asked.name).check(end)
    except NumberError as error:
        raise BadQuestion("vary", f"{asked.name}: {error}") from None
    if asked.shape == NORMAL and high - centre > WIDEST_NORMAL_SHARE * abs(centre):
        raise BadQuestion("vary", f"{asked.name}: so wide a normal reaches below 0; give low, mode and high")
