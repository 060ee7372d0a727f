"""Connections to one host and port: checked addresses only, one deadline for everything, and no head that was cut.

requests has none of this: its timeout is for each read, and it takes a head that was cut for a whole one. So the
sockets are our own; urllib3 speaks HTTP over them and checks certificates as always.
"""

import http.client
import queue
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util.ssl_ import create_urllib3_context

from pricing.catalogue.sources.http_limits import PORTS, Broken, Refused, Wire, is_public


class _Socket(socket.socket):
    """A socket that keeps to its wire's deadline in each call and counts what comes."""

    wire: Wire

    def recv_into(self, *args: Any) -> int:
        with _in_time(self):
            count = super().recv_into(*args)
        self.wire.took(count)
        return count

    def sendall(self, *args: Any) -> None:
        with _in_time(self):
            super().sendall(*args)


class _TlsSocket(_Socket, ssl.SSLSocket):
    """The same over TLS."""


@contextmanager
def _in_time(sock: _Socket) -> Iterator[None]:
    """Let one call on a socket last until the deadline at most. Raises Refused, Broken."""
    sock.settimeout(sock.wire.left())
    try:
        yield
    except OSError as error:
        sock.wire.left()
        raise Broken(f"the connection broke: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _connect(wire: Wire, host: str, port: int) -> _Socket:
    """A connection to the first address that answers; each was looked up once, and checked. Raises Refused, Broken."""
    name = host.strip("[]")
    if (name.rstrip(".").lower(), port) != (wire.host, wire.port):
        raise Refused(f"only {wire.host} port {wire.port} may be asked")
    found = _look_up(wire, name, port)
    for *_, address in found:
        if not wire.limits.allow_private and not is_public(address[0]):
            raise Refused(f"the host has the address {address[0]}, which is not public; allow_private would allow it")
    reason = "it has no address"
    for number, each in enumerate(found):
        try:
            return _open(wire, each, wire.left() / (len(found) - number))
        except OSError as error:
            reason = _reason(error)
    wire.left()
    raise Broken(f"cannot connect: {reason}")


def _open(wire: Wire, found: Any, seconds: float) -> _Socket:
    *kind, _, address = found
    sock = _Socket(*kind)
    try:
        sock.settimeout(seconds)
        sock.connect(address)
        sock.settimeout(wire.left())  # for what TLS does before our own calls begin
    except BaseException:
        sock.close()
        raise
    sock.wire = wire
    return sock


def _look_up(wire: Wire, name: str, port: int) -> list[Any]:
    """The addresses of a name, in a thread of its own: nothing else ends a look-up that takes too long."""
    answers: queue.SimpleQueue[list[Any] | Exception] = queue.SimpleQueue()

    def look() -> None:
        try:
            answers.put(list(socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)))
        except (OSError, UnicodeError) as error:  # UnicodeError: a part of a name that is empty or too long
            answers.put(error)

    threading.Thread(target=look, daemon=True).start()
    try:
        answer = answers.get(timeout=wire.left())
    except queue.Empty:
        raise Refused(f"the host's name was not looked up within {wire.limits.seconds:g} s") from None
    if isinstance(answer, UnicodeError):
        raise Refused("the host's name is no name")
    if isinstance(answer, OSError):
        raise Broken(f"the host's name was not found: {_reason(answer)}")
    assert isinstance(answer, list)
    return answer


class _Head(http.client.HTTPResponse):
    """An answer whose head came whole: the library takes one that was cut, or is half no head, for a good one."""

    def __init__(self, sock: _Socket, *args: Any, **named: Any) -> None:
        super().__init__(sock, *args, **named)
        self._wire = sock.wire

    def begin(self) -> None:
        super().begin()
        if self._wire.ended:
            raise Broken("the answer was cut within its head")
        if self.msg.defects or self.msg.get_payload():
            raise Refused("the answer has a line in its head that is no header")
        lengths = ",".join(self.msg.get_all("Content-Length", [])).replace(" ", "").split(",")
        if len(set(lengths)) > 1:
            raise Refused("the answer says two lengths")


class _Connection(HTTPConnection):
    response_class = _Head

    def __init__(self, *args: Any, wire: Wire, **named: Any) -> None:
        super().__init__(*args, **named)
        self._wire = wire

    def _new_conn(self) -> socket.socket:
        return _connect(self._wire, self._dns_host, self.port)


class _TlsConnection(_Connection, HTTPSConnection):
    def connect(self) -> None:
        try:
            super().connect()
        except ssl.SSLCertVerificationError as error:
            raise Refused(f"the certificate is not trusted: {error.verify_message}") from None
        except OSError as error:
            self._wire.left()
            raise Broken(f"no TLS connection: {_reason(error)}") from None
        assert isinstance(self.sock, _TlsSocket)
        self.sock.wire = self._wire


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


class _Adapter(HTTPAdapter):
    """Gives requests our connections."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        super().__init__()

    def init_poolmanager(self, *args: Any, **named: Any) -> None:
        context = create_urllib3_context()
        context.sslsocket_class = _TlsSocket
        super().init_poolmanager(*args, ssl_context=context, **named)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}

    def get_connection_with_tls_context(self, *args: Any, **named: Any) -> Any:
        pool = super().get_connection_with_tls_context(*args, **named)
        assert isinstance(pool, HTTPConnectionPool)
        pool.conn_kw["wire"] = self._wire
        return pool


class GuardedSession(requests.Session):
    """A session that reaches the wire's place only, with nothing from the environment, and follows no redirect."""

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        adapter = _Adapter(wire)
        for scheme in PORTS:
            self.mount(f"{scheme}://", adapter)

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """None: to look at a redirect, requests would read its body, however large."""
        return None
