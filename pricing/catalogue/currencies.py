"""Which currencies there are, were, and what came after them: from Unicode CLDR, by way of Babel."""

import re
from datetime import date
from functools import cache
from typing import NamedTuple

from pricing.catalogue.names import nearest

CODE = re.compile(r"[A-Z]{3}", re.ASCII)
FORM = "an ISO 4217 code of three capital letters, such as USD"


class Tender(NamedTuple):
    """A currency as legal tender of a country, from a day to the day before another; None: open."""

    code: str
    begins: date | None
    ends: date | None


@cache
def _tenders() -> dict[str, tuple[Tender, ...]]:
    """What was legal tender when, by country."""
    from babel.core import get_global  # noqa: PLC0415 (only where a currency is asked)

    return {
        country: tuple(
            Tender(code, date(*begins) if begins else None, date(*ends) if ends else None)
            for code, begins, ends, is_tender in rows
            if is_tender
        )
        for country, rows in get_global("territory_currencies").items()
    }


@cache
def _lives() -> dict[str, list[Tender]]:
    """When each currency was tender anywhere."""
    found: dict[str, list[Tender]] = {}
    for rows in _tenders().values():
        for each in rows:
            found.setdefault(each.code, []).append(each)
    return found


def is_tender(code: str, on: date) -> bool:
    """Whether a currency was legal tender anywhere on a day."""
    return any(_holds(each, on) for each in _lives().get(code, ()))


def _in_use(on: date) -> frozenset[str]:
    return frozenset(code for code in _lives() if is_tender(code, on))


def _holds(each: Tender, on: date) -> bool:
    return (each.begins is None or each.begins <= on) and (each.ends is None or on <= each.ends)


def successors(code: str, on: date) -> list[str]:
    """The currencies that are tender on a day where this one once was."""
    return sorted(
        {
            each.code
            for rows in _tenders().values()
            if any(former.code == code for former in rows)
            for each in rows
            if _holds(each, on) and each.code != code
        }
    )


def ended(code: str) -> date | None:
    """The last day on which a currency was tender anywhere; None where it still is."""
    ends = [each.ends for each in _lives().get(code, ())]
    known = [each for each in ends if each is not None]
    return max(known) if known and len(known) == len(ends) else None


def fault_of(code: str, on: date) -> str | None:
    """What is wrong with a currency code on a day; None where it is tender somewhere."""
    if not CODE.fullmatch(code):
        hint = f": write {code.upper()}" if CODE.fullmatch(code.upper()) else ""
        return f"{code[:20]!r} is not {FORM}{hint}"
    if is_tender(code, on):
        return None
    if code not in _lives():
        near = nearest(code, sorted(_in_use(on)))
        return f"{code} is no currency that is legal tender" + (f"; nearest: {', '.join(near)}" if near else "")
    last = ended(code)
    if last is None or on < last:
        return f"{code} was not legal tender on {on}"
    after = " or ".join(successors(code, on))
    return f"{code} ended on {last}" + (f"; its successor is {after}: give amounts in {after}" if after else "")
