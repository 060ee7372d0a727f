"""The contract: OpenAPI in three versions, answers that fit it, and no input that breaks the service."""

import json
from typing import Any

import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from openapi_spec_validator import validate
from schemathesis.specs.openapi.checks import positive_data_acceptance

from pricing.catalogue.sources.files import FORMS
from schemas.breakeven import BreakevenSchema
from schemas.comparison import FigureSchema
from schemas.problem import ProblemSchema
from schemas.robustness import RobustnessSchema
from schemas.scaling import ProgressSchema, ScalingSchema
from schemas.sizing import SizingSchema
from service.app import create_app
from service.lists import LISTINGS
from service.outputs import ClaimsSchema, comparison_schema, list_schema, ranking_schema, tco_schema
from service.settings import Settings
from tests.service.test_api import ASKED, PAIR, strict

ADMINISTRATION = ("books", "imports", "sources", "keys")


@pytest.mark.parametrize(("version", "key"), [("3.1", "openapi"), ("3.0", "openapi"), ("2.0", "swagger")])
def test_the_document_is_valid_in_each_version(client: FlaskClient, version: str, key: str) -> None:
    document = strict(client.get(f"/openapi.json?version={version}"))
    assert document[key].startswith(version)
    validate(document)
    paths = {path for path in document["paths"] if not path.endswith("{name}")}
    nouns = (
        "batch",
        "quotes",
        "compare",
        "ranking",
        "tco",
        "claims",
        "breakeven",
        "robustness",
        "scaling",
        "sizing",
        "progress",
        *LISTINGS,
    )
    assert {path for path in paths if path.count("/") == 2} == {f"/v1/{noun}" for noun in (*nouns, *ADMINISTRATION)}


def test_every_operation_has_an_id_and_a_summary(client: FlaskClient) -> None:
    document = strict(client.get("/openapi.json"))
    operations = [
        each for path in document["paths"].values() for method, each in path.items() if method != "parameters"
    ]
    ids = [each["operationId"] for each in operations]
    assert len(ids) == len(set(ids)) == len(operations)
    assert all(each["summary"] for each in operations)


def test_an_unknown_version_is_refused(client: FlaskClient) -> None:
    assert client.get("/openapi.json?version=4").status_code == 400
    assert client.get("/openapi.json?v=3.0").status_code == 400


ANSWERS = {
    "compare": (ASKED, comparison_schema()),
    "compare explained": (f"{ASKED}&explain=1", comparison_schema()),
    "compare in a facility": (f"{ASKED}&preset=hyperscale", comparison_schema()),
    "compare with gaps": ("/v1/compare?systems=ipu-pod64,own:ours&benchmark=bert&round=v1.1", comparison_schema()),
    "an estimate": ("/v1/compare?systems=ipu-pod64&benchmark=bert&round=v1.1&estimate=linear", comparison_schema()),
    "one figure": (f"{ASKED}&system=ipu-pod16&field=cost_per_run&explain=1", FigureSchema),
    "tco": (f"/v1/tco?{PAIR}", tco_schema()),
    "ranking": ("/v1/ranking?benchmark=resnet&round=v1.1", ranking_schema()),
    "claims": ("/v1/claims", ClaimsSchema),
    "scaling": ("/v1/scaling?system=ipu-pod16&benchmark=resnet&round=v1.1&accelerators=32", ScalingSchema),
    "sizing": ("/v1/sizing?benchmark=resnet&round=v1.1&deadline_minutes=30&runs_per_year=20000", SizingSchema),
    "several ways to pay": (
        "/v1/tco?systems=dgx-a100-640gb,dgx-a100-640gb@leased,aws-p4d-24xlarge@rented&time_from=dgx-a100-640gb&benchmark=resnet",
        tco_schema(),
    ),
    "ties": ("/v1/breakeven?systems=ipu-pod16,dgx-a100-640gb&benchmark=resnet&rent_from=aws-p4de-24xlarge", BreakevenSchema),
    "progress": ("/v1/progress?system=ipu-pod16&benchmark=resnet", ProgressSchema),
    "own or rent": (
        "/v1/breakeven?systems=dgx-a100-640gb,own:ours&set=dgx-a100-640gb.rental_price_per_hour:20"
        "&set=own:ours.acquisition_cost:1000000&set=own:ours.operating_cost_per_year:9000&set=own:ours.recovered_value:0"
        "&set=own:ours.rental_price_per_hour:1",
        BreakevenSchema,
    ),
    "how sure": (
        f"/v1/robustness?{PAIR}&benchmark=resnet&round=v1.0&samples=200&vary=dgx-a100-640gb.price:270000:330000&metric=cost_per_run",
        RobustnessSchema,
    ),
    "a model": ("/v1/compare?systems=dgx-h100&parameters=7e9&tokens=2e12", comparison_schema()),
    "a size between": (
        "/v1/compare?systems=16*dgx-a100-640gb&benchmark=resnet&round=v1.1&time_estimate=interpolate",
        comparison_schema(),
    ),
    **{kind: (f"/v1/{kind}?limit=500", list_schema(kind, each.schema)) for kind, each in LISTINGS.items()},
    "a problem": ("/v1/compare?systems=ipu-pod15", ProblemSchema),
}  # fmt: skip


@pytest.mark.parametrize(("address", "schema"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_what_its_schema_says(client: FlaskClient, address: str, schema: Any) -> None:
    assert schema().validate(strict(client.get(address))) == {}


for each in FORMS:  # files are sent as any bytes
    for mimetype in each.mimetypes:
        if mimetype != "application/json":
            schemathesis.openapi.media_type(mimetype, st.binary(max_size=200))
app = create_app(Settings())
described = schemathesis.openapi.from_wsgi("/openapi.json", app)


@described.parametrize()
@settings(max_examples=12, suppress_health_check=list(HealthCheck), deadline=None)
def test_nothing_that_fits_or_misses_the_contract_breaks_the_service(case: schemathesis.Case) -> None:
    # a question of the right form may still have no answer, which is a 422, too
    case.call_and_validate(excluded_checks=[positive_data_acceptance])


def test_no_answer_holds_nan_or_infinity_at_the_ends_of_the_ranges(client: FlaskClient) -> None:
    from service.parameters import assumption_fields  # noqa: PLC0415

    for name, field in assumption_fields().items():
        for end in ("low", "high"):
            value = getattr(getattr(field, "bounds", None), end, None)
            if value is not None:
                response = client.get(f"{ASKED}&{name}={value:g}")
                body = json.dumps(strict(response))
                assert response.status_code in (200, 422), body[:300]
