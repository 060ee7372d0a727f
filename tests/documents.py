"""Documents whose commands are run and whose tables are made from the code; `--golden` rewrites them."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from pricing.analysis import fairness, fairness_of_assumptions, fairness_of_times, rounding
from pricing.analysis.own import KINDS as KINDS_OF_PRICE
from pricing.catalogue.catalogue import shipped
from pricing.catalogue.importing.nouns import NOUNS
from pricing.catalogue.importing.report import WARNINGS
from pricing.catalogue.sources.configuring import built_in
from pricing.money import currency_of
from pricing.quantities.inputs import INPUTS
from pricing.quantities.models import MODELS
from pricing.registry import choices, generated, written
from schemas.administration import ImportSchema
from schemas.caveat import MEANINGS
from service.formats import FORMATS
from service.parameters import (
    MOST_ITEMS,
    breakeven_parameters,
    claims_parameters,
    compare_body,
    compare_parameters,
    progress_parameters,
    ranking_parameters,
    robustness_parameters,
    scaling_parameters,
    sizing_parameters,
)
from service.problems import KINDS
from service.settings import Settings

ROOT = Path(__file__).parent.parent
WRITTEN_ON = date(2026, 11, 30)
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


class Place(NamedTuple):
    """Where the commands of a document are run: the port of the service, the folder, and the settings."""

    port: int
    folder: Path = ROOT
    settings: Mapping[str, str] = {}


def run(command: str, place: Place) -> str:
    """Run a command of a document against the service, and give its output as of the day of writing."""
    path = f"{ROOT / '.venv' / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    port = place.port
    command = command.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    environment = {"PATH": path, "LC_ALL": "C.UTF-8", **place.settings}
    done = subprocess.run(["bash", "-c", command], cwd=place.folder, env=environment, capture_output=True, check=False)
    output = (done.stdout + done.stderr).decode().replace("\r\n", "\n")
    return as_written(output.replace(f"127.0.0.1:{port}", "127.0.0.1:8000"))


def as_written(output: str) -> str:
    """The output with the day of writing for today, and ages as they were then."""
    today = datetime.now(UTC).date()
    later = (today - WRITTEN_ON).days
    output = re.sub(r"\((\d+) days(\s+)ago\)", lambda age: f"({int(age[1]) - later} days{age[2]}ago)", output)
    output = re.sub(r"T\d\d:\d\d:\d\d\+00:00", "T12:00:00+00:00", output)
    return output.replace(today.isoformat(), WRITTEN_ON.isoformat())


def rerun(text: str, place: Place) -> str:
    """The document with the output of each of its commands made anew."""

    def block(match: re.Match[str]) -> str:
        commands = [line[2:] for line in match[1].splitlines() if line.startswith("$ ")]
        return "\n".join(f"$ {command}\n{run(command, place).rstrip()}".rstrip() + "\n" for command in commands)

    return BLOCK.sub(block, text)


def reference() -> str:
    """docs/reference.md, made from the code."""
    return "\n".join(_reference()).rstrip() + "\n"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '&#124;').replace(chr(10), ' ') for cell in row)} |"
    yield ""


def _reference() -> Iterator[str]:
    yield "# Reference\n\nMade from the code by `make golden`; a test keeps it true.\n"
    yield "## Quantities\n\n`money` is the currency of the answer. A basis is chosen by its parameter.\n"
    sums = [each for model in MODELS.values() for each in generated(model)]
    quantities = [*written(), *sums]
    rows = [
        (f"`{each.name}`", each.unit, f"`{each.text}`", "=".join(each.basis or ()), each.about.split("\n\n")[0])
        for each in quantities
    ]
    yield from _table(("name", "unit", "formula", "basis", "what it is"), rows)
    yield "## Inputs\n"
    known = [
        (
            f"`{each.name}`",
            each.unit,
            each.origin,
            f"{'above ' if each.open_low else ''}{each.low:g} to {each.high:g}",
            each.about,
        )
        for each in INPUTS
    ]
    yield from _table(("name", "unit", "from", "range", "what it is"), known)
    yield "## Choices\n"
    yield from _table(
        ("parameter", "options, the default first unless the preset lacks it"),
        [(f"`{choice}`", ", ".join(options)) for choice, options in choices().items()],
    )
    yield "## Models\n"
    yield from _table(
        ("model", "paid once", "paid each year", "comes back"),
        [
            (each.name, ", ".join(each.upfront), ", ".join(each.yearly), ", ".join(each.returned))
            for each in MODELS.values()
        ],
    )
    yield from _presets()
    yield from _parameters()
    yield from _lists()
    yield from _answers()


def _presets() -> Iterator[str]:
    yield "## Presets\n\nSets of assumptions; an amount in another currency than USD is a gap until it is given.\n"
    catalogue = shipped()
    rows = []
    for name in catalogue.presets:
        gaps = [key for key, each in catalogue.preset(name).items() if currency_of(each.unit) not in (None, "USD")]
        rows.append((f"`{name}`", str(len(catalogue.preset(name))), ", ".join(gaps) or "none"))
    yield from _table(("preset", "assumptions", "in another currency"), rows)
    yield f"Kinds of price: {', '.join(KINDS_OF_PRICE)}.\n"


def _parameters() -> Iterator[str]:
    for noun, schema in (
        ("compare` and `/v1/tco", compare_parameters()),
        ("ranking", ranking_parameters()),
        ("claims", claims_parameters()),
        ("breakeven", breakeven_parameters()),
        ("robustness", robustness_parameters()),
        ("sizing", sizing_parameters()),
        ("scaling", scaling_parameters()),
        ("progress", progress_parameters()),
    ):
        yield f"## Parameters of `/v1/{noun}`\n"
        rows = [
            (f"`{name}`", str(field.metadata.get("description") or "").split("\n")[0])
            for name, field in schema()._declared_fields.items()
        ]
        yield from _table(("parameter", "what it is"), rows)
    about = compare_body()().fields["overrides"].metadata["description"]
    yield f"A body of `/v1/compare` and `/v1/tco` may also hold `overrides`: {about}.\n"
    yield f"Lists of facts take their filters, `limit` (at most {MOST_ITEMS}) and `offset`.\n"


def _lists() -> Iterator[str]:
    for noun in NOUNS.values():
        yield f"## Columns of imported {noun.name}\n"
        rows = [
            (f"`{name}`", "yes" if name in noun.required else "", noun.about.get(name, "")) for name in noun.columns
        ]
        yield from _table(("column", "required", "what it is"), rows)
    yield "## Warnings of an import\n"
    yield from _table(("code", "meaning"), [(f"`{code}`", meaning) for code, meaning in WARNINGS.items()])
    yield "## Parameters of `/v1/imports`\n"
    known = ImportSchema().fields.items()
    yield from _table(
        ("parameter", "what it is"),
        [(f"`{name}`", str(each.metadata.get("description") or "")) for name, each in known],
    )
    yield "## Kinds of price source\n\nOptions of a section of the file of sources, beside `book`, `map`, `fill`, `ignore`, `decimal` and `thousands`.\n"
    kinds = [
        (f"`{kind}`", _options(each), (each.__doc__ or "").strip().split("\n\n")[0])
        for kind, each in sorted(built_in().items())
    ]
    yield from _table(("kind", "options", "what it is"), kinds)


def _options(kind: type) -> str:
    """The options of a kind of source with their defaults."""
    found = []
    for each in fields(kind):
        if each.name not in ("name", "state"):
            plain = each.default is not MISSING and each.default is not None
            found.append(f"`{each.name}`" + (f" ({each.default})" if plain else ""))
    return ", ".join(found)


def _answers() -> Iterator[str]:
    yield "## Formats\n"
    yield from _table(("format", "media type"), [(f"`{name}`", each.mimetype) for name, each in FORMATS.items()])
    yield "## Caveats\n"
    yield from _table(("code", "meaning"), [(f"`{code}`", meaning) for code, meaning in sorted(MEANINGS.items())])
    yield "## Problems\n"
    rows = [(f"`/problems/{kind.name}`", str(kind.status), kind.title, kind.about) for kind in KINDS.values()]
    yield from _table(("type", "status", "title", "meaning"), rows)
    yield "## Settings\n\nEnvironment variables. `serve` also reads PORT, BIND, WORKERS and THREADS.\n"
    own = [(f"`TRAINCOST_{each.name.upper()}`", _shown(each.default), SETTINGS[each.name]) for each in fields(Settings)]
    yield from _table(("setting", "default", "what it is"), own)


SETTINGS = {
    "facts": "Folder of the tables of facts",
    "database_url": "Database of the books: `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/NAME`; a file of the user's data (`$XDG_DATA_HOME/traincost/books.db`) unless set",
    "public_reading": "`no`: the facts and the public book, too, are read with a key only",
    "sources": "File that lists the sources of prices (TOML)",
    "price_lists": "Folder of price lists, each file of which is a source; `$XDG_DATA_HOME/traincost/price-lists` unless set",
    "max_body_bytes": "Longest body of a request; a longer one is 413",
    "ready_bytes": "Memory of a worker for answers kept ready",
}


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "the shipped ones" if isinstance(default, Path) else "" if default is None else str(default)


def caveat_codes() -> list[str]:
    """Every code that a check can give, read from the checks' own text."""
    text = "".join(
        Path(str(module.__file__)).read_text(encoding="utf-8")
        for module in (fairness, fairness_of_assumptions, fairness_of_times, rounding)
    )
    return sorted({*re.findall(r'Caveat\(\s*"([a-z_]+)"', text), *re.findall(r'_unlike\(\s*"([a-z_]+)"', text)})
