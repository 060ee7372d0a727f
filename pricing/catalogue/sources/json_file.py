"""JSON and NDJSON files: numbers stay exact, keys are unique, texts stay texts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pricing.catalogue.sources.base import Cell, Row, SourceFault
from pricing.catalogue.sources.delimited import open_file
from schemas.strict_json import NotJson, TooLong, loads

LONGEST = 200 * 1024 * 1024
LONGEST_LINE = 1_000_000
HOLDERS = ("prices", "items", "rows", "results")


@dataclass(slots=True)
class JsonFile:
    """A JSON file: an array of objects, or an object that holds one as `prices`, `items` or `rows`."""

    kind: ClassVar[str] = "json"
    name: str
    path: Path

    def prices(self) -> Iterator[Row]:
        """Every object of the array; `line` counts them from 1. Raises SourceFault."""
        with open_file(self.path) as file:
            content = file.read(LONGEST + 1)
        if len(content) > LONGEST:
            raise SourceFault("", f"the file is larger than {LONGEST:,} bytes: use NDJSON")
        yield from json_rows(content)


@dataclass(slots=True)
class NdjsonFile:
    """A file with one JSON object a line."""

    kind: ClassVar[str] = "ndjson"
    name: str
    path: Path

    def prices(self) -> Iterator[Row]:
        """Every line's object. Raises SourceFault."""
        with open_file(self.path) as file:
            yield from ndjson_rows(iter(lambda: file.readline(LONGEST_LINE + 1), b""))


class Item(Row):
    """An object of an array, which has no line."""

    __slots__ = ()

    def at(self, column: str | None = None) -> str:
        """Where a value stands in the array."""
        return f"item {self.line}, {column}" if column else f"item {self.line}"


def json_rows(content: bytes) -> Iterator[Row]:
    """The objects of a JSON array that was received. Raises SourceFault."""
    for number, each in enumerate(_array(_load(content, "")), 1):
        yield Item(number, _cells(each, f"item {number}"))


def _array(found: Any) -> list[Any]:
    if isinstance(found, dict):
        held = [found[name] for name in HOLDERS if isinstance(found.get(name), list)]
        found = held[0] if len(held) == 1 else found
    if not isinstance(found, list):
        raise SourceFault("", f"an array of objects expected, or an object that holds one as {' or '.join(HOLDERS)}")
    return found


def ndjson_rows(lines: Iterator[bytes]) -> Iterator[Row]:
    """The object of each line. Raises SourceFault."""
    for number, line in enumerate(lines, 1):
        where = f"line {number}"
        if len(line) > LONGEST_LINE:
            raise SourceFault(where, f"the line has more than {LONGEST_LINE:,} bytes")
        if not line.strip():
            raise SourceFault(where, "a blank line; each line holds one JSON object")
        yield Row(number, _cells(_load(line, where), where))


def _load(content: bytes, where: str) -> Any:
    try:
        return loads(content)
    except NotJson as error:
        raise SourceFault(where, str(error)) from None


def _cells(found: Any, where: str) -> Mapping[str, Cell]:
    if not isinstance(found, dict):
        raise SourceFault(where, "a JSON object expected, with the names of the columns as keys")
    for name, value in found.items():
        if isinstance(value, TooLong):
            raise SourceFault(f"{where}, {name}", "the number has more digits than any number needs")
        if isinstance(value, dict):
            raise SourceFault(f"{where}, {name}", "a text, a number, true, false, null or a list of texts expected")
        if isinstance(value, list) and not all(isinstance(part, str) for part in value):
            raise SourceFault(f"{where}, {name}", "a list of texts expected")
    return found
