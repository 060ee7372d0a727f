"""/v1/systems, /v1/prices, /v1/results, /v1/assumptions, /v1/benchmarks, /v1/quantities."""

from typing import Any
from urllib.parse import urlencode

from flask import Response, request
from flask.views import MethodView

from pricing.catalogue.catalogue import Catalogue
from service.answers.listing import ListAnswer, Shown
from service.api.blueprints import Blueprint
from service.auth import TOKEN
from service.lists import LISTINGS, Listing, item_of, list_answer
from service.outputs import list_schema
from service.parameters import item_parameters, list_parameters
from service.responding import opened, respond

HAVE_IDS = ("systems", "results")


def next_page(offset: int) -> str:
    """The address of the page at an offset, relative to the service."""
    parameters = {**request.args.to_dict(), "offset": str(offset)}
    parameters.pop(TOKEN, None)  # a secret goes into no answer
    return f"{request.path}?{urlencode(parameters)}"


def list_blueprint(listing: Listing) -> Blueprint:
    """A blueprint that lists one kind of fact, and gives one by its id where it has one."""
    kind = listing.kind
    blueprint = Blueprint(kind, __name__, url_prefix=f"/v1/{kind}", description=f"The catalogue's {kind}")
    blueprint.route("")(_all(blueprint, listing))
    if kind in HAVE_IDS:
        blueprint.route("/<path:name>")(_one(blueprint, listing))
    return blueprint


def _all(blueprint: Blueprint, listing: Listing) -> type[MethodView]:
    kind = listing.kind

    class Items(MethodView):
        """All of them, filtered and in pages."""

        @blueprint.arguments(list_parameters(*listing.filters), location="query")
        @blueprint.response(200, list_schema(kind, listing.schema))
        @blueprint.problems(401, 404, 406, 410, 503)
        @blueprint.doc(operationId=kind, summary=f"The catalogue's {kind}")
        def get(self, fields: Any) -> Response:
            answer = list_answer(opened(fields), listing, fields, next_page)
            following = answer.paging["next"]
            return respond(answer, fields, link=f'<{following}>; rel="next"' if following else None)

    return Items


def _one(blueprint: Blueprint, listing: Listing) -> type[MethodView]:
    kind = listing.kind

    class Item(MethodView):
        """One by its id."""

        @blueprint.arguments(item_parameters(), location="query")
        @blueprint.response(200, listing.schema)
        @blueprint.problems(401, 404, 406, 410, 503)
        @blueprint.doc(operationId=f"{kind}_one", summary=f"One of the catalogue's {kind}")
        def get(self, fields: Any, name: str) -> Response:
            held = opened(fields)
            return respond(OneAnswer(listing, item_of(held, listing, name), held), fields)

    return Item


class OneAnswer(ListAnswer):
    """One item: its document is the item itself."""

    def __init__(self, listing: Listing, item: Any, catalogue: Catalogue) -> None:
        shown, paging = Shown(tuple(item), listing.columns), {"total": 1, "catalogue": catalogue.version}
        super().__init__(listing.kind, shown, [item], paging, listing.notices(catalogue, [item]))

    def document(self) -> dict[str, Any]:
        """The item as JSON holds it."""
        return dict(self.items[0])


blueprints = tuple(list_blueprint(listing) for listing in LISTINGS.values())
