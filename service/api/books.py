"""/v1/books: the books, and their rows as files."""

from typing import Any

from flask import Response
from flask.views import MethodView

from pricing.catalogue.exporting import export_of
from pricing.catalogue.listing_books import books_of
from schemas import administration as schemas
from service.answers.rows import RowsAnswer
from service.api.blueprints import MIMETYPES, Blueprint, strict
from service.auth import reader
from service.parameters import Parameters
from service.responding import VARY, library, respond

blueprint = Blueprint("books", __name__, url_prefix="/v1/books", description="Books of prices and other facts")


@blueprint.route("")
class Books(MethodView):
    """The books that one may read."""

    @blueprint.arguments(Parameters, location="query")
    @blueprint.response(200, schemas.BooksSchema)
    @blueprint.problems(401, 406, 503)
    @blueprint.doc(operationId="books", summary="The books that one may read")
    def get(self, fields: Any) -> Response:
        """List them."""
        columns = ("book", "head", "prices", "sources", "published_at")
        return respond(RowsAnswer("books", books_of(library(), reader()), columns), fields)


@blueprint.route("/<name>/<noun>")
class Export(MethodView):
    """A book's rows as a file that can be imported again."""

    @blueprint.arguments(strict(schemas.ExportSchema, "Export"), location="query")
    @blueprint.response(200, {"type": "string"}, content_type="text/csv")
    @blueprint.problems(401, 404, 410, 503)
    @blueprint.doc(operationId="export", summary="A book's rows as a file that can be imported again")
    def get(self, fields: Any, name: str, noun: str) -> Response:
        """Write them."""
        version = fields.get("catalogue")
        held = library().open(reader(), None if version else (name,), version)
        form = fields.get("format", "csv")
        headers = {"Cache-Control": "no-store", "Vary": VARY}
        return Response(export_of(held, noun, name, form), headers=headers, content_type=MIMETYPES[form])
