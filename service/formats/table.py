"""A table for a terminal: at most 80 columns, units beside the names, numbers to the right."""

import io
import textwrap
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from service.answers.answer import Answer, Block
from service.formats import people

WIDTH = 80
GAP = 2
LONGEST_HEAD = 14
LONGEST_OF_MANY = 10
FEW_COLUMNS = 3
LONGEST_WORD = 16
SHORTEST_LABEL = 18
Row = tuple[str, str, list[str]]


def write(answer: Answer) -> bytes:
    """Write the page of an answer as plain text without escapes."""
    page = answer.page()
    parts = ["\n".join(line for title in page.title for line in _wrapped(title))]
    parts += [table for block in page.blocks if block.lines for table in _block(block)]
    parts.append("\n".join(line for note in page.notes for line in _wrapped(note, "- ")))
    return ("\n\n".join(parts).rstrip() + "\n").encode()


def _wrapped(text: str, mark: str = "") -> list[str]:
    """Lines of at most 80 characters; only an address is left whole, so that it can be copied."""
    wrapper = textwrap.TextWrapper(WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark))
    wrapper.break_on_hyphens, wrapper.break_long_words = False, "://" not in text
    return wrapper.wrap(text)


def _block(block: Block) -> Iterator[str]:
    """One table, or several below each other where the columns do not fit beside each other."""
    heads, rows = people.table(block)
    longest = LONGEST_HEAD if len(heads) <= FEW_COLUMNS else LONGEST_OF_MANY
    heads = [_broken(head, longest) for head in heads]
    widths = [max(map(len, [*head.split("\n"), *(row[2][index] for row in rows)])) for index, head in enumerate(heads)]
    units = max(len(unit) for _, unit, _ in rows)
    label = min(SHORTEST_LABEL, max(len(text) for text, _, _ in rows))
    room = WIDTH - label - (GAP + units if units else 0)
    for group in _groups(widths, block.ratios, room):
        shown = [(text, unit, [texts[index] for index in group]) for text, unit, texts in rows]
        yield _drawn([heads[index] for index in group], shown)


def _groups(widths: list[int], ratios: frozenset[int], room: int) -> Iterator[list[int]]:
    """Columns that fit beside each other; a ratio stays with the column before it."""
    group: list[int] = []
    used = 0
    for index, width in enumerate(widths):
        with_ratio = width + (GAP + widths[index + 1] if index + 1 in ratios else 0)
        if group and index not in ratios and used + GAP + with_ratio > room:
            yield group
            group, used = [], 0
        group.append(index)
        used += GAP + width
    yield group


def _broken(head: str, longest: int) -> str:
    """A head on lines of that length; it breaks at blanks and after hyphens and stars."""
    parts = head.replace("-", "-\0").replace("*", "*\0").replace(" ", " \0").split("\0")
    longest = max(longest, *(min(len(part.strip()), LONGEST_WORD) for part in parts))
    lines = [""]
    for part in parts:
        if len(lines[-1]) + len(part.rstrip()) > longest and lines[-1]:
            lines.append("")
        lines[-1] += part
    return "\n".join(piece for line in lines for piece in textwrap.wrap(line.strip(), longest) or [""])


def _drawn(heads: list[str], rows: list[Row]) -> str:
    with_units = any(unit for _, unit, _ in rows)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    table.add_column("", overflow="fold")
    if with_units:
        table.add_column("", no_wrap=True, vertical="bottom")
    for head in heads:
        table.add_column(head, justify="right", vertical="bottom", overflow="fold")
    for label, unit, texts in rows:
        table.add_row(label, *([unit] if with_units else []), *texts)
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, color_system=None, markup=False, emoji=False, highlight=False)
    console.print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().split("\n"))
