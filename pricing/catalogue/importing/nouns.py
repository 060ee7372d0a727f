"""What may be imported: which columns its rows have, which are required, and what tells one row from another."""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, NamedTuple, get_type_hints

from schemas.book_rows import OwnAssumption, OwnResult, OwnRun, OwnSystem
from schemas.price import Price

WITHDRAWN = "withdrawn"


class Noun(NamedTuple):
    """A kind of row. `about` says what a column means, where its name does not."""

    name: str
    row_type: type
    required: tuple[str, ...]
    key: tuple[str, ...]
    about: Mapping[str, str]
    ours: tuple[str, ...] = ()
    """Fields that a file cannot give."""
    defaults: Mapping[str, Any] = MappingProxyType({})
    """What holds where a file says nothing."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that a file may have, the required ones first."""
        known = [each.name for each in fields(self.row_type) if each.name not in self.ours]
        return (*self.required, *(name for name in known if name not in self.required), WITHDRAWN)

    def types(self) -> dict[str, object]:
        """The type of each field."""
        return get_type_hints(self.row_type)


OFFER = ("system", "kind", "per", "every", "region", "minimum_quantity", "currency", "includes", "tax_scope", "sku")
"""What makes two price rows the same offer, of which only one holds on a day."""

PRICES = Noun(
    "prices",
    Price,
    required=("system", "amount", "currency", "kind", "source", "valid_from"),
    key=(*OFFER, "valid_from"),
    ours=("book", "row"),
    defaults=MappingProxyType({"per": "system", "date_precision": "day", "about": False, "minimum_quantity": 1}),
    about={
        "system": "Id or alias of a system of the catalogue",
        "amount": "Exact; with low and high, or instead of them",
        "currency": "ISO 4217",
        "kind": "list, street, quote, estimate, on_demand, reserved_1y, reserved_3y, spot or capacity_block",
        "source": "Where the price is from",
        "valid_from": "First day on which it holds, as 2021-06-30 (UTC)",
        "valid_to": "First day on which it no longer holds; blank: until a later row of the same offer",
        "low": "Lower end, where the source gives a range",
        "high": "Upper end",
        "per": "system (unless said), accelerator or node",
        "every": "once (unless said), hour, month or year; a rented kind must say",
        "includes": "host, switches, support, software, with blanks between; none; blank: not said",
        "region": "Blank: everywhere",
        "minimum_quantity": "Systems taken at least; 1 unless said",
        "tax_scope": "excluded or included; blank: not said",
        "about": "yes where the source itself says about",
        "observed_until": "Last day on which the source was seen to say so",
        "date_precision": "day (unless said), month, year or range: how exact valid_from is",
        "confidence": "high, medium or low",
        "sku": "The seller's number",
        "mpn": "The maker's part number",
        "gtin": "Global trade item number",
        "unspsc": "UN product code",
        "entered_by": "Who entered it; who imports, unless said",
        WITHDRAWN: "yes ends the row of the same offer and day in a merge",
    },
)
NOUNS = {
    each.name: each
    for each in (
        PRICES,
        Noun(
            "systems",
            OwnSystem,
            required=("id", "name", "vendor", "accelerator_model", "accelerators", "hosts", "source"),
            key=("id",),
            about={
                "accelerators": "In one system",
                "hosts": "Servers in one system; 0 where they are bought apart",
                "aliases": "Other exact names, with ; between",
                "rack_units": "Height of one system [U]",
                "max_power_kw": "Rated maximum [kW]",
                "typical_power_kw": "Typical [kW]",
            },
        ),
        Noun(
            "results",
            OwnResult,
            required=("benchmark", "round", "submitter", "source"),
            key=("benchmark", "round", "division", "submitter", "system", "units", "system_id"),
            about={
                "round": "Whose rules the result follows, such as v1.1",
                "division": "closed or open; blank: not MLPerf's",
                "units": "Systems working on one job",
                "time_to_train_minutes": "The score; blank where there is none",
                "energy_j": "Of the whole run [J]",
                "kind": "own_run (unless said), logs, dawnbench or vendor",
                "system_id": "The submission's own name of its system",
                "status": "Availability, in MLPerf's words",
                "nodes": "As the submission counts them",
                "hosts": "Servers of all systems together",
                "runs": "All runs, those that failed, too",
                "run_minutes": "Times of the runs that converged [min], unscaled, with blanks between",
                "minutes": "The mean before scaling_factor [min]",
                "price_per_hour": "What an hour was said to cost, as DAWNBench has it",
            },
        ),
        Noun(
            "runs",
            OwnRun,
            required=("benchmark", "round", "submitter", "system", "units", "run_id", "source"),
            key=("benchmark", "round", "division", "submitter", "system", "units", "framework", "run_id"),
            about={
                "round": "Whose rules the runs follow, such as v1.1",
                "units": "Systems working on one job",
                "run_id": "Tells the runs of one system from each other",
                "wall_minutes": "From start to stop by the clock [min]",
                "accelerator_hours": "Wall hours × accelerators of all systems; either time, or both that agree",
                "converged": "no for a run that did not reach the target; yes unless said",
                "division": "closed or open (unless said)",
            },
        ),
        Noun(
            "assumptions",
            OwnAssumption,
            required=("name", "value", "unit", "source", "year"),
            key=("name", "preset"),
            about={"preset": "Blank: in every preset", "year": "Of the value"},
        ),
    )
}
