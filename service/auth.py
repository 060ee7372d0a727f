"""Who asks: by an API key in a header, or by a sheet token in the address, which may only read."""

from typing import cast

from flask import g, request

from pricing.catalogue.keys import ADMIN, SHEET_PREFIX, Key, find_key
from pricing.catalogue.library import ANYONE, Library, Reader
from pricing.catalogue.versions import PUBLIC

SCHEME = "bearer"
TOKEN = "token"
NEEDED = "a key is needed: send it as Authorization: Bearer KEY, or as X-API-Key"


class Unauthorised(Exception):
    """No key where one is needed, or one that does not hold."""


class Forbidden(Exception):
    """A key without the right that is needed; says which."""


def identify(library: Library, *, public_reading: bool) -> None:
    """Look up the key of the request, if there is one, and keep it for the request. Raises Unauthorised."""
    text = _presented()
    if text is None:
        if not public_reading:
            raise Unauthorised(NEEDED)
        g.key = None
        return
    key = find_key(library.store, text) if library.store and library.has_books() else None
    if key is None:
        raise Unauthorised("the key is none that holds")
    g.key = key


def _presented() -> str | None:
    """The key as it was sent. An address may hold a sheet token only."""
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    if scheme and scheme.casefold() != SCHEME:
        raise Unauthorised("only Authorization: Bearer KEY is understood")
    sent = [each for each in (bearer.strip(), request.headers.get("X-API-Key"), request.args.get(TOKEN)) if each]
    if len(set(sent)) > 1:
        raise Unauthorised("several keys were sent: send one")
    if request.args.get(TOKEN) and not request.args[TOKEN].startswith(f"{SHEET_PREFIX}_"):
        raise Unauthorised("only a sheet token may stand in an address; send a key as a header")
    return sent[0] if sent else None


def key() -> Key | None:
    """The key of this request."""
    return cast(Key | None, g.get("key"))


def reader() -> Reader:
    """What the request may read."""
    held = key()
    if held is None:
        return ANYONE
    return Reader(held.id, lambda book: book == PUBLIC or held.may("read", book))


def require_key() -> Key:
    """The key of the request. Raises Unauthorised."""
    held = key()
    if held is None:
        raise Unauthorised(NEEDED)
    return held


def require(verb: str, book: str) -> Key:
    """The key of the request, with that right. Raises Unauthorised or Forbidden."""
    held = require_key()
    if not held.may(verb, book):
        raise Forbidden(f"this key has no right {verb}:{book}" if book else f"this key has no right {verb}")
    return held


def require_admin() -> Key:
    """The key of the request, with the right to administer. Raises Unauthorised or Forbidden."""
    return require(ADMIN, "")
