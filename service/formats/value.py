"""One bare number for one cell: no unit, no thousands mark, no newline."""

from pricing.errors import BadQuestion
from service.answers.answer import Answer
from service.answers.figure import FigureAnswer
from service.formats.plain import plain


def write(answer: Answer) -> bytes:
    """Write the one figure that was asked. Raises BadQuestion where none or a gap was."""
    if not isinstance(answer, FigureAnswer):
        raise BadQuestion("field", "format=value is one figure: say which by system and field")
    if answer.explain:
        raise BadQuestion("explain", "one bare number has no explanation: ask for json, table or md")
    return plain(answer.value).encode()
