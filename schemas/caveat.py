"""A caveat: what is unlike, approximate or doubtful in an answer."""

from dataclasses import dataclass
from typing import Literal

from marshmallow import Schema, fields

Severity = Literal["info", "caution", "serious"]


MEANINGS = {
    "approximate_price": "The source of a price says about, or gives a range.",
    "cluster_without_network": "The price of several systems is a multiple of one; the network is counted apart.",
    "comparability_disputed": "The benchmark's rules and MLCommons' table disagree on whether rounds compare.",
    "competing_results": "Other results of the same size exist; the vendor's own, then the fastest, is used.",
    "converted_currency": "Amounts in another currency were converted, at which rate of which day.",
    "doubtful_result": "A result row is in doubt, with the level of the doubt and why.",
    "estimated_time": "A time was computed from a model's size and tokens: nobody measured it.",
    "extrapolated_time": "A time beyond the measured sizes of a family, on a fitted curve: nobody measured it.",
    "interpolated_time": "A time between two measured sizes of a family: nobody measured it.",
    "times_overlap": "The intervals of two times overlap, of repeated runs or of estimates.",
    "time_of_another_system": "A time is taken from another system, as asked by `time_from`: nobody measured it here.",
    "embodied_of_another": "The embodied carbon assumed is that of another kind of system.",
    "mostly_assumed": "Most of the assumptions that a preset takes have no source.",
    "small_model": "An estimate of a model smaller than those whose utilisation is assumed.",
    "peak_above_dense": "The caller gave a higher peak than the accelerator's dense one.",
    "result_note": "What the importer noted of a result, such as fewer runs than the rules ask.",
    "estimated_price": "A price is estimated from a sibling's, with the rule.",
    "generic_system": "The system stands for servers of several makers.",
    "given_figures": "Numbers that the caller gave in place of the catalogue's.",
    "given_time": "A time, performance or accelerator-hours were given by the caller: unverified, no MLPerf result.",
    "not_available": "A result was submitted as preview or research.",
    "old_price": "A price was last seen longer ago than `price_freshness_days`.",
    "power_above_maximum": "The mean power of a system is above its maximum: one of them is wrong.",
    "rack_units_without_switches": "The rack units of a pod leave its switches out.",
    "rent_of_another": "What renting would cost is another system's price of an hour, as asked by `rent_from`.",
    "repeated_result": "A result repeats an earlier one; it is no new measurement.",
    "rounding_boundary": "A ratio quoted with one digit would round otherwise within the range of an unsure price.",
    "stale_rate": "The last exchange rate is older than a week on the day of the answer.",
    "unlike_accelerator_count": "The sides have different numbers of accelerators.",
    "unlike_availability": "The sides' results differ in availability.",
    "unlike_benchmark_version": "The benchmark's rules differ between the sides' rounds.",
    "unlike_division": "Closed and open results do not compare.",
    "unlike_power_basis": "Power is measured, typical, given or from the rated maximum, not the same for all.",
    "unlike_price_date": "Prices were seen on different days.",
    "unlike_price_kind": "Prices are of different kinds, such as list and street.",
    "unlike_price_scope": "Prices include different things, such as host or support.",
    "unlike_round": "Results are from different rounds.",
    "unlike_submitter_kind": "Some results are the vendor's own, some another submitter's.",
    "unlike_tax_scope": "Some prices include tax.",
    "unverified_result": "A time is from a book: an own run, logs or an entry that MLCommons did not verify for us.",
    "vendor_time": "A time was published by a vendor outside MLPerf.",
}
"""What each code means."""


@dataclass(frozen=True, slots=True)
class Caveat:
    """What a reader must know before the figures are shown to anyone."""

    code: str
    systems: tuple[str, ...]
    severity: Severity
    detail: str


class CaveatSchema(Schema):
    """A caveat as the API shows it."""

    code = fields.String(required=True, metadata={"example": "approximate_price"})
    systems = fields.List(fields.String(), required=True)
    severity = fields.String(required=True, metadata={"enum": ["info", "caution", "serious"]})
    detail = fields.String(required=True)
