"""No part of a list passes for a whole one, whatever a server sends, and none fills the memory."""

import gzip
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from pricing.catalogue.sources.base import SourceFault
from tests.pricing.catalogue.sources.fake_feed import (
    RESET,
    Answer,
    Changing,
    Pieces,
    chunked,
    fault,
    feed,
    head,
    rows,
    source,
    whole,
)

CSV = b"sku,price\na,1\nb,2\n"
MIB = 1024 * 1024


# Cuts


WHOLE = {
    "length": whole(CSV, "text/csv", ETag='"1"'),
    "chunks": chunked(CSV[:10], CSV[10:14], CSV[14:], kind="text/csv"),
    "gzip": whole(gzip.compress(CSV, mtime=0), "text/csv", Content_Encoding="gzip"),
    "redirect": head(302, Location="/moved/to"),
    "unchanged": head(304, ETag='"1"'),
}


@pytest.mark.parametrize("form", WHOLE)
def test_an_answer_cut_at_any_byte_is_a_fault(form: str) -> None:
    said, changing = WHOLE[form], Changing()
    with feed({"/moved/to": whole(CSV, "text/csv"), "*": changing}) as server:
        for cut in range(len(said)):
            changing.said = said[:cut]
            asking = source(server.url())
            asking.state = {"url": asking._fingerprint(), "etag": '"1"'}
            with pytest.raises(SourceFault):
                list(asking.prices())
        assert len(server.asked) == len(said)
        if form not in ("redirect", "unchanged"):
            changing.said = said
            assert len(rows(server.url())) == 2


def test_a_cut_answer_is_read_whole_at_the_next_try() -> None:
    cuts = iter([10, 60, len(WHOLE["chunks"])])
    with feed(lambda _: WHOLE["chunks"][: next(cuts)]) as server:
        assert len(rows(server.url(), tries=3)) == 2


def test_a_connection_that_is_reset_is_a_fault() -> None:
    with feed(lambda _: [WHOLE["length"][:-3], 0.1, RESET]) as server:
        assert "the connection broke: Connection reset by peer (try 1 of 1)" in fault(server.url())


@pytest.mark.parametrize(
    "answer",
    [
        head(200, Content_Type="text/csv") + CSV,  # its end could be a cut
        head(200, Content_Type="text/csv", Content_Length="x") + CSV,
        head(200, Content_Type="text/csv", Content_Length="-1") + CSV,
        head(200, Content_Type="text/csv", Transfer_Encoding="xchunked") + CSV,
        head(200, Content_Type="text/csv", Transfer_Encoding="gzip, chunked") + b"12\r\n" + CSV + b"\r\n0\r\n\r\n",
        head(200, Content_Type="text/csv", Transfer_Encoding="chunked") + b"12\r\n" + CSV + b"\r\n0",
        head(200, Content_Type="text/csv", Transfer_Encoding="chunked") + b"-1\r\n" + CSV,
        head(200, Content_Type="text/csv", Transfer_Encoding="chunked") + b"-5\r\n" + CSV + b"\r\n0\r\n\r\n",
        head(200, Content_Type="text/csv", Transfer_Encoding="chunked") + CSV,
        whole(CSV, "text/csv").replace(b"Content-Length: 18", b"Content-Length: 14\r\nContent-Length: 18"),
        whole(CSV, "text/csv").replace(b"Content-Length", b"No header\r\nContent-Length"),
        b"HTTP/2.0 200 OK\r\nContent-Length: 18\r\nContent-Type: text/csv\r\n\r\n" + CSV,
        CSV,
    ],
)
def test_an_answer_that_does_not_say_where_it_ends_is_a_fault(answer: bytes) -> None:
    with feed(answer) as server:
        assert "page 1: " in fault(server.url())


@pytest.mark.parametrize("form", ["length", "chunks", "gzip"])
def test_whatever_byte_is_changed_the_end_is_rows_or_a_fault(form: str) -> None:
    said, changing = WHOLE[form], Changing()
    with feed(changing) as server:
        for at in range(len(said)):
            changing.said = said[:at] + (b"\xff", b"\n", b"0")[at % 3] + said[at + 1 :]
            with suppress(SourceFault):
                rows(server.url())


# Bytes


@contextmanager
def memory(most: int) -> Iterator[None]:
    """Fail where more than that many bytes were in use at once."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


BOMB = gzip.compress(bytes(64 * MIB), 9)


def test_a_gzip_bomb_is_stopped_before_it_fills_the_memory() -> None:
    twice = gzip.compress(BOMB, 9)
    answers: dict[str, Answer] = {
        "/length": whole(BOMB, Content_Encoding="gzip"),
        "/chunks": chunked(BOMB, Content_Encoding="gzip"),
        "/twice": whole(twice, Content_Encoding="gzip, gzip"),
        "/moved": whole(BOMB, status=302, Content_Encoding="gzip", Location="http://localhost/"),
        "/error": whole(BOMB, status=404, Content_Encoding="gzip"),
    }
    with feed(answers) as server, memory(16 * MIB):
        for path in ("/length", "/chunks"):
            assert "page 1: more than 1,048,576 bytes" in fault(server.url(path), most_bytes=MIB)
        assert "the Content-Encoding 'gzip, gzip' was not asked for" in fault(server.url("/twice"))
        assert "it points to" in fault(server.url("/moved"))
        assert "status 404" in fault(server.url("/error"))


def endless(begin: bytes, more: bytes) -> Pieces:
    yield begin
    while True:
        yield more


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (head(200, Content_Type="text/csv", Content_Length="9" * 12), b"a" * MIB),
        (head(200, Content_Type="text/csv", Transfer_Encoding="chunked"), b"10000\r\n" + b"a" * 65536 + b"\r\n"),
        (head(200, Content_Type="text/csv", Transfer_Encoding="chunked") + b"-1\r\n", b"a" * MIB),
        (head(200, Content_Type="text/csv", Transfer_Encoding="chunked"), b"a" * MIB),
        (head(200, Content_Type="text/csv"), b"a" * MIB),
        (b"HTTP/1.1 200 OK\r\n", b"X: " + b"a" * 60000 + b"\r\n"),
        (b"HTTP/1.1 200 OK\r\nX:", b"a" * MIB),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10000),
        (b"", b"a" * MIB),
    ],
)
def test_an_endless_answer_is_stopped(begin: bytes, more: bytes) -> None:
    with feed(lambda _: endless(begin, more)) as server, memory(32 * MIB):
        assert "page 1: " in fault(server.url(), most_bytes=MIB, deadline_seconds=60)


def test_all_pages_share_the_most_bytes() -> None:
    body = b'{"items": [{"sku": "%s"}], "next": "%s"}'
    with feed(lambda asked: whole(body % (b"a" * 300, asked.path.encode() + b"1"))) as server:
        assert "page 4: more than 1,200 bytes" in fault(server.url("/"), most_bytes=1200)


def test_exactly_the_most_bytes_may_come() -> None:
    for answer in (WHOLE["length"], WHOLE["chunks"], WHOLE["gzip"]):
        with feed(answer) as server:
            assert len(rows(server.url(), most_bytes=len(CSV))) == 2
            assert "more than 17 bytes" in fault(server.url(), most_bytes=len(CSV) - 1)


PACKED = gzip.compress(CSV)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", CSV),
        ("gzip", PACKED[:-1]),
        ("gzip", PACKED[:-8]),
        ("gzip", PACKED[:-8] + bytes(8)),
        ("gzip", PACKED + b"more"),
        ("gzip", b""),
        ("br", CSV),
        ("deflate", CSV),
        ("zstd", CSV),
        ("identity, gzip", PACKED),
        ("x", CSV),
    ],
)
def test_a_wrong_content_encoding_is_refused(coding: str, body: bytes) -> None:
    with feed(whole(body, "text/csv", Content_Encoding=coding)) as server:
        assert "page 1: " in fault(server.url())
