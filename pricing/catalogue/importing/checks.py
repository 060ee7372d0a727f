"""What a row must fulfil beyond the form of its cells: names that exist, figures that fit together."""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.currencies import fault_of, is_tender
from pricing.catalogue.importing.nouns import NOUNS, PRICES, WITHDRAWN
from pricing.catalogue.importing.reading import BadCell, Values, require
from pricing.catalogue.names import find, nearest
from pricing.errors import UnknownName
from pricing.quantities.inputs import BY_NAME
from schemas.book_rows import NOT_MLPERF, OwnRun
from schemas.numbers import Bounds, NumberError
from schemas.price import RENTED, check_amounts
from schemas.system import System

MONEY = "money"
SYSTEM_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,199}", re.ASCII)
Check = Callable[[Values], None]


class PriceCheck:
    """Checks and completes price rows against a catalogue."""

    def __init__(self, catalogue: Catalogue, entered_by: str | None, *, sees_book: bool = True) -> None:
        self.catalogue, self.entered_by, self.sees_book = catalogue, entered_by, sees_book
        self._systems: dict[str, System] = {}
        self._tender: set[tuple[str, date]] = set()

    def __call__(self, values: Values) -> None:
        """Complete a row. Raises BadCell or ValueError."""
        require(PRICES, values)
        system = self._systems.get(values["system"]) or self._find(values["system"])
        values["system"] = system.id
        check_price(values)
        self._check_currency(values["currency"], values["valid_from"])
        if values["per"] == "accelerator" and not system.accelerators:
            raise BadCell("per", f"{system.id} has no accelerators: give its price per system")
        if values["per"] == "node" and (not system.hosts or system.id in self.catalogue.pods_of):
            why = "has no servers of its own" if not system.hosts else "has as many servers as its workload needs"
            raise BadCell("per", f"{system.id} {why}: give its price per system")
        if self.entered_by is not None:
            values.setdefault("entered_by", self.entered_by)

    def _find(self, name: str) -> System:
        try:
            found = self.catalogue.system(name)
        except UnknownName as error:
            raise BadCell("system", str(error) if self.sees_book else f"unknown system {name!r}") from None
        self._systems[name] = found
        return found

    def _check_currency(self, code: str, on: date) -> None:
        if (code, on) not in self._tender:
            if not is_tender(code, on):
                raise BadCell("currency", str(fault_of(code, on)))
            self._tender.add((code, on))


def check_price(values: Values) -> None:
    """Complete a price row with what holds unless said, and refuse what does not fit. Raises BadCell."""
    if values["minimum_quantity"] < 1:
        raise BadCell("minimum_quantity", "1 or more expected")
    _check_amounts(values)
    _check_every(values)
    _check_days(values)


def _check_amounts(values: Values) -> None:
    amount: Decimal | None = values.get("amount")
    if "low" not in values and "high" not in values and amount is not None and amount >= 0:
        return
    if amount is None and "low" not in values and "high" not in values:
        raise BadCell("amount", "a blank cell; an amount, or low and high, is required")
    try:
        check_amounts(amount, values.get("low"), values.get("high"))
    except ValueError as error:
        raise BadCell("amount", str(error)) from None


def _check_every(values: Values) -> None:
    """What is rented says for how long the amount is; what is bought is paid once unless said."""
    every, kind = values.setdefault("every", "once"), values["kind"]
    if every == "once" and kind in RENTED:
        raise BadCell("every", f"a price of kind {kind} is paid by the hour, month or year: say which")


def _check_days(values: Values) -> None:
    begins, ends, seen = values["valid_from"], values.get("valid_to"), values.get("observed_until")
    if ends is None and seen is None:
        return
    if ends is not None and ends <= begins:
        raise BadCell("valid_to", f"a day after valid_from {begins} expected, not {ends}")
    if seen is not None and seen < begins:
        raise BadCell("observed_until", f"a day on or after valid_from {begins} expected, not {seen}")


def fact_check(noun: str, catalogue: Catalogue, own: Iterable[str] = ()) -> Check:
    """The check of rows of systems, results or assumptions against a catalogue.

    `own` are ids of systems that the import takes the place of.
    """
    systems = SystemCheck(frozenset(own))
    specials: dict[str, Callable[[Catalogue, Values], None]] = {
        "systems": systems, "results": _check_result, "runs": _check_run, "assumptions": _check_assumption,
    }  # fmt: skip
    special = specials[noun]
    row_type, columns = NOUNS[noun].row_type, NOUNS[noun].types()

    def check(values: Values) -> None:
        require(NOUNS[noun], values)
        row_type(**{name: values.get(name, () if name == "aliases" else None) for name in columns})
        if not values.get(WITHDRAWN):
            special(catalogue, values)

    return check


class SystemCheck:
    """Checks systems: each is a new one, and takes no other's name, in the catalogue or in its own list."""

    def __init__(self, own: frozenset[str]) -> None:
        self.own = own
        self._names: dict[str, str] = {}

    def __call__(self, catalogue: Catalogue, values: Values) -> None:
        """Refuse a name that is taken. Raises BadCell or ValueError."""
        number = values["id"]
        if not SYSTEM_ID.fullmatch(number):
            raise BadCell("id", f"letters, digits, points and hyphens expected, such as rig-8, not {number!r}")
        if number in catalogue.shipped_systems:
            raise BadCell("id", f"{number} is a shipped system, and stays as it is: choose another id")
        for name in (number, values["name"], *values.get("aliases", ())):
            if "@" in name:
                raise ValueError(f"{name!r} holds an @, which says how a side of a question is paid for")
            taken = catalogue.by_alias.get(name.casefold())
            if taken is not None and taken.id != number and taken.id not in self.own:
                raise ValueError(f"{name} is a name of the system {taken.id}")
            if (other := self._names.setdefault(name.casefold(), number)) != number:
                raise ValueError(f"{name} is a name of {other} in this list, too")


def _check_result(catalogue: Catalogue, values: Values) -> None:
    """A result is of a known system; an own run also of a known benchmark and round."""
    _check_system(catalogue, values)
    if values.get("kind", "own_run") == "own_run":
        _check_rules(catalogue, values)
    if "currency" in values and (fault := fault_of(values["currency"], datetime.now(UTC).date())):
        raise BadCell("currency", fault)


def _check_run(catalogue: Catalogue, values: Values) -> None:
    """A run is of a known system, benchmark and round; its wall time is kept, whatever becomes of the system."""
    _check_system(catalogue, values)
    _check_rules(catalogue, values)
    cells: dict[str, Any] = {name: values.get(name) for name in OwnRun.__slots__}
    run = OwnRun(**cells)
    values["wall_minutes"] = run.timed(catalogue.systems[run.system].accelerators)


def _check_system(catalogue: Catalogue, values: Values) -> None:
    try:
        if "system" in values:
            values["system"] = catalogue.system(values["system"]).id
    except UnknownName as error:
        raise BadCell(error.kind, str(error)) from None


def _check_rules(catalogue: Catalogue, values: Values) -> None:
    """The benchmark and round are known; a benchmark of the user's own follows no round of MLPerf's."""
    if values["round"] == NOT_MLPERF:
        return
    try:
        rounds = catalogue.rounds(values["benchmark"])
        find("round", values["round"], dict.fromkeys(rounds, values["round"]))
    except UnknownName as error:
        raise BadCell(error.kind, str(error)) from None


def _check_assumption(catalogue: Catalogue, values: Values) -> None:
    """An assumption is one that a formula reads, within its range, of a known preset, in its unit."""
    known = BY_NAME.get(values["name"])
    if known is None or known.origin != "assumption":
        near = nearest(values["name"], [name for name, each in BY_NAME.items() if each.origin == "assumption"])
        raise BadCell("name", f"{values['name']!r} is no assumption; nearest: {', '.join(near)}")
    try:
        for name in ("low", "value", "high"):
            if name in values:
                Bounds(known.low, known.high, known.open_low).check(values[name])
    except NumberError as error:
        raise BadCell(name, str(error)) from None
    if "preset" in values and values["preset"] not in catalogue.presets:
        raise BadCell("preset", f"unknown preset; known: {', '.join(catalogue.presets)}")
    values["unit"] = _unit(known.unit, values["unit"])


def _unit(expected: str, given: str) -> str:
    """The unit as it is kept: the input's own, with a currency that is tender in place of money. Raises BadCell."""
    plain, wanted = given.replace(" ", ""), expected.replace(" ", "")
    if plain == wanted and not wanted.startswith(MONEY):
        return expected
    code, _, rest = plain.partition("/")
    if wanted == f"{MONEY}/{rest}" and (fault := fault_of(code, datetime.now(UTC).date())) is None:
        return f"{code}/{rest}"
    if wanted == f"{MONEY}/{rest}":
        raise BadCell("unit", str(fault))
    raise BadCell("unit", f"{expected} expected, with a currency for money, not {given!r}")
