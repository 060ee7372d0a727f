"""A workbook: which of its sheets is meant, and what the cells refer to: texts, the epoch, the formats of dates."""

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast
from xml.etree.ElementTree import Element
from zipfile import ZipFile

import openpyxl
from defusedxml.ElementTree import fromstring
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import Stylesheet
from openpyxl.worksheet._reader import WorkSheetParser
from openpyxl.xml.constants import ARC_STYLE, SHARED_STRINGS, SHEET_MAIN_NS

from pricing.catalogue.sources.base import SourceFault
from pricing.catalogue.sources.xlsx_cells import unescaped
from pricing.catalogue.sources.xlsx_sheet import Sheet
from pricing.catalogue.sources.xlsx_xml import DAMAGE, damaged, whole_elements
from pricing.catalogue.sources.zip_checks import checked_parts

MOST_PLANNED = 100_000  # elements of which openpyxl builds objects, 20 µs each: the names of sheets and parts, styles
MOST_NAMED = 20  # sheets in a message

VALUE = re.compile(rb"<(?:[^\s<>/:]+:)?(?:v|is|f)[\s/>]")
TEXT_TAG, RUN_TAG, SHARED_TAG = (f"{{{SHEET_MAIN_NS}}}{tag}" for tag in ("t", "r", "si"))

if not openpyxl.DEFUSEDXML:
    raise ImportError("openpyxl must read with defusedxml: install it, and leave OPENPYXL_DEFUSEDXML unset")


@dataclass(slots=True)
class Part:
    """What the workbook says of one of its sheets: its name, whether people see it, and where its XML is."""

    name: str
    hidden: bool
    path: str


def open_sheet(content: bytes, wanted: str | None) -> Sheet:
    """The sheet of that name, or the only one that there is. Raises SourceFault.

    Without a name, a second sheet that people see is refused, and so is a hidden one with anything in it: prices would
    be passed over in silence. Sheets that hold a chart only are no sheets.
    """
    parts = checked_parts(content)
    try:
        reader = ExcelReader(parts, read_only=True, data_only=True, keep_links=False)
        reader.archive = _Archive(parts)
        reader.read_manifest()
        reader.read_workbook()
        chosen = _chosen(reader, wanted)
        return Sheet(chosen.name, _content(reader, chosen), _parser(reader))
    except DAMAGE as error:
        raise SourceFault("", damaged("the workbook", error)) from error


class _Archive(ZipFile):
    """The parts of a workbook; what openpyxl reads whole must be small, and what is large is opened."""

    def read(self, name: str | Any, pwd: bytes | None = None) -> bytes:
        """A small part. Raises SourceFault."""
        part = super().read(name, pwd)
        if part.count(b"<") > 2 * MOST_PLANNED:
            raise SourceFault("", f"the part {name!r} has more than {MOST_PLANNED:,} XML elements")
        return part


def _chosen(reader: ExcelReader, wanted: str | None) -> Part:
    sheets = _sheets(reader)
    if wanted is not None:
        named = [sheet for sheet in sheets if sheet.name == wanted]
        if len(named) != 1:
            raise SourceFault("", f"one sheet named {wanted[:100]!r} expected; the workbook's sheets: {_names(sheets)}")
        return named[0]
    seen = [sheet for sheet in sheets if not sheet.hidden]
    if len(seen) != 1:
        raise SourceFault("", f"name the sheet that is meant; the workbook's sheets: {_names(seen or sheets)}")
    filled = [sheet for sheet in sheets if sheet.hidden and VALUE.search(_content(reader, sheet))]
    if filled:
        raise SourceFault("", f"hidden sheets with content: {_names(filled)}; name the sheet that is meant")
    return seen[0]


def _sheets(reader: ExcelReader) -> list[Part]:
    """The sheets of cells; openpyxl itself would pass over one whose part or relation is not there."""
    relations: Any = reader.parser.rels
    sheets = [
        Part(sheet.name, sheet.state in {"hidden", "veryHidden"}, relations[sheet.id].target)
        for sheet in reader.parser.sheets
        if relations[sheet.id].Type.endswith("/worksheet")
    ]
    if len({sheet.path for sheet in sheets}) < len(sheets):
        raise SourceFault("", "the workbook is damaged: two of its sheets are the same")
    return sheets


def _names(sheets: Iterable[Part]) -> str:
    names = [repr(sheet.name[:40]) for sheet in sheets]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more or "none"


def _content(reader: ExcelReader, sheet: Part) -> bytes:
    with reader.archive.open(sheet.path) as file:
        return file.read()


def _parser(reader: ExcelReader) -> WorkSheetParser:
    """The parser of openpyxl with what the cells of any sheet of this workbook refer to."""
    styles: Any = None
    if ARC_STYLE in reader.valid_files:
        styles = Stylesheet.from_tree(cast(Any, fromstring(reader.archive.read(ARC_STYLE))))
    return WorkSheetParser(
        io.BytesIO(),
        _texts(reader),
        data_only=True,
        epoch=reader.wb.epoch,
        date_formats=styles.date_formats if styles else (),
        timedelta_formats=styles.timedelta_formats if styles else (),
    )


def _texts(reader: ExcelReader) -> list[str]:
    """The texts that cells share."""
    package: Any = reader.package
    part = package.find(SHARED_STRINGS)
    if part is None:
        return []
    with reader.archive.open(part.PartName[1:]) as file:
        return [unescaped(_text(element)) for element in whole_elements(file.read(), SHARED_TAG, part.PartName)]


def _text(element: Element) -> str:
    """A text with its runs of different fonts put together, without what says how to pronounce it.

    openpyxl's own reading of shared texts drops every `x005F_`, also where it is part of the text.
    """
    runs = (child.find(TEXT_TAG) if child.tag == RUN_TAG else child for child in element)
    return "".join(run.text or "" for run in runs if run is not None and run.tag == TEXT_TAG)
