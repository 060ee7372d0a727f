"""What whoever shows an answer must say with it, in our words.

After MLCommons' MLPerf Results Messaging Guidelines (policies repository): suite, version, division,
submitter, system, accelerators, source and date; derived metrics named as derived; own runs as unverified.
"""

from collections.abc import Iterator, Sequence

from pricing.analysis.question import Question
from pricing.analysis.side import Side
from pricing.analysis.wording import few
from pricing.catalogue.catalogue import Catalogue
from schemas.benchmark_result import BenchmarkResult
from schemas.price import FACTS

DERIVED = (
    "Performance per dollar, per rack unit and per kW, energy and all costs are derived by traincost; they are "
    "no MLPerf metrics and no official MLCommons results."
)
POWER = "Power was not measured by MLPerf's method for every side, so performance per kW is no MLPerf Power result."
MLPERF = "mlperf"
TIME, RENT = "time_to_train_minutes", "rental_price_per_hour"
OF_KIND = {
    "own_run": (
        "{name}: an own run of book {book}, unverified; it is no MLPerf result, whatever its round and division say."
    ),
    "logs": (
        "{name}: read by traincost from result logs into book {book}; unverified, since nobody checked here that "
        "MLCommons published them."
    ),
    "dawnbench": "{name}: a DAWNBench entry in book {book}; it is no MLPerf result and does not compare with one.",
    "vendor": "{name}: published by its vendor; it is no MLPerf result and does not compare with one.",
}
"""What must be said of a time that is not from MLCommons' repositories."""
SIZED = "{name}: its time is estimated from {ids}; it is no MLPerf result."
DERIVED_TIMES = (
    "Speed-ups, efficiencies, curves and times that nobody measured are derived by traincost; they are no MLPerf "
    "metrics and no official MLCommons results."
)
MIXED = "MLCommons asks not to compare MLPerf results with results that are not MLPerf's; this answer holds both."


def notices(catalogue: Catalogue, question: Question, sides: Sequence[Side]) -> list[str]:
    """The sentences for this answer."""
    official = [side for side in sides if side.provenance.get("time_to_train_minutes", {}).get("status") == "measured"]
    timed = [side for side in sides if "time_to_train_minutes" in side.values]
    found = [_result(catalogue, side, side.result.result) for side in official if side.result.result]
    used = [(side, side.result.result) for side in sides if side.result.result]
    found += [OF_KIND[each.kind].format(name=side.name, book=each.book) for side, each in used if each.book != FACTS]
    sized = [side for side in sides if side.sized]
    found += [SIZED.format(name=side.name, ids=", ".join(each.id for each in side.sized)) for side in sized]
    found += list(_of_kinds([each for side in sized for each in side.sized]))
    shown = [side.ruling for side in (*official, *sized) if side.ruling and side.ruling.kind == MLPERF]
    if shown:
        found += _suite(catalogue, shown)
        found.append(DERIVED)
    if official and len(timed) > len(official):
        found.append(MIXED)
    if official and any(side.power_basis != "measured" for side in sides if "performance_per_kw" in side.values):
        found.append(POWER)
    return [*found, *_unused(question, sides), *question.decided]


def _unused(question: Question, sides: Sequence[Side]) -> Iterator[str]:
    """What was asked for where something is missing, and nothing was."""
    if question.time_from and all(side.provenance.get(TIME, {}).get("basis") != "time_from" for side in sides):
        yield "time_from has no effect: no side lacks a time of its own that there is."
    if question.rent_from and all(side.provenance.get(RENT, {}).get("status") != "estimated" for side in sides):
        yield "rent_from has no effect: every side is rented, or has its own price of an hour."


def result_notices(catalogue: Catalogue, results: Sequence[BenchmarkResult]) -> list[str]:
    """The sentences for an answer that shows results and derives figures from them."""
    return [*shown_notices(catalogue, results), DERIVED_TIMES]


def shown_notices(catalogue: Catalogue, results: Sequence[BenchmarkResult]) -> list[str]:
    """The sentences for a list of results, from which nothing is derived."""
    official = [each for each in results if each.kind == MLPERF]
    found = list(_suite(catalogue, official)) if official else []
    return [*found, *_of_kinds(results)]


def _of_kinds(results: Sequence[BenchmarkResult]) -> Iterator[str]:
    """A sentence for the results of each kind and book that are not MLCommons'."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in results:
        if each.kind != MLPERF:
            groups.setdefault((each.kind, each.book), []).append(each.id)
    for (kind, book), ids in groups.items():
        yield OF_KIND[kind].format(name=few(ids), book=book)


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


def _suite(catalogue: Catalogue, results: Sequence[BenchmarkResult]) -> Iterator[str]:
    files = {f"mlperf/results_{each.row.round}.csv" for each in results}
    days = sorted({each.taken_in.isoformat() for each in catalogue.facts.listed if each.file in files})
    yield (
        f"Results from MLCommons' public result repositories, taken in on {', '.join(days)}. "
        "MLPerf is a trademark of MLCommons, which did not verify what is derived here."
    )
