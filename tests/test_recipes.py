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
    elif "RUNNING" in where:
        text = text.replace("RUNNING = (\n", f"RUNNING = (\n{body}")
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


def copied(folder: Path) -> None:
    for package in ("service", "pricing", "schemas"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))


def test_a_metric_is_one_function(tmp_path: Path) -> None:
    copied(tmp_path)
    for where, body in recipe("Add a metric"):
        add(tmp_path, where, body)
    one = ["dgx-a100-640gb", "--field", "rack_fill_share", "--format", "value", "--space-basis", "rack"]
    # 6U in one rack of 42U
    assert float(run(tmp_path, "compare", *one)) == 6 / 42
    ranking = run(tmp_path, "ranking", "resnet", "--round", "v1.0", "--metric", "rack_fill_share",
                  "--space-basis", "rack", "--format", "json")  # fmt: skip
    values = [each["rack_fill_share"] for each in json.loads(ranking)["ranked"]]
    assert values == sorted(values, reverse=True)
    assert len(values) > 1
    code = "from service.contract import document; print('rack_fill_share' in document('3.1').decode())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": str(tmp_path)})  # fmt: skip
    assert done.stdout == "True\n"


def test_a_cost_component_is_one_function_and_a_name(tmp_path: Path) -> None:
    copied(tmp_path)
    asked = ("tco", "2*dgx-a100-640gb", "--format", "json")
    before = json.loads(run(tmp_path, *asked))["systems"][0]
    blocks = recipe("Add a cost component")
    assert len(blocks) == 2
    for where, body in blocks:
        add(tmp_path, where, body)
    after = json.loads(run(tmp_path, *asked))["systems"][0]
    # two at 300,000 less 10 % are 81 % of the cluster; its network is the other 19 %, supported at 12.5 % a year
    support = 540_000 * 0.19 / 0.81 * 0.125
    assert abs(after["network_support_cost_per_year"] - support) < 1e-6
    assert abs(after["operating_cost_per_year"] - before["operating_cost_per_year"] - support) < 1e-6
    assert abs(after["tco_undiscounted"] - before["tco_undiscounted"] - 4 * support) < 0.005
    parts = {part["name"]: part for part in after["components"]}
    assert parts["network_support_cost_per_year"]["present_value"] > 0
    assert after["years"][2]["costs"]["network_support_cost_per_year"] == after["network_support_cost_per_year"]
    for name in ("csv", "table", "md"):
        assert "network" in run(tmp_path, "tco", "2*dgx-a100-640gb", "--format", name)
    assert "0 faults" in run(tmp_path, "check")
    given = run(tmp_path, "compare", "2*dgx-a100-640gb@leased", "--support-share", "0", "--field",
                "network_support_cost_per_year", "--format", "value")  # fmt: skip
    assert given == "0"
    assert "network_support_cost_per_year" in run(tmp_path, "quantities", "--limit", "500", "--format", "csv")


def blocks(heading: str, language: str) -> list[str]:
    """The blocks of a recipe in another language."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


def test_a_price_list_is_a_file_that_is_dropped(tmp_path: Path) -> None:
    (block,) = blocks("Add a price list", "console")
    environment = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "TRAINCOST_DATABASE_URL": f"sqlite:///{tmp_path / 'books.db'}",
    }
    done = subprocess.run(
        ["bash", "-ec", block], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "reseller: 1 price from reseller into book public" in done.stdout
    asked = [sys.executable, "-m", "service.cli", "compare", "ipu-pod16", "--field", "price", "--format", "value"]
    found = subprocess.run(asked, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert found.stdout == "141000"


def test_a_kind_of_source_is_one_file(tmp_path: Path) -> None:
    copied(tmp_path)
    ((where, body),) = recipe("Add a kind of price source")
    path = tmp_path / re.search(r"pricing/\S+\.py", where)[0]  # type: ignore[index]
    path.write_text(body, encoding="utf-8")
    (section,) = blocks("Add a kind of price source", "toml")
    (tmp_path / "sources.toml").write_text(section, encoding="utf-8")
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "old.txt").write_text(f"{'dgx-a100-640gb':20}{'251000.50':>12}\n", encoding="utf-8")
    environment = {"PYTHONPATH": str(tmp_path), "TRAINCOST_SOURCES": "sources.toml",
                   "TRAINCOST_DATABASE_URL": f"sqlite:///{tmp_path / 'books.db'}"}  # fmt: skip

    def command(*arguments: str) -> str:
        done = subprocess.run([sys.executable, "-m", "service.cli", *arguments], cwd=tmp_path, env=environment,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "old-list  fixed-width  public" in command("sources")
    command("sync", "old-list")
    assert command("compare", "dgx-a100-640gb", "--field", "price", "--format", "value") == "251000.5"
    contract = "\n".join((
        "from pathlib import Path", "from pricing.catalogue.importing.cells import Separators",
        "from pricing.catalogue.importing.reading import Layout",
        "from pricing.catalogue.sources.fixed_width import FixedWidthFile", "from pricing.testing import PriceSourceContract",
        "class TestIt(PriceSourceContract):",
        "    layout = Layout(Separators('point'), fill={'currency': 'USD', 'kind': 'list', 'source': 'x', 'valid_from': '2026-01-01'})",
        "    def source(self): return FixedWidthFile('old-list', Path('lists/old.txt'))",
        "    def broken_source(self): return FixedWidthFile('old-list', Path('lists/none.txt'))",
    ))  # fmt: skip
    (tmp_path / "test_contract.py").write_text(contract, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_contract.py"], cwd=tmp_path,
                          env={**environment, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)  # fmt: skip
    assert "9 passed" in done.stdout, done.stdout
