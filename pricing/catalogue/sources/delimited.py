"""CSV and TSV files, read by the strict parser of `csv`: a row with a cell too many is no row."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, ClassVar, Literal

from pricing.catalogue.sources.base import Cell, Record, Row, SourceFault, check_header

LONGEST_CELL = 10_000
LONGEST_LINE = 1_000_000
DELIMITERS = {"comma": ",", "tab": "\t", "semicolon": ";"}
Delimiter = Literal["comma", "tab", "semicolon"]
BLOCK = 1024 * 1024
NEW_LINE = b"\n"
LONE_RETURN = re.compile(rb"\r(?!\n)")
BOM = "﻿"
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet program runs a text that starts so
GUARD = re.compile(rf"'[{re.escape(''.join(FORMULA))}]")


@dataclass(slots=True)
class CsvFile:
    """A file of rows with commas (or semicolons, by `delimiter`) between the cells, UTF-8, with a header."""

    kind: ClassVar[str] = "csv"
    name: str
    path: Path
    delimiter: Delimiter = "comma"

    def prices(self) -> Iterator[Row]:
        """Every row of the file. Raises SourceFault."""
        with open_file(self.path) as file:
            yield from delimited_rows(file, DELIMITERS[self.delimiter])


@dataclass(slots=True)
class TsvFile:
    """A file of rows with tabs between the cells, UTF-8, with a header."""

    kind: ClassVar[str] = "tsv"
    name: str
    path: Path

    def prices(self) -> Iterator[Row]:
        """Every row of the file. Raises SourceFault."""
        with open_file(self.path) as file:
            yield from delimited_rows(file, "\t")


def open_file(path: Path) -> IO[bytes]:
    """The file, opened once. Raises SourceFault where it cannot be."""
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SourceFault("", f"the file {path.name!r} cannot be read: {reason}") from None


def delimited_rows(file: IO[bytes], delimiter: str = ",") -> Iterator[Row]:
    """Rows of a delimited file; the first line names the columns. Raises SourceFault with the line."""
    text = _Text(file)
    reader = csv.reader(text.lines(), delimiter=delimiter, strict=True)
    try:
        header = next(reader, [])
        if not header:
            raise SourceFault("line 1", "a header with the names of the columns expected")
        check_header(header, "line 1")
        _check_delimiter(header, delimiter)
        yield from _rows(reader, text, header)
    except csv.Error as error:
        where = f"line {max(reader.line_num, 1)}"
        raise SourceFault(where, f"{error}; a cell with quotes in it is quoted, and its quotes doubled") from None


def _check_delimiter(header: list[str], delimiter: str) -> None:
    """A header of one column that holds another delimiter is a file of another kind."""
    others = [name for name, mark in DELIMITERS.items() if mark != delimiter and mark in header[0]]
    if len(header) == 1 and others:
        raise SourceFault("line 1", f"one column with {others[0]}s in its name: declare the delimiter {others[0]}")


def _rows(reader: Any, text: "_Text", header: list[str]) -> Iterator[Row]:
    width = len(header)
    for cells in reader:
        if len(cells) != width:
            what = f"{width} cells expected, not {len(cells)}" if cells else "a blank line; rows stand without gaps"
            raise SourceFault(f"line {reader.line_num}", what)
        if text.has_guards:
            cells = [unguarded(cell) for cell in cells]  # noqa: PLW2901 (a million rows pass here)
        yield Record(reader.line_num, header, cells)


class _Text:
    """The lines of a file: UTF-8 with or without a byte order mark, of bounded length, without NUL.

    They are read and checked in blocks, since a million lines pass here.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._number = 0  # lines of the blocks before
        self._bytes = 0
        self.has_guards = False  # whether any line so far may hold a guarded text

    def lines(self) -> Iterator[str]:
        """Each line with its end."""
        return chain.from_iterable(io.StringIO(block, newline="\n") for block in self._blocks())

    def _blocks(self) -> Iterator[str]:
        """Whole lines, as many as a block holds."""
        rest = b""
        while block := self._file.read(BLOCK):
            whole, end, rest = (rest + block).rpartition(b"\n")
            if max(len(rest), self._longest(whole)) > LONGEST_LINE:
                raise self._too_long(whole, rest)
            if whole or end:
                yield self._checked(whole + end)
        if rest:
            yield self._checked(rest)

    def _longest(self, whole: bytes) -> int:
        """The length of the longest line, where any may be too long."""
        return max(map(len, whole.split(b"\n"))) if len(whole) > LONGEST_LINE else 0

    def _too_long(self, whole: bytes, rest: bytes) -> SourceFault:
        lines = [*whole.split(b"\n"), rest] if whole else [rest]
        number = next(number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE)
        return SourceFault(f"line {self._number + number}", f"the line has more than {LONGEST_LINE:,} bytes")

    def _checked(self, raw: bytes) -> str:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise SourceFault(self._line_of(raw[: error.start]), _not_utf8(raw, self._bytes + error.start)) from None
        if "\0" in text:
            raise SourceFault(self._line_of(raw[: raw.index(0)]), "a NUL byte; the file must be text")
        if "\r" in text and (lone := LONE_RETURN.search(raw)):
            where = self._line_of(raw[: lone.start()])
            raise SourceFault(where, "a line ends with a lone carriage return; end lines with LF or CR LF")
        self.has_guards = self.has_guards or GUARD.search(text) is not None
        is_first = self._bytes == 0
        self._number += raw.count(b"\n")
        self._bytes += len(raw)
        return text.removeprefix(BOM) if is_first else text

    def _line_of(self, before: bytes) -> str:
        return f"line {self._number + before.count(NEW_LINE) + 1}"


def _not_utf8(raw: bytes, at: int) -> str:
    kind = "UTF-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "not UTF-8"
    return f"the file is {kind} at byte {at}: save it as UTF-8 (in Excel: CSV UTF-8)"


def guarded(text: str) -> str:
    """A text that no spreadsheet program takes for a formula: with `'` before what would start one.

    A text that already has such marks before a start gets one more, so that `unguarded` gives back each text.
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULA) else text


def write_rows(file: IO[str], columns: tuple[str, ...], rows: Iterator[Mapping[str, Cell]]) -> None:
    """Write texts and numbers as CSV, texts guarded, so that `delimited_rows` reads the same."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in map(row.get, columns)])


def csv_rows(content: bytes, delimiter: str = ",") -> Iterator[Row]:
    """Rows of a delimited text that was received. Raises SourceFault."""
    return delimited_rows(io.BytesIO(content), delimiter)
