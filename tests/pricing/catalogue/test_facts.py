"""The facts that ship are whole; a damaged table is refused with its file and line."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pricing.catalogue.catalogue import Catalogue
from pricing.catalogue.facts import DATA, load_facts
from pricing.catalogue.linting import lint
from pricing.errors import DamagedTable


def test_the_shipped_tables_have_no_fault(catalogue: Catalogue) -> None:
    assert lint(catalogue) == []


def test_the_shipped_tables_are_as_large_as_they_were_found(catalogue: Catalogue) -> None:
    facts = catalogue.facts
    assert len(facts.of("systems.csv")) == 227
    assert len(facts.of("prices.csv")) == 99
    assert len({price.system for price in facts.of("prices.csv")}) == 58
    assert sum(len(table) for table in facts.rounds()) == 2257
    assert sum(file.startswith("mlperf/results_") for file in facts.tables) == 13


def test_the_seed_systems_are_there(catalogue: Catalogue) -> None:
    for name in ("ipu-m2000", "ipu-pod16", "ipu-pod64", "ipu-pod128", "ipu-pod256", "dgx-a100-320gb", "dgx-a100-640gb"):
        assert catalogue.system(name).id == name


@pytest.mark.parametrize(
    ("system_id", "round_", "system", "units"),
    [
        ("dgxa100_n2_ngc20.06_mxnet", "v0.7", "dgx-a100-320gb", 2),
        ("dgxa100_n2_ngc20.06_pytorch", "v0.7", "dgx-a100-320gb", 2),
        ("dgxa100_n8_ngc21.05_mxnet", "v1.0", "dgx-a100-640gb", 8),
        ("ipu-pod16-TF1", "v1.0", "ipu-pod16", 1),
    ],
)
def test_a_submission_is_that_many_of_that_system(
    catalogue: Catalogue, system_id: str, round_: str, system: str, units: int
) -> None:
    found = {
        (each.system, each.units)
        for each in catalogue.results
        if each.row.system_id == system_id and each.row.round == round_
    }
    assert found == {(system, units)}


def test_every_fact_has_a_source(catalogue: Catalogue) -> None:
    assert all(each.sources for each in catalogue.systems.values())
    assert all(each.source for each in catalogue.benchmarks)
    assert all(listed.source and listed.licence for listed in catalogue.facts.listed)


def test_ssd_is_another_benchmark_from_v2_0_on(catalogue: Catalogue) -> None:
    assert catalogue.rounds("ssd") == ("v0.5", "v0.6", "v0.7", "v1.0", "v1.1")
    assert catalogue.rounds("retinanet")[0] == "v2.0"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    return folder


def edit(file: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        path = folder / file
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    return apply


def drop_line(number: int) -> Callable[[str], str]:
    return lambda text: "".join(line for index, line in enumerate(text.splitlines(keepends=True), 1) if index != number)


def repeat_line(number: int) -> Callable[[str], str]:
    return lambda text: text + text.splitlines(keepends=True)[number - 1]


DAMAGES = {
    "a row is gone": (edit("prices.csv", drop_line(50)), "prices.csv", "99 rows expected, not 98"),
    "a cell is gone": (
        edit("prices.csv", lambda text: text.replace("aws-p3-2xlarge,3.06,", "aws-p3-2xlarge,", 1)),
        "prices.csv, line 3",
        "17 cells expected, not 16",
    ),
    "a number is not one": (
        edit("prices.csv", lambda text: text.replace(",149995,", ',"149,995",', 1)),
        "prices.csv, line 31",
        "column amount",
    ),
    "an unknown kind": (
        edit("prices.csv", lambda text: text.replace(",USD,list,", ",USD,lst,", 1)),
        "prices.csv, line 31",
        "one of list, street",
    ),
    "no date": (
        edit("prices.csv", lambda text: text.replace("2022-08-01", "01/08/2022", 1)),
        "prices.csv, line 2",
        "date as 2021-06-30",
    ),
    "a row twice": (edit("systems.csv", repeat_line(2)), "systems.csv", "rows expected"),
    "another column": (
        edit("systems.csv", lambda text: text.replace("rack_units", "height", 1)),
        "systems.csv, line 1",
        "columns id, name",
    ),
    "an open quote": (
        edit("assumptions.csv", lambda text: text.replace("pue_ratio", '"pue_ratio', 1)),
        "assumptions.csv",
        "expected",
    ),
    "cut off": (
        edit("mlperf/results_v1.0.csv", lambda text: text[: len(text) // 2]),
        "results_v1.0.csv",
        "expected",
    ),
    "not UTF-8": (
        lambda folder: (folder / "claims.csv").write_bytes(b"claim\n\xff\n"),
        "claims.csv, line 2",
        "not UTF-8",
    ),
    "absent": (lambda folder: (folder / "presets.csv").unlink(), "presets.csv", "cannot be read"),
    "a round that is not listed": (
        edit("tables.csv", lambda text: re.sub(r"mlperf/results_v3.0.csv.*\n", "", text)),
        "tables.csv, line 1",
        "does not list mlperf/results_v3.0.csv",
    ),
    "a round that is gone": (
        lambda folder: (
            (folder / "mlperf" / "results_v3.0.csv").unlink(),
            edit("tables.csv", lambda text: re.sub(r"mlperf/results_v3.0.csv.*\n", "", text))(folder),
        ),
        "benchmarks.csv",
        "no results of v3.0",
    ),
    "a table that no one reads": (
        lambda folder: (
            (folder / "more.csv").write_text("a\n1\n"),
            edit("tables.csv", lambda text: text + "more.csv,1,us,facts,2026-11-30,a note\n")(folder),
        ),
        "tables.csv, line 35",
        "no part of the catalogue reads",
    ),
    "a system that is none": (
        edit("mlperf_systems.csv", lambda text: text.replace(",dgx-2,", ",dgx-3,", 1)),
        "mlperf_systems.csv",
        "dgx-3 is not in the catalogue",
    ),
    "a workload that is none": (
        edit("pod_hosts.csv", lambda text: text.replace("bow-pod16,bert", "bow-pod16,bart", 1)),
        "pod_hosts.csv, line 2",
        "bart is not in the catalogue",
    ),
    "a claim about nothing": (
        edit("claims.csv", lambda text: text.replace(",ipu-pod16,", ",ipu-pod17,", 1)),
        "claims.csv, line 2",
        "ipu-pod17 is not in the catalogue",
    ),
    "a vendor's time of nothing": (
        edit("vendor_results.csv", lambda text: text.replace("ipu-pod256", "ipu-pod257", 1)),
        "vendor_results.csv, line 2",
        "systems.csv has no ipu-pod257",
    ),
    "a benchmark that is none": (
        edit("mlperf/results_v1.0.csv", lambda text: text.replace(",resnet,", ",resnot,", 1)),
        "results_v1.0.csv, line 2",
        "benchmarks.csv has no resnot in v1.0",
    ),
    "a submitter that is none": (
        edit("mlperf/results_v1.0.csv", lambda text: text.replace("v1.0,Dell,", "v1.0,Dall,", 1)),
        "results_v1.0.csv, line 2",
        "mlperf_submitters.csv has no Dall",
    ),
    "a preset of nothing": (
        edit("presets.csv", lambda text: text.replace(",gpu-default,", ",gpu-other,", 1)),
        "presets.csv, line 3",
        "assumptions.csv has no load_factor_share gpu-other",
    ),
    "a share above 1": (
        edit(
            "assumptions.csv",
            lambda text: text.replace("goodput_share,default,0.85,0.93,0.98", "goodput_share,default,0.85,0.93,1.98"),
        ),
        "assumptions.csv",
        "goodput_share: 1.98 is not in the range",
    ),
    "bounds that miss the value": (
        edit(
            "assumptions.csv",
            lambda text: text.replace("goodput_share,default,0.85,0.93,0.98", "goodput_share,default,0.95,0.93,0.98"),
        ),
        "assumptions.csv",
        "low <= value <= high expected",
    ),
    "an alias of two systems": (
        edit("systems.csv", lambda text: text.replace("IPU-M2000;M2000", "IPU-M2000;POD16", 1)),
        "systems.csv",
        "alias POD16 is another system's, too",
    ),
    "a height of nothing": (
        edit("systems.csv", lambda text: text.replace("on_premises,5,,5.3", "on_premises,0,,5.3", 1)),
        "systems.csv, line 2",
        "above 0, or blank",
    ),
    "a price without an amount": (
        edit("prices.csv", lambda text: text.replace("aws-p3-2xlarge,3.06,", "aws-p3-2xlarge,,", 1)),
        "prices.csv, line 3",
        "amount, or low and high, expected",
    ),
    "a negative price": (
        edit("prices.csv", lambda text: text.replace("aws-p3-2xlarge,3.06,", "aws-p3-2xlarge,-3.06,", 1)),
        "prices.csv, line 3",
        "0 or more",
    ),
    "a status that is none": (
        edit("mlperf/results_v1.0.csv", lambda text: text.replace(",closed,available,", ",closed,for-sale,", 1)),
        "results_v1.0.csv, line 2",
        "status 'for-sale' is none of",
    ),
    "a date in short": (
        edit("prices.csv", lambda text: text.replace("2022-08-01", "20220801", 1)),
        "prices.csv, line 2",
        "date as 2021-06-30",
    ),
    "a negative time": (
        edit("mlperf/results_v1.0.csv", lambda text: text.replace("37.1152,", "-37.1152,")),
        "results_v1.0.csv",
        "above 0",
    ),
}


@pytest.mark.parametrize(("damage", "where", "why"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_table_is_refused_with_file_and_line(
    copied: Path, damage: Callable[[Path], None], where: str, why: str
) -> None:
    damage(copied)
    with pytest.raises(DamagedTable, match=re.escape(where)) as raised:
        Catalogue(load_facts(copied))
    assert why in str(raised.value)
    assert re.search(r"line \d+: ", str(raised.value))


def test_the_version_is_of_the_content(copied: Path, catalogue: Catalogue) -> None:
    assert load_facts(copied).version == catalogue.version
    edit("prices.csv", lambda text: text.replace(",149995,", ",149996,", 1))(copied)
    assert load_facts(copied).version != catalogue.version


LINTED = {
    "a submission that is gone": (
        edit("mlperf_untied.csv", lambda text: text.replace("v0.6,Alibaba,sinian", "v0.6,Alibaba,sonian", 1)),
        "neither tied nor untied",
    ),
    "a count of results": (
        edit("systems.csv", lambda text: text.replace("(high, derived),", "(high, derived),", 1).replace(",12\n", ",13\n", 1)),
        "there are 12",
    ),
    "a spelling of an accelerator": (
        edit("systems.csv", lambda text: text.replace("NVIDIA A100-SXM4-80GB", "NVIDIA A100 SXM4 80GB", 1)),
        "is no canonical name",
    ),
    "a unit that the formulas do not have": (
        edit("assumptions.csv", lambda text: text.replace("share of list/year", "per cent of list/year", 1)),
        "the formulas want 1 / year",
    ),
    "a pod in a round that its row does not hold for": (
        edit("pod_hosts.csv", lambda text: text.replace(",v1.0 v1.1,", ",v1.0,", 1)),
        "does not hold for v1.1",
    ),
    "a pod of unlike machines": (
        edit("pod_hosts.csv", lambda text: text.replace("ipu-pod64,bert,1,16,", "ipu-pod64,bert,1,15,", 1)),
        "ipu-pod64 has unlike counts of machines",
    ),
    "a price of nothing": (
        edit("prices.csv", lambda text: text.replace("aws-p3-2xlarge,3.06,", "aws-p3-2xlarge,0,", 1)),
        "costs nothing",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "why"), LINTED.values(), ids=LINTED)
def test_the_check_finds_what_loads_but_is_wrong(copied: Path, change: Callable[[Path], None], why: str) -> None:
    change(copied)
    findings = lint(Catalogue(load_facts(copied)))
    assert any(why in finding for finding in findings), findings
