"""Addresses for those who run the service, and the text behind each type of problem."""

from flask import Blueprint, Response

from service.errors import send
from service.formats.json import dumps
from service.problems import KINDS, http_problem
from service.responding import library

blueprint = Blueprint("operations", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """The process answers; nothing else is touched."""
    return Response(b"ok\n", content_type="text/plain; charset=utf-8")


@blueprint.get("/readyz")
def readyz() -> Response:
    """The catalogue is loaded, and its books answer. Raises StoreUnavailable or StoreMismatch, which are 503."""
    library().heads()
    return Response(dumps({"ready": True, "catalogue": library().facts.version}), content_type="application/json")


@blueprint.get("/problems/<name>")
def problem(name: str) -> Response:
    """What a type of problem means."""
    kind = KINDS.get(name)
    if kind is None:
        return send(http_problem(404))
    text = f"{kind.title} ({kind.status})\n\n{kind.about}\n"
    return Response(text, content_type="text/plain; charset=utf-8")
