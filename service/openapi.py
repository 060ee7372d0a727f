"""The addresses of the contract: the OpenAPI document, and the page that shows it."""

from importlib.resources import files

from flask import Blueprint, Response, abort, render_template, request

from service.contract import VERSIONS, document
from service.errors import send
from service.problems import http_problem

ASSETS = files("flask_swagger_ui") / "dist"
SHOWN_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}

blueprint = Blueprint("openapi", __name__, template_folder="page", static_folder="page", static_url_path="/page")


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI document; `version` is 3.1 unless asked."""
    version = request.args.get("version", "3.1")
    if version not in VERSIONS or set(request.args) - {"version"}:
        return send(http_problem(400, f"version is one of {', '.join(VERSIONS)}; there is no other parameter"))
    return Response(document(version), content_type="application/json")


@blueprint.get("/docs")
def docs() -> str:
    """The OpenAPI document as a page, from files of this service only."""
    return render_template("docs.html")


@blueprint.get("/docs/<asset>")
def asset(asset: str) -> Response:
    """A file of Swagger UI, from its package."""
    if asset not in SHOWN_ASSETS:
        abort(404)
    response = Response((ASSETS / asset).read_bytes(), content_type=SHOWN_ASSETS[asset])
    response.cache_control.max_age = 86400
    return response
