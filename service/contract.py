"""The OpenAPI document, said as exactly as each version allows."""

from functools import cache
from typing import Any

from flask import Flask, Response
from flask_smorest import Api

import pricing
from schemas.numbers import Bounds, Number
from schemas.problem import ProblemSchema
from schemas.question import Day, Flag, Name, Names, Set, Systems
from service.api import claims, compare, facts, ranking, tco
from service.api.blueprints import PROBLEM
from service.errors import http_error
from service.formats.json import dumps
from service.parameters import PlainInteger

VERSIONS = {"3.1": "3.1.0", "3.0": "3.0.3", "2.0": "2.0"}
BLUEPRINTS = (compare, ranking, tco, claims)
OWN_FIELDS = (Systems, Set, Names, Name, Day, Flag)


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
    exact = version == "3.1"
    api.ma_plugin.converter.add_attribute_function(lambda _self, field, **_: form(field, exact=exact))
    for module in BLUEPRINTS:
        api.register_blueprint(module.blueprint)
    for each in facts.blueprints:
        api.register_blueprint(each)
    return api


def form(field: Any, *, exact: bool) -> dict[str, Any]:
    """What a field's text must look like, or in which range its number must lie."""
    if isinstance(field, Number):
        return _range(field.bounds, exact=exact)
    if isinstance(field, PlainInteger):
        return {"minimum": field.low, "maximum": field.high}
    return dict(getattr(field, "form", {}))


def _range(bounds: Bounds, *, exact: bool) -> dict[str, Any]:
    """Keep to 3.1's way of leaving an end out, or the older one."""
    if not bounds.open_low:
        return {"minimum": bounds.low, "maximum": bounds.high}
    low = {"exclusiveMinimum": bounds.low} if exact else {"minimum": bounds.low, "exclusiveMinimum": True}
    return {**low, "maximum": bounds.high}


@cache
def document(version: str) -> bytes:
    """The OpenAPI document in one version."""
    app = Flask("openapi")
    spec = make_api(app, version).spec.to_dict()
    for path in spec["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict):
                _polish(operation, version)
    if version != "2.0":
        _bodies(spec["components"]["schemas"])
        for response in spec["components"].get("responses", {}).values():
            response["content"] = _errors(response.get("content", {}))
    return dumps(spec)


def _polish(operation: dict[str, Any], version: str) -> None:
    """A repeated parameter is repeated; errors are problems or, for a table, text."""
    for parameter in operation.get("parameters", ()):
        schema = parameter.get("schema", parameter)
        if parameter.get("name") == "set" and version == "2.0":
            parameter["collectionFormat"] = "multi"
        if version == "2.0":
            for name in ("example", "pattern", "exclusiveMinimum"):
                schema.pop(name, None)
    for status, response in operation.get("responses", {}).items():
        if version != "2.0" and status.isdigit() and int(status) >= 400 and "content" in response:  # noqa: PLR2004
            response["content"] = _errors(response["content"])


def _errors(content: dict[str, Any]) -> dict[str, Any]:
    schema = next(iter(content.values()), {})
    return {PROBLEM: schema, "text/plain": {"schema": {"type": "string"}}}


def _bodies(schemas: dict[str, Any]) -> None:
    """In a JSON body some fields have more forms than in an address."""
    forms = {"systems": Systems.json_form, "price_kind": Names.json_form, "explain": Flag.json_form}
    for name, schema in schemas.items():
        if name.endswith("Parameters"):
            for field, shape in forms.items():
                if field in schema["properties"]:
                    about = schema["properties"][field].get("description", "")
                    schema["properties"][field] = {**shape, "description": about}
