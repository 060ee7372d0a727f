"""The items of each list of facts, as the API shows them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pricing.analysis.asking import default_bases
from pricing.analysis.comparable import comparable_with
from pricing.analysis.fairness_of_assumptions import is_mostly, without_source
from pricing.analysis.notices import shown_notices
from pricing.analysis.published_runs import published_runs
from pricing.analysis.training import accelerators as with_peaks
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.results import NOT_MLPERF
from pricing.catalogue.tables import readers
from pricing.graph import model_of
from pricing.quantities.inputs import INPUTS
from pricing.quantities.models import MODELS
from pricing.registry import generated, written
from schemas.book_rows import OwnRun
from schemas.system import System
from service.answers.documents import price_cells_document, price_document, result_document

if TYPE_CHECKING:
    from pricing.catalogue.book_prices import BookPrices

Item = Mapping[str, Any]
Wanted = Mapping[str, str]

SHOWN_OF_RUNS = (
    "kind", "model", "parameters_n", "tokens_d", "flops_per_param_token", "accelerator", "accelerators",
    "accelerator_hours", "precision", "year", "flag", "source_title", "source_url", "confidence", "note",
)  # fmt: skip
"""What the table of training runs says itself; the rest of an item is computed."""


class BookPart(NamedTuple):
    """What a book adds to a list: how many items, a page of them, and the values that a field has."""

    total: int
    page: Callable[[int, int], Iterable[Item]]
    values: Callable[[str], Sequence[str]]


def systems(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The systems."""
    for each in catalogue.systems.values():
        yield {name: getattr(each, name) for name in each.__slots__}


def prices(catalogue: Catalogue, wanted: Wanted) -> Iterable[Item]:
    """The shipped ones of the system asked; those of books are asked of them, page by page."""
    systems = [wanted["system"]] if "system" in wanted else catalogue.prices
    held = ((catalogue.systems[name], price) for name in systems for price in catalogue.prices.get(name, ()))
    return (price_document(price, system) for system, price in held)


def prices_of_books(catalogue: Catalogue, wanted: Wanted) -> "Iterable[BookPart]":
    """The books' own prices with these values, a part for each book."""
    filters = {name: value for name, value in wanted.items() if name != "book"}
    named = (each for each in catalogue.books if wanted.get("book", each.name) == each.name)
    return [_part_of(each.prices, filters, catalogue.systems) for each in named]


def _part_of(held: "BookPrices", filters: Mapping[str, str], systems: Mapping[str, System]) -> "BookPart":
    def page(offset: int, limit: int) -> Iterable[Item]:
        records = held.records(filters, offset, limit)
        return [price_cells_document(each, systems.get(each["system"])) for each in records]

    def values(name: str) -> Sequence[str]:
        return [held.name] if name == "book" else held.values(name)

    return BookPart(held.count(filters), page, values)


def results(catalogue: Catalogue, wanted: Wanted) -> Iterable[Item]:
    """The results; with `comparable_with` those that compare with one, each with its cautions."""
    if name := wanted.get("comparable_with"):
        return (result_document(*each) for each in comparable_with(catalogue, name))
    return map(result_document, catalogue.results)


def notices_of_results(catalogue: Catalogue, items: Sequence[Item]) -> list[str]:
    """Where the results are from, and which are no MLPerf results."""
    return shown_notices(catalogue, [catalogue.by_id[item["id"]] for item in items])


def runs(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The own runs of the books, source by source."""
    for book in catalogue.books:
        for source in sorted({each.source for each in book.imports if each.noun == "runs"}):
            for row in book.facts("runs", source).values():
                yield {**_run(row), "book": book.name}


def _run(row: Mapping[str, Any]) -> dict[str, Any]:
    """A run by the types of its fields."""
    own = OwnRun(**{name: read(row.get(name) or "") for name, read in readers(OwnRun).items()})
    return {name: getattr(own, name) for name in OwnRun.__slots__}


def accelerators(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The accelerators with their dense peaks."""
    for each in with_peaks(catalogue).values():
        yield {name: getattr(each, name) for name in each.__slots__}


def training_runs(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """Runs whose accelerator-hours are known, with what the estimate gives for them."""
    for each in published_runs(catalogue):
        run = {name: getattr(each.run, name) for name in SHOWN_OF_RUNS}
        yield {
            **run, "implied_mfu_share": each.implied_mfu_share, "estimated_accelerator_hours": each.hours,
            "low_accelerator_hours": each.low_hours, "high_accelerator_hours": each.high_hours,
            "error_share": each.error_share, "within": each.within,
        }  # fmt: skip


def assumptions(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The assumptions, each with the presets that take it."""
    for each in catalogue.assumptions.values():
        presets = [name for name, held in catalogue.presets.items() if held.get(each.name) is each]
        yield {**{name: getattr(each, name) for name in each.__slots__}, "presets": presets}


def presets(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The sets of assumptions, and how much of each has a source."""
    for name, held in catalogue.presets.items():
        bases = default_bases(catalogue, name, frozenset())
        without, counted = without_source(catalogue, name, bases)
        yield {
            "id": name, "model": model_of(bases), "assumptions": len(held), "counted": counted,
            "without_source": list(without), "mostly_assumed": is_mostly(without, counted), "bases": dict(bases),
        }  # fmt: skip


def grids(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The places whose electricity grid is known."""
    for each in catalogue.places.values():
        yield {name: getattr(each, name) for name in each.__slots__}


def benchmarks(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The benchmarks by version of their rules, and the vendors' own workloads."""
    for each in catalogue.benchmarks:
        yield {name: getattr(each, name) for name in each.__slots__}
    for vendors in catalogue.facts.of("vendor_results.csv"):
        yield {
            "id": vendors.workload, "rounds": [NOT_MLPERF], "log_name": None, "name": vendors.workload,
            "area": None, "model": None, "dataset": None, "quality_target": None, "runs_required": None,
            "version_group": f"{vendors.workload} ({vendors.system})", "result_rows": 1,
            "notes": f"no MLPerf benchmark: {vendors.note}", "source": vendors.source_url,
        }  # fmt: skip


def quantities(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    """The quantities and the inputs that they read."""
    sums = (each for model in MODELS.values() for each in generated(model))
    for each in (*written(), *sums):
        basis = "=".join(each.basis) if each.basis else None
        yield {
            "name": each.name, "unit": each.unit, "kind": "quantity", "topic": each.topic, "basis": basis,
            "formula": each.text, "inputs": list(each.inputs), "about": each.about,
        }  # fmt: skip
    for known in INPUTS:
        yield {
            "name": known.name, "unit": known.unit, "kind": "input", "topic": known.origin, "basis": None,
            "formula": None, "inputs": [], "about": known.about,
        }  # fmt: skip
