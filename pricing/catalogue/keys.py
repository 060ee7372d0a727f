"""API keys: made once and shown once, kept as a hash, with rights that can be taken back at any time."""

import hmac
import re
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import insert, select, update

from pricing.catalogue.names import find
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import api_key
from pricing.catalogue.versions import PUBLIC, is_book_name
from pricing.errors import BadQuestion
from schemas.question import check_name

ADMIN = "admin"
VERBS = ("read", "import")
PREFIX, SHEET_PREFIX = "tck", "tcs"
ID_BYTES, SECRET_BYTES, SHEET_BYTES = 6, 32, 16
MOST_LENGTH = 100
RIGHTS_FORM = "read:BOOK, import:BOOK or admin"
NUMBER = re.compile(r"[0-9a-f]{12}", re.ASCII)
NOBODY = "0" * 64


class Key(NamedTuple):
    """A key as it is kept, without its secret."""

    id: str
    label: str
    sheet: bool
    rights: frozenset[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None

    def may(self, verb: str, book: str) -> bool:
        """Whether the key has that right of that book."""
        return ADMIN in self.rights or f"{verb}:{book}" in self.rights or (verb, book) == ("read", PUBLIC)

    @property
    def state(self) -> str:
        """Whether it holds, and until when, or why not."""
        if self.revoked_at is not None:
            return f"revoked {self.revoked_at.date()}"
        if self.expires_at is None:
            return "holds"
        return f"holds until {self.expires_at.date()}" if self.holds else f"expired {self.expires_at.date()}"

    @property
    def holds(self) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or datetime.now(UTC) < self.expires_at)


def make_key(
    store: Store, label: str, rights: Iterable[str], *, sheet: bool = False, expires_at: datetime | None = None
) -> str:
    """Make a key and return it, this once. A sheet token may only read. Raises BadQuestion for a wrong right."""
    wanted = sorted(set(rights))
    for right in wanted:
        _check_right(right, sheet=sheet)
    if not wanted:
        raise BadQuestion("right", f"a key needs one at least: {RIGHTS_FORM}")
    if expires_at is not None and expires_at <= datetime.now(UTC):
        raise BadQuestion("expires", f"a day that is still to come expected, not {expires_at.date()}")
    number, secret = secrets.token_hex(ID_BYTES), secrets.token_hex(SHEET_BYTES if sheet else SECRET_BYTES)
    label = check_name(label)
    row = {
        "id": number, "digest": _digest(secret), "label": label, "sheet": sheet, "rights": " ".join(wanted),
        "created_at": datetime.now(UTC), "expires_at": expires_at, "revoked_at": None,
    }  # fmt: skip
    with store.writing() as connection:
        connection.execute(insert(api_key).values(row))
    return f"{SHEET_PREFIX if sheet else PREFIX}_{number}_{secret}"


def _check_right(right: str, *, sheet: bool) -> None:
    verb, _, book = right.partition(":")
    if right != ADMIN and not (verb in VERBS and is_book_name(book)):
        raise BadQuestion("right", f"{right[:100]!r} is not {RIGHTS_FORM}")
    if sheet and verb != "read":
        raise BadQuestion("right", "a sheet token travels in addresses, so that it may only read")


def _digest(secret: str) -> str:
    return sha256(secret.encode("ascii", "replace")).hexdigest()


def find_key(store: Store, text: str) -> Key | None:
    """The key that a text is, if it holds; None for any other, after the same work."""
    prefix, _, rest = text[:MOST_LENGTH].partition("_")
    number, _, secret = rest.partition("_")
    number = number if NUMBER.fullmatch(number) else ""
    with store.reading() as connection:
        row = connection.execute(select(api_key).where(api_key.c.id == number)).first()
    same = hmac.compare_digest(_digest(secret), row.digest if row else NOBODY)
    if row is None or not same or prefix != (SHEET_PREFIX if row.sheet else PREFIX) or len(text) > MOST_LENGTH:
        return None
    key = _key(row)
    return key if key.holds else None


def _key(row: object) -> Key:
    cells = dict(row._mapping)  # type: ignore[attr-defined]
    del cells["digest"]
    return Key(**{**cells, "rights": frozenset(cells["rights"].split())})


def all_keys(store: Store) -> list[Key]:
    """Every key that was made, the revoked ones too."""
    if not store.exists():
        return []
    with store.reading() as connection:
        return [_key(row) for row in connection.execute(select(api_key).order_by(api_key.c.created_at))]


def revoke_key(store: Store, number: str) -> None:
    """Take a key back for good. Raises UnknownName."""
    find("key", number, {each.id: each for each in all_keys(store)})
    with store.writing() as connection:
        holds = (api_key.c.id == number) & api_key.c.revoked_at.is_(None)
        connection.execute(update(api_key).where(holds).values(revoked_at=datetime.now(UTC)))
