"""/v1/keys: API keys, for those who administer."""

from datetime import UTC, datetime, time
from typing import Any

from flask import Response
from flask.views import MethodView

from pricing.catalogue.keys import Key, all_keys, make_key, revoke_key
from pricing.catalogue.store import Store
from pricing.errors import NoStore
from schemas import administration as schemas
from service.api.blueprints import Blueprint, reply
from service.auth import require_admin
from service.responding import library

blueprint = Blueprint("keys", __name__, url_prefix="/v1/keys", description="API keys")


@blueprint.before_request
def administer() -> None:
    """Refuse everyone else, before anything is read. Raises Unauthorised or Forbidden."""
    require_admin()


def store() -> Store:
    """The database. Raises NoStore."""
    found = library().store
    if found is None:
        raise NoStore
    return found


@blueprint.route("")
class Keys(MethodView):
    """All keys, and a new one."""

    @blueprint.response(200, schemas.KeysSchema)
    @blueprint.problems(401, 403, 503)
    @blueprint.doc(operationId="keys", summary="All keys, without their secrets")
    def get(self) -> Response:
        """List them."""
        return reply({"keys": [_key_document(each) for each in all_keys(store())]})

    @blueprint.arguments(schemas.NewKeySchema, location="json")
    @blueprint.response(201, schemas.MadeKeySchema)
    @blueprint.problems(400, 401, 403, 413, 415, 503)
    @blueprint.doc(operationId="make_key", summary="Make a key; it is shown this once")
    def post(self, fields: Any) -> Response:
        """Make one."""
        ends = datetime.combine(fields["expires"], time(), UTC) if "expires" in fields else None
        made = make_key(store(), fields["label"], fields["rights"], sheet=fields.get("sheet", False), expires_at=ends)
        return reply({"key": made}, 201)


@blueprint.route("/<number>")
class OneKey(MethodView):
    """One key."""

    @blueprint.response(204)
    @blueprint.problems(401, 403, 404, 503)
    @blueprint.doc(operationId="revoke_key", summary="Take a key back for good")
    def delete(self, number: str) -> Response:
        """Revoke it."""
        revoke_key(store(), number)
        return Response(status=204, headers={"Cache-Control": "no-store"})


def _key_document(each: Key) -> dict[str, Any]:
    def said(moment: datetime | None) -> str | None:
        return moment.isoformat(timespec="seconds") if moment else None

    return {
        "id": each.id, "label": each.label, "sheet": each.sheet, "rights": sorted(each.rights),
        "created_at": said(each.created_at), "expires_at": said(each.expires_at), "revoked_at": said(each.revoked_at),
    }  # fmt: skip
