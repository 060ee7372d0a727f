"""The application."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask, Response

from pricing.catalogue.library import Library
from service import errors, openapi
from service.api import operations
from service.contract import make_api
from service.formats import FORMATS
from service.ready import ReadyAnswers
from service.responding import ready_answers
from service.settings import Settings, from_environment

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
    ),
}


def create_app(settings: Settings | None = None) -> Flask:
    """Make the application. Raises DamagedTable, and serves nothing, when a table of facts is not right."""
    settings = settings or from_environment()
    app = Flask("service", static_folder=None)
    app.config |= {
        "MAX_CONTENT_LENGTH": settings.max_body_bytes,
        "MAX_FORM_MEMORY_SIZE": 0,
        "MAX_FORM_PARTS": 0,
    }
    app.extensions["traincost"] = Library(settings.facts, settings.database_url)
    app.extensions["traincost"].facts  # noqa: B018 (a damaged table stops the start)
    app.extensions["traincost.settings"] = settings
    app.extensions["traincost.ready"] = ReadyAnswers(settings.ready_bytes)
    app.url_map.strict_slashes = False
    ready_answers(app, public_reading=settings.public_reading)
    app.after_request(security_headers)
    make_api(app, "3.1")
    app.register_blueprint(operations.blueprint)
    app.register_blueprint(openapi.blueprint)
    errors.register(app)
    app.wsgi_app = Suffixes(app.wsgi_app)  # type: ignore[method-assign]
    return app


def security_headers(response: Response) -> Response:
    """Tell browsers what an answer may do: nothing but be shown."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


class Suffixes:
    """Takes a format at the end of an address, /v1/compare.csv, for the parameter that it is."""

    def __init__(self, application: "WSGIApplication") -> None:
        self.application = application

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Move the suffix into the query."""
        path = environ.get("PATH_INFO", "")
        stem, dot, suffix = path.rpartition(".")
        if dot and suffix in FORMATS and stem.startswith("/v1/"):
            query = environ.get("QUERY_STRING", "")
            environ["PATH_INFO"] = stem
            environ["QUERY_STRING"] = f"{query}&format={suffix}" if query else f"format={suffix}"
        return self.application(environ, start_response)
