"""Reading JSON strictly: UTF-8, unique keys, finite numbers as exact decimals."""

import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any

LONGEST_NUMBER = 64
SURROGATE = re.compile("[\ud800-\udfff]")


class NotJson(ValueError):
    """A body that is no JSON that we accept; the message says why."""


def loads(body: bytes) -> Any:
    """Read a JSON body. Raises NotJson."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"the body is not UTF-8 at byte {error.start}") from None
    try:
        found = json.loads(
            text,
            parse_float=_number,
            parse_int=_number,
            parse_constant=_constant,
            object_pairs_hook=_unique,
        )
    except json.JSONDecodeError as error:
        raise NotJson(f"the body is not JSON: {error}") from None
    except RecursionError:
        raise NotJson("the body is nested too deeply") from None
    _check_texts(found)
    return found


def _check_texts(found: Any) -> None:
    """Refuse a lone surrogate, which is half a character and could not be written back."""
    waiting = [found]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, str) and SURROGATE.search(each):
            raise NotJson("a text holds half a character (a lone surrogate)")


class TooLong(str):
    """The digits of a number that is longer than any number needs; its field refuses it by name."""


def _number(text: str) -> Decimal | TooLong:
    """Keep a number exact."""
    try:
        return Decimal(text) if len(text) <= LONGEST_NUMBER else TooLong(text)
    except InvalidOperation:  # an exponent that no decimal has
        return TooLong(text)


def _constant(name: str) -> Any:
    raise NotJson(f"{name} is no JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise NotJson(f"the key {name[:100]!r} stands twice in one object")
        found[name] = value
    return found
