"""Checks of the tables beyond their form: references, units, sources, and figures that cannot be."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pricing.catalogue.catalogue import Catalogue
from pricing.money import currency_of
from pricing.quantities.inputs import BY_NAME

SPELLED = {  # units of the assumption table, and what the formulas call them
    "share": "1", "ratio": "1", "share/year": "1 / year", "share of list/year": "1 / year",
    "share of hardware/year": "1 / year", "share of dense peak": "1", "years": "year", "days": "day",
    "share of rated maximum": "1", "share of calendar hours": "1", "share of busy time": "1", "U": "rack_unit / rack",
    "kW/rack": "kW / rack", "8-GPU nodes/FTE": "server / FTE", "servers/FTE": "server / FTE",
    "accelerator-hours": "accelerator * hour", "share of systems": "1", "share of server+network cost": "1",
    "share of total cluster cost": "1", "share of node power": "1", "share of hardware": "1", "share of all hours": "1",
    "share of instances per 30 days": "1 / system", "kg CO2e/server": "kg / system", "kg CO2e/system": "kg / system",
    "TB": "TB", "TB/year": "TB / year", "months": "month", "minutes": "minute", "hours": "hour",
    "system-hours": "system * hour",
    "gCO2e/kWh": "gram / kWh", "share of server amortisation/year": "1",
    "share of GPUs allocated": "1", "share of allocated hours": "1",
}  # fmt: skip
MONEY = {
    "kWh": "money / kWh", "kW-month": "money / kW / month", "rack-month": "money / rack / month",
    "cabinet-month": "money / rack / month", "U-month": "money / rack_unit / month", "W": "money / watt",
    "accelerator-year": "money / accelerator / year", "TB": "money / TB", "GB": "money / GB", "rack": "money / rack",
    "GB-month": "money / GB / month", "server": "money / server", "system": "money / system",
    "W-month": "money / watt / month", "year": "money / FTE / year",
}  # fmt: skip


def lint(catalogue: Catalogue) -> list[str]:
    """Everything that is wrong with the tables, a sentence each; empty when nothing is."""
    return [finding for check in CHECKS for finding in check(catalogue)]


def _ties(catalogue: Catalogue) -> Iterator[str]:
    rows = dict.fromkeys(_submission(each.row) for each in catalogue.results if each.row.round.startswith("v"))
    untied = {_submission(each) for each in catalogue.facts.of("mlperf_untied.csv")}
    tied = {_submission(each) for each in catalogue.facts.of("mlperf_systems.csv")}
    for key in sorted(tied - rows.keys() | tied & untied):
        yield f"mlperf_systems.csv: {key} has no result, or is untied as well"
    for key in rows:
        if key not in untied | tied:
            yield f"results: {key} is neither tied nor untied"


def _submission(row: Any) -> tuple[str, str, str]:
    return row.round, row.submitter, row.system_id


def _accelerators(catalogue: Catalogue) -> Iterator[str]:
    spellings = {each.spelling: each.canonical for each in catalogue.facts.of("accelerator_names.csv")}
    known = {*spellings.values(), "none"}
    for system in catalogue.systems.values():
        if system.accelerators and system.result_rows and system.accelerator_model not in known:
            yield f"systems.csv: accelerator {system.accelerator_model} of {system.id} is no canonical name"


def _result_rows(catalogue: Catalogue) -> Iterator[str]:
    held = Counter(each.system for each in catalogue.results if each.row.round.startswith("v"))
    for system in catalogue.systems.values():
        if held[system.id] != system.result_rows:
            yield f"systems.csv: {system.id} says {system.result_rows} results, there are {held[system.id]}"


def _pods(catalogue: Catalogue) -> Iterator[str]:
    for system, pods in catalogue.pods_of.items():
        if len({pod.ipu_machines for pod in pods}) > 1:
            yield f"pod_hosts.csv: {system} has unlike counts of machines"
    for each in catalogue.results:
        pod = catalogue.pods.get((each.system or "", each.benchmark))
        if pod and each.row.round not in pod.rounds.split():
            yield f"pod_hosts.csv: {pod.system} {pod.benchmark} does not hold for {each.row.round}"


def _units(catalogue: Catalogue) -> Iterator[str]:
    """An assumption that a formula reads must be in the formula's unit."""
    for each in catalogue.assumptions.values():
        known = BY_NAME.get(each.name)
        if known is None:
            continue
        _, slash, rest = each.unit.partition("/")
        unit = MONEY.get(rest) if slash and currency_of(each.unit) else SPELLED.get(each.unit)
        if unit != known.unit:
            yield f"assumptions.csv: {each.name} {each.setting} is in {each.unit}, the formulas want {known.unit}"


def _sources(catalogue: Catalogue) -> Iterator[str]:
    for each in catalogue.assumptions.values():
        if each.status == "sourced" and not each.source_url:
            yield f"assumptions.csv: {each.name} {each.setting} is sourced and has no address"
    for prices in catalogue.prices.values():
        for price in prices:
            if price.amount == 0:
                yield f"prices.csv: {price.system} costs nothing"


CHECKS = (_ties, _pods, _accelerators, _result_rows, _units, _sources)
