"""A catalogue version: the facts and the heads of the books used, `facts.ab12cd34+public.17+acme.4`.

A book further right wins over those left of it, as a later list does over an earlier one.
"""

import re
from typing import NamedTuple

BOOK_NAME = re.compile(r"[a-z][a-z0-9-]{0,62}[a-z0-9]", re.ASCII)
PART = re.compile(rf"({BOOK_NAME.pattern})\.([1-9][0-9]{{0,8}})", re.ASCII)
FACTS = re.compile(r"facts\.[0-9a-f]{8}", re.ASCII)
PUBLIC = "public"
SOURCE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}", re.ASCII)
RESERVED = ("facts",)
BOOK_FORM = "small letters, digits and hyphens, starting with a letter, two to 64 in all"
SOURCE_FORM = "small letters, digits and hyphens, at most 64"
FORM = "facts.HASH+BOOK.HEAD, such as facts.ab12cd34+public.17"
MOST_BOOKS = 10


class Version(NamedTuple):
    """A version taken apart: that of the facts, and the heads of books, the one that wins first."""

    facts: str
    heads: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """Write it as answers do."""
        return "+".join((self.facts, *(f"{name}.{head}" for name, head in reversed(self.heads))))


def parse_version(text: str) -> Version | None:
    """The version that a text is; None where it is of another form."""
    facts, *parts = text.split("+")
    found = [PART.fullmatch(part) for part in parts]
    names = [match[1] for match in found if match]
    if not FACTS.fullmatch(facts) or len(names) < len(parts) or len(set(names)) < len(names):
        return None
    return Version(facts, tuple((match[1], int(match[2])) for match in reversed(found) if match))


def is_book_name(name: str) -> bool:
    """Whether a book may have this name: small letters, digits and hyphens, at least two, and none that we use."""
    return bool(BOOK_NAME.fullmatch(name)) and name not in RESERVED


def is_source_name(name: str) -> bool:
    """Whether a source may have this name: small letters, digits and hyphens."""
    return bool(SOURCE_NAME.fullmatch(name))
