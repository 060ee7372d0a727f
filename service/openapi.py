"""The OpenAPI document in the three versions that tools read, and the page that shows it."""

from functools import cache
from importlib.resources import files
from typing import Any

from flask import Blueprint, Flask, Response, abort, render_template, request
from flask_smorest import Api

import pricing
from schemas.numbers import Number
from schemas.problem import ProblemSchema
from schemas.question import Day, Flag, Name, Names, Set, Systems
from service.api import claims, compare, facts, ranking, tco
from service.api.blueprints import PROBLEM
from service.errors import http_error, send
from service.formats.json import dumps
from service.problems import http_problem

VERSIONS = {"3.1": "3.1.0", "3.0": "3.0.3", "2.0": "2.0"}
BLUEPRINTS = (compare, ranking, tco, claims)
ASSETS = files("flask_swagger_ui") / "dist"
SHOWN_ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")

blueprint = Blueprint("openapi", __name__, template_folder="page", static_folder="page", static_url_path="/page")


class ProblemApi(Api):  # type: ignore[misc]
    """flask-smorest's API with problem documents for errors."""

    ERROR_SCHEMA = ProblemSchema

    def handle_http_exception(self, error: Any) -> Response:
        """Answer an HTTP error with a problem document."""
        return http_error(error)


def make_api(app: Flask, version: str) -> ProblemApi:
    """Put the /v1 addresses on an application, documented in a version of OpenAPI."""
    app.config |= {
        "API_TITLE": "traincost",
        "API_VERSION": pricing.__version__,
        "OPENAPI_VERSION": VERSIONS[version],
        "OPENAPI_URL_PREFIX": None,
    }
    about = {"description": "What does it cost to train this, on that, and how sure are we?"}
    api = ProblemApi(app, spec_kwargs={"info": about})
    for field, kind, form in (
        (Number, "number", None), (Systems, "string", None), (Set, "array", None), (Names, "string", None),
        (Name, "string", None), (Day, "string", "date"), (Flag, "string", None),
    ):  # fmt: skip
        api.register_field(field, kind, form)
    for module in BLUEPRINTS:
        api.register_blueprint(module.blueprint)
    for each in facts.blueprints:
        api.register_blueprint(each)
    return api


@cache
def document(version: str) -> bytes:
    """The OpenAPI document in one version."""
    spec = make_api(Flask("openapi"), version).spec.to_dict()
    return dumps(_polished(spec))


def _polished(spec: dict[str, Any]) -> dict[str, Any]:
    """Say that errors are problem documents, and that a repeated `set` is a list of texts."""
    for path in spec["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", ()) if isinstance(operation, dict) else ():
                _as_list(parameter)
    for response in spec.get("components", {}).get("responses", {}).values():
        if "content" in response:
            response["content"] = {PROBLEM: next(iter(response["content"].values()))}
    return spec


def _as_list(parameter: dict[str, Any]) -> None:
    schema = parameter.get("schema", parameter)
    if schema.get("type") == "array" and "items" not in schema:
        schema["items"] = {"type": "string"}


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
    kinds = {"css": "text/css", "js": "text/javascript", "png": "image/png"}
    body = (ASSETS / asset).read_bytes()
    response = Response(body, content_type=kinds[asset.rpartition(".")[2]])
    response.cache_control.max_age = 86400
    return response
