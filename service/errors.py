"""Every error leaves as a problem document, or as a line of text for one who asked for a table."""

import logging
from http import HTTPStatus
from typing import cast

from flask import Flask, Response
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from pricing.errors import StoreMismatch, StoreUnavailable, TraincostError
from schemas.strict_json import NotJson
from service.auth import Forbidden, Unauthorised
from service.formats.json import dumps
from service.parsing import asked_as_text
from service.problems import KINDS, Problem, http_problem, problem_of

RETRY_SECONDS = "5"
LOG = logging.getLogger("traincost")


def register(app: Flask) -> None:
    """Handle all errors of the application."""
    app.register_error_handler(TraincostError, _explained)
    app.register_error_handler(ValidationError, _explained)
    app.register_error_handler(Unauthorised, _unauthorised)
    app.register_error_handler(Forbidden, lambda error: send(Problem(KINDS["forbidden"], str(error))))
    app.register_error_handler(NotJson, lambda error: send(_not_json(error)))
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Exception, _failed)


def _explained(error: Exception) -> Response:
    if isinstance(error, StoreUnavailable | StoreMismatch):
        LOG.error("the database: %s", error)
    return send(problem_of(error))


def _unauthorised(error: Unauthorised) -> Response:
    response = send(Problem(KINDS["unauthorised"], str(error)))
    response.headers["WWW-Authenticate"] = 'Bearer realm="traincost"'
    return response


def _not_json(error: NotJson) -> Problem:
    return Problem(KINDS["not-json"], str(error))


def http_error(error: HTTPException) -> Response:
    """An error of HTTP itself: no such address, wrong method, too large."""
    if error.code is not None and error.code < HTTPStatus.BAD_REQUEST:
        return cast(Response, error.get_response())
    problem = http_problem(error.code or 500, _own_words(error))
    response = send(problem)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _own_words(error: HTTPException) -> str | None:
    """What our own code said; werkzeug's standing texts say less than ours."""
    return error.description if error.description != type(error).description else None


def _failed(error: Exception) -> Response:
    LOG.exception("unexpected error", exc_info=error)
    return send(problem_of(error))


def send(problem: Problem) -> Response:
    """Send a problem. Nothing may store it."""
    headers = {"Cache-Control": "no-store"}
    if problem.kind.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = RETRY_SECONDS
    if asked_as_text():
        return Response(problem.text() + "\n", problem.kind.status, headers, content_type="text/plain; charset=utf-8")
    body = dumps(problem.document())
    return Response(body, problem.kind.status, headers, content_type="application/problem+json")
