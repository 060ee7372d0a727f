"""Requests that may be sent again under the same key, and are then answered as they were."""

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, insert, select

from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import idempotency
from pricing.errors import BadQuestion

KEPT = timedelta(hours=24)
LONGEST_KEY = 255


class First(NamedTuple):
    """What the first request under a key was answered from: the catalogue version, and its day."""

    version: str
    day: date


def first_of(store: Store, asker: str, key: str, digest: str, now: First) -> First:
    """What the first request under a key rests on; `now` where this is the first. Keys are kept for 24 hours.

    `asker` tells whose key it is, and `digest` what was asked. Raises BadQuestion where the key is of another request.
    """
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadQuestion("Idempotency-Key", f"1 to {LONGEST_KEY} printable ASCII characters expected")
    at = datetime.now(UTC)
    mine = (idempotency.c.asker == asker) & (idempotency.c.key == key)
    with store.publishing() as connection:
        connection.execute(delete(idempotency).where(idempotency.c.first_at < at - KEPT))
        held = connection.execute(select(idempotency).where(mine)).one_or_none()
        if held is None:
            row = {"asker": asker, "key": key, "digest": digest, "version": now.version, "day": now.day, "first_at": at}
            connection.execute(insert(idempotency).values(row))
            return now
    if held.digest != digest:
        raise BadQuestion("Idempotency-Key", "another request was sent under this key: choose another key")
    return First(held.version, held.day)
