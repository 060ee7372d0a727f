"""One text, one number: what is not a plain decimal is refused."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from schemas.numbers import Bounds, NumberError, parse_number, read_number
from service.formats.plain import plain

GOOD = {
    "149995": Decimal(149995), "1.5e5": Decimal(150000), "1.49995e5": Decimal(149995), "0.025": Decimal("0.025"),
    "-12.5": Decimal("-12.5"), "0": Decimal(0), "-0": Decimal(0), "1E+2": Decimal(100), "1e-30": Decimal("1e-30"),
    "9007199254740993": Decimal(9007199254740993),
}  # fmt: skip
BAD = [
    "", " ", "nan", "NaN", "inf", "-Infinity", "1e400", "1e31", "1e-31", "1e999999999", "1_000", "149,995", "1.234,56",
    "1 234", " 5", "5 ", "+5", "0x10", "٣", "１２", "−5", "(5)", "$5", "5%", "true", "1e", ".5", "5.", "--5", "1e5.0",
    "123456789012345678", "1.00000000000000001", "1" * 10_000, "0." + "0" * 100 + "1",
]  # fmt: skip


@pytest.mark.parametrize(("text", "number"), GOOD.items(), ids=GOOD)
def test_a_plain_number_is_read_exactly(text: str, number: Decimal) -> None:
    found = parse_number(text)
    assert found == number
    assert not (found == 0 and found.is_signed())


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:20] or "blank")
def test_anything_else_is_refused_with_the_right_form(text: str) -> None:
    with pytest.raises(NumberError):
        parse_number(text)


@pytest.mark.parametrize(
    "value",
    [True, False, None, [], {}, float("nan"), float("inf"), 10**5000, b"5"],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        read_number(value)


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x == 0 or 1e-30 <= abs(x) < 1e30))
def test_what_we_write_we_also_read(number: float) -> None:
    assert float(parse_number(repr(number))) == number
    if 1e-15 < abs(number) < 1e15:
        assert float(Decimal(plain(number))) == number
        assert "e" not in plain(number).lower()


@given(st.text())
def test_no_text_means_two_numbers(text: str) -> None:
    try:
        number = parse_number(text)
    except NumberError:
        return
    assert math.isclose(float(text), float(number))
    assert text.isascii() and not set(text) - set("0123456789.eE+-")


def test_bounds_say_their_range() -> None:
    assert str(Bounds(0.0, 1.0)) == "0 to 1"
    assert str(Bounds(0.0, 30.0, open_low=True)) == "above 0 to 30"
    with pytest.raises(NumberError, match="1.1 is not in the range 0 to 1"):
        Bounds(0.0, 1.0).check(1.1)
