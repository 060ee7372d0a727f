"""A formula is written once: every reading of it gives the same number, and follows when it changes."""

import ast
import inspect
import re
import textwrap
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing import ops
from pricing.analysis import converting, fairness, rounding
from pricing.graph import graph
from pricing.quantities.inputs import BY_NAME, INPUTS
from pricing.quantities.models import MODELS
from pricing.registry import Quantity, choices, generated, make, written
from tests.pricing import readings

ALL: dict[str, Quantity] = {f"{each.name}:{'='.join(each.basis or ())}": each for each in written()}
ALL |= {f"{each.name}:{model.name}": each for model in MODELS.values() for each in generated(model)}
BY_QUANTITY = {each.name: each for each in ALL.values()}
VALUES = {  # one plain value for each input; shares within 0 and 1, nothing equal to another
    name: 0.1 + 0.013 * index if known.high <= 1 else 2.0 + 0.37 * index
    for index, (name, known) in enumerate(BY_NAME.items())
}
VALUES["year"] = 2.5  # within the six years of MACRS


def inputs_of(quantity: Quantity) -> list[float]:
    """Plain numbers for the inputs; those that are quantities themselves get one by their place."""
    return [VALUES.get(name, 5.0 + 1.7 * index) for index, name in enumerate(quantity.inputs)]


@pytest.mark.parametrize("quantity", ALL.values(), ids=ALL)
def test_all_readings_of_a_formula_agree(quantity: Quantity) -> None:
    inputs = inputs_of(quantity)
    number = readings.as_float(quantity, inputs)
    assert readings.as_compiled(quantity, inputs) == number
    assert readings.as_explanation(quantity, inputs) == number
    assert readings.as_array(quantity, inputs) == pytest.approx(number, rel=1e-12)
    assert readings.as_units(quantity, inputs, BY_QUANTITY) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize("name", ops.OPERATIONS)
def test_an_operation_on_an_array_is_the_operation_on_each_element(name: str) -> None:
    operation = ops.OPERATIONS[name]
    rates, years = [0.0, 0.05, 0.0, 1.0, 1e-9], [4.0, 1.0, 0.5, 30.0, 3.0]
    if name in ("ceil", "root", "log"):
        alone = operation(np.array(years))
        assert alone == pytest.approx([operation(each) for each in years], rel=1e-15)
        return
    found = operation(np.array(rates), np.array(years))
    assert found == pytest.approx([operation(rate, each) for rate, each in zip(rates, years, strict=True)], rel=1e-12)
    broadcast = operation(np.array(rates), 4.0)
    assert broadcast == pytest.approx([operation(rate, 4.0) for rate in rates], rel=1e-12)


class Swap(ast.NodeTransformer):
    """Changes the first operation of a formula into another."""

    def __init__(self) -> None:
        self.done = False

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        if not self.done:
            self.done = True
            change = {ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Add: ast.Sub, ast.Sub: ast.Add}
            return ast.BinOp(node.left, change[type(node.op)](), node.right)
        return node


def mutated(quantity: Quantity) -> Quantity | None:
    tree = ast.parse(textwrap.dedent(inspect.getsource(quantity.formula)))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.decorator_list = []
    swap = Swap()
    function.body = [swap.visit(statement) for statement in function.body]
    if not swap.done:
        return None
    scope = dict(quantity.formula.__globals__)
    exec(compile(ast.fix_missing_locations(tree), "<mutated>", "exec"), scope)
    changed = make(quantity.name, quantity.unit, scope[function.name], quantity.inputs)
    return replace(changed, topic=quantity.topic)


MUTABLE = {name: (each, changed) for name, each in ALL.items() if (changed := mutated(each))}


def test_nearly_every_formula_can_be_mutated() -> None:
    plain = {name for name in ALL if name not in MUTABLE}
    calls = ("annuity", "discount", "_sum", "def net")
    as_it_is = {name for name in plain if ALL[name].text in ALL[name].inputs}
    assert all(any(call in inspect.getsource(ALL[name].formula) for call in calls) for name in plain - as_it_is)


@pytest.mark.parametrize(("quantity", "changed"), MUTABLE.values(), ids=MUTABLE)
def test_a_changed_formula_changes_every_reading(quantity: Quantity, changed: Quantity) -> None:
    inputs = inputs_of(quantity)
    before, after = readings.as_float(quantity, inputs), readings.as_float(changed, inputs)
    assert after != pytest.approx(before, rel=1e-9)
    assert readings.as_compiled(changed, inputs) == after
    assert readings.as_explanation(changed, inputs) == after
    assert readings.as_array(changed, inputs) == pytest.approx(after, rel=1e-12)
    assert unit_check(changed, inputs, after) != pytest.approx(before, rel=1e-9)


def unit_check(quantity: Quantity, inputs: list[float], number: float) -> float | None:
    """The number with units, or None where the check refuses: wrong dimension, or not what floats give."""
    try:
        with_units = readings.as_units(quantity, inputs, BY_QUANTITY)
    except readings.pint.DimensionalityError:
        return None
    return with_units if with_units == pytest.approx(number, rel=1e-9) else None


def test_a_wrong_unit_factor_is_seen_by_its_magnitude() -> None:
    def performance(time_to_train_minutes: float) -> float:
        return 60.0 / time_to_train_minutes

    wrong = make("performance", "run / hour", performance)
    with_units = readings.as_units(wrong, [30.0], BY_QUANTITY)
    assert with_units == pytest.approx(120.0), "60 without its unit is 60 runs a minute too many"
    assert with_units != pytest.approx(readings.as_float(wrong, [30.0]))


NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@pytest.mark.parametrize("name", [*BY_QUANTITY, *BY_NAME])
def test_a_name_can_be_a_spreadsheet_name(name: str) -> None:
    assert NAME.fullmatch(name)
    assert "_" in name or (len(name) >= 4 and not any(character.isdigit() for character in name))
    assert name not in ("true", "false")


@pytest.mark.parametrize("quantity", written(), ids=lambda each: each.name)
def test_every_quantity_says_what_it_is_and_is_reachable(quantity: Quantity) -> None:
    assert len(quantity.about) > 20
    basis = quantity.basis or ("space_basis", choices()["space_basis"][0])
    chosen = {**{name: options[0] for name, options in choices().items()}, basis[0]: basis[1]}
    if quantity.models:
        chosen["model"] = quantity.models[0]
    for name in quantity.inputs:
        assert name in graph(tuple(chosen.items())).quantities or name in BY_NAME


def test_every_input_is_read_by_a_formula() -> None:
    read = {name for each in ALL.values() for name in each.inputs}
    assert {each.name for each in INPUTS if not each.by_caveats} == read & BY_NAME.keys()


def test_what_only_caveats_read_is_read_by_them() -> None:
    text = "".join(inspect.getsource(module) for module in (fairness, rounding, converting))
    assert all(f'"{each.name}"' in text for each in INPUTS if each.by_caveats)


@given(rate=st.floats(0, 1), years=st.floats(0.01, 30))
def test_the_annuity_is_the_present_value_of_one_a_year(rate: float, years: float) -> None:
    import numpy_financial as npf  # noqa: PLC0415

    if rate > 1e-3:  # below, numpy-financial itself loses digits
        assert ops.annuity(rate, years) == pytest.approx(-npf.pv(rate, years, 1), rel=1e-9)
    assert ops.annuity(0.0, years) == years


@given(years=st.floats(0.5, 30), exponent=st.integers(5, 18))
def test_the_annuity_is_continuous_as_the_rate_goes_to_zero(years: float, exponent: int) -> None:
    rate = 10.0**-exponent
    # to first order PV = n - n(n+1)/2 * r, so that the distance from n is below n(n+1)r
    assert abs(ops.annuity(rate, years) - years) <= years * (years + 1) * rate + 4e-15 * years


def test_racks_that_fit_exactly_are_not_one_too_many() -> None:
    for whole in range(1, 2000):
        assert ops.ceil(whole * 0.1 / 0.1) == whole
        assert ops.ceil(whole + 0.001) == whole + 1


@pytest.mark.parametrize(
    ("rate", "flows", "expected"),
    [
        (0.05, [-15000, 1500, 2500, 3500, 4500, 6000], 122.89),  # numpy-financial docstring: year 0 not discounted
        (0.10, [0, -10000, 3000, 4200, 6800], 1188.44),  # Excel's NPV discounts the first flow by a year
    ],
)
def test_published_net_present_values_come_out_of_the_discount_factor(
    rate: float, flows: list[float], expected: float
) -> None:
    total = sum(flow * ops.discount(rate, float(year)) for year, flow in enumerate(flows))
    assert total == pytest.approx(expected, abs=0.005)
