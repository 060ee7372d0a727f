"""Large XML read element by element, and what openpyxl raises where XML is not as it must be."""

import io
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml.ElementTree import iterparse

from pricing.catalogue.sources.base import SourceFault

CHUNK = 16_384  # bytes parsed at a time
DEEPEST = 100  # elements around a row or a text; there are two
MOST_INSIDE = 20_000  # XML elements in one row or one text, which stands in memory whole; 64 plain cells have 128

# What openpyxl raises where a part is not as it must be (the tests damage parts at random, and see nothing else):
# a part, relation or shared text that is named and not there; XML that is none; an element or attribute too many or
# missing; a value of the wrong form; no workbook among the parts; a number too large; and, where warnings are errors,
# the warning that relations are damaged.
DAMAGE = (KeyError, IndexError, ParseError, TypeError, ValueError, OSError, OverflowError, UserWarning)


def damaged(what: str, error: Exception) -> str:
    """How the damage of a workbook is told: the first line of what openpyxl says of it."""
    return f"{what} is damaged: {str(error).partition(chr(10))[0][:200]}"


def whole_elements(
    content: bytes, tag: str, where: str, outside: Callable[[Element], None] = lambda _: None
) -> Iterator[Element]:
    """Each element of a tag as soon as it is whole; what was read before is let go. Raises SourceFault.

    `outside` is given each other element at its start, when it has its attributes only.
    """
    around: list[Element] = []
    whole: Element | None = None
    inside = 0
    for start, element in _events(content, where):
        if whole is not None and element is not whole:
            inside += start
            if inside > MOST_INSIDE:
                raise SourceFault(where, f"more than {MOST_INSIDE:,} XML elements in one row or text")
        elif start:
            around.append(element)
            if len(around) > DEEPEST:
                raise SourceFault(where, f"XML elements more than {DEEPEST} deep")
            whole, inside = (element if element.tag == tag else None), 0
            outside(element)
        else:
            if whole is not None:
                yield whole
            whole = None
            around.pop()
            if around:
                around[-1].clear()


def _events(content: bytes, where: str) -> Iterator[tuple[bool, Element]]:
    """Whether an element starts or ends, and the element."""
    chunks = _Chunks(content)
    try:
        for event, element in iterparse(chunks, events=("start", "end")):
            chunks.size = CHUNK
            yield event == "start", element
    except ParseError as error:
        raise SourceFault(where, damaged("its XML", error)) from error


class _Chunks(io.BytesIO):
    """Bytes in chunks, each twice the one before as long as nothing comes of them.

    expat reads a tag or comment from its start again with each chunk: one of 49 MB took 80 s in equal chunks.
    """

    size = CHUNK

    def read(self, _size: int | None = -1) -> bytes:
        part = super().read(self.size)
        self.size *= 2
        return part
