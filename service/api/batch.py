"""/v1/batch: many questions, one answer for each, in order and as they come."""

from hashlib import sha256
from typing import Any

from flask import Response, request
from flask.views import MethodView
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from pricing.analysis.asking import today
from pricing.catalogue.repeats import First, first_of
from pricing.catalogue.sources.files import FORMS, form_of_type
from pricing.errors import NoStore
from schemas.batch import BatchSchema
from service.api.blueprints import MIMETYPES, Blueprint
from service.auth import key
from service.batch import MOST_BYTES, Batch, TooMany, answers, rows_of, shared_fields, written
from service.parameters import batch_parameters
from service.responding import library, opened

REPEATABLE = "Idempotency-Key"
blueprint = Blueprint("batch", __name__, url_prefix="/v1/batch", description="Many questions, one answer for each")


def _as_first(batch: Batch, fields: Any) -> Batch:
    """The batch on the catalogue version and day on which the first request under this key was answered."""
    held, store = key(), library().store
    if store is None:
        raise NoStore
    asked = sha256(b"\0".join((request.query_string, request.mimetype.encode(), request.get_data()))).hexdigest()
    now = First(batch.catalogue.version, today())
    first = first_of(store, held.id if held else "", request.headers[REPEATABLE], asked, now)
    shared = {"as_of": first.day.isoformat(), **batch.shared}
    catalogue = batch.catalogue if first == now else opened({**fields, "catalogue": first.version})
    return batch._replace(catalogue=catalogue, shared=shared)


@blueprint.route("")
class Questions(MethodView):
    """Questions that are sent as a body."""

    @blueprint.arguments(batch_parameters(), location="query")
    @blueprint.response(200, BatchSchema)
    @blueprint.problems(400, 401, 404, 413, 415, 503)
    @blueprint.doc(
        operationId="batch",
        parameters=[
            {
                "in": "header",
                "name": REPEATABLE,
                "schema": {"type": "string", "maxLength": 255},
                "description": "The same request under the same key is answered alike for 24 hours",
            }
        ],
        summary="Answer many questions: a list in JSON, or NDJSON, CSV, TSV or XLSX with a row for each",
        requestBody={
            "required": True,
            "content": {kind: {"schema": {"type": "string"}} for form in FORMS for kind in form.mimetypes},
        },
    )
    def post(self, fields: Any) -> Response:
        """Answer each row in turn; the answer starts before the last row is read."""
        request.max_content_length = MOST_BYTES
        form = form_of_type(request.mimetype)
        if form is None:
            known = ", ".join(kind for each in FORMS for kind in each.mimetypes)
            raise UnsupportedMediaType(f"the body must be one of {known}, and Content-Type must say which")
        shared = shared_fields(request.args.to_dict(flat=False))
        batch = Batch(opened(fields), fields["fields"], shared)
        batch.check()
        try:
            rows = rows_of(form, request.get_data(), fields.get("delimiter"))
        except TooMany as error:
            raise RequestEntityTooLarge(str(error)) from None
        if REPEATABLE in request.headers:
            batch = _as_first(batch, fields)
        name = fields.get("format") or "json"
        headers = {"Cache-Control": "no-store"}
        return Response(written(name, batch, answers(batch, rows)), headers=headers, content_type=MIMETYPES[name])
