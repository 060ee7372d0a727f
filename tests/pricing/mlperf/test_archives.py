"""Archives are read as the folder they hold, and nothing of them leads anywhere else."""

import io
import random
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pricing.errors import BadQuestion
from pricing.mlperf import unpacking
from pricing.mlperf.repository import Repository, read_repository
from pricing.mlperf.unpacking import is_archive, unpacked
from tests.pricing.mlperf.building import PLACE, REPOSITORY, log, power_log, repository, write

SUFFIXES = {".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}
RESULT = f"{PLACE}/result_9.txt"
FILLS = [b"\0", b"\xff", b"U"]


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary folders are made in a folder of the test, where nothing else is."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))


def tarred(folder: Path, suffix: str = ".tar.gz", top: str = "") -> Path:
    """An archive of a folder's content, in a folder of its own where `top` names one."""
    path = folder.with_name(folder.name + suffix)
    with tarfile.open(path, SUFFIXES[suffix]) as archive:
        archive.add(folder, arcname=top or ".")
    return path


def zipped(folder: Path, suffix: str = ".zip", top: str = "") -> Path:
    path = folder.with_name(folder.name + suffix)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in sorted(folder.rglob("*")):
            archive.write(each, Path(top) / each.relative_to(folder))
    return path


def read(path: Path) -> Repository:
    with unpacked(path) as (folder, _):
        return read_repository(folder)


def names(path: Path) -> list[str]:
    """The files that unpacking an archive makes, below the folder that is made for it or beside it."""
    with unpacked(path):
        made = Path(tempfile.gettempdir())
        found = [each.relative_to(made) for each in made.rglob("*") if not each.is_dir()]
        return sorted(Path(*each.parts[1:]).as_posix() for each in found)


def refused(path: Path) -> str:
    with pytest.raises(BadQuestion) as raised, unpacked(path):
        pass
    return str(raised.value)


def full(folder: Path) -> Path:
    """A repository with all that is read, and code, which is not."""
    root = repository(folder)
    for number in range(5):
        write(root / PLACE / f"power/result_{number}/node_0.txt", power_log((1, 150), stop=1))
    write(root / PLACE / "scaling.json", '{"scaling_factor": 1.5}')
    write(root / "Graphcore/benchmarks/resnet/train.py", "print()\n")
    return root


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".zip"])
def test_an_archive_is_read_like_its_folder(tmp_path: Path, suffix: str) -> None:
    """12 min x 1.5 = 18 min; 150 W x 720 s x 1.5 = 162,000 J."""
    root = full(tmp_path)
    path = zipped(root) if suffix == ".zip" else tarred(root, suffix)
    found = read(path)
    assert found == read_repository(root)
    row = found.results[0].row
    assert (row.round, row.official_minutes, row.energy_j, row.nodes) == ("v1.1", 18.0, 162_000.0, 1)


@pytest.mark.parametrize("pack", [tarred, zipped])
@pytest.mark.parametrize("top", [REPOSITORY, f"{REPOSITORY}-main", f"mlcommons-{REPOSITORY}-0123abc"])
def test_an_archive_with_the_repository_in_a_folder_as_github_packs_it_is_read(
    tmp_path: Path, pack: Callable[..., Path], top: str
) -> None:
    root = full(tmp_path)
    packed = pack(root, top=top)
    path = packed.rename(tmp_path / packed.name.replace(REPOSITORY, "download"))
    assert read(path) == read_repository(root)


def test_an_archive_with_several_submitters_is_read_like_its_folder(tmp_path: Path) -> None:
    root = full(tmp_path)
    repository(tmp_path, "Habana/results/SYS-420GH-TNGR/resnet")
    assert {each.row.submitter for each in read(tarred(root)).results} == {"Graphcore", "Habana"}
    assert read(zipped(root)) == read_repository(root)


def test_only_results_and_systems_are_unpacked(tmp_path: Path) -> None:
    write(tmp_path / REPOSITORY / "Habana/benchmarks/resnet/train.py", "print()")
    found = names(tarred(full(tmp_path)))
    assert f"{REPOSITORY}/{PLACE}/scaling.json" in found and not [each for each in found if each.endswith(".py")]


def test_what_was_unpacked_is_gone_afterwards(tmp_path: Path) -> None:
    with unpacked(tarred(full(tmp_path))) as (folder, _):
        assert folder.is_dir()
    assert not folder.parent.exists()


def tar_of(path: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for each in members:
            archive.addfile(each, io.BytesIO(b"x" * each.size))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


OUTSIDE = [
    f"../{RESULT}",
    f"Graphcore/../../{RESULT}",
    f"/tmp/traincost-test/{RESULT}",
    f"{PLACE}/../../../../../x.txt",
    f"//{RESULT}",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_in_a_tar_that_leads_out_of_it_is_left_out(tmp_path: Path, name: str) -> None:
    path = tar_of(tmp_path / "a.tar.gz", member(name, size=3), member(RESULT, size=3))
    assert names(path) == [f"a/{RESULT}"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_in_a_zip_that_leads_out_of_it_is_left_out(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(name, "xxx")
        archive.writestr(RESULT, "xxx")
    assert names(tmp_path / "a.zip") == [f"a/{RESULT}"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_left_out(tmp_path: Path, kind: bytes) -> None:
    odd = member(f"{PLACE}/result_0.txt", kind, "/etc/hostname")
    assert names(tar_of(tmp_path / "a.tar.gz", odd, member(RESULT, size=3))) == [f"a/{RESULT}"]


def test_nothing_is_written_through_a_link_of_the_archive(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = member("Graphcore/results", tarfile.SYMTYPE, str(outside))
    names(tar_of(tmp_path / "a.tar.gz", link, member(RESULT, size=3)))
    assert list(outside.iterdir()) == []


def test_links_in_a_zip_are_left_out(tmp_path: Path) -> None:
    info = zipfile.ZipInfo(f"{PLACE}/result_0.txt")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/hostname")
        archive.writestr(RESULT, "xxx")
    assert names(tmp_path / "a.zip") == [f"a/{RESULT}"]


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.bz2", ".tar.xz", ".tar", ".zip"])
@pytest.mark.parametrize("tenths", [0, 1, 5, 9])
def test_an_archive_cut_short_is_refused(tmp_path: Path, suffix: str, tenths: int) -> None:
    root = full(tmp_path)
    write(root / RESULT, random.Random(1).randbytes(100_000))
    path = zipped(root) if suffix == ".zip" else tarred(root, suffix)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * tenths // 10])
    assert "is no whole archive" in refused(path)


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.bz2", ".tar.xz", ".zip"])
@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("fifth", [1, 3])
def test_an_archive_with_other_bytes_in_its_middle_is_refused(
    tmp_path: Path, suffix: str, fill: bytes, fifth: int
) -> None:
    """Runs that are silently lost or changed would be another score."""
    root = repository(tmp_path)
    write(root / RESULT, "".join(f"{number} {number**3}\n" for number in range(20_000)))
    path = zipped(root) if suffix == ".zip" else tarred(root, suffix)
    content = bytearray(path.read_bytes())
    at = len(content) * fifth // 5
    content[at : at + 200] = fill * 200
    path.write_bytes(content)
    assert "is no whole archive" in refused(path)


def test_a_tar_that_ends_between_two_members_is_refused(tmp_path: Path) -> None:
    """A whole one ends in two blocks of zeros; of this one five runs were not copied."""
    path = tarred(repository(tmp_path), ".tar")
    with tarfile.open(path) as archive:
        at = archive.getmembers()[6].offset
    path.write_bytes(path.read_bytes()[:at])
    assert "is no whole archive" in refused(path)


def test_a_tar_with_a_damaged_header_is_refused_and_not_read_up_to_there(tmp_path: Path) -> None:
    path = tarred(repository(tmp_path), ".tar")
    with tarfile.open(path) as archive:
        at = archive.getmembers()[6].offset
    content = bytearray(path.read_bytes())
    content[at : at + 100] = b"U" * 100
    path.write_bytes(content)
    assert "is no whole archive" in refused(path)


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tgz", "a.tar.xz", "a.tar.zst"])
def test_what_is_no_archive_but_by_its_name_is_refused(tmp_path: Path, name: str) -> None:
    assert "is no whole archive" in refused(write(tmp_path / name, "sku,price\n" * 1000))


def test_a_zip_with_a_password_is_refused(tmp_path: Path) -> None:
    path = zipped(repository(tmp_path))
    content = path.read_bytes().replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")
    path.write_bytes(content)
    assert refused(path)


def test_an_archive_that_is_not_there_is_an_oserror(tmp_path: Path) -> None:
    for name in ("a.zip", "a.tar.gz"):
        with pytest.raises(FileNotFoundError), unpacked(tmp_path / name):
            pass


def test_more_files_or_bytes_than_may_be_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five logs and a description."""
    path = tarred(repository(tmp_path))
    monkeypatch.setattr(unpacking, "MOST_FILES", 6)
    assert len(names(path)) == 6
    monkeypatch.setattr(unpacking, "MOST_FILES", 5)
    assert "more than 5 files" in refused(path)
    monkeypatch.setattr(unpacking, "MOST_FILES", 6)
    monkeypatch.setattr(unpacking, "MOST_BYTES", len(log(1)))
    assert f"{len(log(1)):,} bytes of results" in refused(path)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a.zip", True),
        ("A.ZIP", True),
        ("a.tar.gz", True),
        ("a.tgz", True),
        ("a.gz", False),
        ("zip", False),
        ("a", False),
    ],
)
def test_an_archive_is_one_by_its_name(name: str, is_one: bool) -> None:
    assert is_archive(Path(name)) is is_one
