"""An explanation: the sum term by term, which can be read again and evaluated to the same digits."""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pricing.graph import Graph, Values
from pricing.ops import OPERATIONS

Step = dict[str, Any]
SIGNS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def steps(graph: Graph, targets: Iterable[str], known: Values, values: Values) -> list[Step]:
    """Every quantity below the targets that was evaluated, inputs first: value, formula, inputs and meaning."""
    return [
        {
            "name": each.name,
            "value": values[each.name],
            "formula": each.text,
            "inputs": {name: values[name] for name in each.inputs},
            "about": each.about.split("\n\n")[0].replace("\n", " "),
        }
        for each in graph.order(targets, frozenset(known))
        if each.name in values
    ]


def recompute(explained: Iterable[Mapping[str, Any]]) -> Values:
    """Evaluate an explanation again from its inputs alone; a step uses what earlier steps gave."""
    values: Values = {}
    for step in explained:
        inputs = {name: values.get(name, float(value)) for name, value in step["inputs"].items()}
        values[step["name"]] = evaluate(step["formula"], inputs)
    return values


def evaluate(formula: str, values: Values) -> float:
    """Evaluate a written formula: names, numbers, + - * / and the operations of `ops`, nothing else.

    Raises ValueError for anything else.
    """
    return _value(ast.parse(formula, mode="eval").body, values)


def _value(node: ast.expr, values: Values) -> float:
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        return SIGNS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPERATIONS:
        return OPERATIONS[node.func.id](*[_value(each, values) for each in node.args])
    raise ValueError(f"{ast.unparse(node)} is no arithmetic")
