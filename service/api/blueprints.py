"""What all blueprints share: strict parsing, and how an answer is documented."""

from collections.abc import Callable
from typing import Any

from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import Schema

from pricing.catalogue.catalogue import Catalogue
from schemas.problem import ProblemSchema
from service.answers.answer import Answer
from service.parsing import StrictParser
from service.responding import catalogue, respond

Ask = Callable[[Catalogue, Any], Answer]


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """flask-smorest's blueprint with our parser of parameters."""

    ARGUMENTS_PARSER = StrictParser()


def question_view(blueprint: Blueprint, parameters: type[Schema], output: type[Schema], ask: Ask) -> type[MethodView]:
    """A question that is asked by GET with parameters, or by POST with the same fields as JSON."""
    noun = blueprint.name

    class Question(MethodView):
        """One question, two methods."""

        @blueprint.arguments(parameters, location="query")
        @blueprint.response(200, output)
        @blueprint.alt_response(404, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.alt_response(406, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.alt_response(409, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.doc(operationId=noun, summary=blueprint.description)
        def get(self, fields: Any) -> Response:
            return respond(ask(catalogue(), fields), fields)

        @blueprint.arguments(parameters, location="json")
        @blueprint.response(200, output)
        @blueprint.alt_response(400, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.alt_response(404, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.alt_response(406, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.alt_response(409, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.alt_response(413, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.alt_response(415, schema=ProblemSchema, content_type=PROBLEM)
        @blueprint.doc(operationId=f"{noun}_by_json", summary=f"{blueprint.description}, asked in JSON")
        def post(self, fields: Any) -> Response:
            return respond(ask(catalogue(), fields), fields)

    return Question


PROBLEM = "application/problem+json"
