"""What a zip may not be is refused by its directory; what XML may not hold, before a parser sees it."""

import io
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from pricing.catalogue.sources import xlsx_book, zip_checks
from tests.pricing.catalogue.sources.workbooks import PLAIN, SHEET, fault, packed, with_part

GOOD = packed(PLAIN, zipfile.ZIP_DEFLATED)


def entry(name: str, **marks: int) -> bytes:
    """The good workbook with one more entry, which zipfile would not write so."""
    file = io.BytesIO(GOOD)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("placeholder", b"abc")
        info = archive.filelist[-1]
        info.orig_filename = info.filename = name
        for mark, value in marks.items():
            setattr(info, mark, value)
    return file.getvalue()


@pytest.mark.parametrize("name", ["../x.xml", "xl/../../x.xml", "/etc/x.xml", "xl\\x.xml", "C:/x.xml", "x.xml\0.png"])
def test_an_entry_that_leads_out_of_the_archive_is_refused(name: str) -> None:
    assert "plain relative name" in str(fault(entry(name)))


@pytest.mark.parametrize("name", [SHEET, SHEET.upper()])
def test_two_entries_of_one_name_are_refused(name: str) -> None:
    assert "two entries of one name" in str(fault(entry(name)))


@pytest.mark.parametrize("name", ["xl/vbaProject.bin", "xl/macrosheets/sheet1.xml"])
def test_macros_are_refused(name: str) -> None:
    assert "macros" in str(fault(packed({**PLAIN, name: "a"})))


@pytest.mark.parametrize(
    ("marks", "told"),
    [
        ({"flag_bits": 1}, "encrypted"),
        ({"compress_type": zipfile.ZIP_BZIP2}, "method"),
        ({"file_size": 60_000_000, "compress_size": 60_000_000}, "more than 50,000,000 bytes"),
        ({"compress_size": 5_000_000}, "overlap"),
        ({"CRC": 1}, "damaged"),
        ({"extract_version": 100}, "zip file version 10.0"),
        ({"file_size": 2}, "damaged"),
        ({"file_size": 5}, "does not tell the size"),
    ],
)
def test_an_entry_that_is_not_as_in_any_workbook_is_refused(marks: dict[str, int], told: str) -> None:
    assert told in str(fault(entry("placeholder", **marks)))


def test_two_hundred_entries_are_enough() -> None:
    assert "more than 200 entries" in str(fault(packed({f"{number}": "" for number in range(201)})))


def test_many_entries_are_refused_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    content = packed({f"{number}": "" for number in range(5_000)})
    monkeypatch.setattr(zip_checks, "ZipFile", None)
    assert "more than 200 entries" in str(fault(content))


def test_a_small_file_that_unpacks_to_thirty_megabytes_is_refused_before_it_is_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = packed({**PLAIN, SHEET: '<row r="1"><c r="A1"><v>1</v></c></row>' * 800_000}, zipfile.ZIP_DEFLATED)
    assert len(content) < 150_000
    monkeypatch.setattr(zip_checks, "_read", None)
    assert "more than 100 times its size" in str(fault(content))


def test_a_directory_that_tells_too_little_makes_nobody_unpack_more() -> None:
    """The stream holds 40 MB; the directory says 1,000 bytes, with the right checksum of these."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("large", bytes(40_000_000))
        archive.filelist[-1].file_size, archive.filelist[-1].CRC = 1_000, zlib.crc32(bytes(1_000))
    tracemalloc.start()
    try:
        kept = zip_checks.checked_parts(file.getvalue())
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert len(kept.getvalue()) < 2_000


def test_an_entry_that_goes_on_where_the_file_ends_is_a_fault() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a", bytes(300))
        archive.filelist[-1].file_size = archive.filelist[-1].compress_size = 390
    assert len(file.getvalue()) == 400 and "damaged" in fault(file.getvalue()).detail


def test_an_offset_beyond_every_file_is_a_fault() -> None:
    extra = struct.pack("<HHQ", 1, 8, 2**64 - 1)  # of zip64: where the entry would stand
    sizes = struct.pack("<LLLHHHHHLL", zlib.crc32(b"abc"), 3, 3, 1, len(extra), 0, 0, 0, 0, 0xFFFFFFFF)
    directory = b"PK\1\2" + struct.pack("<HHHHHH", 45, 45, 0, 0, 0, 0) + sizes + b"a" + extra
    entry = b"PK\3\4" + struct.pack("<HHHHHLLLHH", 45, 0, 0, 0, 0, zlib.crc32(b"abc"), 3, 3, 1, 0) + b"aabc"
    end = b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 1, 1, len(directory), len(entry), 0)
    assert "damaged" in str(fault(entry + directory + end))


XXE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>'
LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'


@pytest.mark.parametrize("prolog", [XXE, LAUGHS, '<!DOCTYPE a SYSTEM "http://127.0.0.1/a">', '<!ENTITY b "ha">'])
@pytest.mark.parametrize("name", [*sorted(PLAIN), "xl/sharedStrings.xml", "xl/drawings/drawing1.xml"])
def test_an_entity_in_any_part_is_refused_before_a_parser_sees_it(
    monkeypatch: pytest.MonkeyPatch, name: str, prolog: str
) -> None:
    monkeypatch.setattr(xlsx_book, "ExcelReader", None)
    assert "document type or an entity" in str(fault(with_part(name, f"{prolog}<a>&b;</a>")))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "cp037", "utf-7", "latin-1"])
def test_an_entity_cannot_hide_in_another_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setattr(xlsx_book, "ExcelReader", None)
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'
    part = f"{XXE}<a>&b;</a>".encode(encoding)
    part = (declared + "\n").encode() + part if "16" not in encoding else part
    assert "another encoding than UTF-8" in str(fault(with_part(SHEET, part)))
