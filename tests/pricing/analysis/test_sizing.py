"""The cheapest system and size: limits, demand, what is a candidate, and the Pareto front."""

import math
from typing import Any

import pytest
from flask.testing import FlaskClient

from pricing.analysis.sizing import COST, FRONT, LIMITS, Sizing, sizing
from pricing.catalogue.catalogue import shipped
from pricing.errors import BadQuestion
from service.parameters import sizing_parameters
from tests.service.test_api import strict
from tests.service.test_bad_input import problem

RESNET = {"benchmark": "resnet", "round": "v1.1"}


def asked(**fields: Any) -> Sizing:
    return sizing(shipped(), sizing_parameters()().load({**RESNET, **fields}))


def names(found: Sizing) -> list[str]:
    return [each.side.name for each in found.candidates if each.fits]


def test_without_limits_the_cheapest_of_all_that_is_known() -> None:
    found = asked()
    costs = [each.side.values[COST] for each in found.candidates]
    assert found.best is not None and found.best.side.name == "ipu-pod16"
    assert costs == sorted(costs) and found.best.side.values[COST] == costs[0]
    assert {each.basis for each in found.candidates} == {"measured", "interpolated"}


def test_a_deadline_that_one_pod_misses_needs_more_of_it() -> None:
    found = asked(deadline_minutes="20", only="ipu-pod16")
    assert found.best is not None
    # one takes 28.33 min; two lie on the power curve between 16 accelerators and the POD64's 8.50 min
    power = math.log(8.5037 / 28.3345) / math.log(64 / 16)
    assert found.best.side.name == "2*ipu-pod16" and found.best.basis == "interpolated"
    assert found.best.side.values["time_to_train_minutes"] == pytest.approx(28.3345 * 2**power)
    (missed,) = (each for each in found.candidates if each.side.name == "ipu-pod16")
    assert missed.breaks == ("deadline_minutes: 28.3345 is above 20",)


def test_a_demand_is_met_by_whole_clusters() -> None:
    found = asked(runs_per_year="20000", only="ipu-pod16")
    for each in found.candidates:
        values = each.side.values
        hours = 8760 * 0.8 * 0.99 * 0.93  # useful ones of a year
        one = hours * 60 / values["time_to_train_minutes"]
        assert values["fleet_clusters"] == math.ceil(20000 / one)
        assert values[COST] == pytest.approx(values["fleet_clusters"] * values["tco_equivalent_annual"])
    # 13,662 runs a year by one POD16: two of them, for less than one cluster of two with its network
    assert found.best is not None and found.best.side.name == "ipu-pod16"
    assert found.best.side.values["fleet_clusters"] == 2


@pytest.mark.parametrize(
    ("limit", "most"),
    [("budget", 400_000), ("budget_per_year", 250_000), ("most_racks", 1), ("most_power_kw", 14)],
)
def test_every_limit_leaves_out_exactly_what_is_above_it(limit: str, most: float) -> None:
    everything = asked()
    found = asked(**{limit: str(most)})
    within = [each.side.name for each in everything.candidates if each.side.values[LIMITS[limit]] <= most]
    assert names(found) == within and 0 < len(within) < len(everything.candidates)
    assert all(each.breaks[0].startswith(f"{limit}: ") for each in found.candidates if not each.fits)


def test_nothing_fits_is_an_answer(client: FlaskClient) -> None:
    found = strict(client.get("/v1/sizing?benchmark=resnet&round=v1.1&deadline_minutes=0.1"))
    assert found["best"] is None and found["front"] == []
    assert "nothing fits" in client.get("/v1/sizing?benchmark=resnet&round=v1.1&deadline_minutes=0.1&format=table").text


def test_sizes_beyond_the_measured_ones_only_when_asked() -> None:
    assert {each.basis for each in asked(only="ipu-pod256").candidates} <= {"measured", "interpolated"}
    beyond = asked(only="ipu-pod16", time_estimate="extrapolate")
    assert "extrapolated" in {each.basis for each in beyond.candidates}
    largest = max(each.side.values["cluster_accelerators"] for each in asked(only="ipu-pod16").candidates)
    assert largest <= 256, "the largest measured size of the family is a POD256"


def test_nothing_on_the_front_is_beaten_and_all_else_is() -> None:
    found = asked(benchmark="bert", round="v2.1")
    fitting = [each for each in found.candidates if each.fits]
    front = [each for each in fitting if each.on_front]
    assert 0 < len(front) < len(fitting) and found.best in front

    def beats(one: Any, other: Any) -> bool:
        pairs = [(one.side.values[name], other.side.values[name]) for name in FRONT]
        return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)

    for each in fitting:
        assert each.on_front is not any(beats(other, each) for other in fitting)


def test_what_has_no_price_is_left_out_with_the_reason() -> None:
    found = asked()
    reasons = dict(found.left_out)
    assert "no list or street price" in reasons["azure-nd96amsr-a100-v4"]
    assert all(reason for reason in reasons.values())


def test_rented_systems_need_no_room_of_ones_own() -> None:
    found = sizing(
        shipped(),
        sizing_parameters()().load({**RESNET, "model": "rented", "most_racks": "1", "most_power_kw": "1"}),
    )
    assert found.best is not None and found.best.side.choice.rented
    assert found.best.side.values["fleet_acquisition_cost"] == 0


def test_a_question_without_benchmark_or_with_a_limit_of_nothing_is_refused(client: FlaskClient) -> None:
    with pytest.raises(BadQuestion, match="benchmark"):
        sizing(shipped(), {})
    for text in ("0", "-5"):
        found = problem(client.get(f"/v1/sizing?benchmark=resnet&deadline_minutes={text}"), 422)
        assert found["errors"][0]["field"] == "deadline_minutes"


def test_formats_agree(client: FlaskClient) -> None:
    path = "/v1/sizing?benchmark=resnet&round=v1.1&runs_per_year=20000"
    found = strict(client.get(path))
    lines = client.get(f"{path}&format=csv").text.splitlines()
    assert len(lines) == 1 + len(found["candidates"]) + len(found["left_out"])
    assert lines[1].startswith(f"{found['best']['name']},measured,")
