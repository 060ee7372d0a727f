"""From checked parameters to an answer; HTTP and the command line both ask here."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pricing.analysis.asking import ask
from pricing.analysis.claims import claims
from pricing.analysis.compare import choice_named, compare
from pricing.analysis.gathering import FACTS
from pricing.analysis.progress import progress
from pricing.analysis.question import Question
from pricing.analysis.ranking import rank
from pricing.analysis.scaling import scaling
from pricing.analysis.sizing import sizing
from pricing.analysis.tco import tco
from pricing.catalogue.catalogue import Catalogue
from pricing.errors import BadQuestion
from pricing.graph import figures
from service.answers.answer import Answer
from service.answers.claims import ClaimsAnswer
from service.answers.compare import CompareAnswer
from service.answers.figure import FigureAnswer, is_relative, target_of
from service.answers.progress import ProgressAnswer
from service.answers.ranking import RankingAnswer
from service.answers.scaling import ScalingAnswer
from service.answers.sizing import SizingAnswer
from service.answers.tco import TcoAnswer

Fields = Mapping[str, Any]


def compare_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer a comparison, or one figure of it."""
    question = ask(catalogue, fields)
    if "field" in fields or "system" in fields:
        return _figure(catalogue, question, fields)
    comparison = compare(catalogue, question, fields.get("baseline"))
    return CompareAnswer(comparison, explain=fields.get("explain", False))


def _figure(catalogue: Catalogue, question: Question, fields: Fields) -> FigureAnswer:
    """Only what is below the one figure is evaluated, of the side that it is of, and of the baseline for a ratio."""
    if "field" not in fields or not ("system" in fields or len(question.choices) == 1):
        missing = "system" if "field" in fields else "field"
        raise BadQuestion(missing, "one figure needs both system and field")
    target = target_of(
        fields["field"], (*FACTS, *dict.fromkeys(name for each in question.choices for name in figures(each.bases)))
    )
    choices = question.choices
    named = (fields.get("system"), fields.get("baseline"))
    side, baseline = (choice_named(catalogue, choices, name) if name else choices[0] for name in named)
    about = (side, baseline) if is_relative(fields["field"]) else (side,)
    asked = replace(question, choices=tuple(dict.fromkeys(about)), targets=(target,))
    comparison = compare(catalogue, asked, about[-1].name)
    return FigureAnswer(comparison, comparison.sides[0], fields["field"], explain=fields.get("explain", False))


def tco_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer what owning the systems costs, or one figure of it."""
    if "field" in fields or "system" in fields:
        return compare_answer(catalogue, fields)
    ownership = tco(catalogue, ask(catalogue, fields), fields.get("baseline"))
    return TcoAnswer(ownership, explain=fields.get("explain", False))


def ranking_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer which system is best by a metric."""
    return RankingAnswer(rank(catalogue, fields))


def robustness_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer how sure a comparison is. numpy is imported only here."""
    from pricing.analysis.robustness import robustness  # noqa: PLC0415
    from service.answers.robustness import RobustnessAnswer  # noqa: PLC0415

    return RobustnessAnswer(robustness(catalogue, fields))


def breakeven_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer whether to own or to rent. numpy is imported only here."""
    from pricing.analysis.breakeven import breakeven  # noqa: PLC0415
    from service.answers.breakeven import BreakevenAnswer  # noqa: PLC0415

    return BreakevenAnswer(breakeven(catalogue, fields))


def sizing_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer which system, and how much of it, is the cheapest that will do."""
    return SizingAnswer(sizing(catalogue, fields))


def scaling_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer how time falls with size."""
    return ScalingAnswer(scaling(catalogue, fields))


def progress_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer how a system's times changed from round to round."""
    return ProgressAnswer(progress(catalogue, fields))


def claims_answer(catalogue: Catalogue, fields: Fields) -> Answer:
    """Answer which published claims hold."""
    return ClaimsAnswer(claims(catalogue, fields))
