"""How a feed is read through pages, tries and redirects, and what its faults say, and do not say."""

import traceback
from typing import Any

import pytest

from pricing.catalogue.sources import http_answer
from pricing.catalogue.sources.base import SourceFault
from pricing.catalogue.sources.http_feed import HttpFeed
from tests.pricing.catalogue.sources.fake_feed import Answer, Asked, Told, fault, feed, head, page, rows, source, whole
from tests.servers import free_port

PRICES = b'[{"sku": "a"}, {"sku": "b"}]'
CANARY = "canary7f3a"


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_answer, "BASE_DELAY", 0.01)


# Pages


def linked(target: str, rel: str = 'rel="next"', kind: str = "text/csv", body: bytes = b"sku\na\n") -> bytes:
    return whole(body, kind, Link=f'</other?a=b,c>; rel="prev", <{target}>; {rel}')


@pytest.mark.parametrize("rel", ['rel="next"', "rel=next", 'title="2"; rel="last Next"'])
def test_link_headers_lead_through_the_pages(rel: str) -> None:
    with feed({"/1": linked("2?page=2", rel), "/2": linked("/3", rel), "/3": whole(b"sku\nc\n", "text/csv")}) as server:
        read = list(source(server.url("/1")).prices())
    assert [(row.cells["sku"], row.at("sku")) for row in read] == [
        ("a", "page 1, line 2, column sku"),
        ("a", "page 2, line 2, column sku"),
        ("c", "page 3, line 2, column sku"),
    ]
    assert [asked.path for asked in server.asked] == ["/1", "/2?page=2", "/3"]


def test_next_in_the_body_leads_through_the_pages_and_the_last_may_be_empty() -> None:
    def answer(asked: Asked) -> bytes:
        return {"/prices": page(2, "?page=2"), "/prices?page=2": page(1, server.url("/prices?page=3"))}.get(
            asked.path, page(0)
        )

    with feed(answer) as server:
        read = list(source(server.url()).prices())
    assert [row.at() for row in read] == ["page 1, item 1", "page 1, item 2", "page 2, item 1"]
    assert [asked.path for asked in server.asked] == ["/prices", "/prices?page=2", "/prices?page=3"]


def test_pages_come_over_one_connection_where_the_server_keeps_it() -> None:
    def kept(asked: Asked) -> bytes:
        return page(1, None if asked.path == "/111" else asked.path + "1").replace(b"close", b"keep-alive")

    with feed(kept) as server:
        assert len(rows(server.url("/1"))) == 3
    assert (len(server.asked), server.connects) == (3, 1)


def test_a_row_of_a_single_page_says_no_page() -> None:
    with feed(page(1)) as server:
        assert [row.at("sku") for row in source(server.url()).prices()] == ["item 1, sku"]


def test_a_link_and_the_body_may_name_the_same_next_page_and_no_two() -> None:
    body = page(1, "/2").partition(b"\r\n\r\n")[2]
    with feed(
        {
            "/same": linked("/2", kind="application/json", body=body),
            "/two": linked("/3", kind="application/json", body=body),
            "/2": page(1),
        }
    ) as server:
        assert len(rows(server.url("/same"))) == 2
        assert "several next pages" in fault(server.url("/two"))


@pytest.mark.parametrize("target", ["http://127.0.0.1:{other}/2", "http://localhost:{port}/2", "https://127.0.0.1:{port}/2", "//127.0.0.2:{port}/2", "file:///etc/passwd", "http://user:pw@127.0.0.1:{port}/2", "http://127.0.0.1:{port}\\@127.0.0.2/", "http://[::1/2", "http://127.0.0.1:99999/2"])  # fmt: skip
@pytest.mark.parametrize("by", ["body", "link"])
def test_a_next_page_at_another_place_is_not_asked(target: str, by: str) -> None:
    with feed(whole(PRICES)) as other, feed({"/1": lambda _: pointing(), "*": whole(PRICES)}) as server:

        def pointing() -> bytes:
            whither = target.format(port=server.port, other=other.port)
            return page(1, whither) if by == "body" else linked(whither)

        said = fault(server.url("/1"), headers={"X-API-Key": CANARY})
    assert "page 1: it points to" in said and "another place" in said and "pw" not in said
    assert len(server.asked) == 1 and other.connects == 0


def test_pages_in_a_circle_are_refused() -> None:
    with feed({"/1": page(1, "/2"), "/2": page(1, "/1")}) as server:
        assert "/1, page 3: this page was read before" in fault(server.url("/1"))


def test_a_page_is_the_same_with_another_fragment() -> None:
    with feed({"/1": page(1, "/2#part"), "/2": page(1, "/2"), "/3": page(1, "/3")}) as server:
        assert "/2, page 3: this page was read before" in fault(server.url("/1"))
        assert "/3, page 2: this page was read before" in fault(server.url("/3#part"))
    assert [asked.path for asked in server.asked] == ["/1", "/2", "/3"]


def test_more_pages_than_allowed_are_refused() -> None:
    with feed(lambda asked: page(1, f"/{len(asked.path)}{asked.path[1:]}")) as server:
        assert "page 6: there are more than 5 pages" in fault(server.url("/"), most_pages=5)
    assert len(server.asked) == 5


@pytest.mark.parametrize("following", ["", 2, False, {"href": "/2"}])
def test_a_next_that_is_no_url_is_refused(following: Any) -> None:
    with feed(page(1, following)) as server:
        assert "page 1: next: a URL or null expected" in fault(server.url())


def test_a_link_that_is_not_understood_is_refused_rather_than_a_page_missed() -> None:
    with feed(linked("/2", 'title="a=b"; rel="next"')) as server:
        assert "a link without rel" in fault(server.url())


def test_a_fault_names_the_page_and_the_place_in_it() -> None:
    answers: dict[str, Answer] = {
        "/1": page(1, "/json"),
        "/json": whole(b'[{"sku": "a"}, {"sku": {}}]'),
        "/2": linked("/csv"),
        "/csv": whole(b"sku,price\na,1\nb,1,2\n", "text/csv"),
        "/3": page(1, "/ndjson"),
        "/ndjson": whole(b'{"sku": "a"}\n\n', "application/x-ndjson"),
        "/4": page(1, "/gone"),
        "/gone": head(410),
    }
    with feed(answers) as server:
        assert "/json, page 2, item 2, sku: " in fault(server.url("/1"))
        assert "/csv, page 2, line 3: 2 cells expected, not 3" in fault(server.url("/2"))
        assert "/ndjson, page 2, line 2: a blank line" in fault(server.url("/3"))
        assert "/gone, page 2: status 410 Gone" in fault(server.url("/4"))


# Tries and redirects


def test_by_default_there_are_three_tries_within_ten_seconds_and_20_mib() -> None:
    default = HttpFeed("feed", "https://prices.example/")
    assert (default.tries, default.deadline_seconds, default.most_bytes) == (3, 10, 20 * 1024 * 1024)
    assert (default.most_pages, default.allow_private, default.kind) == (1000, False, "http")


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(status: int) -> None:
    told = Told([head(status), whole(PRICES)[:-1], whole(PRICES)])
    with feed(told) as server:
        assert len(rows(server.url(), tries=3)) == 2
    assert told.count == 3


def test_each_page_has_its_tries() -> None:
    with feed({"/1": Told([head(503), page(1, "/2")]), "/2": Told([head(503), head(502), page(2)])}) as server:
        assert len(rows(server.url("/1"), tries=3)) == 3


def test_the_last_try_is_the_last() -> None:
    with feed(head(503)) as server:
        assert "page 1: status 503 Service Unavailable (try 3 of 3)" in fault(server.url(), tries=3)
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [201, 206, 300, 302, 400, 401, 403, 404, 410, 500, 501])
def test_another_status_is_a_fault_at_once(status: int) -> None:
    with feed(whole(PRICES, status=status)) as server:
        assert f"page 1: status {status}" in fault(server.url(), tries=3)
    assert len(server.asked) == 1


def test_nobody_there_is_tried_again_and_then_a_fault() -> None:
    assert "cannot connect: Connection refused (try 2 of 2)" in fault(f"http://127.0.0.1:{free_port()}/", tries=2)


def test_the_server_may_say_how_long_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(http_answer.time, "sleep", waited.append)
    told = Told([head(429, Retry_After="2"), head(503, Retry_After="Sat, 29 Nov 2025 10:00:00 GMT"), whole(PRICES)])
    with feed(told) as server:
        assert len(rows(server.url(), deadline_seconds=60, tries=3)) == 2
    assert waited == [2, 0.02]


@pytest.mark.parametrize("seconds", ["60", "999999"])
def test_a_wait_beyond_the_deadline_is_not_begun(seconds: str) -> None:
    with feed(head(503, Retry_After=seconds)) as server:
        assert f"status 503 Service Unavailable; the next try, in {seconds} s, would be after the deadline" in fault(
            server.url(), tries=3
        )
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_within_the_place_is_followed(status: int) -> None:
    answers = {"/prices": head(status, Location="new/1?x=1"), "/new/1": page(1, "2"), "/new/2": page(1)}
    with feed(answers) as server:
        assert len(rows(server.url(), headers={"X-API-Key": CANARY})) == 2
    assert [asked.path for asked in server.asked] == ["/prices", "/new/1?x=1", "/new/2"]
    assert all(asked.headers["x-api-key"] == CANARY for asked in server.asked)


def test_three_redirects_are_enough() -> None:
    with feed({"/3": head(302, Location="/2"), "/2": head(302, Location="/1"), "/1": head(302, Location="/prices"), "/prices": whole(PRICES), "/4": head(302, Location="/3"), "/loop": head(302, Location="/loop")}) as server:  # fmt: skip
        assert len(rows(server.url("/3"))) == 2
        for path in ("/4", "/loop"):
            assert "more than 3 redirects" in fault(server.url(path))


@pytest.mark.parametrize(
    ("target", "named"),
    [
        ("http://127.0.0.2:{other}/prices?key=secret", "http://127.0.0.2:{other}/prices"),
        ("http://localhost:{port}/prices", "http://localhost:{port}/prices"),
        ("https://127.0.0.1:{port}/", "https://127.0.0.1:{port}/"),
        ("//127.0.0.2:{other}/", "http://127.0.0.2:{other}/"),
        ("http://169.254.169.254/latest/meta-data", "http://169.254.169.254/latest/meta-data"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("gopher://127.0.0.1:{port}/", "gopher://127.0.0.1:{port}/"),
        ("http://somebody:secret@127.0.0.1:{port}/", "http://127.0.0.1:{port}/"),
        ("http://127.0.0.1:{port}\\@127.0.0.2:{other}/", ""),
    ],
)
def test_a_redirect_to_another_place_is_not_followed(target: str, named: str) -> None:
    with feed(whole(PRICES), "127.0.0.2") as other, feed(lambda _: moved()) as server:

        def moved() -> bytes:
            return head(302, Location=target.format(port=server.port, other=other.port))

        said = fault(server.url(), headers={"X-API-Key": CANARY}, tries=3)
        assert "it points to" in said and named.format(port=server.port, other=other.port) in said
    assert "secret" not in said and len(server.asked) == 1 and other.connects == 0


# Secrets


FAILING: list[Answer] = [
    head(404),
    head(503),
    whole(PRICES)[:-1],
    b"no HTTP\r\n\r\n",
    head(200, Content_Length="x"),
    whole(PRICES).replace(b"\r\n\r\n", b"\r\nno header\r\n\r\n"),
    whole(b"<html>", "text/html"),
    whole(b"[1]"),
    whole(PRICES, Content_Encoding="gzip"),
    whole(b"[]"),
    head(302, Location=f"http://localhost/?{CANARY}"),
    lambda asked: head(302, Location=asked.path),
    page(1, f"http://u:{CANARY}@localhost/?{CANARY}#{CANARY}"),
    lambda _: [5.0],
]


@pytest.mark.parametrize("answer", FAILING)
def test_no_fault_shows_a_secret(answer: Answer, caplog: pytest.LogCaptureFixture) -> None:
    with feed(answer) as server:
        asking = source(
            server.url(f"/prices?key={CANARY}#{CANARY}"), headers={"X-API-Key": CANARY}, deadline_seconds=1, tries=2
        )
        with pytest.raises(SourceFault) as raised:
            list(asking.prices())
    assert server.asked[0].headers["x-api-key"] == CANARY and CANARY in server.asked[0].path
    said = [str(raised.value), repr(raised.value), repr(asking), *traceback.format_exception(raised.value)]
    said += [record.getMessage() for record in caplog.records if record.levelname != "DEBUG"]
    assert "/prices, page 1" in said[0] or "/prices: no rows" in said[0]
    assert CANARY not in "".join(said)


@pytest.mark.parametrize("url", [f"http://127.0.0.1:1/?{CANARY}", f"http://{CANARY}@127.0.0.1:1/", f"http://u:{CANARY}@127.0.0.1:1/", f"http://127.0.0.1:1\\@{CANARY}/", f"http://127.0.0.1:x/?{CANARY}", f"//{CANARY}"])  # fmt: skip
def test_no_fault_of_a_url_shows_a_secret(url: str) -> None:
    assert CANARY not in fault(url, headers={"X-API-Key": CANARY}, tries=2)
