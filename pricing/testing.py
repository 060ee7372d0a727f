"""The contract that every source of prices keeps, as tests that a guest runs on itself.

In the guest's own tests::

    from pricing.testing import PriceSourceContract


    class TestOurSource(PriceSourceContract):
        def source(self):
            return OurSource(name="ours")

        def broken_source(self):  # the same source with its server gone, its file cut, its key refused
            return OurSource(name="ours", url="http://127.0.0.1:9/")

pytest then runs every check below. They need no database and no network but the source's own.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from pricing.catalogue.catalogue import shipped
from pricing.catalogue.importing.checks import PriceCheck
from pricing.catalogue.importing.nouns import PRICES
from pricing.catalogue.importing.offers import Offers
from pricing.catalogue.importing.reading import Layout, RowReader
from pricing.catalogue.importing.report import MOST_FAULTS, Finding, Report
from pricing.catalogue.sources.base import PriceSource, Row, SourceFault, numbered
from pricing.catalogue.versions import is_source_name

CELLS = (str, int, float, Decimal, bool, date, list, tuple, type(None))


class PriceSourceContract:
    """Inherit, give a `source`, and pytest checks it. `layout` says how its columns are called, where not as ours."""

    layout = Layout()

    def source(self) -> PriceSource:
        """A source that works, made anew."""
        raise NotImplementedError("give the source that is to be checked")

    def broken_source(self) -> PriceSource | None:
        """The same source when what it reads is not there or not whole; None where that cannot happen."""
        return None

    def _rows(self) -> list[Row]:
        return list(numbered(self.source().prices()))

    def _read(self) -> tuple[Report, list[tuple[Row, Mapping[str, Any]]]]:
        report = Report(PRICES.name, "public", self.source().name, None, dry_run=True)
        reader = RowReader(PRICES, self.layout, PriceCheck(shipped(), None))
        try:
            return report, list(reader.rows(self._rows(), report))
        except SourceFault as fault:
            report.fault(Finding(None, None, fault.detail, fault.where))
            return report, []

    def test_it_has_a_name_and_a_kind(self) -> None:
        """Both are small letters, digits and hyphens."""
        source = self.source()
        assert is_source_name(source.name), source.name
        assert is_source_name(source.kind), source.kind

    def test_it_gives_rows(self) -> None:
        """An empty list is a fault, and never a list."""
        assert self._rows()

    def test_it_gives_the_same_rows_again(self) -> None:
        """Asked twice at the same moment, it says the same."""
        assert [dict(row.cells) for row in self._rows()] == [dict(row.cells) for row in self._rows()]

    def test_its_cells_are_texts_numbers_dates_and_truth_values(self) -> None:
        """Anything else has no meaning that an importer knows."""
        odd = [(row.at(name), type(cell)) for row in self._rows() for name, cell in row.cells.items()
               if not isinstance(cell, CELLS)]  # fmt: skip
        assert not odd

    def test_its_amounts_are_exact(self) -> None:
        """A float has lost what was written: give a text, an int or a Decimal."""
        wanted = [self.layout.mapping.get(name, name) for name in ("amount", "low", "high")]
        lost = [row.at(name) for row in self._rows() for name in wanted if isinstance(row.cells.get(name), float)]
        assert not lost

    def test_every_row_says_its_currency_day_and_source(self) -> None:
        """Nothing of that is guessed for it."""
        for row in self._rows():
            for name in ("currency", "valid_from", "source"):
                theirs = self.layout.mapping.get(name, name)
                assert row.cells.get(theirs) or name in self.layout.fill, row.at(theirs)

    def test_every_row_is_one_that_an_import_takes(self) -> None:
        """Systems are in the catalogue, kinds and currencies are known, amounts are 0 or more."""
        report, _ = self._read()
        assert [str(fault) for fault in report.faults] == []

    def test_no_offer_stands_twice_or_overlaps_another(self) -> None:
        """Of one offer only one row holds on a day."""
        _, rows = self._read()
        offers = Offers(shipped().systems)
        for number, (_, values) in enumerate(rows, 1):
            offers.add(number, values)
        assert offers.clashes(MOST_FAULTS) == []

    def test_when_it_is_broken_it_says_so(self) -> None:
        """It raises SourceFault, with what went wrong; half a list or none is never given for a whole one."""
        broken = self.broken_source()
        if broken is None:
            return
        said, rows = "", []
        try:
            rows = list(broken.prices())
        except SourceFault as fault:
            said = str(fault)
        assert said, f"a broken source gave {len(rows)} rows"
