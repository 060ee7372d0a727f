"""What is taken from a feed over HTTP: its formats, what it is asked, its state, and that nothing is no list."""

import gzip
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import requests.utils

from pricing.catalogue.sources.base import SourceFault, Unchanged
from tests.pricing.catalogue.sources.fake_feed import Asked, chunked, fault, feed, head, page, rows, source, whole

PRICES = b'[{"sku": "00123", "price": 1.50}, {"sku": "NA", "price": 20}]'
ROWS = [{"sku": "00123", "price": Decimal("1.50")}, {"sku": "NA", "price": Decimal(20)}]
CANARY = "canary7f3a"


# Formats


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'[{"sku": "00123"}]'),
        ("Application/JSON; charset=UTF-8", b'{"prices": [{"sku": "00123"}]}'),
        ("application/x-ndjson", b'{"sku": "00123"}\n'),
        ("text/csv", b"sku\n00123\n"),
        ("text/csv; header=present", b"\xef\xbb\xbfsku\r\n00123\r\n"),
        ("text/tab-separated-values", b"sku\n00123\n"),
    ],
)
def test_the_content_type_says_the_format(kind: str, body: bytes) -> None:
    with feed(whole(body, kind)) as server:
        assert rows(server.url()) == [{"sku": "00123"}]


def test_numbers_stay_exact_and_texts_stay_texts() -> None:
    with feed(whole(PRICES)) as server:
        assert rows(server.url()) == ROWS


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", ""])
def test_an_unknown_type_is_refused_unless_the_format_is_declared(kind: str) -> None:
    with feed(whole(b"sku\tprice\na\t1\n", kind)) as server:
        assert "give the format" in fault(server.url())
        assert rows(server.url(), format="tsv") == [{"sku": "a", "price": "1"}]


@pytest.mark.parametrize("declared", [None, "csv", "ndjson"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html", b"Please log in\n"),
        ("application/xhtml+xml", b"Please log in\n"),
        ("text/csv", b"\r\n<!DOCTYPE html>\n<title>Log in</title>\n"),
        ("", b"\xef\xbb\xbf<html>"),
    ],
)
def test_a_page_to_log_in_is_no_list_of_prices(kind: str, body: bytes, declared: Any) -> None:
    with feed(whole(body, kind)) as server:
        assert "page 1: a page for people came" in fault(server.url(), format=declared)


def test_another_charset_is_refused() -> None:
    with feed(whole(b"sku\na\n", "text/csv; charset=iso-8859-1")) as server:
        assert "UTF-8 expected" in fault(server.url())


def test_an_answer_may_be_compressed_or_in_chunks() -> None:
    packed = gzip.compress(PRICES)
    answers = {
        "/gzip": whole(packed, Content_Encoding="gzip"),
        "/members": whole(gzip.compress(PRICES[:20]) + gzip.compress(PRICES[20:]), Content_Encoding="x-gzip"),
        "/chunks": chunked(PRICES[:7], PRICES[7:]),
        "/both": chunked(packed[:9], packed[9:], Content_Encoding="gzip"),
    }
    with feed(answers) as server:
        assert all(rows(server.url(path)) == ROWS for path in answers)


# What is asked


def test_it_asks_by_get_for_what_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEED_KEY", CANARY)
    with feed(whole(PRICES)) as server:
        rows(server.url("/prices?region=eu#part"), headers={"X-API-Key": "$FEED_KEY", "X-Team": "costs"})
    [asked] = server.asked
    assert (asked.method, asked.path) == ("GET", "/prices?region=eu")
    assert (asked.headers["x-api-key"], asked.headers["x-team"]) == (CANARY, "costs")
    assert asked.headers["accept-encoding"] == "gzip" and "application/json" in asked.headers["accept"]


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Key": "$NOT_SET"},
        {"X-Key": f"{CANARY}\nHost: other"},
        {"X-Key": ""},
        {"X-Key": "ü"},
        {"X Key": "a"},
        {"": "a"},
    ],
)
def test_a_header_that_cannot_be_sent_is_a_fault_and_nothing_is_asked(headers: dict[str, str]) -> None:
    with feed(whole(PRICES)) as server:
        said = fault(server.url(), headers=headers)
    assert "header" in said and CANARY not in said and server.connects == 0


def test_the_environments_proxies_and_netrc_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text(f"default login somebody password {CANARY}\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with feed(whole(PRICES)) as server, feed(whole(b"[]")) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url(""))
        assert requests.utils.get_netrc_auth(server.url()) == ("somebody", CANARY)
        assert requests.utils.get_environ_proxies(server.url())["http"] == proxy.url("")
        assert rows(server.url()) == ROWS
    assert proxy.connects == 0 and "authorization" not in server.asked[0].headers


# Only what changed


def conditional(asked: Asked) -> bytes:
    """A server that keeps to RFC 9110: the ETag decides, else the date."""
    same = asked.headers.get("if-none-match", asked.headers.get("if-modified-since"))
    if same in ('"7"', "Sat, 29 Nov 2025 10:00:00 GMT"):
        return head(304, ETag='"7"')
    return whole(PRICES, ETag='"7"', Last_Modified="Sat, 29 Nov 2025 10:00:00 GMT")


@pytest.mark.parametrize("dropped", [None, "etag", "last_modified"])
def test_a_state_given_back_lets_an_unchanged_feed_say_so(dropped: str | None) -> None:
    with feed(conditional) as server:
        first = source(server.url())
        assert len(list(first.prices())) == 2
        state = {name: value for name, value in first.state.items() if name != dropped}
        second = source(server.url(), state=state)
        with pytest.raises(Unchanged):
            list(second.prices())
    assert second.state == state
    assert ("if-none-match" in server.asked[1].headers) == (dropped != "etag")
    assert ("if-modified-since" in server.asked[1].headers) == (dropped != "last_modified")


def test_the_state_of_another_url_is_not_used() -> None:
    with feed(conditional) as server:
        first = source(server.url("/prices?region=eu"))
        list(first.prices())
        assert rows(server.url("/prices?region=us"), state=first.state) == ROWS
        assert CANARY not in str(first.state)


def test_a_state_is_replaced_only_when_everything_was_read_whole() -> None:
    good = whole(PRICES, ETag='"2"')
    bad = [
        good[:-1],
        whole(b'[{"sku": NaN}]', ETag='"2"'),
        whole(b"[]", ETag='"2"'),
        head(503, ETag='"2"'),
        head(200, ETag='"2"'),
    ]
    for each in bad:
        with feed(each) as server:
            before = source(server.url())
            before.state = {"url": before._fingerprint(), "etag": '"1"'}
            kept = dict(before.state)
            with pytest.raises(SourceFault):
                list(before.prices())
        assert before.state == kept and server.asked[0].headers["if-none-match"] == '"1"'
    with feed(good) as server:
        after = source(server.url())
        taking = after.prices()
        next(taking)
        assert after.state == {}
        assert len(list(taking)) == 1 and after.state["etag"] == '"2"'


def test_a_feed_in_pages_keeps_no_state_and_one_without_validators_forgets_it() -> None:
    old = {"etag": '"1"', "url": "of another"}
    answers = {
        "/1": page(1, "/2").replace(b"\r\n\r\n", b'\r\nETag: "1"\r\n\r\n', 1),
        "/2": page(1),
        "/none": whole(PRICES),
    }
    with feed(answers) as server:
        for path in ("/1", "/none"):
            each = source(server.url(path), state=old)
            list(each.prices())
            assert each.state == {}
    assert not any("if-none-match" in asked.headers for asked in server.asked)


def test_only_the_first_page_is_asked_on_condition() -> None:
    with feed({"/1": page(1, "/2"), "/2": page(1)}) as server:
        paged = source(server.url("/1"))
        paged.state = {"url": paged._fingerprint(), "etag": '"1"'}
        assert len(list(paged.prices())) == 2
    assert [("if-none-match" in asked.headers) for asked in server.asked] == [True, False]


def test_not_modified_without_a_condition_is_a_fault() -> None:
    with feed({"/1": page(1, "/2"), "*": head(304)}) as server:
        assert "page 1: status 304" in fault(server.url())
        assert "page 2: status 304" in fault(server.url("/1"))


# Nothing is no list


@pytest.mark.parametrize("answer", [whole(b""), head(200), head(204), head(206, Content_Length="0"), chunked()])
def test_an_empty_answer_is_refused(answer: bytes) -> None:
    with feed(answer) as server:
        assert "page 1: " in fault(server.url(), tries=1)


@pytest.mark.parametrize(
    "answer",
    [
        whole(b"[]"),
        page(0),
        whole(b"sku,price\n", "text/csv"),
        whole(b" ", "text/csv"),
        whole(b"\n", "application/x-ndjson"),
    ],
)
def test_a_list_without_rows_is_refused(answer: bytes) -> None:
    with feed(answer) as server:
        fault(server.url())


def test_pages_without_any_row_are_refused() -> None:
    with feed({"/1": page(0, "/2"), "/2": page(0)}) as server:
        assert "no rows" in fault(server.url("/1"))
