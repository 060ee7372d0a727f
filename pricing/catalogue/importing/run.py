"""An import from its rows to a published head, or to a report of why not; nothing in between stays."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pricing.catalogue.book_prices import BookPrices
from pricing.catalogue.books import Import, head_of, heads, imports_of, live, live_of_source
from pricing.catalogue.competing import rivals
from pricing.catalogue.differing import Change, difference
from pricing.catalogue.importing.checks import PriceCheck, fact_check
from pricing.catalogue.importing.fact_changes import FactChanges, held_facts
from pricing.catalogue.importing.nouns import PRICES, WITHDRAWN, Noun
from pricing.catalogue.importing.offers import Clash, Offers
from pricing.catalogue.importing.reading import Layout, RowReader
from pricing.catalogue.importing.report import MOST_FAULTS, Finding, Report
from pricing.catalogue.importing.staging import Staged, discard, publish, sweep
from pricing.catalogue.importing.withdrawing import Withdrawals
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.sources.base import Row, SourceFault
from pricing.catalogue.store import Store
from pricing.catalogue.versions import (
    BOOK_FORM,
    PUBLIC,
    RESERVED,
    SOURCE_FORM,
    Version,
    is_book_name,
    is_source_name,
)
from pricing.errors import BadQuestion, NoStore
from schemas.price import Price

MOST_RIVALS, MOST_EXAMPLES = 20, 10
HALF = 0.5
PLAIN = Layout()


@dataclass(frozen=True, slots=True)
class Request:
    """What is imported, where to, and how. `replaces`: the source's earlier rows end with it."""

    noun: Noun = PRICES
    book: str = PUBLIC
    source: str = "import"
    file: str | None = None
    layout: Layout = PLAIN
    replaces: bool = True
    accepted: tuple[str, ...] = ()
    dry_run: bool = False
    entered_by: str | None = None
    sees_book: bool = True
    """Whether the report may say what the book holds: whoever may only import is not told."""


def take_in(library: Library, request: Request, rows: Iterable[Row], progress: Callable[[int], None]) -> Report:
    """Import the rows, all or none of them. Raises BadQuestion or StoreUnavailable.

    What is wrong with the rows is in the report. `progress` is told every so often how many rows were read.
    """
    store = _store(library, request)
    sweep(store)
    return Importing(library, store, request, progress).run(rows)


def _store(library: Library, request: Request) -> Store:
    if request.book in RESERVED:
        raise BadQuestion("book", f"{request.book!r} cannot be the name of a book: that is what ships")
    if not is_book_name(request.book):
        raise BadQuestion("book", f"{request.book[:100]!r} cannot be the name of a book: {BOOK_FORM}")
    if not is_source_name(request.source):
        raise BadQuestion("source", f"{request.source[:100]!r} cannot be the name of a source: {SOURCE_FORM}; give one")
    if library.store is None:
        raise NoStore
    return library.store


class Importing:
    """One import while it runs."""

    def __init__(self, library: Library, store: Store, request: Request, progress: Callable[[int], None]) -> None:
        self.library, self.store, self.request, self.progress = library, store, request, progress
        held = library.heads(exact=True)
        known = [each for each in dict.fromkeys((request.book, PUBLIC)) if each in held and not held[each].is_purged]
        self.catalogue = library.open(EVERYTHING, known)
        self.report = Report(request.noun.name, request.book, request.source, request.file, request.dry_run)
        self.report.accepted = request.accepted
        self.offers = Offers(self.catalogue.systems)
        self.withdrawals = Withdrawals()
        self.facts = FactChanges(request.noun)

    def run(self, rows: Iterable[Row]) -> Report:
        """Read, check, publish; whatever ends it, what was staged and not published is taken away."""
        staged = Staged(self.store, self.request.noun, self.request.book, self.request.source)
        done = False
        try:
            self._read(rows, staged)
            if not self.report.faults:
                done = self._finish(staged)
        finally:
            if not done:
                discard(self.store, staged.id)
        return self.report

    def _read(self, rows: Iterable[Row], staged: Staged) -> None:
        noun = self.request.noun
        request = self.request
        check = PriceCheck(self.catalogue, request.entered_by, sees_book=request.sees_book) if noun is PRICES else None
        reader = RowReader(noun, self.request.layout, check or fact_check(noun.name, self.catalogue, self._replaced()))
        keys: dict[tuple[str, ...], Row] = {}
        try:
            for row, values in reader.rows(rows, self.report):
                if values.pop(WITHDRAWN, False):
                    self._withdraw(row, values, staged)
                elif noun is PRICES:
                    self.offers.add(row.line, values)
                    staged.add(row.line, values)
                else:
                    self._add_fact(row, values, staged, keys)
                if not self.report.rows % 10_000:
                    self.progress(self.report.rows)
        except SourceFault as fault:
            self.report.fault(Finding(None, None, fault.detail, fault.where))
        staged.flush()
        if not self.report.rows and not self.report.faults:
            self.report.fault(Finding(None, None, "there are no rows"))

    def _replaced(self) -> list[str]:
        """Systems of the source that the import takes the place of."""
        held = {each.name: each for each in self.catalogue.books}.get(self.request.book)
        if held is None or not self.request.replaces:
            return []
        rows = held.facts("systems", self.request.source).values()
        return [str(row["id"]) for row in rows]

    def _withdraw(self, row: Row, values: dict[str, object], staged: Staged) -> None:
        if self.request.replaces:
            detail = "a withdrawal has no meaning in an import that replaces: leave the row out, or merge"
            self.report.fault(Finding(row.line, WITHDRAWN, detail, row.at(WITHDRAWN)))
        elif self.request.noun is PRICES:
            self.withdrawals.add(row, values)
        else:
            staged.add(row.line, values, withdrawn=True)
            self.facts.add(values, withdrawn=True)
        self.report.withdrawn += 1

    def _add_fact(self, row: Row, values: dict[str, object], staged: Staged, keys: dict[tuple[str, ...], Row]) -> None:
        key = tuple(str(values.get(name, "")) for name in self.request.noun.key)
        if (first := keys.setdefault(key, row)) is not row:
            detail = f"the same {', '.join(self.request.noun.key)} as {first.at()}"
            self.report.fault(Finding(row.line, self.request.noun.key[0], detail, row.at()))
        staged.add(row.line, values)
        self.facts.add(values)

    def _finish(self, staged: Staged) -> bool:
        """Check what all rows say together, and publish. Returns whether it was published."""
        mark = self.offers.mark()
        while True:
            head, imports = self._now()
            before = live_of_source(imports, self.request.noun.name, self.request.source)
            if self._is_unchanged(before, staged):
                self.report.unchanged, self.report.published = self.request.sees_book, self.catalogue_version()
                self.report.changes = dict.fromkeys(("added", "gone", "changed"), 0)
                return False
            self.report.warnings.clear()
            self.offers.keep(mark)
            if self.request.noun is PRICES:
                self._check_together(before, imports, staged)
            elif self.request.sees_book:
                held = held_facts(self.store, self.request.book, self.request.noun, self.request.source)
                self.report.changes, self.report.examples = self.facts.against(held, replaces=self.request.replaces)
            if self._says_the_same(before):
                self.report.unchanged, self.report.published = True, self.catalogue_version()
                return False
            if self.report.refused or self.request.dry_run:
                return False
            if made := self._publish(staged, head):
                self.library.look_again()
                self.report.published = str(Version(self.library.facts.version, ((self.request.book, made),)))
                return True

    def _now(self) -> tuple[int, tuple[Import, ...]]:
        named = heads(self.store).get(self.request.book)
        return (named.head, imports_of(self.store, named.id, named.head)) if named else (0, ())

    def _is_unchanged(self, before: tuple[Import, ...], staged: Staged) -> bool:
        same = [each.digest for each in before] == [staged.digest.hexdigest()]
        return self.request.replaces and same and before[0].replaces

    def _says_the_same(self, before: tuple[Import, ...]) -> bool:
        """Whether a list has the rows that the source has already, whoever entered them."""
        changes = self.report.changes
        return self.request.replaces and bool(before) and changes is not None and not any(changes.values())

    def _check_together(self, before: tuple[Import, ...], imports: tuple[Import, ...], staged: Staged) -> None:
        """Clashes within the file, and with the book where it is merged; unlikely amounts; what would change."""
        held = BookPrices(self.store, self.request.book, before)
        kept = [] if self.request.replaces else self.withdrawals.kept(held, self.report)
        for number, (_, each) in enumerate(kept, 1):
            self.offers.add_days(-number, {name: getattr(each, name) for name in (*PRICES.key, "valid_to")})
        for clash in sorted(self.offers.clashes(MOST_FAULTS), key=lambda each: max(each.first, each.second)):
            self.report.fault(self._clash(clash, [each.row or "" for _, each in kept]))
        if self.report.faults:
            return
        self._warn(imports)
        if self.request.sees_book:
            self._warn_of_book(held, imports, staged)
            self._note_changes(held, before, staged)

    def _clash(self, clash: Clash, places: list[str]) -> Finding:
        if not self.request.sees_book and min(clash.first, clash.second) < 0:
            line = max(clash.first, clash.second)
            return Finding(line, None, "the source has an offer of that day already", f"line {line}")
        first, second = (f"line {line}" if line > 0 else f"{places[-line - 1]} in the book" for line in clash[:2])
        if clash.overlaps:
            detail = f"{first} and {second} are the same offer, and the first is valid until after the second begins"
        else:
            detail = f"{first} and {second} are the same offer on the same day"
        if min(clash.first, clash.second) < 0:
            detail += "; withdraw the earlier row in this file (withdrawn: yes) to put another in its place"
        return Finding(max(clash.first, clash.second), None, detail)

    def _warn(self, imports: tuple[Import, ...]) -> None:
        """Warn of amounts far from their neighbours'."""
        beside = imports if self.request.sees_book else ()
        self.offers.add_book(self.catalogue, self.store, self.request.book, beside)
        for line, ratio in self.offers.outliers(MOST_FAULTS):
            times = f"{ratio:,.0f} times" if ratio >= 1 else f"1/{1 / ratio:,.0f} of" if ratio else "nothing beside"
            detail = f"the amount is {times} its neighbours': is the unit right?"
            self.report.warnings.append(Finding(line, "amount", detail, f"line {line}, column amount", "outlier"))

    def _warn_of_book(self, held: BookPrices, imports: tuple[Import, ...], staged: Staged) -> None:
        """Warn of amounts unlike another source's, and of a list that lost its rows."""
        rest = tuple(each for each in live(imports, PRICES.name) if each.source != self.request.source)
        for rival in rivals(staged.id, BookPrices(self.store, self.request.book, rest), MOST_RIVALS):
            detail = (
                f"{rival.amount} for {rival.system}, and {rival.other} from the same day in {rival.row}: which is it?"
            )
            where = f"line {rival.line}, column amount"
            self.report.warnings.append(Finding(rival.line, "amount", detail, where, "competing"))
        rows = self.report.rows - self.report.withdrawn
        gone = 0 if self.request.replaces else len(self.withdrawals)
        left = rows if self.request.replaces else held.total - gone + rows
        if held.total and left < HALF * held.total:
            detail = f"{left:,} rows take the place of {held.total:,}"
            self.report.warnings.append(Finding(None, None, detail, code="shrunk"))

    def _note_changes(self, held: BookPrices, before: tuple[Import, ...], staged: Staged) -> None:
        """Count what would be added, gone and changed, and warn of amounts that jump."""
        rows = self.report.rows - self.report.withdrawn
        own = Import(staged.id, PRICES.name, self.request.source, self.request.replaces, 0, rows, 0, 1, *(None,) * 4)
        after = (own,) if self.request.replaces else (*before, own)
        found = difference(held, BookPrices(self.store, self.request.book, after))
        self.report.changes = {**found.counts, "gone": found.counts["gone"] + len(self.withdrawals)}
        self.report.examples = [*(_told(each) for each in found.changed[:MOST_EXAMPLES])]
        self.report.examples += [f"gone: {_offer(each)}" for each in found.gone[:MOST_EXAMPLES]] if before else []
        self.report.examples += [f"added: {_offer(each)}" for each in found.added[:MOST_EXAMPLES]] if before else []
        for jump in found.jumps:
            detail = f"{jump.after.amount} {jump.after.currency} for {jump.after.system}, and {jump.before} before"
            line = int((jump.after.row or "0").rpartition(":")[2])
            self.report.warnings.append(Finding(line, "amount", detail, f"line {line}, column amount", "jump"))

    def _publish(self, staged: Staged, head: int) -> int | None:
        """Publish on what was checked. Returns the head; None where another import was published meanwhile."""
        about = {
            "replaces": self.request.replaces,
            "number_of_rows": self.report.rows - self.report.withdrawn,
            "number_of_withdrawals": len(self.withdrawals),
            "file": self.request.file,
            "entered_by": self.request.entered_by,
        }
        with self.store.publishing() as connection:
            if head_of(connection, self.request.book) != head:
                return None
            self.withdrawals.write(connection, staged.id)
            return publish(connection, staged, about)

    def catalogue_version(self) -> str:
        """The version that has the book as it is now."""
        self.library.heads(exact=True)
        return self.library.open(EVERYTHING, (self.request.book,)).version


def _told(each: Change) -> str:
    """A change in a line: what it was, and what it would be."""
    names = [name for name in each.cells if name != "source"] or list(each.cells)
    cells = ", ".join(f"{name} {_cell(each.before, name)} → {_cell(each.after, name)}" for name in names)
    return f"changed: {each.after.system} {each.after.kind} from {each.after.valid_from}: {cells}"


def _cell(each: Price, name: str) -> str:
    value = getattr(each, name)
    return "blank" if value is None else str(value)


def _offer(each: Price) -> str:
    amount = f"{each.low} to {each.high}" if each.amount is None else str(each.amount)
    return f"{each.system} {each.kind} {amount} {each.currency} from {each.valid_from}"
