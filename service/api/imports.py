"""/v1/imports: rows that are sent, into a book."""

from typing import Any

from flask import Response, request
from flask.views import MethodView
from werkzeug.exceptions import UnsupportedMediaType

from pricing.catalogue.exporting import template_of
from pricing.catalogue.importing.report import Report
from pricing.catalogue.sources.files import FORMS, form_of_type
from pricing.catalogue.versions import PUBLIC
from schemas import administration as schemas
from service.api.blueprints import MIMETYPES, Blueprint, reply, strict
from service.auth import require
from service.errors import send as send_problem
from service.importing import import_content
from service.parameters import Strict
from service.problems import refused_import
from service.responding import library

blueprint = Blueprint("imports", __name__, url_prefix="/v1/imports", description="Taking rows into a book")


@blueprint.route("")
class Imports(MethodView):
    """Rows that are sent as a body."""

    @blueprint.arguments(strict(schemas.ImportSchema, "Import", Strict), location="query")
    @blueprint.response(201, schemas.ReportSchema)
    @blueprint.alt_response(200, schema=schemas.ReportSchema)
    @blueprint.problems(401, 403, 404, 413, 415, 503)
    @blueprint.doc(
        operationId="import",
        summary="Take the rows of the body into a book, all or none of them",
        requestBody={
            "required": True,
            "content": {kind: {"schema": {"type": "string"}} for form in FORMS for kind in form.mimetypes},
        },
    )
    def post(self, fields: Any) -> Response:
        """Read the body, and publish it."""
        held = require("import", fields.get("book", PUBLIC))
        form = form_of_type(request.mimetype)
        if form is None:
            known = ", ".join(kind for each in FORMS for kind in each.mimetypes)
            raise UnsupportedMediaType(f"the body must be one of {known}, and Content-Type must say which")
        sees = held.may("read", fields.get("book", PUBLIC))
        given = {"entered_by": held.label, **fields, "mapping": fields.get("map"), "sees_book": sees}
        report = import_content(library(), fields.get("noun", "prices"), (form, request.get_data()), given)
        return _reported(report)


def _reported(report: Report) -> Response:
    if report.refused:
        return send_problem(refused_import(report))
    done = report.published and not report.unchanged
    return reply(report.document(), 201 if done else 200)


@blueprint.route("/template")
class Template(MethodView):
    """An empty file to fill in."""

    @blueprint.arguments(strict(schemas.TemplateSchema, "Template"), location="query")
    @blueprint.response(200, {"type": "string"}, content_type="text/csv")
    @blueprint.problems(401)
    @blueprint.doc(operationId="template", summary="An empty file to fill in")
    def get(self, fields: Any) -> Response:
        """Write it."""
        form, noun = fields.get("format", "csv"), fields.get("noun", "prices")
        headers = {"Content-Disposition": f'attachment; filename="{noun}.{form}"'}
        return Response(template_of(noun, form), headers=headers, content_type=MIMETYPES[form])
