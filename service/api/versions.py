"""/v1/catalogue: versions, and what differs between them."""

from typing import Any

from flask import Response
from flask.views import MethodView

from pricing.analysis.moving import difference
from pricing.catalogue.listing_books import publications
from schemas import administration as schemas
from service.answers.difference import DifferenceAnswer
from service.answers.rows import RowsAnswer
from service.api.blueprints import Blueprint, strict
from service.auth import reader
from service.responding import library, respond

blueprint = Blueprint("catalogue", __name__, url_prefix="/v1/catalogue", description="Versions of the catalogue")


@blueprint.route("/versions")
class Versions(MethodView):
    """What was published when."""

    @blueprint.arguments(strict(schemas.PageSchema, "Versions"), location="query")
    @blueprint.response(200, schemas.VersionsSchema)
    @blueprint.problems(401, 404, 406, 503)
    @blueprint.doc(operationId="versions", summary="What was published when")
    def get(self, fields: Any) -> Response:
        """List the publications."""
        found = publications(library(), reader(), fields.get("book"))
        offset = fields.get("offset", 0)
        more = {"catalogue": library().open(reader()).version, "facts": library().known_facts(), "total": len(found)}
        page = found[offset : offset + fields.get("limit", 100)]
        columns = ("version", "noun", "source", "rows", "published_at")
        return respond(RowsAnswer("versions", page, columns, more), fields)


@blueprint.route("/diff")
class Diff(MethodView):
    """What differs between two versions."""

    @blueprint.arguments(strict(schemas.DiffSchema, "Diff"), location="query")
    @blueprint.response(200, {"type": "object"}, content_type="application/json")
    @blueprint.problems(401, 404, 406, 410, 503)
    @blueprint.doc(operationId="diff", summary="What differs between two versions, and which named answers move")
    def get(self, fields: Any) -> Response:
        """Compare the versions."""
        before, after = (library().open(reader(), None, fields.get(name)) for name in ("before", "after"))
        return respond(DifferenceAnswer(difference(before, after)), fields)
