"""The lists of facts: what each holds, by what it is filtered, and how an item is shown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from marshmallow import Schema

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.names import find
from schemas.accelerator import AcceleratorSchema, TrainingRunSchema
from schemas.assumption import AssumptionSchema
from schemas.benchmark import BenchmarkSchema
from schemas.benchmark_result import BenchmarkResultSchema
from schemas.grid import PlaceSchema
from schemas.own_run import OwnRunSchema
from schemas.preset import PresetSchema
from schemas.price import PriceSchema
from schemas.quantity import QuantitySchema
from schemas.system import SystemSchema
from service import listed
from service.answers.listing import ListAnswer, Shown
from service.listed import BookPart, Item, Wanted

PAGE = 100
NARROWING = ("comparable_with",)
"""Filters that are no field of an item: `items` itself follows them."""
Fields = Mapping[str, Any]


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
    notices: Callable[[Catalogue, Sequence[Item]], list[str]] = lambda _, __: []
    """What must be said with a page of the items."""


LISTINGS = {
    each.kind: each
    for each in (
        Listing(
            "systems",
            SystemSchema,
            ("vendor", "family", "accelerator_model", "deployment"),
            listed.systems,
            ("id", "accelerators", "accelerator_model", "rack_units"),
        ),
        Listing(
            "prices",
            PriceSchema,
            ("system", "kind", "every", "currency", "region", "book"),
            listed.prices,
            ("system kind", "amount", "unit", "valid_from", "book"),
            listed.prices_of_books,
        ),
        Listing(
            "results",
            BenchmarkResultSchema,
            (
                *("benchmark", "round", "division", "submitter", "system", "availability", "version_group", "kind"),
                *("accelerator_model", "accelerators_total", "units", "framework", "doubt_level", "book"),
                "comparable_with",
            ),
            listed.results,
            ("id", "system", "units", "time_to_train_minutes"),
            notices=listed.notices_of_results,
        ),
        Listing(
            "runs",
            OwnRunSchema,
            ("benchmark", "round", "submitter", "system", "book"),
            listed.runs,
            ("run_id", "system", "units", "wall_minutes", "accelerator_hours"),
        ),
        Listing(
            "assumptions",
            AssumptionSchema,
            ("name", "setting", "status", "preset"),
            listed.assumptions,
            ("name setting", "value", "unit"),
        ),
        Listing(
            "accelerators",
            AcceleratorSchema,
            ("vendor", "accelerator_model"),
            listed.accelerators,
            ("accelerator_model", "peak_bf16_tflops", "peak_fp8_tflops", "memory_gb"),
        ),
        Listing(
            "training_runs",
            TrainingRunSchema,
            ("kind", "accelerator", "precision", "within"),
            listed.training_runs,
            ("model", "accelerator_hours", "estimated_accelerator_hours", "error_share", "within"),
        ),
        Listing("presets", PresetSchema, ("id", "model"), listed.presets, ("id", "model", "counted", "mostly_assumed")),
        Listing("grids", PlaceSchema, ("code", "name", "year"), listed.grids, ("code", "name", "intensity")),
        Listing("benchmarks", BenchmarkSchema, ("id", "area"), listed.benchmarks, ("id", "area", "rounds")),
        Listing(
            "quantities",
            QuantitySchema,
            ("name", "kind", "topic"),
            listed.quantities,
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
    shown = Shown(field_names(listing.schema), listing.columns)
    return ListAnswer(listing.kind, shown, found, paging, listing.notices(catalogue, found))


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
