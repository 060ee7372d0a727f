"""Answers kept ready: the bytes of what was asked before, since a catalogue version never changes.

The key is a digest of the whole question as it came, with the day and the catalogue version, so that nothing
that may change is left out. The memory is bounded; what was asked longest ago goes first.
"""

from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

OVERHEAD = 600  # of the key and the entry, beside the bytes


class Ready(NamedTuple):
    """An answer as it goes out."""

    body: bytes
    content_type: str
    etag: str
    link: str | None


def digest(*parts: object) -> bytes:
    """A key of fixed length for a question, however long it is."""
    return blake2b(repr(parts).encode(), digest_size=20).digest()


class ReadyAnswers:
    """A bounded memory of answers by question. Safe for threads."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._used = 0
        self._held: OrderedDict[bytes, Ready] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes) -> Ready | None:
        """The answer to a question asked before, if it is still held."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def keep(self, key: bytes, ready: Ready) -> None:
        """Hold an answer; one that is larger than a tenth of the memory is not."""
        size = len(ready.body) + OVERHEAD
        if size > self._most // 10:
            return
        with self._lock:
            if key in self._held:
                return
            self._held[key] = ready
            self._used += size
            while self._used > self._most:
                _, gone = self._held.popitem(last=False)
                self._used -= len(gone.body) + OVERHEAD
