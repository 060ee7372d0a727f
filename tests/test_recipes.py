"""CONTRIBUTING's recipes work as they are written."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.documents import ROOT


def recipe(heading: str) -> list[tuple[str, str]]:
    """The blocks of a recipe: where each goes, and its text."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n# ([^\n]*)\n(.*?)```", section, re.DOTALL)
    return [(where, body) for where, body in blocks]


def add(folder: Path, where: str, body: str) -> None:
    path = folder / re.search(r"pricing/\S+\.py", where)[0]  # type: ignore[index]
    text = path.read_text(encoding="utf-8")
    if where.startswith("at the end of"):
        text += f"\n\n{body}"
    elif "OWNED.yearly" in where:
        text = text.replace('        "staff_cost_per_year",\n', f'        "staff_cost_per_year",\n{body}')
    elif "INPUTS" in where:
        text = text.replace("INPUTS = (\n", f"INPUTS = (\n{body}")
    else:
        raise AssertionError(f"a recipe speaks of {where}")
    path.write_text(text, encoding="utf-8")


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "service.cli", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(folder)}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_cost_component_is_one_function_and_a_name(tmp_path: Path) -> None:
    for package in ("service", "pricing", "schemas"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    before = json.loads(run(tmp_path, "tco", "dgx-a100-640gb", "--format", "json"))["systems"][0]
    blocks = recipe("Add a cost component")
    assert len(blocks) == 3
    for where, body in blocks:
        add(tmp_path, where, body)
    after = json.loads(run(tmp_path, "tco", "dgx-a100-640gb", "--format", "json"))["systems"][0]
    # the preset's insurance_share is 0.005: 1,350 a year on 300,000 less 10 %
    assert abs(after["insurance_cost_per_year"] - 1_350) < 1e-9
    assert abs(after["operating_cost_per_year"] - before["operating_cost_per_year"] - 1_350) < 1e-6
    assert abs(after["tco_undiscounted"] - before["tco_undiscounted"] - 4 * 1_350) < 0.005
    parts = {part["name"]: part for part in after["components"]}
    assert parts["insurance_cost_per_year"]["present_value"] > 0
    assert after["years"][2]["costs"]["insurance_cost_per_year"] == after["insurance_cost_per_year"]
    for name in ("csv", "table", "md"):
        assert "insurance" in run(tmp_path, "tco", "dgx-a100-640gb", "--format", name)
    assert "0 faults" in run(tmp_path, "check")
    given = run(tmp_path, "compare", "dgx-a100-640gb", "--insurance-share", "0", "--field", "insurance_cost_per_year",
                "--format", "value")  # fmt: skip
    assert given == "0"
    assert "insurance_cost_per_year" in run(tmp_path, "quantities", "--limit", "500", "--format", "csv")
