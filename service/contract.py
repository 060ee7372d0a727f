"""The OpenAPI document, said as exactly as each version allows."""

from functools import cache
from typing import Any

from flask import Flask, Response
from flask_smorest import Api

import pricing
from schemas.comparison import FigureSchema
from schemas.numbers import MAX_EXPONENT, Bounds, Number, Whole
from schemas.problem import ProblemSchema
from schemas.question import Day, Flag, Name, Names, Set, Systems
from schemas.vary import Vary
from service.api import (
    batch,
    books,
    breakeven,
    claims,
    compare,
    imports,
    keys,
    lists,
    progress,
    quotes,
    ranking,
    robustness,
    scaling,
    sizing,
    sources,
    tco,
    versions,
)
from service.api.blueprints import MIMETYPES, PROBLEM
from service.errors import http_error
from service.formats import FORMATS
from service.formats.json import dumps
from service.parameters import Token

VERSIONS = {"3.1": "3.1.0", "3.0": "3.0.3", "2.0": "2.0"}
BLUEPRINTS = (
    batch,
    quotes,
    compare,
    ranking,
    tco,
    claims,
    breakeven,
    robustness,
    scaling,
    sizing,
    progress,
    books,
    imports,
    versions,
    sources,
    keys,
)
SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "An API key; reading public books needs none"},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same"},
    "sheet": {"type": "apiKey", "in": "query", "name": "token", "description": "A sheet token, which may only read"},
}
FIGURES = ("/v1/compare", "/v1/tco")
FIGURE = {"anyOf": [{"type": "number"}, {"type": "string"}]}
OWN_FIELDS = (Systems, Set, Vary, Names, Name, Token, Day, Flag)


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
    api.register_field(Number, "number", None)
    for field in OWN_FIELDS:
        api.register_field(field, "string", None)
    api.ma_plugin.converter.add_attribute_function(lambda _self, field, **_: form(field))
    for module in BLUEPRINTS:
        api.register_blueprint(module.blueprint)
    for each in lists.blueprints:
        api.register_blueprint(each)
    return api


def form(field: Any) -> dict[str, Any]:
    """What a field's text must look like, or in which range its number must lie."""
    if isinstance(field, Number):
        return _range(field.bounds)
    if isinstance(field, Whole):
        return {"minimum": field.low, "maximum": field.high}
    return dict(getattr(field, "form", {}))


def _range(bounds: Bounds) -> dict[str, Any]:
    """The range; above 0 is from the smallest number that is read."""
    return {"minimum": 10.0**-MAX_EXPONENT if bounds.open_low else bounds.low, "maximum": bounds.high}


@cache
def document(version: str) -> bytes:
    """The OpenAPI document in one version."""
    api = make_api(Flask("openapi"), version)
    if version != "2.0":
        api.spec.components.schema("Figure", schema=FigureSchema)
        for name, scheme in SECURITY.items():
            api.spec.components.security_scheme(name, scheme)
    spec = api.spec.to_dict()
    if version != "2.0":
        spec["security"] = [{}, *({name: []} for name in SECURITY)]
    for name, path in spec["paths"].items():
        operations = [each for method, each in path.items() if method != "parameters"]
        forms = [form for each in operations for form in _forms(each)]
        for each in operations:
            _polish_old(each) if version == "2.0" else _polish(name, each, forms)
    if version != "2.0":
        _bodies(spec["components"]["schemas"])
        for response in spec["components"].get("responses", {}).values():
            response["content"] = _errors(response.get("content", {}))
    return dumps(spec)


def _forms(operation: Any) -> list[str]:
    """The formats that an operation may be asked for."""
    held = [each for each in operation.get("parameters", ()) if each.get("name") == "format"]
    return [form for each in held for form in each.get("schema", each)["enum"]]


def _polish_old(operation: Any) -> None:
    """Leave out what version 2.0 has no words for; a parameter bears its type itself, a file is a body of text."""
    if body := operation.pop("requestBody", None):
        operation["consumes"] = list(body["content"])
        operation["parameters"].append({"in": "body", "name": "body", "required": True, "schema": {"type": "string"}})
    operation["produces"] = sorted({each.mimetype for each in FORMATS.values()})
    for parameter in operation.get("parameters", ()):
        if parameter["in"] != "body":
            parameter.update(parameter.pop("schema", {}))
        for name in ("example", "pattern"):
            parameter.pop(name, None)
        if parameter.get("type") == "array":
            parameter["collectionFormat"] = "multi"


def _polish(path: str, operation: Any, forms: list[str]) -> None:
    """Say that an answer comes in every format, one figure in its own shape, and an error as text for a table."""
    for status, response in operation["responses"].items():
        if "content" not in response:
            continue
        if status.startswith("2"):
            response["content"] = _formats(path, forms, response["content"])
        elif status.isdigit():
            response["content"] = _errors(response["content"])


def _formats(path: str, forms: list[str], content: Any) -> dict[str, Any]:
    """The media types of an answer: those of its format parameter, for a file or for an answer in all its shapes."""
    if "application/json" not in content:
        return {MIMETYPES[name]: {"schema": {"type": "string"}} for name in forms}
    if not forms:
        return dict(content)
    whole = content["application/json"]
    if path in FIGURES:
        whole = {"schema": {"anyOf": [whole["schema"], {"$ref": "#/components/schemas/Figure"}]}}
    texts = {each.mimetype: {"schema": {"type": "string"}} for each in FORMATS.values()}
    return {**texts, "application/json": whole}


def _errors(content: dict[str, Any]) -> dict[str, Any]:
    problem: dict[str, Any] = next(iter(content.values()), {})
    return {PROBLEM: problem, "text/plain": {"schema": {"type": "string"}}}


def _bodies(schemas: dict[str, Any]) -> None:
    """In a JSON body some fields have more forms than in an address."""
    forms: dict[str, Any] = {
        "systems": Systems.json_form,
        "price_kind": Names.json_form,
        "result": Names.json_form,
        "explain": Flag.json_form,
        "extrapolate": Flag.json_form,
        "overrides": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": FIGURE}},
    }
    for name, schema in schemas.items():
        if name.endswith(("Parameters", "Body")):
            for field, shape in forms.items():
                if field in schema["properties"]:
                    about = schema["properties"][field].get("description", "")
                    schema["properties"][field] = {**shape, "description": about}
