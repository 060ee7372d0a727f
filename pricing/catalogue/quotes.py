"""Frozen answers: an id that follows from what was asked and answered from, and the bytes as they were."""

import hashlib
import zlib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

import pricing
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import quote, quote_body
from pricing.errors import Purged

ENGINE = pricing.__version__
ID_LENGTH = 26


class Quote(NamedTuple):
    """A frozen answer. `asked` is the request as it came, `resolved` with everything decided; both are JSON."""

    id: str
    noun: str
    asked: str
    resolved: str
    version: str
    engine: str
    books: tuple[str, ...]
    valid_until: date | None
    made_by: str | None
    made_at: datetime
    redacted: bool


def quote_id(resolved: str, engine: str = ENGINE) -> str:
    """The id of a quote: a digest of the resolved question, which holds the catalogue version and the exchange date."""
    return "q" + hashlib.sha256(f"{engine}\n{resolved}".encode()).hexdigest()[: ID_LENGTH - 1]


def keep(store: Store, new: Quote, bodies: Mapping[str, bytes]) -> tuple[Quote, bool]:
    """Keep a quote; one that is there already stays as it is. Says whether it is new."""
    with store.publishing() as connection:
        held = _held(connection, new.id)
        if held is not None:
            return held, False
        connection.execute(insert(quote).values({**new._asdict(), "books": " ".join(new.books)}))
        rows = [{"quote_id": new.id, "form": form, "content": zlib.compress(body)} for form, body in bodies.items()]
        connection.execute(insert(quote_body), rows)
    return new, True


def find(store: Store, number: str) -> Quote | None:
    """The quote of that id."""
    with store.reading() as connection:
        return _held(connection, number)


def body(store: Store, found: Quote, form: str) -> bytes | None:
    """The bytes of a quote in a format; None where it was not kept in it. Raises Purged."""
    if found.redacted:
        raise Purged(found.id)
    mine = (quote_body.c.quote_id == found.id) & (quote_body.c.form == form)
    with store.reading() as connection:
        content = connection.execute(select(quote_body.c.content).where(mine)).scalar_one_or_none()
    return None if content is None else zlib.decompress(content)


def redact(connection: Connection, book: str) -> None:
    """Take away what quotes hold of a book that is purged; their ids stay, and answer that they are gone."""
    rows = connection.execute(select(quote.c.id, quote.c.books)).all()
    ids = [row.id for row in rows if book in row.books.split()]
    if ids:
        connection.execute(delete(quote_body).where(quote_body.c.quote_id.in_(ids)))
        blank = {"asked": "{}", "resolved": "{}", "redacted": True}
        connection.execute(update(quote).where(quote.c.id.in_(ids)).values(blank))


def _held(connection: Connection, number: str) -> Quote | None:
    row = connection.execute(select(quote).where(quote.c.id == number)).one_or_none()
    if row is None:
        return None
    found = dict(row._mapping)
    return Quote(**{**found, "books": tuple(found["books"].split())})


def made_now() -> datetime:
    """The time, UTC."""
    return datetime.now(UTC)
