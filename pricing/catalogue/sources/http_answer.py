"""One whole answer from the place of a feed: tried again where that helps, redirected within the place, decoded."""

import gzip
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import responses
from typing import Protocol
from urllib.parse import urljoin

import requests
import urllib3

from pricing.catalogue.sources.guarded_http import GuardedSession
from pricing.catalogue.sources.http_limits import Broken, Limits, Refused, Wire, origin, shown

BASE_DELAY = 0.2  # seconds before the second try; twice that before the third
MOST_REDIRECTS = 3
STEP = 64 * 1024
OK, NOT_MODIFIED = 200, 304
REDIRECTS = (301, 302, 303, 307, 308)
BUSY = (429, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that came whole: of status 200 with a body, or of status 304 without one."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Asker:
    """Asks one place, by GET, within the limits of one fetch."""

    def __init__(self, url: str, limits: Limits) -> None:
        self._limits = limits
        self._origin = origin(url)
        self._room = limits.most_bytes
        self._wire = Wire(url, limits)
        self._session = GuardedSession(self._wire)

    def close(self) -> None:
        """Close what connections are open."""
        self._session.close()

    def within(self, url: str, target: str) -> str:
        """The whole URL that an answer from `url` points to. Raises Refused where that is another place."""
        try:
            whole = urljoin(url, target)
            place = origin(whole)
        except (ValueError, Refused):
            place, whole = None, target
        if place != self._origin:
            raise Refused(f"it points to {shown(whole)!r}, which is another place and is not asked")
        return whole.partition("#")[0]

    def get(self, url: str, headers: Mapping[str, str]) -> Answer:
        """The answer. Raises Refused where there is none, also after the last try."""
        tried = 0
        while True:
            tried += 1
            try:
                return self._follow(url, headers)
            except Broken as broken:
                if tried >= self._limits.tries:
                    raise Refused(f"{broken} (try {tried} of {self._limits.tries})") from None
                self._pause(max(BASE_DELAY * 2 ** (tried - 1), broken.wait), broken)

    def _pause(self, seconds: float, broken: Broken) -> None:
        if seconds >= self._wire.left():
            raise Refused(f"{broken}; the next try, in {seconds:g} s, would be after the deadline") from None
        time.sleep(seconds)

    def _follow(self, url: str, headers: Mapping[str, str]) -> Answer:
        for _ in range(MOST_REDIRECTS + 1):
            answer = self._ask(url, headers)
            if isinstance(answer, Answer):
                return answer
            url = answer
        raise Refused(f"more than {MOST_REDIRECTS} redirects")

    def _ask(self, url: str, headers: Mapping[str, str]) -> Answer | str:
        """The answer, or where it redirects to."""
        self._wire.begin()
        timeout = self._wire.left()
        with _translated(), self._session.get(url, headers=headers, stream=True, timeout=timeout) as response:
            status = response.status_code
            said = f"status {status} {responses.get(status, '')}".rstrip()
            if status in REDIRECTS and "Location" in response.headers:
                return self.within(response.url, response.headers["Location"])
            if status in BUSY:
                raise Broken(said, _seconds(response.headers.get("Retry-After", "")))
            if status not in (OK, NOT_MODIFIED):
                raise Refused(said)
            body = self._body(response) if status == OK else b""
            return Answer(response.url, status, response.headers, body)

    def _body(self, response: requests.Response) -> bytes:
        body = bytearray()
        raw = _decoded(response)
        while part := _read(raw):
            body += part
            if len(body) > self._room:
                raise Refused(f"more than {self._limits.most_bytes:,} bytes")
        if self._wire.ended:
            raise Broken("the answer was cut, or does not say how long it is")
        if not body:
            raise Refused("the answer is empty")
        self._room -= len(body)
        return bytes(body)


def _decoded(response: requests.Response) -> _Readable:
    """The body as a file. urllib3 would take half a gzip stream, and bytes of a coding that it lacks, as they are."""
    coding = response.headers.get("Content-Encoding", "").strip().lower() or "identity"
    if coding in ("gzip", "x-gzip"):
        return gzip.GzipFile(fileobj=response.raw)
    if coding != "identity":
        raise Refused(f"the Content-Encoding {coding[:50]!r} was not asked for")
    raw: _Readable = response.raw
    return raw


def _read(raw: _Readable) -> bytes:
    try:
        return raw.read(STEP)
    except ValueError:
        raise Refused("the answer has a chunk of less than no bytes") from None


def _seconds(text: str) -> float:
    """Retry-After as seconds; 0 where it is a date or nothing that we know."""
    return float(text) if text.isascii() and text.isdecimal() and len(text) < len("1000000") else 0.0


@contextmanager
def _translated() -> Iterator[None]:
    """Faults of the libraries in our words; theirs would show the whole URL."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise Refused("the Content-Encoding is gzip, but the body is not, or not whole") from None
    except (requests.ConnectionError, requests.Timeout, urllib3.exceptions.HTTPError) as error:
        raise Broken(f"no whole HTTP answer came ({type(error).__name__})") from None
    except requests.RequestException as error:
        raise Refused(f"no HTTP answer that we understand ({type(error).__name__})") from None
