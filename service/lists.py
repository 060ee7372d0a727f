"""The lists of facts: what each holds, by what it is filtered, and how an item is shown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from marshmallow import Schema

from pricing.analysis.comparable import comparable_with
from pricing.analysis.published_runs import published_runs
from pricing.analysis.training import accelerators
from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find
from pricing.catalogue.results import NOT_MLPERF
from pricing.catalogue.tables import readers
from pricing.quantities.inputs import INPUTS
from pricing.quantities.models import MODELS
from pricing.registry import generated, written
from schemas.accelerator import AcceleratorSchema, TrainingRunSchema
from schemas.assumption import AssumptionSchema
from schemas.benchmark import BenchmarkSchema
from schemas.benchmark_result import BenchmarkResultSchema
from schemas.book_rows import OwnRun
from schemas.own_run import OwnRunSchema
from schemas.price import PriceSchema
from schemas.quantity import QuantitySchema
from schemas.system import System, SystemSchema
from service.answers.documents import price_cells_document, price_document, result_document
from service.answers.listing import ListAnswer

if TYPE_CHECKING:
    from pricing.catalogue.books import BookPrices

PAGE = 100
SHOWN_OF_RUNS = (
    "kind", "model", "parameters_n", "tokens_d", "flops_per_param_token", "accelerator", "accelerators",
    "accelerator_hours", "precision", "year", "flag", "source_title", "source_url", "confidence", "note",
)  # fmt: skip
"""What the table of training runs says itself; the rest of an item is computed."""
NARROWING = ("comparable_with",)
"""Filters that are no field of an item: `items` itself follows them."""
Item = Mapping[str, Any]
Fields = Mapping[str, Any]
Wanted = Mapping[str, str]


class BookPart(NamedTuple):
    """What a book adds to a list: how many items, a page of them, and the values that a field has."""

    total: int
    page: Callable[[int, int], Iterable[Item]]
    values: Callable[[str], Sequence[str]]


class Listing(NamedTuple):
    """A list of facts.

    `filters` are names of an item's fields, matched exactly; people see the `columns`, the first of which may
    be two names.
    """

    kind: str
    schema: type
    filters: tuple[str, ...]
    items: Callable[[Catalogue, Wanted], Iterable[Item]]
    columns: tuple[str, ...]
    of_books: Callable[[Catalogue, Wanted], Iterable[BookPart]] = lambda _, __: ()


def _systems(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    for each in catalogue.systems.values():
        yield {name: getattr(each, name) for name in each.__slots__}


def _prices(catalogue: Catalogue, wanted: Wanted) -> Iterable[Item]:
    """The shipped ones of the system asked; those of books are asked of them, page by page."""
    systems = [wanted["system"]] if "system" in wanted else catalogue.prices
    held = ((catalogue.systems[name], price) for name in systems for price in catalogue.prices.get(name, ()))
    return (price_document(price, system) for system, price in held)


def _prices_of_books(catalogue: Catalogue, wanted: Wanted) -> "Iterable[BookPart]":
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


def _results(catalogue: Catalogue, wanted: Wanted) -> Iterable[Item]:
    if name := wanted.get("comparable_with"):
        return (result_document(*each) for each in comparable_with(catalogue, name))
    return map(result_document, catalogue.results)


def _runs(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    for book in catalogue.books:
        for source in sorted({each.source for each in book.imports if each.noun == "runs"}):
            for row in book.facts("runs", source).values():
                yield {**_run(row), "book": book.name}


def _run(row: Mapping[str, Any]) -> dict[str, Any]:
    """A run by the types of its fields."""
    own = OwnRun(**{name: read(row.get(name) or "") for name, read in readers(OwnRun).items()})
    return {name: getattr(own, name) for name in OwnRun.__slots__}


def _accelerators(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    for each in accelerators(catalogue).values():
        yield {name: getattr(each, name) for name in each.__slots__}


def _training_runs(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    for each in published_runs(catalogue):
        run = {name: getattr(each.run, name) for name in SHOWN_OF_RUNS}
        yield {
            **run, "implied_mfu_share": each.implied_mfu_share, "estimated_accelerator_hours": each.hours,
            "low_accelerator_hours": each.low_hours, "high_accelerator_hours": each.high_hours,
            "error_share": each.error_share, "within": each.within,
        }  # fmt: skip


def _assumptions(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    for each in catalogue.assumptions.values():
        presets = [name for name, held in catalogue.presets.items() if held.get(each.name) is each]
        yield {**{name: getattr(each, name) for name in each.__slots__}, "presets": presets}


def _benchmarks(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
    for each in catalogue.benchmarks:
        yield {name: getattr(each, name) for name in each.__slots__}
    for vendors in catalogue.facts.of("vendor_results.csv"):
        yield {
            "id": vendors.workload, "rounds": [NOT_MLPERF], "log_name": None, "name": vendors.workload,
            "area": None, "model": None, "dataset": None, "quality_target": None, "runs_required": None,
            "version_group": f"{vendors.workload} ({vendors.system})", "result_rows": 1,
            "notes": f"no MLPerf benchmark: {vendors.note}", "source": vendors.source_url,
        }  # fmt: skip


def _quantities(catalogue: Catalogue, _: Wanted) -> Iterable[Item]:
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


LISTINGS = {
    each.kind: each
    for each in (
        Listing(
            "systems",
            SystemSchema,
            ("vendor", "family", "accelerator_model", "deployment"),
            _systems,
            ("id", "accelerators", "accelerator_model", "rack_units"),
        ),
        Listing(
            "prices",
            PriceSchema,
            ("system", "kind", "every", "currency", "region", "book"),
            _prices,
            ("system kind", "amount", "unit", "valid_from", "book"),
            _prices_of_books,
        ),
        Listing(
            "results",
            BenchmarkResultSchema,
            (
                *("benchmark", "round", "division", "submitter", "system", "availability", "version_group", "kind"),
                *("accelerator_model", "accelerators_total", "units", "framework", "doubt_level", "book"),
                "comparable_with",
            ),
            _results,
            ("id", "system", "units", "time_to_train_minutes"),
        ),
        Listing(
            "runs",
            OwnRunSchema,
            ("benchmark", "round", "submitter", "system", "book"),
            _runs,
            ("run_id", "system", "units", "wall_minutes", "accelerator_hours"),
        ),
        Listing(
            "assumptions",
            AssumptionSchema,
            ("name", "setting", "status", "preset"),
            _assumptions,
            ("name setting", "value", "unit"),
        ),
        Listing(
            "accelerators",
            AcceleratorSchema,
            ("vendor", "accelerator_model"),
            _accelerators,
            ("accelerator_model", "peak_bf16_tflops", "peak_fp8_tflops", "memory_gb"),
        ),
        Listing(
            "training_runs",
            TrainingRunSchema,
            ("kind", "accelerator", "precision", "within"),
            _training_runs,
            ("model", "accelerator_hours", "estimated_accelerator_hours", "error_share", "within"),
        ),
        Listing("benchmarks", BenchmarkSchema, ("id", "area"), _benchmarks, ("id", "area", "rounds")),
        Listing(
            "quantities",
            QuantitySchema,
            ("name", "kind", "topic"),
            _quantities,
            ("name", "unit", "topic"),
        ),
    )
}


def list_answer(catalogue: Catalogue, listing: Listing, fields: Fields, link: Callable[[int], str]) -> ListAnswer:
    """One page of a list, the books' items before the shipped ones. `link` makes the address of another page."""
    wanted = {name: _exact(catalogue, name, fields[name]) for name in listing.filters if name in fields}
    parts = list(listing.of_books(catalogue, wanted))
    shipped = [item for item in listing.items(catalogue, wanted) if _fits(item, wanted)]
    total = sum(part.total for part in parts) + len(shipped)
    if wanted and not total:
        _check_exists(listing, catalogue, wanted)
    offset, limit = fields.get("offset", 0), fields.get("limit", PAGE)
    following = offset + limit
    paging = {
        "catalogue": catalogue.version,
        "total": total,
        "offset": offset,
        "limit": limit,
        "next": link(following) if following < total else None,
    }
    found = _page([*parts, BookPart(len(shipped), _sliced(shipped), lambda _: ())], offset, limit)
    return ListAnswer(listing.kind, field_names(listing.schema), listing.columns, found, paging)


@cache
def field_names(schema: type[Schema]) -> tuple[str, ...]:
    """The fields of a schema, in their order."""
    return tuple(schema().fields)


def _sliced(items: Sequence[Item]) -> Callable[[int, int], Iterable[Item]]:
    return lambda offset, limit: items[offset : offset + limit]


def _page(parts: Sequence[BookPart], offset: int, limit: int) -> list[Item]:
    """Items of the parts, one after the other, from an offset on."""
    found: list[Item] = []
    for part in parts:
        if offset < part.total and len(found) < limit:
            found += part.page(offset, limit - len(found))
        offset = max(0, offset - part.total)
    return found


def _exact(catalogue: Catalogue, name: str, value: str) -> str:
    return catalogue.system(value).id if name == "system" else value


def _fits(item: Item, wanted: Wanted) -> bool:
    return all(value in _held(item, name) for name, value in wanted.items() if name not in NARROWING)


def _held(item: Item, name: str) -> tuple[Any, ...]:
    """What a filter of that name is matched with: a submitter is also known by its organisation."""
    if name == "preset":
        return tuple(item["presets"])
    found = (item[name], item["organisation"]) if name == "submitter" else (item[name],)
    return tuple(str(each) if isinstance(each, int) else each for each in found)


def _check_exists(listing: Listing, catalogue: Catalogue, wanted: Wanted) -> None:
    """A value that no item has is an unknown name; a mix that none has is an empty list."""
    items: Sequence[Item] = list(listing.items(catalogue, {}))
    for name, value in wanted.items():
        if name in NARROWING:
            continue
        held = [each for item in items for each in _held(item, name) if each is not None]
        held += [each for part in listing.of_books(catalogue, {}) for each in part.values(name) if each]
        find(name.replace("_", " "), value, dict.fromkeys(map(str, held), name))


def item_of(catalogue: Catalogue, listing: Listing, name: str) -> Item:
    """One item by its id. Raises UnknownName."""
    if listing.kind == "systems":
        name = catalogue.system(name).id
    items = {str(item["id"]): item for item in listing.items(catalogue, {})}
    return find(listing.kind.rstrip("s"), name, items)
