"""A server on loopback that answers, byte for byte, what a test tells it to, keeps what it was asked, and is a feed."""

import json
import socket
import socketserver
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, TypeAlias

import pytest

from pricing.catalogue.sources.base import SourceFault
from pricing.catalogue.sources.http_feed import HttpFeed
from tests.servers import free_port

PATIENCE = 10.0  # seconds: longer than any deadline of a test, so that what hangs is seen


@dataclass(frozen=True)
class Asked:
    path: str
    headers: Mapping[str, str]
    method: str = "GET"


RESET = -1.0

# A piece is bytes to send, seconds to wait before the next one, or RESET, which breaks the connection off.
Pieces: TypeAlias = Iterable[bytes | float]
Answer: TypeAlias = bytes | Callable[[Asked], bytes | Pieces]


class FakeFeed(socketserver.ThreadingTCPServer):
    """Answers by path; what stands under `*` answers all other paths."""

    allow_reuse_address = True
    daemon_threads = False  # closing waits for every thread

    def __init__(self, answers: Mapping[str, Answer], host: str, tls: ssl.SSLContext | None) -> None:
        self.answers, self.tls = answers, tls
        self.asked: list[Asked] = []
        self.connects = 0
        self.stopping = threading.Event()
        super().__init__((host, free_port()), _Talk)
        self.host, self.port = host, self.server_address[1]

    def url(self, path: str = "/prices", host: str | None = None) -> str:
        return f"{'https' if self.tls else 'http'}://{host or self.host}:{self.port}{path}"

    def answer(self, asked: Asked) -> Pieces:
        self.asked.append(asked)
        found = self.answers.get(asked.path.partition("?")[0]) or self.answers["*"]
        given = found if isinstance(found, bytes) else found(asked)
        return [given] if isinstance(given, bytes) else given


class _Talk(socketserver.BaseRequestHandler):
    server: FakeFeed

    def handle(self) -> None:
        self.server.connects += 1
        self.request.settimeout(PATIENCE)
        try:
            self._talk()
        except OSError:  # the other side has gone, which it may at any time
            pass
        finally:
            self.request.close()

    def _talk(self) -> None:
        if self.server.tls:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        with self.request.makefile("rb") as file:
            while asked := _read(file):
                if not self._say(self.server.answer(asked)):
                    return

    def _say(self, pieces: Pieces) -> bool:
        """Whether the connection stays open for the next question."""
        keep = False
        for piece in pieces:
            if isinstance(piece, bytes):
                self.request.sendall(piece)
                keep = keep or b"Connection: keep-alive" in piece
            elif piece == RESET:
                self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return False
            elif self.server.stopping.wait(piece):
                return False
        return keep


def _read(file: IO[bytes]) -> Asked | None:
    first = file.readline().decode().split(" ")
    if len(first) != 3:
        return None
    lines = iter(lambda: file.readline().decode().strip(), "")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Asked(first[1], headers, first[0])


@contextmanager
def feed(
    answers: Mapping[str, Answer] | Answer, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
) -> Iterator[FakeFeed]:
    """A running server; one answer alone is for every path."""
    server = FakeFeed(answers if isinstance(answers, Mapping) else {"*": answers}, host, tls)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Told:
    """Answers in the order told, and the last one from then on."""

    answers: list[bytes]
    count: int = field(default=0)

    def __call__(self, _: Asked) -> bytes:
        self.count += 1
        return self.answers[min(self.count, len(self.answers)) - 1]


def head(status: int = 200, **headers: str) -> bytes:
    """A head; an underscore in a header's name stands for its hyphen, and each connection serves one answer."""
    lines = [f"HTTP/1.1 {status} Said", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def whole(body: bytes, kind: str = "application/json", status: int = 200, **headers: str) -> bytes:
    """An answer with its length."""
    return head(status, Content_Type=kind, Content_Length=str(len(body)), **headers) + body


def chunked(*chunks: bytes, kind: str = "application/json", **headers: str) -> bytes:
    """An answer in chunks, whose lengths begin with zeros, as some servers write them."""
    said = b"".join(b"%08x\r\n%s\r\n" % (len(each), each) for each in (*chunks, b""))
    return head(Content_Type=kind, Transfer_Encoding="chunked", **headers) + said


def drip(content: bytes, seconds: float) -> Pieces:
    """One byte, a pause, one byte, a pause."""
    for byte in content:
        yield bytes([byte])
        yield seconds


def source(url: str, **named: Any) -> HttpFeed:
    """A feed that may be on loopback, and that is asked once unless told otherwise."""
    return HttpFeed("feed", url, **{"allow_private": True, "tries": 1, **named})


def rows(url: str, **named: Any) -> list[Mapping[str, Any]]:
    return [row.cells for row in source(url, **named).prices()]


def fault(url: str, **named: Any) -> str:
    with pytest.raises(SourceFault) as raised:
        rows(url, **named)
    return str(raised.value)


def late(url: str, **named: Any) -> str:
    """The fault, which must come after the deadline of one second, and not long after it."""
    start = time.monotonic()
    said = fault(url, **{"deadline_seconds": 1.0, **named})
    assert 0.9 < time.monotonic() - start < 5
    return said


def page(items: int, following: Any = None) -> bytes:
    """A page of JSON that names the next one."""
    return whole(json.dumps({"items": [{"sku": f"s{number}"} for number in range(items)], "next": following}).encode())


@dataclass
class Changing:
    """An answer that the test changes between two questions."""

    said: bytes = b""

    def __call__(self, _: Asked) -> bytes:
        return self.said
