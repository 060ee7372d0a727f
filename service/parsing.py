"""Reading requests: query parameters once each, JSON bodies strictly."""

from typing import Any, NoReturn

from flask import Request, request
from marshmallow import Schema, ValidationError
from webargs import core
from webargs.flaskparser import FlaskParser
from webargs.multidictproxy import MultiDictProxy
from werkzeug.exceptions import UnsupportedMediaType

from schemas.strict_json import TooLong, loads


class StrictParser(FlaskParser):
    """webargs' parser with our rules; what is wrong goes to the error handlers as it is."""

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        """Take the query parameters; one that is given twice and may not be is an error."""
        proxy = self._makeproxy(req.args, schema)
        twice = [
            name
            for name, values in req.args.lists()
            if len(values) > 1 and not (isinstance(proxy, MultiDictProxy) and name in proxy.multiple_keys)
        ]
        if twice:
            raise ValidationError({name[:200]: ["is given more than once"] for name in twice})
        return proxy

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Take a JSON body; in JSON a number is a number and a flag true or false, not a text."""
        body = super().load_json(req, schema)
        for name, field in schema.fields.items() if isinstance(body, dict) else ():
            kinds = getattr(field, "json_types", None)
            value = body.get(name)
            if (
                kinds
                and name in body
                and (not isinstance(value, (*kinds, TooLong)) or (isinstance(value, bool) and bool not in kinds))
            ):
                raise ValidationError({name: [f"must be a JSON {'boolean' if bool in kinds else 'number'}"]})
        return body

    def _raw_load_json(self, req: Request) -> Any:
        if not core.is_json(req.mimetype):
            raise UnsupportedMediaType("the body must be application/json")
        if unread := [name for name in req.args if name != "format"]:
            raise ValidationError({name[:200]: ["belongs into the body of a POST"] for name in unread})
        body = loads(req.get_data(cache=True))
        if isinstance(body, dict) and "format" in req.args:
            if "format" in body or len(req.args.getlist("format")) > 1:
                raise ValidationError({"format": ["is given more than once"]})
            body["format"] = req.args["format"]
        return body

    def handle_error(
        self,
        error: ValidationError,
        req: Request,
        schema: Schema,
        *,
        error_status_code: Any,
        error_headers: Any,
    ) -> NoReturn:
        """Leave the error to the application's handler."""
        raise ValidationError(_unlocated(error.messages))


def _unlocated(messages: Any) -> Any:
    """Messages without webargs' outer level, the name of the location."""
    if isinstance(messages, dict) and set(messages) <= {"query", "json"}:
        return next(iter(messages.values()))
    return messages


def asked_as_text() -> bool:
    """Whether the one who asked reads text and not JSON: a table, Markdown, or plain text only."""
    return request.args.get("format") in ("table", "md") or request.headers.get("Accept") == "text/plain"
