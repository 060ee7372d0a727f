"""What went wrong, as a problem: one stable type each, for HTTP and the command line."""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from marshmallow import ValidationError

from pricing.catalogue.importing.report import Report
from pricing.errors import (
    BadQuestion,
    Competing,
    Purged,
    StoreConflict,
    StoreMismatch,
    StoreUnavailable,
    TraincostError,
    UnknownName,
)

MOST_ERRORS, MOST_IN_DETAIL = 100, 3
LONGEST = 500


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of problem."""

    name: str
    title: str
    status: int
    about: str


KINDS = {
    each.name: each
    for each in (
        Kind("unknown-name", "Unknown name", 404, "No system, benchmark, round or field of that name exists."),
        Kind("invalid-parameters", "Invalid parameters", 422, "A parameter is not of the form it must have."),
        Kind("bad-question", "The question has no answer", 422, "The parts of the question do not fit."),
        Kind("unauthorised", "Unauthorised", 401, "A key is needed, or the one that was sent does not hold."),
        Kind("forbidden", "Forbidden", 403, "The key has not the right that is needed."),
        Kind("purged", "Purged", 410, "What was asked was there, and was deleted for good."),
        Kind("conflict", "Conflict", 409, "Another request changed meanwhile what this one rests on; try again."),
        Kind("import-refused", "Nothing was imported", 422, "Rows have faults, or warnings that nobody accepted."),
        Kind("competing-rows", "Several rows compete", 409, "The catalogue has several answers; choose one."),
        Kind(
            "not-json",
            "Not JSON",
            400,
            "The body is no JSON that we accept: UTF-8, unique keys, finite numbers.",
        ),
        Kind("not-found", "Not found", 404, "Nothing is at this address."),
        Kind("method-not-allowed", "Method not allowed", 405, "This address does not take that method."),
        Kind("not-acceptable", "Not acceptable", 406, "None of the formats that we have is accepted."),
        Kind(
            "unsupported-media-type",
            "Unsupported media type",
            415,
            "The address takes no body of that media type.",
        ),
        Kind("too-large", "Too large", 413, "The body is over the documented limit."),
        Kind("bad-request", "Bad request", 400, "The request is not well-formed."),
        Kind("unavailable", "Unavailable", 503, "The service does not answer; ask again in a moment."),
        Kind(
            "internal",
            "Internal error",
            500,
            "Something failed on our side, and our log has it.",
        ),
    )
}
BY_STATUS = {
    400: "bad-request", 404: "not-found", 405: "method-not-allowed", 406: "not-acceptable", 413: "too-large",
    415: "unsupported-media-type", 500: "internal", 401: "unauthorised", 403: "forbidden", 410: "purged",
    503: "unavailable",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, ready to be shown."""

    kind: Kind
    detail: str
    more: dict[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The problem as RFC 9457 has it."""
        base = {"type": f"/problems/{self.kind.name}", "title": self.kind.title, "status": self.kind.status}
        return {**base, "detail": self.detail, **self.more}

    def text(self) -> str:
        """The problem for a terminal."""
        return f"error: {self.detail}"


def problem_of(error: Exception) -> Problem:
    """The problem that an error of the engine or of a schema is."""
    if isinstance(error, UnknownName):
        return Problem(KINDS["unknown-name"], str(error), {"nearest": list(error.nearest)})
    if isinstance(error, Competing):
        more = {"errors": [{"field": error.field, "detail": str(error)}], "rows": list(error.rows)}
        return Problem(KINDS["competing-rows"], str(error), more)
    if isinstance(error, BadQuestion):
        more = {"errors": [{"field": error.field, "detail": str(error)}]}
        return Problem(KINDS["bad-question"], f"{error.field}: {error}", more)
    if isinstance(error, ValidationError):
        errors = flat(error.messages)[:MOST_ERRORS]
        detail = "; ".join(f"{each['field']}: {each['detail']}" for each in errors)
        return Problem(KINDS["invalid-parameters"], shortened(detail), {"errors": errors})
    return _other_problem(error)


def _other_problem(error: Exception) -> Problem:
    """The problem that an error without fields is; what our database says of itself stays in our log."""
    if isinstance(error, StoreUnavailable | StoreMismatch):
        return Problem(KINDS["unavailable"], KINDS["unavailable"].about)
    if isinstance(error, StoreConflict):
        return Problem(KINDS["conflict"], str(error))
    if isinstance(error, TraincostError):
        return Problem(KINDS["purged" if isinstance(error, Purged) else "bad-question"], str(error))
    return Problem(KINDS["internal"], KINDS["internal"].about)


def refused_import(report: Report) -> Problem:
    """The problem of an import of which nothing was done."""
    found = [*report.faults, *report.warnings]
    errors = [{"field": each.column or "file", "detail": shortened(str(each))} for each in found]
    detail = "; ".join(each["detail"] for each in errors[:MOST_IN_DETAIL])
    if not report.faults:
        detail = f"{detail}; to import all the same: accept {', '.join(report.unconfirmed)}"
    return Problem(
        KINDS["import-refused"], f"nothing was imported: {detail}", {"errors": errors, "report": report.document()}
    )


def http_problem(status: int, detail: str | None = None) -> Problem:
    """The problem of an HTTP status."""
    name = BY_STATUS.get(status, "bad-request")
    kind = KINDS[name]
    if kind.status != status:
        kind = Kind(kind.name, HTTPStatus(status).phrase, status, kind.about)
    return Problem(kind, detail or kind.about)


def flat(messages: Any, path: str = "") -> list[dict[str, str]]:
    """Marshmallow's nested messages as field and sentence."""
    if isinstance(messages, dict):
        found = []
        for name, inner in messages.items():
            found += flat(inner, f"{path}.{name}" if path else str(name))
        return found
    if isinstance(messages, list):
        return [each for message in messages for each in flat(message, path)]
    return [{"field": path.removesuffix("._schema") or "body", "detail": shortened(str(messages))}]


def shortened(text: str) -> str:
    """A text of at most 500 characters."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
