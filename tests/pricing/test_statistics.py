"""Student's t and the spread of a few runs, against the GUM's own tables, scipy and the standard library."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from pricing.statistics import spread, student

TABLE_90 = {
    1: 6.31, 2: 2.92, 3: 2.35, 4: 2.13, 5: 2.02, 6: 1.94, 7: 1.89, 8: 1.86, 9: 1.83, 10: 1.81,
    15: 1.75, 20: 1.72, 30: 1.70, 40: 1.68, 100: 1.660,
}  # fmt: skip
"""JCGM 100:2008, table G.2, p = 90 %."""
TABLE_95 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 10: 2.23, 20: 2.09, 50: 2.01}
"""The same table, p = 95 %."""
TEMPERATURES = (
    96.90, 98.18, 98.25, 98.61, 99.03, 99.49, 99.56, 99.74, 99.89, 100.07,
    100.33, 100.42, 100.68, 100.95, 101.11, 101.20, 101.57, 101.84, 102.36, 102.72,
)  # fmt: skip
"""JCGM 100:2008, table 1: twenty readings of one temperature [°C]; 4.4.3 gives 1.489 and 1.489/√20 = 0.333."""
minutes = st.floats(0.1, 1e4)


@pytest.mark.parametrize(("freedom", "expected"), TABLE_90.items())
def test_t_at_90_percent_is_that_of_the_gum(freedom: int, expected: float) -> None:
    assert student(freedom) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(("freedom", "expected"), TABLE_95.items())
def test_t_at_95_percent_is_that_of_the_gum(freedom: int, expected: float) -> None:
    assert student(freedom, 0.95) == pytest.approx(expected, abs=0.005)


def test_t_of_many_measurements_is_that_of_the_normal_distribution() -> None:
    assert student(100_000) == pytest.approx(statistics.NormalDist().inv_cdf(0.95), rel=1e-4)
    assert student(100_000) == pytest.approx(1.645, abs=5e-4)


@given(st.integers(1, 500), st.floats(0.01, 0.999))
def test_t_is_that_of_scipy_for_any_share(freedom: int, share: float) -> None:
    assert student(freedom, share) == pytest.approx(t.ppf((1 + share) / 2, freedom), rel=1e-7)


@given(st.integers(1, 300))
def test_t_falls_with_each_further_measurement(freedom: int) -> None:
    assert student(freedom + 1) < student(freedom)


def test_the_spread_of_the_gums_example_is_the_gums() -> None:
    found = spread(TEMPERATURES)
    assert found is not None
    assert found.measured == 20
    assert round(found.deviation, 3) == 1.489
    # t of 19 degrees of freedom is 1.73 in table G.2, and 1.73 × 0.333 = 0.576
    assert found.half_width == pytest.approx(1.73 * 0.333, abs=0.002)


def test_two_measurements_have_a_spread_by_hand() -> None:
    # of 10 and 12: s = √2, and t of one degree of freedom × √2 / √2 = 6.3138
    found = spread((10.0, 12.0))
    assert found is not None
    assert found.deviation == pytest.approx(math.sqrt(2))
    assert found.half_width == pytest.approx(6.3138, abs=5e-5)


@pytest.mark.parametrize("values", [(), (28.3345,)])
def test_fewer_than_two_measurements_have_no_spread(values: tuple[float, ...]) -> None:
    assert spread(values) is None


def test_measurements_that_are_all_alike_have_no_width() -> None:
    found = spread((28.3345,) * 5)
    assert found is not None
    assert (found.deviation, found.half_width) == (0.0, 0.0)


@given(st.lists(minutes, min_size=2, max_size=40))
def test_the_spread_is_that_of_the_standard_library_and_scipy(values: list[float]) -> None:
    found = spread(values)
    assert found is not None
    deviation = statistics.stdev(values)
    assert found.deviation == pytest.approx(deviation, rel=1e-6, abs=1e-9)
    half = t.ppf(0.95, len(values) - 1) * deviation / math.sqrt(len(values))
    assert found.half_width == pytest.approx(half, rel=1e-6, abs=1e-8)


@given(st.lists(minutes, min_size=2, max_size=10), st.randoms())
def test_the_order_of_the_runs_does_not_matter(values: list[float], shuffling: object) -> None:
    shuffled = list(values)
    shuffling.shuffle(shuffled)  # type: ignore[attr-defined]
    assert spread(shuffled) == spread(values)


@given(st.lists(minutes, min_size=2, max_size=10), st.floats(0.1, 1000))
def test_in_another_unit_the_spread_scales(values: list[float], factor: float) -> None:
    found, scaled = spread(values), spread([each * factor for each in values])
    assert found is not None and scaled is not None
    assert scaled.half_width == pytest.approx(found.half_width * factor, rel=1e-6, abs=1e-7 * factor)
