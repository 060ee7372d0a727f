"""Which row wins, and that a near name never does."""

from copy import copy
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.per_unit import amount_per_system
from pricing.catalogue.resolution import BOUGHT_KINDS, Wanted, choose_price, choose_result
from pricing.errors import Competing, UnknownName
from schemas.price import Offer


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("ipu-pod16", "ipu-pod16"),
        ("IPU-POD16", "ipu-pod16"),
        ("POD16", "ipu-pod16"),
        ("DGX A100 640GB", "dgx-a100-640gb"),
        ("DGX A100 320GB", "dgx-a100-320gb"),
        ("DGX A100", "dgx-a100-640gb"),
    ],
)
def test_a_system_is_found_by_its_exact_names(catalogue: Catalogue, name: str, system: str) -> None:
    assert catalogue.system(name).id == system


@pytest.mark.parametrize(
    ("name", "near"), [("POD1", "ipu-pod16"), ("dgx-a100-640", "dgx-a100-640gb"), ("ipu pod 16", "")]
)
def test_a_near_name_is_an_error_with_candidates(catalogue: Catalogue, name: str, near: str) -> None:
    with pytest.raises(UnknownName) as raised:
        catalogue.system(name)
    assert near in " ".join(raised.value.nearest)


@pytest.mark.parametrize(
    ("as_of", "amount"),
    [("2022-09-28", None), ("2022-09-29", "355919"), ("2023-05-28", "355919"), ("2023-05-29", "270000")],
)
def test_the_latest_price_not_after_the_day_wins(catalogue: Catalogue, as_of: str, amount: str | None) -> None:
    found = choose_price(catalogue, Offer("dgx-h100", BOUGHT_KINDS, date.fromisoformat(as_of)), "USD")
    assert (str(found.price.amount) if found.price else None) == amount
    assert amount or "list or street" in found.reason


def test_the_kinds_are_tried_in_the_order_asked(catalogue: Catalogue) -> None:
    day = date(2026, 11, 30)
    assert choose_price(catalogue, Offer("dgx-b200", BOUGHT_KINDS, day), "USD").price.kind == "street"  # type: ignore[union-attr]
    estimate = choose_price(catalogue, Offer("dgx-b200", ("estimate", "street"), day), "USD")
    assert estimate.price is not None and estimate.price.kind == "estimate"
    assert [each.kind for each in estimate.competing] == ["street"]


def test_an_hourly_price_buys_nothing(catalogue: Catalogue) -> None:
    found = choose_price(catalogue, Offer("aws-p4d-24xlarge", BOUGHT_KINDS, date(2026, 11, 30)), "USD")
    assert found.price is None
    assert "on_demand (hour" in found.reason


def test_a_bare_board_is_not_the_price_of_a_server(catalogue: Catalogue) -> None:
    found = choose_price(catalogue, Offer("hgx-a100-80gb-8gpu", BOUGHT_KINDS, date(2026, 11, 30)), "USD")
    assert found.price is not None
    assert str(found.price.amount) == "148390"  # not the 138,788 of the baseboard alone


@pytest.mark.parametrize(
    ("per", "amount", "system", "total"),
    [("system", "300000", "dgx-a100-640gb", "300000"), ("accelerator", "37500", "dgx-a100-640gb", "300000"),
     ("node", "1000", "nvidia-gb200-nvl72", "18000")],
)  # fmt: skip
def test_a_price_counts_once_whatever_it_is_per(
    catalogue: Catalogue, per: str, amount: str, system: str, total: str
) -> None:
    row = replace(catalogue.prices["dgx-a100-640gb"][0], per=per, amount=Decimal(amount))  # type: ignore[arg-type]
    assert amount_per_system(row, catalogue.system(system)) == Decimal(total)


def test_a_range_is_a_gap_and_not_a_guess(catalogue: Catalogue) -> None:
    found = choose_price(catalogue, Offer("cerebras-cs-3", ("estimate",), date(2026, 11, 30)), "USD")
    assert found.price is None
    assert "1360000 to 2500000" in found.reason


def result(catalogue: Catalogue, system: str, count: int, *wanted: str | None) -> str | None:
    found = choose_result(catalogue, catalogue.system(system), count, Wanted(*wanted)).result  # type: ignore[arg-type]
    return found.id if found else None


def test_the_vendors_own_submission_wins(catalogue: Catalogue) -> None:
    # v2.0 BERT on a Bow Pod16: Baidu 20.8099, Graphcore 20.6539 (PopART) and 20.7469 (PaddlePaddle)
    found = result(catalogue, "bow-pod16", 1, "bert", "v2.0", "closed")
    assert found == "v2.0/Graphcore/ipu-pod16-POPART-closed/bert"


def test_one_organisation_under_three_names_does_not_compete_with_itself(catalogue: Catalogue) -> None:
    # v4.0 ResNet: smc 13.3525, smc-ac-power and smc-dc-power 13.4251
    assert result(catalogue, "smc-hgx-h100", 1, "resnet", "v4.0", "closed") == "v4.0/smc/1xSMC-H100-SXM-80GB/resnet"


def test_different_other_submitters_are_an_error_that_names_them(catalogue: Catalogue) -> None:
    # made from v2.0's two rows on Azure's machine, with the vendor's own left out
    rows = catalogue.measured[("bert", "v2.0", "closed")]
    ours = [each for each in rows if each.system == "azure-nd96amsr-a100-v4" and each.units == 1]
    assert {each.organisation for each in ours} == {"Microsoft Azure", "HazyResearch"}
    system = catalogue.system("azure-nd96amsr-a100-v4")
    found = choose_result(catalogue, system, 1, Wanted("bert", "v2.0", "closed"))
    assert found.result is not None and found.result.organisation == "Microsoft Azure"
    other = choose_result(catalogue, system, 1, Wanted("bert", "v2.0", "closed", submitter="HazyResearch"))
    assert other.result is not None and other.result.time_to_train_minutes == 17.4016


def test_two_other_submitters_compete(catalogue: Catalogue) -> None:
    key = ("bert", "v2.0", "closed")
    own, other = (
        each for each in catalogue.measured[key] if each.system == "azure-nd96amsr-a100-v4" and each.units == 1
    )
    krais = replace(own, organisation="Krai", row=replace(own.row, submitter="Krai"))
    changed = copy(catalogue)
    changed.measured = {key: [krais, other]}
    system = catalogue.system("azure-nd96amsr-a100-v4")
    with pytest.raises(Competing) as raised:
        choose_result(changed, system, 1, Wanted(*key))
    assert "19.2131" in str(raised.value) and "17.4016" in str(raised.value)
    chosen = choose_result(changed, system, 1, Wanted(*key, submitter="Krai")).result
    assert chosen is krais


def test_a_size_that_nobody_measured_is_a_gap_that_tells_which_were(catalogue: Catalogue) -> None:
    found = choose_result(catalogue, catalogue.system("dgx-a100-640gb"), 3, Wanted("resnet", "v1.0", "closed"))
    assert found.result is None
    assert found.reason == "no closed resnet result of v1.0 for 3 of dgx-a100-640gb; measured were 1, 8 of it"
