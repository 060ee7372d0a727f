"""From an answer to a response: which format, which headers."""

from hashlib import blake2b
from typing import Any, cast

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import NotAcceptable

from pricing.analysis.asking import today
from pricing.catalogue.catalogue import Catalogue
from service.answers.answer import Answer
from service.formats import FORMATS
from service.ready import Ready, ReadyAnswers, digest

TEXTS = ("table", "md")
ASKED = "traincost.ready_key"


def catalogue() -> Catalogue:
    """The catalogue that this process answers from."""
    return cast(Catalogue, current_app.extensions["traincost"])


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
    if request.method in ("GET", "HEAD") and (key := request.environ.get(ASKED)):
        answers().keep(key, ready)
    return send(ready)


def content_type(name: str) -> str:
    """The media type of a format, with its charset where it is text."""
    mimetype = FORMATS[name].mimetype
    return f"{mimetype}; charset=utf-8" if mimetype.startswith("text/") else mimetype


def send(ready: Ready) -> Response:
    """Send an answer, or 304 to one who has it."""
    headers = {"ETag": ready.etag, "Vary": "Accept", "Cache-Control": "no-cache"}
    if ready.link:
        headers["Link"] = ready.link
    if request.headers.get("If-None-Match"):
        response = Response(ready.body, content_type=ready.content_type, headers=headers)
        return cast(Response, response.make_conditional(request))
    return Response(ready.body, content_type=ready.content_type, headers=headers)


def answers() -> ReadyAnswers:
    """The answers that this process keeps ready."""
    return cast(ReadyAnswers, current_app.extensions["traincost.ready"])


def ready_answers(app: Flask) -> None:
    """Answer a question that was asked before from memory, before anything is parsed."""
    version = app.extensions["traincost"].version
    held: ReadyAnswers = app.extensions["traincost.ready"]

    @app.before_request
    def from_memory() -> Response | None:
        environ = request.environ
        if environ["REQUEST_METHOD"] != "GET" or not environ["PATH_INFO"].startswith("/v1/"):
            return None
        key = digest(environ["PATH_INFO"], environ["QUERY_STRING"], environ.get("HTTP_ACCEPT"), today(), version)
        found = held.get(key)
        if found is None:
            environ[ASKED] = key
            return None
        return send(found)
