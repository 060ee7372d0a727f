"""A question with everything that it left open decided, as one text: two questions that mean the same are the same."""

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from pricing.analysis.question import Choice, Question

OF_QUESTION = frozenset((
    "systems", "set", "overrides", "result", "benchmark", "round", "division", "as_of", "currency", "preset",
    "price_kind", "estimate", "submitter", "region", "quantity", "exchange_date", "time_estimate", "parameters",
    "tokens", "precision", "mfu_share", "flop_per_parameter_token", "time_from", "rent_from", "grid", "catalogue",
    "books", "format",
))  # fmt: skip
"""Fields that a question holds resolved, and those that say how an answer is written."""


def resolved(noun: str, question: Question, fields: Mapping[str, Any], version: str) -> str:
    """The question, the catalogue that answers it, and what is asked beside it, in one canonical text."""
    more = {name: value for name, value in fields.items() if name not in OF_QUESTION | set(question.assumptions)}
    for choice, _ in question.bases:
        more.pop(choice, None)
    whole = {
        "noun": noun,
        "catalogue": version,
        "sides": [_side(each) for each in question.choices],
        "bases": dict(question.bases),
        "assumptions": dict(question.assumptions),
        **{name: getattr(question, name) for name in (
            "benchmark", "round", "division", "as_of", "currency", "preset", "price_kinds", "estimate", "submitter",
            "region", "quantity", "time_estimate", "training", "time_from", "rent_from", "grid",
        )},
        "exchange_date": question.exchange_date or question.as_of,
        "more": more,
    }  # fmt: skip
    return json.dumps(whole, sort_keys=True, default=_plain, ensure_ascii=False)


def _side(choice: Choice) -> dict[str, Any]:
    return {
        "system": choice.system, "count": choice.count, "given": dict(choice.given), "wishes": dict(choice.wishes),
        "bases": dict(choice.bases),
    }  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return list(value) if isinstance(value, tuple) else repr(value)
