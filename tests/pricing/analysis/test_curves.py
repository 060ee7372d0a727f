"""Curves of time over size, against numpy's least squares and the textbook's prediction interval."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from pricing.analysis.curves import AMDAHL, POWER, Curve, Form, Point, between, fit

PODS = (Point(16, 28.3345), Point(64, 8.5037), Point(128, 5.6718), Point(256, 3.7949))
"""ResNet in v1.1, IPU-POD16 to IPU-POD256: knowledge/mlperf.md, from the logs."""
SIZES = np.array([each.size for each in PODS])
MINUTES = np.array([each.minutes for each in PODS])
sizes = st.integers(1, 10_000)
times = st.floats(0.01, 10_000)


def of_form(form: Form, points: Sequence[Point] = PODS) -> Curve:
    return next(each for each in fit(points) if each.form is form)


def test_between_two_sizes_lies_the_power_curve_by_hand() -> None:
    # 32 is the geometric mean of 16 and 64, so the time is that of theirs: √(28.3345 × 8.5037) = 15.5225
    assert between(PODS[0], PODS[1], 32) == pytest.approx(math.sqrt(28.3345 * 8.5037))
    assert round(between(PODS[0], PODS[1], 32), 4) == 15.5225


@given(sizes, sizes, times, times)
def test_interpolation_passes_through_its_neighbours(one: int, other: int, first: float, second: float) -> None:
    if one == other:
        other += 1
    low, high = Point(one, first), Point(other, second)
    assert between(low, high, one) == pytest.approx(first)
    assert between(low, high, other) == pytest.approx(second)


@given(sizes, sizes, times, times, st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted))
def test_interpolation_is_monotone_between_its_neighbours(
    one: int, more: int, first: float, second: float, shares: list[float]
) -> None:
    low, high = Point(one, first), Point(one + more, second)
    nearer, farther = (between(low, high, one + more * share) for share in shares)
    tiny = 1e-9 * max(first, second)
    assert min(first, second) - tiny <= nearer <= max(first, second) + tiny
    assert farther <= nearer + tiny if second <= first else nearer <= farther + tiny


def test_the_power_curve_is_numpys_straight_line_of_logarithms() -> None:
    slope, constant = np.polyfit(np.log(SIZES), np.log(MINUTES), 1)
    found = of_form(POWER)
    assert (found.a, found.b) == pytest.approx((constant, slope))
    for size in (8, 32, 100, 1024):
        assert found.minutes(size) == pytest.approx(math.exp(constant) * size**slope)


def test_amdahls_curve_is_numpys_least_squares_of_shares() -> None:
    design = np.column_stack((1 / MINUTES, 1 / (SIZES * MINUTES)))  # (a + b/size) / minutes should be 1
    (serial, parallel), *_ = np.linalg.lstsq(design, np.ones(len(PODS)), rcond=None)
    found = of_form(AMDAHL)
    assert (found.a, found.b) == pytest.approx((serial, parallel))
    assert found.minutes(512) == pytest.approx(serial + parallel / 512)


@pytest.mark.parametrize("size", [4, 16, 100, 512, 4096])
def test_the_power_curves_interval_is_the_textbooks(size: int) -> None:
    # new observation of a regression line: t × s × √(1 + 1/n + (x - x̄)² / Σ(xᵢ - x̄)²), s² = Σe² / (n - 2)
    x, y = np.log(SIZES), np.log(MINUTES)
    slope, constant = np.polyfit(x, y, 1)
    deviation = math.sqrt(float(np.sum((y - constant - slope * x) ** 2)) / (len(x) - 2))
    far = 1 + 1 / len(x) + (math.log(size) - x.mean()) ** 2 / np.sum((x - x.mean()) ** 2)
    found = of_form(POWER)
    assert found.deviation == pytest.approx(deviation)
    assert found.spread(size) == pytest.approx(t.ppf(0.95, len(x) - 2) * deviation * math.sqrt(far))


@pytest.mark.parametrize("size", [4, 16, 100, 512, 4096])
def test_amdahls_interval_is_that_of_the_covariance_matrix(size: int) -> None:
    design = np.column_stack((1 / MINUTES, 1 / (SIZES * MINUTES)))
    fitted, *_ = np.linalg.lstsq(design, np.ones(len(PODS)), rcond=None)
    deviation = math.sqrt(float(np.sum((design @ fitted - 1) ** 2)) / (len(PODS) - 2))
    minutes = fitted[0] + fitted[1] / size
    row = np.array([1 / minutes, 1 / (size * minutes)])
    far = 1 + row @ np.linalg.inv(design.T @ design) @ row
    found = of_form(AMDAHL)
    assert found.deviation == pytest.approx(deviation)
    assert found.spread(size) == pytest.approx(t.ppf(0.95, 2) * deviation * math.sqrt(far))


@pytest.mark.parametrize("form", [AMDAHL, POWER], ids=lambda each: each.name)
def test_the_interval_grows_with_the_distance_from_the_points(form: Form) -> None:
    widths = [of_form(form).spread(256 * 2**doublings) or 0.0 for doublings in range(8)]
    assert widths == sorted(set(widths)), "each doubling is less sure than the one before"
    # Amdahl's time tends to its serial part, whose error is bounded; the power curve's error has no bound
    assert widths[-1] > widths[0] * (1.5 if form is AMDAHL else 2)


@given(st.floats(-2, -0.05), st.floats(-5, 12), st.lists(st.integers(1, 5000), min_size=3, max_size=8, unique=True))
def test_a_power_law_is_found_again(exponent: float, constant: float, held: list[int]) -> None:
    points = [Point(size, math.exp(constant) * size**exponent) for size in held]
    found = of_form(POWER, points)
    assert (found.a, found.b) == pytest.approx((constant, exponent), rel=1e-6, abs=1e-6)
    assert found.residuals() == pytest.approx([0] * len(points), abs=1e-9)


@given(st.floats(0.1, 100), st.floats(1, 1e4), st.lists(st.integers(1, 2000), min_size=3, max_size=8, unique=True))
def test_amdahls_law_is_found_again_and_comes_first(serial: float, parallel: float, held: list[int]) -> None:
    points = [Point(size, serial + parallel / size) for size in held]
    found = of_form(AMDAHL, points)
    for size in (1, 32, 2000):
        assert found.minutes(size) == pytest.approx(serial + parallel / size, rel=1e-5)


def test_the_form_that_leaves_least_unexplained_comes_first() -> None:
    powers = [Point(size, 100 * size**-0.6) for size in (8, 16, 64, 256)]
    shared = [Point(size, 2 + 400 / size) for size in (8, 16, 64, 256)]
    assert [each.form for each in fit(powers)] == [POWER, AMDAHL]
    assert [each.form for each in fit(shared)] == [AMDAHL, POWER]
    assert [each.form for each in fit(PODS)] == [AMDAHL, POWER]


def test_residuals_are_shares_of_the_curve() -> None:
    found = of_form(AMDAHL)
    for point, share in zip(PODS, found.residuals(), strict=True):
        assert found.minutes(point.size) * (1 + share) == pytest.approx(point.minutes)


def test_two_sizes_give_curves_through_both_and_no_interval() -> None:
    for found in fit(PODS[:2]):
        assert [found.minutes(each.size) for each in PODS[:2]] == pytest.approx([28.3345, 8.5037])
        assert found.deviation is None
        assert found.spread(512) is None
    assert len(fit(PODS[:2])) == 2


@pytest.mark.parametrize("points", [[], [PODS[0]], [Point(16, 28.3345), Point(16, 29.0)]])
def test_one_size_gives_no_curve(points: list[Point]) -> None:
    assert fit(points) == []


def test_a_time_that_grows_with_the_size_has_no_curve() -> None:
    assert fit([Point(16, 5.0), Point(32, 6.0), Point(64, 8.0)]) == []


def test_a_time_that_falls_faster_than_the_size_grows_is_no_amdahls() -> None:
    # eight times the size in a tenth of the time: a part that no size shortens would be negative
    assert [each.form for each in fit([Point(8, 100.0), Point(64, 10.0)])] == [POWER]


def test_nine_of_ten_new_measurements_lie_within_the_interval() -> None:
    rng, count, inside = np.random.default_rng(7), 3000, 0
    held = np.array([8.0, 16.0, 64.0, 128.0, 512.0])
    for _ in range(count):
        noise = np.exp(rng.normal(0, 0.05, len(held) + 1))
        points = [Point(size, 200 * size**-0.8 * off) for size, off in zip(held, noise[:-1], strict=True)]
        curve = of_form(POWER, points)
        new = 200 * 1024**-0.8 * noise[-1]
        inside += abs(math.log(new / curve.minutes(1024))) <= (curve.spread(1024) or 0.0)
    # the standard error of a share of 0.9 among 3,000 is 0.0055
    assert inside / count == pytest.approx(0.90, abs=0.02)
