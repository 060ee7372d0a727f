"""A question, checked: which systems, under which rules, at which date, with which assumptions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from pricing.graph import Bases


@dataclass(frozen=True, slots=True)
class Choice:
    """One side as asked: `count` systems on one job, with the caller's own numbers and wishes for it.

    `brought` is a system that the catalogue does not hold; all its figures are `given`.
    """

    system: str
    count: int = 1
    brought: bool = False
    given: Mapping[str, float] = field(default_factory=dict)
    wishes: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    """The model of paying, where it was named for this side."""
    bases: Bases = ()
    """Those of the question, with what is chosen for this side."""
    rented: bool = False
    """Whether it is paid by the hour, as the bases say."""

    @property
    def name(self) -> str:
        """What the side is called: 2*dgx-a100-640gb for a cluster of two, dgx-a100-640gb@leased for a leased one."""
        return f"{self.hardware}@{self.model}" if self.model else self.hardware

    @property
    def hardware(self) -> str:
        """What stands there, however it is paid for."""
        return f"{self.count}*{self.system}" if self.count > 1 else self.system

    def owner(self, name: str) -> str:
        """Whose a number is: this side's where it was given for it, else that of all sides with such hardware."""
        return self.name if name in self.given else self.hardware

    def __hash__(self) -> int:
        """Sides differ by name."""
        return hash(self.name)


class Rules(NamedTuple):
    """The round and division of the results that an answer uses; several are joined, None where none is used."""

    round: str | None
    division: str | None


class Training(NamedTuple):
    """A model that is trained on so many tokens, whose time is estimated. `mfu_share` None: the assumed one."""

    parameters: float
    tokens: float
    precision: str
    flop_per_parameter_token: float
    mfu_share: float | None


@dataclass(frozen=True, slots=True)
class Question:
    """What all sides share. `assumptions` are the caller's own; the preset fills the rest."""

    choices: tuple[Choice, ...]
    benchmark: str | None
    round: str | None
    division: str
    as_of: date
    currency: str
    preset: str
    assumptions: Mapping[str, float]
    bases: Bases
    price_kinds: tuple[str, ...]
    estimate: str | None = None
    submitter: str | None = None
    region: str | None = None
    quantity: int | None = None
    exchange_date: date | None = None
    time_estimate: str | None = None
    """Whether times of sizes that nobody measured are interpolated, or extrapolated, too."""
    training: Training | None = None
    time_from: str | None = None
    """The system whose measured time is taken where a side has none."""
    rent_from: str | None = None
    """The system whose price of an hour is what renting a bought side would cost."""
    grid: str | None = None
    """The place of the electricity grid."""
    targets: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    """What the caller left open and we chose, as sentences for the answer."""
