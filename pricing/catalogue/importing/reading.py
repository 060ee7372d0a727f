"""From the rows of a source to rows of a book: columns mapped, cells read, each fault with its place."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pricing.catalogue.importing.cells import Reader, Separators, readers_of
from pricing.catalogue.importing.nouns import WITHDRAWN, Noun
from pricing.catalogue.importing.report import Finding, Report
from pricing.catalogue.names import nearest
from pricing.catalogue.sources.base import Cell, Record, Row, SourceFault

MOST_REMEMBERED = 50_000
Values = dict[str, Any]


class Layout(NamedTuple):
    """How a file says what a book wants: its own column names, its separators, and what holds for all its rows.

    `mapping` is from our columns to the file's; a column of the file mapped from nothing (`ignored`) is left out.
    `fill` gives a column that the file lacks one text for all rows.
    """

    separators: Separators = Separators()
    mapping: Mapping[str, str] = {}
    ignored: tuple[str, ...] = ()
    fill: Mapping[str, str] = {}


class Remembering(dict[str, Any]):
    """What each text of a column was read as: most stand there again and again."""

    def __init__(self, read: Reader) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, cell: str) -> Any:
        found = self.read(cell)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[cell] = found
        return found


class RowReader:
    """Reads rows of one noun. `check` sees the values of each, raises ValueError, and may complete them."""

    def __init__(self, noun: Noun, layout: Layout, check: Callable[[Values], None]) -> None:
        self.noun, self.layout, self.check = noun, layout, check
        self._readers = readers_of(noun.row_type, layout.separators)
        self._columns: list[tuple[str, str, Remembering]] = []
        self._header: frozenset[str] = frozenset()
        self._filled: Values = {}
        self._shared: Sequence[str] | None = None
        self._places: list[tuple[int, str, Remembering]] = []

    def rows(self, rows: Iterable[Row], report: Report) -> Iterator[tuple[Row, Values]]:
        """Every row that is as it must be, with its values; the others are faults of the report."""
        for row in rows:
            report.rows += 1
            try:
                yield row, self._values(row)
            except SourceFault as fault:
                raise SourceFault(fault.where or (row.at() if len(self._columns) else ""), fault.detail) from None
            except BadCell as bad:
                if not all(report.fault(self._finding(row, each)) for each in self._all_of(row, bad)):
                    return

    def _finding(self, row: Row, bad: "BadCell") -> Finding:
        place = row.at(bad.column and self.layout.mapping.get(bad.column, bad.column))
        return Finding(row.line, bad.column, bad.detail, place)

    def _all_of(self, row: Row, first: "BadCell") -> list["BadCell"]:
        """Every cell of a row that cannot be read; where all can, what is wrong with the row."""
        found = []
        for ours, theirs, remembered in self._columns:
            cell = row.cells.get(theirs)
            try:
                if cell not in (None, ""):
                    remembered.read(cell)
            except ValueError as error:
                found.append(BadCell(ours, str(error)))
        return found or [first]

    def _take_header(self, header: tuple[str, ...]) -> None:
        """Decide which column of the file is read as what. Raises SourceFault for one that is unknown or missing."""
        mapping, columns = self.layout.mapping, self.noun.columns
        if wrong := [name for name in (*mapping, *self.layout.fill) if name not in columns]:
            raise SourceFault("", f"{wrong[0]!r} is no column of {self.noun.name}; known: {', '.join(columns)}")
        if absent := [name for name in (*mapping.values(), *self.layout.ignored) if name not in header]:
            raise SourceFault("", f"the file has no column {absent[0]!r}; it has {', '.join(header)}")
        found = self._named(header)
        if unknown := [name for name in found if name not in columns]:
            near = nearest(unknown[0], columns)
            hint = f"; nearest to the first: {', '.join(near)}" if near else "; the template has those that we know"
            listed = ", ".join(map(repr, unknown))
            raise SourceFault("", f"unknown column{'s' * (len(unknown) > 1)} {listed}: map or ignore{hint}")
        if twice := [name for name in self.layout.fill if name in found]:
            raise SourceFault("", f"column {twice[0]} is in the file, and filled, too")
        self._check_required(set(found) | set(self.layout.fill), header)
        readers = {**self._readers, WITHDRAWN: _yes_or_no}
        self._columns = [(ours, theirs, Remembering(readers[ours])) for ours, theirs in found.items()]
        self._filled = self._fill(readers)
        self._header = frozenset(header)

    def _named(self, header: Sequence[str]) -> dict[str, str]:
        """Our columns with the file's. Raises SourceFault where two are one of ours, or one is two of ours."""
        named: dict[str, str] = {}
        for ours, theirs in self.layout.mapping.items():
            if named.setdefault(theirs, ours) != ours:
                raise SourceFault("", f"column {theirs!r} is mapped to {named[theirs]} and to {ours}")
        found: dict[str, str] = {}
        for name in header:
            ours = named.get(name, name)
            if name not in self.layout.ignored and found.setdefault(ours, name) != name:
                raise SourceFault("", f"columns {found[ours]!r} and {name!r} are both {ours}: ignore one of them")
        return found

    def _check_required(self, found: set[str], header: Sequence[str]) -> None:
        required = [name for name in self.noun.required if name != "amount" or not {"low", "high"} <= found]
        if missing := [name for name in required if name not in found]:
            raise SourceFault("", f"column {missing[0]} is missing; the file has {', '.join(header)}")

    def _fill(self, readers: Mapping[str, Reader]) -> Values:
        try:
            return {**self.noun.defaults, **{name: readers[name](text) for name, text in self.layout.fill.items()}}
        except ValueError as error:
            raise SourceFault("fill", str(error)) from None

    def _values(self, row: Row) -> Values:
        """The values of a row by our names; a blank cell has none. Raises BadCell."""
        found = self._texts(row) if isinstance(row, Record) else self._cells(row)
        try:
            self.check(found)
        except ValueError as error:
            raise BadCell(None, str(error)) from None
        return found

    def _texts(self, row: Record) -> Values:
        """The values of a row of texts, by the places of its shared header."""
        if row.header is not self._shared:
            self._take_header(tuple(row.header))
            self._shared = row.header
            self._places = [(row.header.index(theirs), ours, read) for ours, theirs, read in self._columns]
        texts, found = row.texts, self._filled.copy()
        try:
            for place, ours, remembered in self._places:
                if text := texts[place]:
                    found[ours] = remembered[text]
        except ValueError as error:
            raise BadCell(ours, str(error)) from None
        return found

    def _cells(self, row: Row) -> Values:
        """The values of a row of cells of any kind."""
        cells, found = row.cells, self._filled.copy()
        if cells.keys() != self._header:
            self._take_header(tuple(cells))
            found = self._filled.copy()
        try:
            for ours, theirs, remembered in self._columns:
                cell = cells[theirs]
                if cell.__class__ is str:
                    if cell:
                        found[ours] = remembered[cell]
                elif cell is not None:
                    found[ours] = remembered.read(cell)
        except ValueError as error:
            raise BadCell(ours, str(error)) from None
        return found


class BadCell(Exception):
    """A cell, or a whole row where `column` is None, is not as it must be."""

    def __init__(self, column: str | None, detail: str) -> None:
        self.column, self.detail = column, detail
        super().__init__(detail)


def _yes_or_no(cell: Cell) -> bool:
    if cell not in (True, False, "yes", "no"):
        raise ValueError("yes or no expected")
    return cell in (True, "yes")


def require(noun: Noun, values: Mapping[str, Any]) -> None:
    """Refuse a blank cell where one must not be. Raises BadCell."""
    for name in noun.required:
        if name not in values and name != "amount":
            raise BadCell(name, "a blank cell; it is required")
