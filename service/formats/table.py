"""A table for a terminal: at most 80 columns, units beside the names, numbers to the right."""

import textwrap

from service.answers.answer import Answer, Block
from service.formats import people

MIMETYPE = "text/plain"
WIDTH = 80
GAP = "  "
LONGEST_HEAD = 14
LONGEST_OF_MANY = 10
FEW_COLUMNS = 3
NARROWEST_LABEL = 18


def write(answer: Answer) -> bytes:
    """Write the page of an answer as plain text."""
    page = answer.page()
    parts = ["\n".join(line for title in page.title for line in textwrap.wrap(title, WIDTH))]
    parts += [_block(block) for block in page.blocks if block.lines]
    notes = [_note(note) for note in page.notes]
    return ("\n\n".join([*parts, "\n".join(notes)]).rstrip() + "\n").encode()


def _note(note: str) -> str:
    wrapped = textwrap.wrap(note, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(wrapped)


def _block(block: Block) -> str:
    heads, rows = people.table(block)
    units = max((len(unit) for _, unit, _ in rows), default=0)
    longest = LONGEST_HEAD if len(heads) <= FEW_COLUMNS else LONGEST_OF_MANY
    widths = [
        max(min(len(head), longest), *(len(texts[index]) for _, _, texts in rows)) for index, head in enumerate(heads)
    ]
    labels = _label_width(rows, widths, units)
    indent = labels + (len(GAP) + units if units else 0)
    return "\n".join([*_heads(heads, indent, widths), *_lines(rows, labels, units, widths)])


def _label_width(rows: list[tuple[str, str, list[str]]], widths: list[int], units: int) -> int:
    """What the columns leave of the width, but never less than a readable label needs."""
    fixed = sum(widths) + len(GAP) * (len(widths) + bool(units)) + units
    return min(max(len(label) for label, _, _ in rows), max(WIDTH - fixed, NARROWEST_LABEL))


def _words(head: str) -> list[str]:
    """A head may break after a hyphen, a star or before a bracket, so that its column stays narrow."""
    return head.replace("-", "- ").replace("_", "_ ").replace(" [", " [").split(" ")


def _heads(heads: list[str], indent: int, widths: list[int]) -> list[str]:
    columns = [_fit(_words(head), width) for head, width in zip(heads, widths, strict=True)]
    height = max((len(column) for column in columns), default=0)
    lines = []
    for level in range(height):
        texts = [([""] * (height - len(column)) + column)[level] for column in columns]
        shown = GAP.join(text.rjust(width) for text, width in zip(texts, widths, strict=True))
        lines.append((" " * indent + GAP + shown).rstrip())
    return lines


def _fit(words: list[str], width: int) -> list[str]:
    lines = [""]
    for word in words:
        joint = "" if not lines[-1] or lines[-1].endswith(("-", "_")) else " "
        if len(lines[-1]) + len(joint) + len(word) <= width:
            lines[-1] += joint + word
        else:
            lines.append(word)
    return [line for line in lines if line]


def _lines(rows: list[tuple[str, str, list[str]]], labels: int, units: int, widths: list[int]) -> list[str]:
    found = []
    for label, unit, texts in rows:
        wrapped = textwrap.wrap(label, labels, subsequent_indent="  ") or [""]
        shown = GAP.join(text.rjust(width) for text, width in zip(texts, widths, strict=True))
        head = wrapped[0].ljust(labels) + (GAP + unit.ljust(units) if units else "")
        found += [(head + GAP + shown).rstrip(), *wrapped[1:]]
    return found
