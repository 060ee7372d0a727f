"""What whoever shows an answer must say with it, in our words.

After MLCommons' MLPerf Results Messaging Guidelines (policies repository): suite, version, division,
submitter, system, accelerators, source and date; derived metrics named as derived; own runs as unverified.
"""

from collections.abc import Iterator, Sequence

from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.catalogue.catalogue import Catalogue
from schemas.benchmark_result import BenchmarkResult
from schemas.price import FACTS

DERIVED = (
    "Performance per dollar, per rack unit and per kW, energy and all costs are derived by traincost; they are "
    "no MLPerf metrics and no official MLCommons results."
)
POWER = "Power was not measured by MLPerf's method for every side, so performance per kW is no MLPerf Power result."
OWN = "{name}: an own run of book {book}, unverified; it is no MLPerf result, whatever its round and division say."
MIXED = "MLCommons asks not to compare MLPerf results with results that are not MLPerf's; this answer holds both."


def notices(catalogue: Catalogue, question: Question, sides: Sequence[Side]) -> list[str]:
    """The sentences for this answer."""
    official = [side for side in sides if side.provenance.get("time_to_train_minutes", {}).get("status") == "measured"]
    timed = [side for side in sides if "time_to_train_minutes" in side.values]
    found = [_result(catalogue, side, side.result.result) for side in official if side.result.result]
    own = [side for side in sides if side.result.result and side.result.result.book != FACTS]
    found += [OWN.format(name=side.name, book=side.result.result.book) for side in own if side.result.result]
    if official:
        found += _suite(catalogue, official)
        found.append(DERIVED)
    if official and len(timed) > len(official):
        found.append(MIXED)
    if official and any(side.power_basis != "measured" for side in sides if "performance_per_kw" in side.values):
        found.append(POWER)
    return found + list(question.decided)


def _result(catalogue: Catalogue, side: Side, result: BenchmarkResult) -> str:
    row = result.row
    version = catalogue.benchmark(result.benchmark, row.round)
    model = f"{version.name}, {version.model}" if version else result.benchmark
    return (
        f"{side.name}: MLPerf Training {row.round}, {row.division} division, {result.benchmark} ({model}), submitted "
        f"by {row.submitter} as {row.system_id}, {row.accelerators_total} × "
        f"{row.accelerator_model or 'no accelerator'}, {result.availability}; "
        f"official time {row.official_minutes} minutes."
    )


def _suite(catalogue: Catalogue, sides: Sequence[Side]) -> Iterator[str]:
    files = {f"mlperf/results_{side.result.result.row.round}.csv" for side in sides if side.result.result}
    days = sorted({each.taken_in.isoformat() for each in catalogue.facts.listed if each.file in files})
    yield (
        f"Results from MLCommons' public result repositories, taken in on {', '.join(days)}. "
        "MLPerf is a trademark of MLCommons, which did not verify what is derived here."
    )
