"""What is checked of a zip before anything unpacks it, so that what a parser then gets is small, whole and plain.

A workbook is a zip of XML parts. Its directory may promise little and hold much, hold a part twice, or a part may make
the XML parser read other files. `checked_parts` refuses all that, and packs the parts that it has seen into a zip of
its own: what was checked is what is parsed, and nothing is inflated twice.
"""

import io
import re
import zlib
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pricing.catalogue.sources.base import SourceFault

LARGEST_FILE = 50_000_000  # bytes as packed
LARGEST_UNPACKED = 50_000_000  # bytes of all parts together
MOST_ENTRIES = 200
MOST_RATIO = 100  # unpacked to packed; true workbooks stay below 30
SMALL_ENTRY = 100_000  # bytes unpacked, below which the ratio says nothing
MOST_ELEMENTS = 4_000_000  # XML elements of all parts; a parser takes about 3 µs for each

LOCAL, CENTRAL, OLE = b"PK\x03\x04", b"PK\x01\x02", b"\xd0\xcf\x11\xe0"
ENCRYPTED = 0x1
MACROS = ("vbaproject", "macrosheets/")
UTF16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")  # what expat takes for UTF-16
DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']*)")
FORBIDDEN = re.compile(rb"<!(?:DOCTYPE|ENTITY)")

# What zipfile raises on a damaged file (the tests damage files at random, and see nothing else): a directory or header
# that is none, another version or method, an end before the end, a broken deflate stream, a name that is not UTF-8 or
# an offset below zero, an offset beyond every file.
ZIP_DAMAGE = (BadZipFile, NotImplementedError, EOFError, zlib.error, ValueError, OverflowError)


def checked_parts(content: bytes) -> io.BytesIO:
    """The parts of a zip, checked and packed anew without compression. Raises SourceFault."""
    _check_start(content)
    clean = io.BytesIO()
    elements = 0
    try:
        with ZipFile(io.BytesIO(content)) as archive, ZipFile(clean, "w", ZIP_STORED) as kept:
            _check_directory(archive.infolist(), len(content))
            for entry in archive.infolist():
                part = _read(archive, entry)
                _check_xml(entry.filename, part)
                elements += part.count(b"<") - part.count(b"</")
                if elements > MOST_ELEMENTS:
                    raise SourceFault("", f"the file has more than {MOST_ELEMENTS:,} XML elements")
                kept.writestr(entry.filename, part)
    except ZIP_DAMAGE as error:
        raise SourceFault("", f"the file is damaged or cut short: {str(error)[:200]}") from error
    return clean


def _check_start(content: bytes) -> None:
    """Refuse what is no zip, or one whose directory alone would be too much to read."""
    if len(content) > LARGEST_FILE:
        raise SourceFault("", f"the file is larger than {LARGEST_FILE:,} bytes")
    if content.startswith(OLE):
        raise SourceFault("", "an .xls file or one with a password: save it as .xlsx without a password")
    if not content.startswith(LOCAL):
        raise SourceFault("", "an .xlsx workbook expected, and this is no zip file")
    if content.count(CENTRAL) > MOST_ENTRIES:
        raise SourceFault("", f"the zip has more than {MOST_ENTRIES} entries")


def _check_directory(entries: list[ZipInfo], length: int) -> None:
    """Refuse by what the directory says, before anything is unpacked."""
    for entry in entries:
        _check_entry(entry)
    if len({entry.filename.casefold() for entry in entries}) < len(entries):
        raise SourceFault("", "the zip has two entries of one name")
    if sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
        raise SourceFault("", f"the zip would unpack to more than {LARGEST_UNPACKED:,} bytes")
    if sum(entry.compress_size for entry in entries) > length:
        raise SourceFault("", "the zip's entries overlap")


def _check_entry(entry: ZipInfo) -> None:
    name = entry.orig_filename
    shown = repr(name[:100])
    if "\\" in name or "\0" in name or ":" in name or name.startswith("/") or ".." in name.split("/"):
        raise SourceFault("", f"the zip's entry {shown} is no plain relative name")
    if any(macro in name.casefold() for macro in MACROS):
        raise SourceFault("", f"the workbook has macros ({shown}): save it as .xlsx without them")
    if entry.flag_bits & ENCRYPTED:
        raise SourceFault("", f"the zip's entry {shown} is encrypted: save the file without a password")
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise SourceFault("", f"the zip's entry {shown} is packed by a method that workbooks do not use")
    if entry.file_size > max(SMALL_ENTRY, MOST_RATIO * entry.compress_size):
        raise SourceFault("", f"the zip's entry {shown} would unpack to more than {MOST_RATIO} times its size")


def _read(archive: ZipFile, entry: ZipInfo) -> bytes:
    """The part, never more than the directory says, which is within the limits; its checksum must agree."""
    with archive.open(entry) as file:
        part = file.read(entry.file_size + 1)  # with a number, zipfile inflates no more than that
    if len(part) != entry.file_size:
        raise SourceFault("", f"the zip's directory does not tell the size of {entry.filename[:100]!r}")
    return part


def _check_xml(name: str, part: bytes) -> None:
    """Refuse document types and entities, and every encoding in which they could hide from the search."""
    declared = DECLARED.match(part)
    if part.startswith(UTF16) or (declared and declared[1].lower() not in (b"utf-8", b"us-ascii")):
        raise SourceFault("", f"the part {name[:100]!r} is XML in another encoding than UTF-8")
    if FORBIDDEN.search(part):
        raise SourceFault("", f"the part {name[:100]!r} declares a document type or an entity")
