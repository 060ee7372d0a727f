"""How the time falls as a family of systems grows: the question of `/v1/scaling`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pricing.analysis.asking import settle
from pricing.analysis.question import Question
from pricing.analysis.sizes import Scaling, estimated, measured_sizes
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from schemas.system import System


def scaling(catalogue: Catalogue, fields: Mapping[str, Any]) -> Scaling:
    """The scaling of the family of a system. Raises UnknownName or BadQuestion."""
    system = catalogue.system(fields["system"])
    question = settle(catalogue, {**fields, "systems": ()})
    if not fields.get("round"):
        question = _latest(catalogue, question, system)
    found = measured_sizes(catalogue, question, system)
    if not found.sizes:
        raise BadQuestion(
            "system", f"no {question.division} {question.benchmark} result of {question.round} of the family"
        )
    if "accelerators" not in fields:
        if "extrapolate" in fields:
            raise BadQuestion("extrapolate", "no effect without accelerators, the size whose time is asked")
        return found
    estimate = estimated(found, fields["accelerators"], beyond=fields.get("extrapolate", False))
    return replace(found, estimate=estimate)


def _latest(catalogue: Catalogue, question: Question, system: System) -> Question:
    """The question with the latest round that has most sizes of the family: two make a curve, one does not."""
    rounds = catalogue.rounds(question.benchmark or "")
    held = {each: measured_sizes(catalogue, replace(question, round=each), system).sizes for each in rounds}
    counts = {name: sum(size.result.repeat_of is None for size in sizes) for name, sizes in held.items()}
    best = max(counts.values(), default=0)
    if not best:
        raise BadQuestion("system", f"no {question.division} {question.benchmark} result of the family of {system.id}")
    chosen = [each for each in rounds if counts[each] == best][-1]
    told = f"round {chosen}: the latest with most newly measured sizes of the family ({best})"
    return replace(question, round=chosen, decided=(told,))
