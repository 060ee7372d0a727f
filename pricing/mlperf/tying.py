"""Which systems of the catalogue a submission is: by what the caller says, by the shipped ties, or by an exact name."""

from collections.abc import Mapping
from typing import NamedTuple

from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from schemas.benchmark_result import ResultRow
from schemas.submission import AcceleratorName, Tie


class Tied(NamedTuple):
    """So many units of a system, and why; or none, and why not."""

    system: str | None
    units: int | None
    hosts: int | None
    reason: str


Given = Mapping[str, tuple[str, int]]
"""Systems and counts that the caller named for submissions, by their ids."""


class Ties:
    """Ties submissions to the systems of a catalogue."""

    def __init__(self, catalogue: Catalogue, given: Given) -> None:
        self.catalogue, self.given = catalogue, given
        spellings: list[AcceleratorName] = catalogue.facts.of("accelerator_names.csv")
        self._names = {each.spelling: each.canonical for each in spellings}
        shipped: list[Tie] = catalogue.facts.of("mlperf_systems.csv")
        self._shipped = {(each.round, each.submitter, each.system_id): each for each in shipped}

    def of(self, row: ResultRow) -> Tied:
        """The system of a submission. A name is taken only where it is exactly one, and the accelerators agree."""
        if given := self.given.get(row.system_id):
            self._check(row, *given)
            return Tied(*given, None, "as given")
        if tie := self._shipped.get((row.round, row.submitter, row.system_id)):
            return Tied(tie.system, tie.units, tie.hosts, "as shipped")
        names = (row.system_id, row.system_name or "")
        found = {each.id: each for name in names if (each := self.catalogue.by_alias.get(name.casefold()))}
        if len(found) > 1:
            return Tied(None, None, None, f"its id and its name are those of two systems: {', '.join(found)}")
        if not found:
            return Tied(None, None, None, "no system of the catalogue has exactly this name")
        (system,) = found.values()
        total, each_has = row.accelerators_total, system.accelerators
        if not (total and each_has) or total % each_has:
            detail = f"{system.id} has {each_has} accelerators, and the submission {total}"
            return Tied(None, None, None, detail)
        return Tied(system.id, total // each_has, None, f"by its name; {total} accelerators of {each_has} each")

    def _check(self, row: ResultRow, name: str, units: int) -> None:
        """Refuse a tie to what the submission says it is not. Raises BadQuestion."""
        system = self.catalogue.systems[name]
        has, total = system.accelerators * units, row.accelerators_total
        if total is not None and total != has:
            detail = f"{row.system_id} has {total} accelerators, and {units}*{name} has {has}"
            raise BadQuestion("tie", detail)
        said, known = (self._names.get(each or "", each) for each in (row.accelerator_model, system.accelerator_model))
        if row.accelerator_model in self._names and said != known:
            raise BadQuestion(
                "tie", f"{row.system_id} says its accelerators are {said}, and those of {name} are {known}"
            )
