"""From an answer to a response: which format, which headers."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, cast

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import NotAcceptable

from pricing.analysis.asking import today
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.library import ANYONE, Library, Reader
from service.answers.answer import Answer
from service.auth import TOKEN, identify, key, reader
from service.formats import FORMATS
from service.parameters import books_asked
from service.ready import Ready, ReadyAnswers, digest

SENDS_KEY = frozenset(("HTTP_AUTHORIZATION", "HTTP_X_API_KEY"))
VARY = "Accept, Authorization, X-API-Key"
ASKED = "traincost.ready_key"


def library() -> Library:
    """The catalogues that this process answers from."""
    return cast(Library, current_app.extensions["traincost"])


def opened(fields: Mapping[str, Any]) -> Catalogue:
    """The catalogue that a request asks, as far as its key may read. Raises UnknownName, Purged or BadQuestion."""
    return library().open(reader(), books_asked(fields), fields.get("catalogue"))


def chosen_format(wanted: str | None) -> str:
    """The format asked by name, else by a real Accept header, else JSON. Raises NotAcceptable."""
    if wanted:
        return wanted
    accepted = request.headers.get("Accept", "*/*")
    if accepted == "*/*":
        return "json"
    by_mimetype = {each.mimetype: name for name, each in reversed(FORMATS.items()) if name != "value"}
    best = request.accept_mimetypes.best_match(["application/json", *by_mimetype])
    if best is None:
        raise NotAcceptable(f"formats: {', '.join(FORMATS)}")
    return by_mimetype[best]


def respond(answer: Answer, fields: Any, link: str | None = None) -> Response:
    """Write the answer in the format asked, with a strong ETag."""
    name = chosen_format(fields.get("format"))
    body = FORMATS[name].write(answer)
    ready = Ready(body, content_type(name), f'"{blake2b(body, digest_size=12).hexdigest()}"', link)
    if request.method == "GET" and (asked := request.environ.get(ASKED)):
        answers().keep(asked, ready)
    return send(ready)


def content_type(name: str) -> str:
    """The media type of a format, with its charset where it is text."""
    mimetype = FORMATS[name].mimetype
    return f"{mimetype}; charset=utf-8" if mimetype.startswith("text/") else mimetype


def send(ready: Ready) -> Response:
    """Send an answer, or 304 to one who has it."""
    cached = "private, no-cache" if key() else "no-cache"
    headers = {"ETag": ready.etag, "Vary": VARY, "Cache-Control": cached}
    if ready.link:
        headers["Link"] = ready.link
    if request.headers.get("If-None-Match"):
        response = Response(ready.body, content_type=ready.content_type, headers=headers)
        return cast(Response, response.make_conditional(request))
    return Response(ready.body, content_type=ready.content_type, headers=headers)


def answers() -> ReadyAnswers:
    """The answers that this process keeps ready."""
    return cast(ReadyAnswers, current_app.extensions["traincost.ready"])


def ready_answers(app: Flask, *, public_reading: bool) -> None:
    """Answer a question that was asked before from memory, before anything is parsed but who asks."""
    books: Library = app.extensions["traincost"]
    held: ReadyAnswers = app.extensions["traincost.ready"]

    def asker(environ: Mapping[str, Any]) -> Reader:
        """Who asks; most ask without a key, and for them nothing is looked up."""
        query = environ["QUERY_STRING"]
        if public_reading and SENDS_KEY.isdisjoint(environ) and TOKEN not in query and "%" not in query:
            return ANYONE
        identify(books, public_reading=public_reading)
        return reader()

    @app.before_request
    def from_memory() -> Response | None:
        environ = request.environ
        path = environ["PATH_INFO"]
        if not path.startswith("/v1/") or request.routing_exception is not None:
            return None
        who = asker(environ)
        if environ["REQUEST_METHOD"] != "GET":
            return None
        state = books.state(who)
        asked = digest(path, environ["QUERY_STRING"], environ.get("HTTP_ACCEPT"), today(), state)
        found = held.get(asked)
        if found is None:
            environ[ASKED] = asked
            return None
        return send(found)
