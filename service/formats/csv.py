"""CSV and TSV: one header line with units, plain numbers, texts that no spreadsheet takes for a formula."""

import csv
import io
import unicodedata

from schemas.numbers import PLAIN
from service.answers.answer import Answer, Cell
from service.formats.plain import plain

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")


def write(answer: Answer) -> bytes:
    """Write the records with commas."""
    return _write(answer, ",")


def write_tabs(answer: Answer) -> bytes:
    """Write the records with tabs."""
    return _write(answer, "\t")


def _write(answer: Answer, delimiter: str) -> bytes:
    records = answer.records()
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow([f"{name} [{unit}]" if unit else name for name, unit in records.columns])
    writer.writerows([text(cell) for cell in row] for row in records.rows)
    return out.getvalue().encode()


def text(cell: Cell) -> str:
    """A cell as text: numbers plain, a missing one empty, a text that looks like a formula made harmless."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float):
        return plain(cell)
    seen = unicodedata.normalize("NFKC", cell).lstrip(" \ufeff")
    return f"'{cell}" if seen.startswith(DANGEROUS) and not PLAIN.fullmatch(cell) else cell
