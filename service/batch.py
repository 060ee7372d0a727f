"""Many questions at once: rows in, one row out for each, in order; what is wrong with a row stands in its row."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from marshmallow import Schema, ValidationError

from pricing.analysis.batch import RELATIVE, Answered, Answers
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find
from pricing.catalogue.sources.base import SourceFault
from pricing.catalogue.sources.files import FORMS, Form, received_rows
from pricing.errors import BadQuestion, StoreUnavailable, TraincostError
from pricing.graph import unit_of
from schemas.strict_json import NotJson, TooLong, loads
from service.answers.answer import Cell
from service.answers.documents import exact
from service.formats.csv import text
from service.formats.json import dumps
from service.importing import reading_of
from service.outputs import names
from service.parameters import batch_row
from service.problems import problem_of

MOST_IN_ARRAY, MOST_STREAMED = 1_000, 100_000
MIB = 1024 * 1024
MOST_BYTES = 64 * MIB
AT_ONCE = 200  # rows that are written together
OK, ERROR = "ok", "error"
LONGEST_ID = 200
SET = "set."
WRITTEN = ("json", "ndjson", "csv", "xlsx")
BEFORE = ("row", "id", "status", "system")
BEHIND = (
    "result", "currency", "as_of", "round", "division", "preset", "catalogue", "gaps", "caveats", "notices", "error",
    "detail",
)  # fmt: skip
Fields = Mapping[str, Any]


class TooMany(TraincostError):
    """More rows, or bytes, than a batch may have."""


class Asked(NamedTuple):
    """A row as it came: its number, and its fields, or what is wrong with it."""

    number: int
    fields: Fields
    fault: Exception | None = None


class Batch(NamedTuple):
    """What all rows share: the catalogue, the figures wanted, and fields for rows that have none of their own."""

    catalogue: Catalogue
    wanted: tuple[str, ...]
    shared: Fields

    def check(self) -> None:
        """Refuse a figure that no question has. Raises UnknownName or BadQuestion."""
        if len(set(self.wanted)) < len(self.wanted):
            raise BadQuestion("fields", "each figure once")
        known = names()
        for field in self.wanted:
            find("field", field.removeprefix(RELATIVE), {name: name for name in known})


def shared_fields(given: Mapping[str, list[str]]) -> dict[str, Any]:
    """Of parameters as they came, those that are fields of a row; what may be said often stays a list."""
    row = batch_row()()
    many = {name for name, field in row.fields.items() if getattr(field, "is_multiple", False)}
    return {name: values if name in many else values[0] for name, values in given.items() if name in row.fields}


def rows_of(form: Form, content: bytes, delimiter: str | None = None) -> Iterator[Asked]:
    """The rows of what was sent. Raises TooMany, NotJson or SourceFault before the first one is given."""
    if len(content) > MOST_BYTES:
        raise TooMany(f"at most {MOST_BYTES // MIB} MiB")
    readers: dict[str, Callable[[bytes], Iterator[Asked]]] = {"json": _array, "ndjson": _lines}
    if form.name in readers:
        return readers[form.name](content)
    return _table(form, content, delimiter)


def _array(content: bytes) -> Iterator[Asked]:
    found = loads(content)
    if isinstance(found, dict) and set(found) == {"questions"}:
        found = found["questions"]
    if not isinstance(found, list):
        raise NotJson("a list of questions is expected, or an object that holds it as questions")
    if len(found) > MOST_IN_ARRAY:
        raise TooMany(f"at most {MOST_IN_ARRAY:,} questions in a JSON list; NDJSON and CSV take {MOST_STREAMED:,}")
    return (_asked(number, each) for number, each in enumerate(found, 1))


def _asked(number: int, each: Any) -> Asked:
    if isinstance(each, dict):
        return Asked(number, each)
    return Asked(number, {}, ValidationError({"question": ["must be an object with the fields of a question"]}))


def _lines(content: bytes) -> Iterator[Asked]:
    if content.count(b"\n") > MOST_STREAMED:
        raise TooMany(f"at most {MOST_STREAMED:,} lines")
    lines = (line for line in io.BytesIO(content) if line.strip())
    return (_line(number, line) for number, line in enumerate(lines, 1))


def _line(number: int, line: bytes) -> Asked:
    try:
        return _asked(number, loads(line))
    except NotJson as error:
        return Asked(number, {}, ValidationError({"question": [str(error)]}))


def _table(form: Form, content: bytes, delimiter: str | None) -> Iterator[Asked]:
    if form.name != "xlsx" and content.count(b"\n") > MOST_STREAMED + 1:
        raise TooMany(f"at most {MOST_STREAMED:,} rows")
    rows = received_rows(form, content, reading_of({"delimiter": delimiter}))
    first = next(rows, None)  # what is wrong with the file as a whole is said before anything is answered
    return _cells(first, rows) if first else iter(())


def _cells(first: Any, rest: Iterable[Any]) -> Iterator[Asked]:
    yield Asked(1, _fields(first.cells))
    number = 1
    try:
        for number, row in enumerate(rest, 2):
            if number > MOST_STREAMED:
                raise SourceFault(row.at(), f"at most {MOST_STREAMED:,} rows")
            yield Asked(number, _fields(row.cells))
    except SourceFault as error:  # no row after it can be trusted
        yield Asked(number + 1, {}, error)


def _fields(cells: Fields) -> dict[str, Any]:
    """Fields of a row of a table: blank cells are left out, `set.price` is a figure of the row's only system."""
    found = {name.strip(): cell for name, cell in cells.items() if cell not in (None, "")}
    own = [
        f"{found.get('systems', '')}.{name.removeprefix(SET)}:{found.pop(name)}"
        for name in list(found)
        if name.startswith(SET)
    ]
    listed = [each.strip() for each in str(found.get("set", "")).split(";") if each.strip()]
    if own or listed:
        found["set"] = [*listed, *own]
    return {name: cell if isinstance(cell, list) else str(cell) for name, cell in found.items()}


def answers(batch: Batch, rows: Iterable[Asked]) -> Iterator[dict[str, Any]]:
    """One row out for each row in, in order."""
    engine = Answers(batch.catalogue, batch.wanted)
    return (_answer(batch, engine, row) for row in rows)


@lru_cache(maxsize=256)
def _schema_of(given: frozenset[str]) -> Schema:
    """The schema of a row with these fields; it looks at no others, of which there are a hundred."""
    whole = batch_row()
    known = whole().fields.keys()
    return whole(only=given | {"systems"}) if given <= known else whole()


def _answer(batch: Batch, engine: Answers, row: Asked) -> dict[str, Any]:
    own = row.fields.get("id")
    head: dict[str, Any] = {"row": row.number, "id": None, "status": ERROR, "system": None}
    try:
        if row.fault is not None:
            raise row.fault
        head["id"] = _echoed(own)
        given = {name: value for name, value in row.fields.items() if name != "id"}
        whole = {**batch.shared, **given}
        fields = _schema_of(frozenset(whole)).load(whole)
        found = engine.to(fields)
    except StoreUnavailable:
        raise
    except (TraincostError, ValidationError) as error:
        problem = problem_of(error)
        return {**head, "error": problem.kind.name, "detail": problem.detail}
    return {**head, "status": OK, "system": found.side.name, **_told(batch, found)}


def _echoed(own: Any) -> str | float | None:
    """The id of a row, as it came. Raises ValidationError."""
    if own is None or (isinstance(own, str) and not isinstance(own, TooLong) and len(own) <= LONGEST_ID):
        return own
    if isinstance(own, Decimal) and own.is_finite():
        return exact(float(own))
    raise ValidationError({"id": [f"must be a number, or a text of at most {LONGEST_ID} characters"]})


def _told(batch: Batch, found: Answered) -> dict[str, Any]:
    question, rules = found.comparison.question, found.comparison.rules
    return {
        "values": {name: exact(value) for name, value in found.values.items()},
        "units": {name: _unit(name, question.currency) for name in batch.wanted},
        "result": _result(found), "currency": question.currency, "as_of": question.as_of.isoformat(),
        "round": rules.round, "division": rules.division, "preset": question.preset,
        "catalogue": batch.catalogue.version,
        "gaps": dict(found.gaps), "caveats": list(dict.fromkeys(each.code for each in found.comparison.caveats)),
        "notices": list(found.comparison.notices),
    }  # fmt: skip


def _result(found: Answered) -> str | None:
    """The id of the result whose time was used."""
    return found.side.result.result.id if found.side.result.result else None


def _unit(name: str, currency: str) -> str:
    return "1" if name.startswith(RELATIVE) else unit_of(name, currency)


def written(form: str, batch: Batch, rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """The answers in a format, a few rows at a time."""
    return _WRITERS[form](batch, rows)


def _ndjson(_: Batch, rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    return _together(dumps(row) for row in rows)


def _json(_: Batch, rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    yield b'{"answers":['
    yield from _together((b"," if row["row"] > 1 else b"") + dumps(row).rstrip(b"\n") for row in rows)
    yield b"]}\n"


def _csv(batch: Batch, rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    import csv  # noqa: PLC0415

    def line(cells: Iterable[Cell]) -> bytes:
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\r\n").writerow([text(cell) for cell in cells])
        return out.getvalue().encode()

    yield line(_columns(batch))
    yield from _together(line(_row(batch, row)) for row in rows)


def _xlsx(batch: Batch, rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """A workbook in which numbers are numbers and no text is a formula."""
    from tempfile import TemporaryFile  # noqa: PLC0415

    from xlsxwriter import Workbook  # noqa: PLC0415

    with TemporaryFile() as file:
        book = Workbook(file, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
        sheet, bold = book.add_worksheet("answers"), book.add_format({"bold": True})
        for place, name in enumerate(_columns(batch)):
            sheet.write_string(0, place, name, bold)
        for number, row in enumerate(rows, 1):
            for place, cell in enumerate(_row(batch, row)):
                if isinstance(cell, int | float):
                    sheet.write_number(number, place, cell)
                elif cell is not None:
                    sheet.write_string(number, place, cell)
        book.close()
        file.seek(0)
        yield from iter(lambda: file.read(MIB), b"")


def _columns(batch: Batch) -> list[str]:
    """The columns; of what is money, the unit has the currency of the row."""
    return [*BEFORE, *(f"{name} [{_unit(name, 'currency')}]" for name in batch.wanted), *BEHIND]


def _row(batch: Batch, row: Mapping[str, Any]) -> list[Cell]:
    values, gaps = row.get("values", {}), row.get("gaps", {})
    flat = {
        **row,
        "gaps": "; ".join(f"{name}: {why}" for name, why in gaps.items()) or None,
        "caveats": " ".join(row.get("caveats", ())) or None,
        "notices": " ".join(row.get("notices", ())) or None,
    }
    return [*(flat[name] for name in BEFORE), *(values.get(name) for name in batch.wanted), *map(flat.get, BEHIND)]


def _together(parts: Iterator[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    for part in parts:
        waiting.append(part)
        if len(waiting) >= AT_ONCE:
            yield b"".join(waiting)
            waiting.clear()
    yield b"".join(waiting)


_WRITERS = {"json": _json, "ndjson": _ndjson, "csv": _csv, "xlsx": _xlsx}
MIMETYPES = {form.name: form.mimetypes[0] for form in FORMS}
