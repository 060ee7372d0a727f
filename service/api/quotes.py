"""/v1/quotes: answers that are frozen, and stay what they were."""

import json
from hashlib import blake2b
from typing import Any

from flask import Response
from flask.views import MethodView

from pricing.analysis.asking import today
from pricing.catalogue import quotes as kept
from pricing.catalogue.quotes import ENGINE, Quote
from pricing.catalogue.store import Store
from pricing.errors import NoStore, UnknownName
from schemas.quote import NewQuoteSchema, QuoteSchema, ReplaySchema
from service.api.blueprints import Blueprint, reply
from service.auth import key, reader
from service.parameters import quote_parameters
from service.quotes import figure, freeze, is_valid, loaded, replayed
from service.ready import Ready
from service.responding import content_type, library, opened, send

blueprint = Blueprint("quotes", __name__, url_prefix="/v1/quotes", description="Answers that are frozen")


def store() -> Store:
    """The database. Raises NoStore."""
    found = library().store
    if found is None:
        raise NoStore
    return found


def held(number: str) -> Quote:
    """The quote of that id, if all that it rests on may be read. Raises UnknownName: forbidden looks like absent."""
    found = kept.find(store(), number)
    if found is None or not all(map(reader().may_read, found.books)):
        raise UnknownName("quote", number, [])
    return found


def shown(quote: Quote) -> dict[str, Any]:
    """A quote as JSON holds it, without its answer."""
    return {
        "id": quote.id, "address": f"/v1/quotes/{quote.id}", "question": quote.noun, "asked": json.loads(quote.asked),
        "catalogue": quote.version, "engine": quote.engine, "made_at": quote.made_at.isoformat(),
        "valid_until": quote.valid_until.isoformat() if quote.valid_until else None, "valid": is_valid(quote, today()),
    }  # fmt: skip


@blueprint.route("")
class Quotes(MethodView):
    """A new quote."""

    @blueprint.arguments(NewQuoteSchema, location="json")
    @blueprint.response(201, QuoteSchema)
    @blueprint.alt_response(200, schema=QuoteSchema)
    @blueprint.problems(400, 401, 404, 409, 413, 415, 503)
    @blueprint.doc(operationId="freeze", summary="Freeze an answer; the same question has the same quote")
    def post(self, fields: Any) -> Response:
        """Answer the question, and keep the bytes."""
        noun, given = fields["question"], fields["fields_"]
        catalogue = opened(loaded(noun, given))
        who = key()
        more = {"valid_until": fields.get("valid_until"), "made_by": who.label if who else None}
        frozen = freeze(catalogue, noun, given, more)
        quote, is_new = kept.keep(store(), frozen.quote, frozen.bodies)
        response = reply(shown(quote), 201 if is_new else 200)
        response.headers["Location"] = f"/v1/quotes/{quote.id}"
        return response


@blueprint.route("/<number>")
class OneQuote(MethodView):
    """A quote by its id."""

    @blueprint.arguments(quote_parameters(), location="query")
    @blueprint.response(200, {"type": "object"})
    @blueprint.problems(401, 404, 410, 503)
    @blueprint.doc(operationId="quote", summary="The answer as it was frozen, to the byte")
    def get(self, fields: Any, number: str) -> Response:
        """Give it back."""
        quote = held(number)
        form = fields.get("format", "json")
        if "field" in fields:
            form = "value"
        content = kept.body(store(), quote, "json" if form == "value" else form)
        if content is None:
            raise UnknownName("format of this quote", form, [])
        if form == "value":
            content = figure(content, fields.get("field", ""), fields.get("system"))
        return send(Ready(content, content_type(form), f'"{blake2b(content, digest_size=12).hexdigest()}"', None))


@blueprint.route("/<number>/replay")
class Replay(MethodView):
    """A quote, computed again."""

    @blueprint.response(200, ReplaySchema)
    @blueprint.problems(401, 404, 410, 503)
    @blueprint.doc(operationId="replay", summary="Compute a quote again, and say whether its digits still agree")
    def get(self, number: str) -> Response:
        """Compute it on its catalogue version, with the engine of now."""
        quote = held(number)
        content = kept.body(store(), quote, "json") or b"{}"
        catalogue = library().open(reader(), None, quote.version)
        found = replayed(catalogue, quote, content)
        differences = [each._asdict() for each in found]
        return reply({**shown(quote), "agrees": not found, "engine_now": ENGINE, "differences": differences})
