"""JSON: the whole document, strict, full precision."""

from decimal import Decimal
from typing import Any

import orjson

from service.answers.answer import Answer


def write(answer: Answer) -> bytes:
    """Write an answer as JSON."""
    return dumps(answer.document())


def dumps(document: Any) -> bytes:
    """Write a document; there is no NaN or Infinity in it, since the graph makes none."""
    return orjson.dumps(document, default=_other, option=orjson.OPT_APPEND_NEWLINE)


def _other(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if hasattr(value, "items"):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
