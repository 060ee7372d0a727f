"""How sentences name many things."""

from collections.abc import Sequence

MOST_NAMED = 5


def few(names: Sequence[str]) -> str:
    """The names, of more than five only the first and how many more."""
    shown = ", ".join(names[:MOST_NAMED])
    return shown if len(names) <= MOST_NAMED else f"{shown} and {len(names) - MOST_NAMED} more"
