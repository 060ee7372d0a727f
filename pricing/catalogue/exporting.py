"""Books as files that can be imported again, and empty ones to fill in."""

import io
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, get_args

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.importing.cells import AMBIGUOUS, NOTHING
from pricing.catalogue.importing.nouns import NOUNS, PRICES, WITHDRAWN, Noun
from pricing.catalogue.names import find
from pricing.catalogue.sources.delimited import guarded
from schemas.price import Price

Values = Mapping[str, str]
WIDTH = 22


def export_of(catalogue: Catalogue, noun: str, book: str, form: str) -> Iterator[bytes]:
    """A book's rows of a noun as csv, json, ndjson or xlsx, in the order in which they were imported.

    Raises UnknownName where the catalogue is not of that book.
    """
    held = find("book", book, {each.name: each for each in catalogue.books})
    kind = find("kind of fact", noun, NOUNS)
    columns = tuple(name for name in kind.columns if name != WITHDRAWN)
    rows = (_price(each) for _, each in held.prices.each()) if kind is PRICES else _facts(held.facts(noun), kind)
    return _FORMS[form](columns, rows)


def _facts(rows: Mapping[str, Mapping[str, Any]], kind: Noun) -> Iterator[Values]:
    numbers = {name for name, read in kind.types().items() if float in (read, *get_args(read))}
    for row in rows.values():
        held = {name: str(row[name]) for name in kind.columns if row.get(name)}
        yield {name: _number(text) if name in numbers else text for name, text in held.items()}


def _number(text: str) -> str:
    """A stored number; one with three decimals in a spelling that nobody takes for thousands."""
    return f"{text}0" if AMBIGUOUS.fullmatch(text) else text


def _price(each: Price) -> Values:
    """A price as texts; what is blank is left out."""
    found = {}
    for name in PRICES.columns:
        value = getattr(each, name, None)
        if value is not None:
            found[name] = _text(value)
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(value) or NOTHING
    if isinstance(value, date):
        return value.isoformat()
    return plain(value) if isinstance(value, Decimal) else str(value)


def plain(number: Decimal) -> str:
    """An amount in plain digits, in a spelling that nobody can take for thousands: 1.234 is written 1.2340."""
    text = format(number, "f")
    return f"{text}0" if AMBIGUOUS.fullmatch(text) else text


def _csv(columns: tuple[str, ...], rows: Iterator[Values]) -> Iterator[bytes]:
    import csv  # noqa: PLC0415

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([guarded(row.get(name, "")) for name in columns])
        yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    """What was written so far."""
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def _ndjson(_: tuple[str, ...], rows: Iterator[Values]) -> Iterator[bytes]:
    import json  # noqa: PLC0415

    return (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def _json(_: tuple[str, ...], rows: Iterator[Values]) -> Iterator[bytes]:
    yield b"["
    for number, line in enumerate(_ndjson((), rows)):
        yield (b",\n" if number else b"") + line.rstrip(b"\n")
    yield b"]\n"


def _xlsx(columns: tuple[str, ...], rows: Iterator[Values]) -> Iterator[bytes]:
    """A workbook of texts: no cell of it is a formula or a number that a program could write otherwise."""
    from xlsxwriter import Workbook  # noqa: PLC0415

    buffer = io.BytesIO()
    book = Workbook(buffer, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    sheet, bold, text = (
        book.add_worksheet("prices"),
        book.add_format({"bold": True}),
        book.add_format({"num_format": "@"}),
    )
    sheet.set_column(0, len(columns) - 1, WIDTH, text)
    for place, name in enumerate(columns):
        sheet.write_string(0, place, name, bold)
    for number, row in enumerate(rows, 1):
        for place, name in enumerate(columns):
            if name in row:
                sheet.write_string(number, place, row[name], text)
    book.close()
    yield buffer.getvalue()


_FORMS = {"csv": _csv, "json": _json, "ndjson": _ndjson, "xlsx": _xlsx}
EXPORTS = tuple(_FORMS)


def template_of(noun: str, form: str) -> bytes:
    """An empty file of a noun; a workbook also says what each column means."""
    kind = find("kind of fact", noun, NOUNS)
    if form == "csv":
        return (",".join(kind.columns) + "\n").encode()
    return _template_workbook(kind)


def _template_workbook(kind: Noun) -> bytes:
    from xlsxwriter import Workbook  # noqa: PLC0415

    buffer = io.BytesIO()
    book = Workbook(buffer)
    bold, text = book.add_format({"bold": True}), book.add_format({"num_format": "@"})
    sheet = book.add_worksheet(kind.name)
    sheet.set_column(0, len(kind.columns) - 1, WIDTH, text)
    sheet.freeze_panes(1, 0)
    for place, name in enumerate(kind.columns):
        sheet.write_string(0, place, name, bold)
        need = "Required. " if name in kind.required else ""
        sheet.write_comment(0, place, f"{need}{kind.about.get(name, name.replace('_', ' '))}")
    book.close()
    return buffer.getvalue()
