"""Tables as people read them: short units, amounts per million where they are tiny."""

from collections.abc import Iterable, Sequence

from service.answers.answer import About, Block, Cell
from service.answers.words import number, ratio

TINY = 1e-2  # amounts per unit of money below this are shown per million
ISO_LENGTH = 3
MILLION = 1e6
NOTHING = "–"


def scaled(cells: Iterable[Cell], unit: str) -> tuple[list[Cell], str]:
    """Show what is tiny per unit of money per million of it: 1.08e-05 run/hour/USD is 10.8 run/hour/MUSD."""
    found = list(cells)
    head, slash, money = unit.rpartition(" / ")
    numbers = [abs(cell) for cell in found if isinstance(cell, float) and cell]
    if slash and len(money) == ISO_LENGTH and money.isupper() and numbers and max(numbers) < TINY:
        return [cell * MILLION if isinstance(cell, float) else cell for cell in found], f"{head} / M{money}"
    return found, unit


def cell(value: Cell, *, is_ratio: bool = False) -> str:
    """Any cell as text; what is missing is a dash."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        text = ratio(value) if is_ratio else number(float(value))
        return f"~ {text}" if isinstance(value, About) else text
    return value


SHORT = {"rack_unit": "U", "minute": "min", "hour": "h", "accelerator": "acc"}


def unit(text: str) -> str:
    """A unit as it stands in a table: short, of one system, a pure number without."""
    if text in ("1", "accelerator / system", "minute / run"):
        return "min" if text.startswith("minute") else ""
    parts = text.removesuffix(" / system").split(" / ")
    return "/".join(SHORT.get(part, part) for part in parts)


def table(block: Block) -> tuple[list[str], list[tuple[str, str, list[str]]]]:
    """The heads of a block, and each line as label, unit and texts.

    Units stand with the lines, or, where the block has them, with the columns.
    """
    if not block.units:
        return list(block.heads), [(line.label, *_row(line.cells, line.unit, block.ratios)) for line in block.lines]
    heads, columns = [], []
    for index, (head, name) in enumerate(zip(block.heads, block.units, strict=True)):
        cells, shown = scaled((line.cells[index] for line in block.lines), name)
        heads.append(f"{head} [{unit(shown)}]" if unit(shown) else head)
        columns.append([cell(value, is_ratio=index in block.ratios) for value in cells])
    rows = [list(texts) for texts in zip(*columns, strict=True)]
    return heads, [(line.label, "", texts) for line, texts in zip(block.lines, rows, strict=True)]


def _row(cells: Sequence[Cell], name: str, ratios: frozenset[int]) -> tuple[str, list[str]]:
    """The cells of a line as text, and the unit they are shown in."""
    absolute = [value for index, value in enumerate(cells) if index not in ratios]
    shown, shown_unit = scaled(absolute, name)
    rest = iter(shown)
    texts = [cell(cells[index], is_ratio=True) if index in ratios else cell(next(rest)) for index in range(len(cells))]
    return unit(shown_unit), texts
