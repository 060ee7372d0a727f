"""What a feed cannot do to us: have us reach other addresses, trust other servers, or wait."""

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

import pytest

from pricing.catalogue.sources.guarded_http import GuardedSession
from pricing.catalogue.sources.http_limits import Limits, Refused, Wire, is_public
from tests.pricing.catalogue.sources.fake_feed import (
    PATIENCE,
    Pieces,
    drip,
    fault,
    feed,
    head,
    late,
    rows,
    whole,
)
from tests.servers import free_port

CSV = b"sku,price\na,1\nb,2\n"


# Addresses


@contextmanager
def listening(hosts: tuple[str, ...]) -> Iterator[tuple[int, Callable[[], int]]]:
    """One port of several addresses, and how many connections have come to any of them."""
    port = free_port()
    sockets = [
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET) for host in hosts
    ]

    def came() -> int:
        count = 0
        for each in sockets:
            each.setblocking(False)
            try:
                each.accept()[0].close()
                count += 1
            except BlockingIOError:
                pass
        return count

    try:
        yield port, came
    finally:
        for each in sockets:
            each.close()


SPELLINGS = ["127.0.0.1", "127.0.0.2", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]"]  # fmt: skip
FORMS = ["file:///etc/passwd", "file://127.0.0.1:{port}/", "gopher://127.0.0.1:{port}/", "ftp://127.0.0.1:{port}/", "http://a@127.0.0.1:{port}/", "http://a:b@127.0.0.1:{port}/", "http://8.8.8.8\\@127.0.0.1:{port}/", "http://127.0.0.1:{port}\\@8.8.8.8/", "http://8.8.8.8:80@127.0.0.1:{port}/", "http:/127.0.0.1:{port}/", "127.0.0.1:{port}/", "http://127.0.0.1:{port}/a b", "http://127.0.0.1:{port}\t/", "http://①②⑦.0.0.1:{port}/", "http://[::1:{port}/", "http://127.0.0.1:{port}0000/", "http:///", ""]  # fmt: skip


def test_no_spelling_of_loopback_is_reached() -> None:
    with listening(("127.0.0.1", "127.0.0.2", "::1")) as (port, came):
        for host in SPELLINGS:
            found = {each[4][0] for each in socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)}
            assert found <= {
                "127.0.0.1",
                "127.0.0.2",
                "0.0.0.0",
                "::1",
                "::",
                "::ffff:127.0.0.1",
            }  # it does mean loopback
            assert "is not public" in fault(f"http://{host}:{port}/", allow_private=False), host
            assert "is not public" in fault(f"https://{host}:{port}/", allow_private=False), host
        assert came() == 0


@pytest.mark.parametrize("allow_private", [False, True])
def test_no_other_form_of_a_url_is_asked(allow_private: bool) -> None:
    with listening(("127.0.0.1",)) as (port, came):
        for form in FORMS:
            assert fault(form.format(port=port), allow_private=allow_private).startswith("url: "), form
        assert came() == 0


def test_the_operator_may_allow_a_private_address() -> None:
    with feed(whole(CSV, "text/csv")) as server:
        for host in ("127.0.0.1", "127.1", "2130706433", "LOCALHOST"):
            assert len(rows(server.url(host=host))) == 2


def test_the_connection_itself_reaches_one_host_and_port_only() -> None:
    with listening(("127.0.0.1",)) as (port, came):
        wire = Wire("http://127.0.0.1:1/", Limits(allow_private=True, seconds=5, most_bytes=1000, tries=1))
        with GuardedSession(wire) as session:
            for url in (f"http://127.0.0.1:{port}/", f"http://localhost:{port}/", f"https://127.0.0.1:{port}/"):
                with pytest.raises(Refused, match="only 127.0.0.1 port 1 may be asked"):
                    session.get(url)
        assert came() == 0


PUBLIC = ["8.8.8.8", "1.1.1.1", "100.63.0.1", "172.15.0.1", "2606:4700:4700::1111", "2a00:1450:4001:801::200e"]
NOT_PUBLIC = [
    *["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"],
    *[
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
    ],
    *[
        "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
    ],
    *[
        "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1",
        "100::1",
        "2001::1",
        "2001:0:7f00:1::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
    ],
    *["5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1"],
]


def test_only_plain_public_addresses_are_public() -> None:
    assert [each for each in PUBLIC if not is_public(each)] == []
    assert [each for each in NOT_PUBLIC if is_public(each)] == []


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[list[str]], list[str]]]:
    """What the next look-ups give, and where connections then went; none goes anywhere but to loopback."""
    given: list[list[str]] = []
    tried: list[str] = []
    connect = socket.socket.connect

    def look_up(name: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in given.pop(0)]

    def go(self: socket.socket, address: Any) -> None:
        tried.append(address[0])
        if address[0] != "127.0.0.1":
            raise ConnectionRefusedError(111, "Connection refused")
        connect(self, address)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket.socket, "connect", go)
    yield given, tried


def test_the_address_that_was_checked_is_the_one_connected_to(names: tuple[list[list[str]], list[str]]) -> None:
    given, tried = names
    given += [["8.8.8.8"], ["127.0.0.1"]]  # a name that is another one's by the second look-up
    with listening(("127.0.0.1",)) as (port, came):
        assert "Connection refused" in fault(f"http://prices.example:{port}/", allow_private=False)
        assert (tried, given, came()) == (["8.8.8.8"], [["127.0.0.1"]], 0)
        assert "127.0.0.1, which is not public" in fault(f"http://prices.example:{port}/", allow_private=False)
        assert (tried, came()) == (["8.8.8.8"], 0)


def test_a_name_with_one_private_address_among_public_ones_is_refused(names: tuple[list[list[str]], list[str]]) -> None:
    given, tried = names
    given += [["8.8.8.8", "10.0.0.1"]]
    assert "10.0.0.1, which is not public" in fault("https://prices.example/", allow_private=False)
    assert tried == []


def test_the_next_address_is_tried_where_the_first_does_not_answer(names: tuple[list[list[str]], list[str]]) -> None:
    given, tried = names
    given += [["8.8.8.8", "127.0.0.1"]]
    with feed(whole(CSV, "text/csv")) as server:
        assert len(rows(server.url(host="prices.example"))) == 2
    assert tried == ["8.8.8.8", "127.0.0.1"] and server.asked[0].headers["host"] == f"prices.example:{server.port}"


def test_a_name_that_is_not_found_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert "not found: Name or service not known (try 2 of 2)" in fault("https://prices.example/", tries=2)


@pytest.mark.parametrize("host", ["a..b", "x" * 64 + ".example"])
def test_a_host_that_is_no_name_is_a_fault(host: str) -> None:
    assert "page 1: " in fault(f"http://{host}/")


# Deadlines


def a_drop_at_a_time() -> Pieces:
    return drip(whole(CSV, "text/csv"), 0.4)


def a_head_and_then_drops() -> Pieces:
    yield head(200, Content_Type="text/csv", Content_Length=str(len(CSV)))
    yield from drip(CSV, 0.4)


def drops_in_chunks() -> Pieces:
    yield head(200, Content_Type="text/csv", Transfer_Encoding="chunked")
    while True:
        yield b"1\r\na\r\n"
        yield 0.05


def nothing() -> Pieces:
    yield PATIENCE


def a_head_without_end() -> Pieces:
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield b"X: y"
        yield 0.1


def half_a_body() -> Pieces:
    yield whole(CSV, "text/csv")[:-3]
    yield PATIENCE


SLOW = [a_drop_at_a_time, a_head_and_then_drops, drops_in_chunks, nothing, a_head_without_end, half_a_body]


def test_slow_answers_end_at_the_deadline() -> None:
    answers = {f"/{each.__name__}": lambda _, each=each: each() for each in SLOW}
    with feed(answers) as server, ThreadPoolExecutor(len(SLOW)) as pool:
        said = list(pool.map(lambda path: late(server.url(path)), answers))
    assert all("page 1: not read whole within 1 s" in each for each in said)
    assert sorted(asked.path for asked in server.asked) == sorted(answers)


def test_all_tries_share_one_deadline() -> None:
    def busy(_: Any) -> Pieces:
        yield 0.3
        yield head(503)

    with feed(busy) as server:
        assert "deadline" in fault(server.url(), tries=1000, deadline_seconds=1)
    assert 1 <= len(server.asked) <= 4


def test_all_pages_share_one_deadline() -> None:
    def slow(asked: Any) -> Pieces:
        yield 0.3
        yield whole(b'{"items": [{"sku": "a"}], "next": "%s1"}' % asked.path.encode())

    with feed(slow) as server:
        assert "not read whole within 1 s" in late(server.url("/"))
    assert 1 <= len(server.asked) <= 4


def test_a_connection_that_nobody_takes_ends_at_the_deadline() -> None:
    with closing(socket.create_server(("127.0.0.1", free_port()), backlog=0)) as full:
        waiting = [socket.socket() for _ in range(8)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        late(f"http://127.0.0.1:{full.getsockname()[1]}/")
        for each in waiting:
            each.close()


def test_a_look_up_that_hangs_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    def hang(*_: Any, **__: Any) -> list[Any]:
        done.wait(PATIENCE)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    try:
        assert "was not looked up within 1 s" in late("https://prices.example/")
    finally:
        done.set()


def test_a_handshake_that_hangs_ends_at_the_deadline() -> None:
    with listening(("127.0.0.1",)) as (port, came):
        late(f"https://127.0.0.1:{port}/")
        assert came() == 1
