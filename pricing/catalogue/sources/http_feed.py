"""A feed of prices over HTTP: all of its pages whole, or none of them."""

import hashlib
import io
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import ClassVar, Literal, TypeAlias

from requests.utils import parse_header_links

from pricing import __version__
from pricing.catalogue.sources.base import Row, SourceFault, Unchanged
from pricing.catalogue.sources.delimited import csv_rows
from pricing.catalogue.sources.http_answer import NOT_MODIFIED, Answer, Asker
from pricing.catalogue.sources.http_limits import Limits, Refused, shown
from pricing.catalogue.sources.json_file import LONGEST_LINE, json_rows, ndjson_rows
from schemas.strict_json import loads

Format: TypeAlias = Literal["json", "ndjson", "csv", "tsv"]
TYPES: dict[str, Format] = {
    "application/json": "json",
    "application/ndjson": "ndjson",
    "application/x-ndjson": "ndjson",
    "application/jsonl": "ndjson",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
}
CHARSETS = ("utf-8", "utf8", "us-ascii")
HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
HEADER_VALUE = re.compile(r"[!-~](?:[ -~]*[!-~])?")


@dataclass(slots=True)
class HttpFeed:
    """A feed that GET gives as JSON, NDJSON, CSV or TSV, maybe in pages: `next` in a JSON object, or a Link header.

    `format` is by default what the answer's Content-Type says. A header's value `$NAME` is that environment
    variable's, so that no secret lies in a file. `allow_private` lets the URL's host have a private address. The
    deadline and `most_bytes` (decoded) are for all pages together, `tries` for each.

    `state` lets the next fetch ask for changes only: save it with the rows, and give it back then. It is replaced
    when all rows were taken, and stays empty for a feed in pages, whose first page says nothing of the others.
    """

    kind: ClassVar[str] = "http"
    name: str
    url: str = field(repr=False)
    format: Format | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    allow_private: bool = False
    deadline_seconds: float = 10.0
    most_bytes: int = 20 * 1024 * 1024
    tries: int = 3
    most_pages: int = 1000
    state: dict[str, str] = field(default_factory=dict, repr=False)

    def prices(self) -> Iterator[Row]:
        """Every row of every page. Raises SourceFault before the first row, or Unchanged since `state`."""
        pages = self._pages()
        if not any(page.rows for page in pages):
            raise SourceFault(shown(self.url), "no rows; an empty list does not replace prices")
        for number, page in enumerate(pages, 1):
            yield from page.rows if len(pages) == 1 else (_RowOfPage(number, row) for row in page.rows)
        self.state = self._state_after(pages)

    def _pages(self) -> list["_Page"]:
        with _faults_at("url"):
            limits = Limits(self.allow_private, self.deadline_seconds, self.most_bytes, self.tries)
            asker = Asker(self.url, limits)
        pages: list[_Page] = []
        asked: set[str] = set()
        following: str | None = self.url.partition("#")[0]
        with closing(asker):
            while following is not None:
                with _faults_at(f"{shown(following)}, page {len(pages) + 1}"):
                    if following in asked:
                        raise Refused("this page was read before: the pages go in a circle")
                    if len(pages) == self.most_pages:
                        raise Refused(f"there are more than {self.most_pages:,} pages")
                    asked.add(following)
                    pages.append(self._page(asker, following, self._conditions() if not pages else {}))
                following = pages[-1].following
        return pages

    def _page(self, asker: Asker, url: str, conditions: dict[str, str]) -> "_Page":
        answer = asker.get(url, self._headers() | conditions)
        if answer.status == NOT_MODIFIED:
            if conditions:
                raise Unchanged
            raise Refused("status 304 Not Modified, but there was no condition")
        form = _form(answer, self.format)
        rows = list(_rows(answer.body, form))
        targets = {asker.within(answer.url, target) for target in _targets(answer, form)}
        if len(targets) > 1:
            raise Refused("it points to several next pages")
        return _Page(rows, answer.headers, next(iter(targets), None))

    def _headers(self) -> dict[str, str]:
        ours = {"User-Agent": f"traincost/{__version__}", "Accept": ", ".join(TYPES), "Accept-Encoding": "gzip"}
        return ours | {name: _value(name, text) for name, text in self.headers.items()}

    def _conditions(self) -> dict[str, str]:
        if self.state.get("url") != self._fingerprint():
            return {}
        names = {"etag": "If-None-Match", "last_modified": "If-Modified-Since"}
        return {header: self.state[name] for name, header in names.items() if name in self.state}

    def _state_after(self, pages: list["_Page"]) -> dict[str, str]:
        names = {"etag": "ETag", "last_modified": "Last-Modified"}
        given = {name: pages[0].headers[header] for name, header in names.items() if header in pages[0].headers}
        return given | {"url": self._fingerprint()} if given and len(pages) == 1 else {}

    def _fingerprint(self) -> str:
        """Says to which URL a state belongs, without the secrets that may be in its query."""
        return hashlib.sha256(self.url.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Page:
    rows: list[Row]
    headers: Mapping[str, str]
    following: str | None


class _RowOfPage(Row):
    """A row that says its page, too."""

    __slots__ = ("_page", "_row")

    def __init__(self, page: int, row: Row) -> None:
        super().__init__(row.line, row.cells)
        self._page, self._row = page, row

    def at(self, column: str | None = None) -> str:
        return f"page {self._page}, {self._row.at(column)}"


@contextmanager
def _faults_at(where: str) -> Iterator[None]:
    """Say where a fault was."""
    try:
        yield
    except Refused as refused:
        raise SourceFault(where, str(refused)) from None
    except SourceFault as fault:
        raise SourceFault(f"{where}, {fault.where}" if fault.where else where, fault.detail) from None


def _value(name: str, text: str) -> str:
    """The value of a header. The faults do not show it, nor the variable's name, which may be a value by mistake."""
    found = os.environ.get(text[1:]) if text.startswith("$") else text
    if found is None:
        raise Refused(f"the environment variable that the header {name[:50]!r} names is not set")
    if not HEADER_NAME.fullmatch(name) or not HEADER_VALUE.fullmatch(found):
        raise Refused(f"the header {name[:50]!r} has a name or a value that no header may have")
    return found


def _form(answer: Answer, declared: Format | None) -> Format:
    """The format of an answer. A page for people, such as a log-in, is none, whatever it is called."""
    message = Message()
    message["Content-Type"] = answer.headers.get("Content-Type", "")
    kind, charset = message.get_content_type(), message.get_content_charset("utf-8")
    if "html" in kind or answer.body.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        raise Refused(f"a page for people came instead of prices (Content-Type {kind[:100]!r})")
    if charset not in CHARSETS:
        raise Refused(f"UTF-8 expected, not the charset {charset[:50]!r}")
    form = declared or TYPES.get(kind)
    if form is None:
        raise Refused(f"the Content-Type {kind[:100]!r} is none of {', '.join(TYPES)}; give the format")
    return form


def _rows(body: bytes, form: Format) -> Iterator[Row]:
    if form == "json":
        return json_rows(body)
    if form == "ndjson":
        file = io.BytesIO(body)
        return ndjson_rows(iter(lambda: file.readline(LONGEST_LINE + 1), b""))
    return csv_rows(body, "," if form == "csv" else "\t")


def _targets(answer: Answer, form: Format) -> Iterator[str]:
    """What an answer calls the next page, in its Link header and in its body."""
    for link in parse_header_links(answer.headers.get("Link", "")):
        if "rel" not in link:  # the parser leaves out what it does not understand
            raise Refused("the Link header has a link without rel")
        if "next" in link["rel"].lower().split():
            yield link["url"]
    if form == "json" and answer.body.lstrip().startswith(b"{"):
        target = loads(answer.body).get("next")
        if target is not None and not (isinstance(target, str) and target):
            raise Refused("next: a URL or null expected")
        if target is not None:
            yield target
