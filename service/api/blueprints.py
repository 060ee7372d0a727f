"""What all blueprints share: strict parsing, and how an answer is documented."""

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import Schema

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.sources.files import FORMS
from schemas.problem import ProblemSchema
from service.answers.answer import Answer
from service.formats.json import dumps
from service.parameters import Parameters
from service.parsing import StrictParser
from service.responding import opened, respond

Ask = Callable[[Catalogue, Any], Answer]
PROBLEM = "application/problem+json"
MIMETYPES = {form.name: form.mimetypes[0] for form in FORMS}


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """flask-smorest's blueprint with our parser of parameters."""

    ARGUMENTS_PARSER = StrictParser()

    def problems(self, *statuses: int) -> Callable[[Any], Any]:
        """Document that these statuses answer with a problem."""

        def document(view: Any) -> Any:
            for status in statuses:
                view = self.alt_response(status, schema=ProblemSchema, content_type=PROBLEM)(view)
            return view

        return document


class Asked(NamedTuple):
    """A question: its parameters in an address and in a body, what answers it, and what the answer is."""

    parameters: type[Schema]
    body: type[Schema]
    output: type[Schema]
    ask: Ask


def question_view(blueprint: Blueprint, asked: Asked) -> type[MethodView]:
    """A question that is asked by GET with parameters, or by POST with the same fields as JSON."""
    noun = blueprint.name

    class Question(MethodView):
        """One question, two methods."""

        @blueprint.arguments(asked.parameters, location="query")
        @blueprint.response(200, asked.output)
        @blueprint.problems(401, 404, 406, 409, 410, 503)
        @blueprint.doc(operationId=noun, summary=blueprint.description)
        def get(self, fields: Any) -> Response:
            return respond(asked.ask(opened(fields), fields), fields)

        @blueprint.arguments(asked.body, location="json")
        @blueprint.response(200, asked.output)
        @blueprint.problems(400, 401, 404, 406, 409, 410, 413, 415, 503)
        @blueprint.doc(operationId=f"{noun}_by_json", summary=f"{blueprint.description}, asked in JSON")
        def post(self, fields: Any) -> Response:
            return respond(asked.ask(opened(fields), fields), fields)

    return Question


def strict(schema: type[Schema], name: str, base: type[Schema] = Parameters) -> type[Schema]:
    """Parameters of that schema, of which an unknown one is an error."""
    return type(f"{name}Parameters", (schema, base), {})


def reply(document: Any, status: int = 200) -> Response:
    """An answer of administration, which nobody may keep."""
    headers = {"Cache-Control": "no-store"}
    return Response(dumps(document), status, headers, content_type="application/json")
