"""Finding things by their exact names, and the nearest names where there is none."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from pricing.errors import UnknownName

Found = TypeVar("Found")
NEAREST = 5
FEW = 30  # so few names are all told where none is near
LONGEST = 200
SHORTEST_PART = 3  # shorter ones are within too many names


def find(kind: str, name: str, known: Mapping[str, Found], also: Iterable[str] = ()) -> Found:
    """The thing of that exact name. Raises UnknownName with the nearest of `known` and `also`."""
    found = known.get(name)
    if found is None:
        near = nearest(name, [*known, *also])
        raise UnknownName(kind, name, near or (list(known) if len(known) <= FEW else []))
    return found


def nearest(name: str, known: Iterable[str], most: int = NEAREST) -> list[str]:
    """Up to five known names that look like this one, then those that contain it."""
    from difflib import get_close_matches  # noqa: PLC0415 (only a wrong name pays for it)

    wanted = name[:LONGEST].casefold()
    spelled: dict[str, list[str]] = {}
    for each in dict.fromkeys(known):
        spelled.setdefault(each.casefold(), []).append(each)
    within = [each for each in sorted(spelled, key=len) if len(wanted) >= SHORTEST_PART and wanted in each]
    near = get_close_matches(wanted, spelled, n=most, cutoff=0.5)
    return [name for each in dict.fromkeys([*near, *within]) for name in spelled[each]][:most]
