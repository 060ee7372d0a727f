"""/v1/sources: which there are, and taking them in."""

from typing import Any, cast

from flask import Response, current_app
from flask.views import MethodView

from pricing.catalogue.sources.configuring import BadConfiguration, Configured
from pricing.catalogue.sources.syncing import Wish
from pricing.errors import StoreUnavailable
from schemas import administration as schemas
from service.api.blueprints import Blueprint, reply, strict
from service.auth import require_key
from service.parameters import Strict
from service.responding import library
from service.settings import Settings
from service.sources import configured, states, sync_all

blueprint = Blueprint("sources", __name__, url_prefix="/v1/sources", description="Sources of prices")


def allowed() -> list[Configured]:
    """The sources into whose books the key of the request may import. Raises Unauthorised without a key."""
    held = require_key()
    settings = cast(Settings, current_app.extensions["traincost.settings"])
    try:
        return [each for each in configured(settings) if held.may("import", each.book)]
    except BadConfiguration as error:
        raise StoreUnavailable(str(error)) from None  # the operator's matter, which our log has


@blueprint.route("")
class Sources(MethodView):
    """The sources that one may take in."""

    @blueprint.response(200, schemas.SourcesSchema)
    @blueprint.problems(401, 503)
    @blueprint.doc(operationId="sources", summary="The sources that one may take in, and how each is")
    def get(self) -> Response:
        """List them."""
        held = require_key()
        found = states(library(), allowed())
        for each in found:
            if each["fault"] and not held.may("read", each["book"]):
                each["fault"] = "it failed; who may read the book is told why"
        return reply({"sources": found})


@blueprint.route("/<name>/sync")
class Sync(MethodView):
    """Takes a source in."""

    @blueprint.arguments(strict(schemas.AcceptSchema, "Sync", Strict), location="query")
    @blueprint.response(200, schemas.OutcomeSchema)
    @blueprint.problems(401, 404, 503)
    @blueprint.doc(operationId="sync", summary="Take in what a source has now")
    def post(self, fields: Any, name: str) -> Response:
        """Ask the source, and import."""
        wish = Wish(tuple(fields.get("accept", ())), fields.get("dry_run", False))
        outcome = next(iter(sync_all(library(), allowed(), name, wish, lambda _: None)))
        return reply(outcome.document())
