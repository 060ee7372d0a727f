"""The catalogue at one version: facts joined and indexed, never changed once made."""

from collections import defaultdict
from collections.abc import Mapping
from copy import copy
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType

from pricing.catalogue.facts import DATA, Facts, load_facts
from pricing.catalogue.names import NEAREST, find, nearest
from pricing.catalogue.references import check_references
from pricing.catalogue.results import join_results
from pricing.errors import UnknownName
from schemas.assumption import Assumption
from schemas.benchmark import Benchmark, Compatibility
from schemas.benchmark_result import BenchmarkResult
from schemas.grid import Place
from schemas.price import Offer, Price
from schemas.submission import Submitter
from schemas.system import PodHosts, System

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pricing.catalogue.books import BookAt

Preset = Mapping[str, Assumption]
WORLD = "Our World in Data by way of CodeCarbon 3.3.2, CC-BY 4.0; the mean of the whole country"
STATES, STATES_YEAR = "US EPA eGRID2023 by way of CodeCarbon 3.3.2, public domain; the mean of the whole state", 2023
CODECARBON = "https://github.com/mlco2/codecarbon"


class Catalogue:
    """Everything that is known, by name. `version` says exactly what that is."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.version = facts.version
        self.systems: dict[str, System] = {each.id: each for each in facts.of("systems.csv")}
        self.shipped_systems = self.systems.keys()
        self.by_alias = _aliases(facts)
        self.pods: dict[tuple[str, str], PodHosts] = {
            (each.system, each.benchmark): each for each in facts.of("pod_hosts.csv")
        }
        self.pods_of: dict[str, list[PodHosts]] = {}
        for pod in self.pods.values():
            self.pods_of.setdefault(pod.system, []).append(pod)
        self.prices = _prices(facts)
        self.offered: dict[tuple[Offer, bool], tuple[Price, ...]] = {}
        """The shipped prices that fit what was wanted before; see `resolution.facts_offers`."""
        self.books: tuple[BookAt, ...] = ()
        """The books asked, the one that wins first; the facts come after them."""
        self.official: Catalogue | None = None
        """Where books hold own runs: the catalogue without them."""
        self.benchmarks: list[Benchmark] = facts.of("benchmarks.csv")
        self.submitters: dict[str, Submitter] = {each.submitter: each for each in facts.of("mlperf_submitters.csv")}
        self.results = tuple(join_results(facts))
        self.by_id = {each.id: each for each in self.results}
        self.by_benchmark = by_benchmark(self.results)
        self.measured = measured(self.results)
        self._groups = _groups(facts.of("mlperf_compatibility.csv"), self.by_benchmark)
        self.assumptions: dict[tuple[str, str], Assumption] = {
            (each.name, each.setting): each for each in facts.of("assumptions.csv")
        }
        self.presets = _presets(facts, self.assumptions)
        check_references(facts, self.systems.keys(), self.by_benchmark.keys())

    def with_books(self, version: str, books: "tuple[BookAt, ...]") -> "Catalogue":
        """These facts with books before them."""
        from pricing.catalogue.overlay import overlaid  # noqa: PLC0415 (only where there are books)

        return overlaid(self, version, books)

    def without_own_runs(self) -> "Catalogue":
        """The same with MLPerf's and the vendors' results only."""
        if self.official is None:
            return self
        found, base = copy(self), self.official
        found.results, found.by_id = base.results, base.by_id
        found.by_benchmark, found.measured, found.official = base.by_benchmark, base.measured, None
        return found

    def system(self, name: str) -> System:
        """The system of that id or alias. Raises UnknownName; a near name is never taken for it."""
        found = self.systems.get(name) or self.by_alias.get(name.casefold())
        if found is None:
            near = nearest(name, [*self.systems, *self.by_alias], most=4 * NEAREST)
            ids = dict.fromkeys(self.by_alias[each.casefold()].id for each in near)
            raise UnknownName("system", name, list(ids)[:NEAREST])
        return found

    def preset(self, name: str) -> Preset:
        """The assumptions of a preset by name. Raises UnknownName."""
        return find("preset", name, self.presets)

    @cached_property
    def places(self) -> dict[str, Place]:
        """The places whose grid is known: countries by ISO 3166-1 alpha-3, US states as US-CA."""
        world = (Place(each.iso3, each.country, each.year, each.gco2e_per_kwh, WORLD, CODECARBON) for each in
                 self.facts.of("grid_intensity_country.csv"))  # fmt: skip
        states = (Place(f"US-{each.code}", each.state, STATES_YEAR, each.g_per_kwh, STATES, CODECARBON) for each in
                  self.facts.of("grid_intensity_us_state.csv"))  # fmt: skip
        return {each.code: each for each in (*world, *states)}

    def grid(self, code: str) -> Place:
        """The place of that code. Raises UnknownName."""
        return find("grid", code, self.places, (each.name for each in self.places.values()))

    def rounds(self, benchmark: str) -> tuple[str, ...]:
        """The rounds that have this benchmark, oldest first. Raises UnknownName."""
        return find("benchmark", benchmark, self.by_benchmark, self._log_names())

    def _log_names(self) -> list[str]:
        return [each.log_name for each in self.benchmarks]

    def benchmark(self, name: str, in_round: str) -> Benchmark | None:
        """The version of a benchmark in a round; None where it is not MLPerf's."""
        fits = (each for each in self.benchmarks if each.id == name and in_round in each.rounds)
        return next(fits, None)

    def mlcommons_group(self, benchmark: str, in_round: str) -> int | None:
        """MLCommons' own group of comparable rounds; None where its table says nothing."""
        return self._groups.get((benchmark, in_round))


def shipped(folder: Path = DATA) -> Catalogue:
    """The catalogue of the facts that ship, or of another folder, read once. Raises DamagedTable."""
    return _read(folder)


@cache
def _read(folder: Path) -> Catalogue:
    return Catalogue(load_facts(folder))


@lru_cache(maxsize=1024)
def round_key(name: str) -> tuple[int, ...]:
    """Sort rounds in their order in time: v0.5, v0.6, v0.7, v1.0 and so on."""
    return tuple(int(part) for part in name.removeprefix("v").split(".") if part.isdigit())


def _groups(table: list[Compatibility], by_benchmark: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, str], int]:
    """MLCommons' group for each benchmark and round that its table covers."""
    return {
        (each.benchmark, name): each.group
        for each in table
        if each.benchmark
        for name in by_benchmark.get(each.benchmark, ())
        if round_key(each.first_round) <= round_key(name) <= round_key(each.last_round)
    }


def _aliases(facts: Facts) -> dict[str, System]:
    found: dict[str, System] = {}
    table = facts.of("systems.csv")
    for index, system in table.numbered():
        for alias in (system.id, system.name, *system.aliases):
            if found.setdefault(alias.casefold(), system) is not system:
                raise table.damage(index, f"alias {alias} is another system's, too")
    return found


def _prices(facts: Facts) -> Mapping[str, tuple[Price, ...]]:
    found: defaultdict[str, list[Price]] = defaultdict(list)
    for price in facts.of("prices.csv"):
        found[price.system].append(price)
    return MappingProxyType({system: tuple(prices) for system, prices in found.items()})


def by_benchmark(results: tuple[BenchmarkResult, ...]) -> dict[str, tuple[str, ...]]:
    """The rounds in which each benchmark has results, oldest first."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for each in results:
        found[each.benchmark].add(each.row.round)
    return {name: tuple(sorted(rounds, key=round_key)) for name, rounds in found.items()}


Key = tuple[str, str, str]


def measured(results: tuple[BenchmarkResult, ...]) -> dict[Key, list[BenchmarkResult]]:
    """Scored results of known systems by (benchmark, round, division)."""
    found: defaultdict[Key, list[BenchmarkResult]] = defaultdict(list)
    for each in results:
        if each.system and each.time_to_train_minutes is not None:
            found[(each.benchmark, each.row.round, each.row.division or "")].append(each)
    return dict(found)


def _presets(facts: Facts, assumptions: Mapping[tuple[str, str], Assumption]) -> dict[str, Preset]:
    found: defaultdict[str, dict[str, Assumption]] = defaultdict(dict)
    table = facts.of("presets.csv")
    for index, row in table.numbered():
        assumption = assumptions.get((row.name, row.setting))
        if assumption is None:
            raise table.damage(index, f"assumptions.csv has no {row.name} {row.setting}")
        found[row.preset][row.name] = assumption
    return dict(found)
