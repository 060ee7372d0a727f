"""Descriptions of systems in the forms of all rounds, with the faults met in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from pricing.mlperf.descriptions import MOST_BYTES, BadDescription, Description, read_description
from tests.pricing.mlperf.building import SYSTEM, write

NVIDIA_V06 = r"""org: {"value": "NVIDIA", "metadata": {"lineno": 231, "file": "mlperf_log_utils.py"}}
division: {"value": "closed", "metadata": {"lineno": 235, "file": "mlperf_log_utils.py"}}
status: {"value": "onprem", "metadata": {"lineno": 239, "file": "mlperf_log_utils.py"}}
platform: {"value": "24xDGX-1 with V100", "metadata": {"lineno": 243, "file": "mlperf_log_utils.py"}}
entry: {"value": "{'hardware': 'DGX-1 with V100', 'power': 'N/A', 'libraries': \"{'cuda_version': '10.1.163'}\", 'framework': 'MXNet NVIDIA Release 19.05', 'nodes': \"{'num_accelerators': '8', 'sys_mem_size': '503 GB', 'num_nodes': '24', 'cpu': '2x Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz', 'notes': '', 'accelerator': 'Tesla V100-SXM2-16GB'}\"}", "metadata": {"lineno": 247}}
poc_name: {"value": "Somebody", "metadata": {"lineno": 251, "file": "mlperf_log_utils.py"}}
"""
MISSPELT = "divi" + "son"  # as met; codespell need not know it
ALIBABA_V07 = f"""{{
  "submitter"                  : "Alibaba",
  "{MISSPELT}"                 : "closed",
  "status"                     : "onprem",
  "system_name"                : "PAI_EFLOPS",
  "number_of_nodes"            : "126",
  "host_processors_per_node"   : "2",
  "accelerators_per_node"      : "8",
  "accelerator_model_name"     : "NVIDIA V100-SXM2-32GB",
  "framework"                  : "MXNET PAI",
  "other_software_stack"       : {{
        "cudnn_version": "7.6",
        "cuda_version": "10.1.105",
    }},
  "hw_notes"                   : "",
}}
"""


def described(tmp_path: Path, content: str | bytes) -> Description:
    return read_description(write(tmp_path / "system.json", content))


def changed(tmp_path: Path, **changes: Any) -> Description:
    """The usual description with some fields changed."""
    return described(tmp_path, json.dumps({**SYSTEM, **changes}))


def test_numbers_as_texts_are_counts_and_those_per_node_are_multiplied(tmp_path: Path) -> None:
    found = changed(tmp_path, number_of_nodes="4", accelerators_per_node="16", host_processors_per_node=" 2 ")
    assert (found.nodes, found.accelerators, found.host_processors) == (4, 64, 8)
    assert (found.submitter, found.name, found.division, found.status) == ("Graphcore", "POD16", "closed", "onprem")
    assert found.accelerator_model == "Graphcore Colossus MK2 IPU" and found.framework == "TensorFlow 1.15"


def test_a_float_that_is_whole_is_a_count(tmp_path: Path) -> None:
    """As in MosaicML/systems/8xA100_80GB-baseline.json of v2.0."""
    found = changed(tmp_path, number_of_nodes=1.0, accelerators_per_node="8.0")
    assert (found.nodes, found.accelerators) == (1, 8)


@pytest.mark.parametrize(
    "count", ["", "N/A", "two", "1.5", -1, None, [], {}, "NaN", float("nan"), float("inf"), "inf", "1e999", "-0.5"]
)
def test_a_count_that_is_none_is_not_guessed_nor_is_what_follows_from_it(tmp_path: Path, count: Any) -> None:
    found = changed(tmp_path, number_of_nodes=count)
    assert (found.nodes, found.accelerators, found.host_processors) == (None, None, None)


def test_a_system_without_accelerators_has_none_of_them(tmp_path: Path) -> None:
    """As Intel's CPU systems: 0, which nobody may divide by, and the model as it stands."""
    found = changed(tmp_path, number_of_nodes="4", accelerators_per_node="0", accelerator_model_name="N/A")
    assert found.accelerators == 0 and found.nodes == 4 and found.accelerator_model == "N/A"


def test_trailing_commas_and_a_misspelt_division_are_read(tmp_path: Path) -> None:
    """As in Alibaba/systems/n126_pai_eflops.json of v0.7: 126 nodes of 8 make 1,008."""
    found = described(tmp_path, ALIBABA_V07)
    assert (found.submitter, found.division, found.nodes, found.accelerators) == ("Alibaba", "closed", 126, 1008)
    assert found.host_processors == 252 and found.framework == "MXNET PAI"


@pytest.mark.parametrize(
    ("written", "division"),
    [("closed", "closed"), ("Closed", "closed"), (" open ", "open"), ("OPEN", "open"), ("close", "closed")],
)
def test_divisions_are_read_in_the_spellings_met(tmp_path: Path, written: str, division: str) -> None:
    """close: PCL/systems/CloudBrainII_1024_mindspore_close.json of v1.0."""
    assert changed(tmp_path, division=written).division == division


@pytest.mark.parametrize("written", ["", "research", "closed?", None, 5, ["closed"], {"a": 1}])
def test_another_division_is_none(tmp_path: Path, written: Any) -> None:
    assert changed(tmp_path, division=written).division is None


def test_a_key_with_blanks_is_the_key_with_underscores(tmp_path: Path) -> None:
    """As in DellEMC/systems/C4140.json of v0.7."""
    content = json.dumps(SYSTEM).replace('"number_of_nodes": "1"', '"number of nodes": "2"')
    found = described(tmp_path, content)
    assert (found.nodes, found.accelerators) == (2, 32)


@pytest.mark.parametrize("key", ['"number_of_nodes', "number_of_nodes'", " number_of_nodes ", "\tnumber_of_nodes"])
def test_a_key_with_stray_quotes_or_blanks_at_its_ends_is_the_key(tmp_path: Path, key: str) -> None:
    held = {key if name == "number_of_nodes" else name: value for name, value in SYSTEM.items()}
    assert described(tmp_path, json.dumps(held)).nodes == 1


def test_of_a_key_twice_the_last_holds(tmp_path: Path) -> None:
    """As in GIGABYTE/systems/G492-ZD2_A100_20210517.tensorflow.json of v1.0."""
    content = (
        '{"accelerator_model_name": "A", "number_of_nodes": "1", "accelerator_model_name": "NVIDIA A100-SXM4-80GB"}'
    )
    assert described(tmp_path, content).accelerator_model == "NVIDIA A100-SXM4-80GB"


def test_texts_are_trimmed_and_an_empty_one_says_nothing(tmp_path: Path) -> None:
    """' Intel(R)…' of Google in v4.0; '' of Google in v0.7."""
    found = changed(
        tmp_path, host_processor_model_name=" Intel(R) Xeon(R)\n Platinum ", framework=" ", system_name="TBD"
    )
    assert (found.host_processor_model, found.framework, found.name) == ("Intel(R) Xeon(R) Platinum", None, None)


@pytest.mark.parametrize("lead", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_letters_beyond_ascii_are_kept(tmp_path: Path, lead: bytes) -> None:
    """U+00AE of Intel in v0.7, U+00D7 of the University of Florida in v5.1."""
    content = lead + '{"accelerator_model_name": "Intel® 8×B200", "number_of_nodes": 1}'.encode()
    assert described(tmp_path, content).accelerator_model == "Intel® 8×B200"


def test_bytes_that_are_no_utf8_do_not_hide_the_rest(tmp_path: Path) -> None:
    assert described(tmp_path, b'{"system_name": "M\xfcnchen", "number_of_nodes": 3}').nodes == 3


def test_nvidias_lines_of_v06_with_a_python_literal_in_a_literal_are_read(tmp_path: Path) -> None:
    """As in NVIDIA/systems/dgx1_*.json: 24 nodes of 8 accelerators make 192, of 2 processors 48."""
    assert described(tmp_path, NVIDIA_V06) == Description(
        submitter="NVIDIA",
        name="24xDGX-1 with V100",
        division="closed",
        status="onprem",
        nodes=24,
        accelerators=192,
        accelerator_model="Tesla V100-SXM2-16GB",
        host_processors=48,
        host_processor_model="Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz",
        framework="MXNet NVIDIA Release 19.05",
    )


def test_an_entry_of_v05_adds_up_its_kinds_of_node(tmp_path: Path) -> None:
    """2 nodes of 8 and 1 of 4 make 20 accelerators; 2 x 2 and 1 x 1 make 5 processors."""
    gpus = {"num_nodes": 2, "cpu": "2x Xeon 8180", "accelerator": "Tesla V100", "num_accelerators": "8"}
    others = {"num_nodes": "1", "cpu": "1x Xeon 6148", "accelerator": "Tesla P100", "num_accelerators": 4}
    found = described(tmp_path, json.dumps({"division": "closed", "hardware": "cluster", "nodes": [gpus, others]}))
    assert (found.nodes, found.accelerators, found.host_processors) == (3, 20, 5)
    assert found.accelerator_model == "Tesla V100 + Tesla P100" and found.name == "cluster"


def test_an_entry_of_v05_that_names_no_number_of_processors_has_none(tmp_path: Path) -> None:
    """As in intel_ncf_submission/results/skx8180/entry.json of v0.5."""
    node = {"num_nodes": 1, "cpu": "Intel(R) Xeon(R) Platinum 8180", "accelerator": "NA", "num_accelerators": 0}
    found = described(tmp_path, json.dumps({"division": "closed", "status": "on-premise", "nodes": [node]}))
    assert (found.nodes, found.accelerators, found.host_processors) == (1, 0, None)
    assert found.status == "on-premise"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"text"',
        b"5",
        b"{",
        b"\x00\x01\x02b0VIM 8.0",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'org: {"value": ' + b"[" * 100_000,
        b"<html>no such file</html>",
    ],
    ids=lambda content: repr(content[:20]),
)
def test_what_is_no_description_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BadDescription, match="it is no JSON object"):
        described(tmp_path, content)


@pytest.mark.parametrize("entry", ["{[]: 1}", "{'nodes': '{{}: 1}'}", "((((", "__import__('os').abort()", "(" * 5_000])
def test_an_entry_that_is_no_literal_leaves_the_other_lines(tmp_path: Path, entry: str) -> None:
    lines = ['division: {"value": "closed"}', f'entry: {{"value": {json.dumps(entry)}}}']
    found = described(tmp_path, "\n".join(lines))
    assert found.division == "closed" and found.nodes is None


def test_nodes_that_are_no_list_of_nodes_tell_nothing(tmp_path: Path) -> None:
    found = described(tmp_path, '{"org": "NVIDIA", "nodes": [5, null, "2"]}')
    assert (found.submitter, found.nodes, found.accelerators) == ("NVIDIA", None, None)


def test_a_description_too_large_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(BadDescription, match="larger than 1,000,000 bytes"):
        described(tmp_path, b'{"a": "' + b"x" * MOST_BYTES + b'"}')


def test_a_description_that_is_a_folder_or_not_there_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(BadDescription, match="cannot be read"):
            read_description(path)
