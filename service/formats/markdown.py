"""Markdown: the tables for people, to paste into a document."""

from service.answers.answer import Answer, Block
from service.formats import people


def write(answer: Answer) -> bytes:
    """Write the page of an answer as Markdown."""
    page = answer.page()
    title, *rest = page.title
    parts = [f"# {_escaped(title)}", *(_escaped(line) for line in rest)]
    parts += [_block(block) for block in page.blocks if block.lines]
    parts.append("\n".join(f"- {_escaped(note)}" for note in page.notes))
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


def _block(block: Block) -> str:
    names, rows = people.table(block)
    with_units = any(unit for _, unit, _ in rows)
    heads = ["", *(["unit"] if with_units else []), *names]
    lines = [_row(heads), _row(["---", *(["---"] if with_units else []), *("---:" for _ in names)])]
    lines += [_row([label, *([unit] if with_units else []), *texts]) for label, unit, texts in rows]
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(text: str) -> str:
    """Keep Markdown from reading a text as anything else."""
    for mark in ("\\", "|", "<", "*", "`", "[", "]"):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("_", "\\_") if text.startswith("_") else text
