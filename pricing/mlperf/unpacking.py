"""Archives of a repository: only what the reader needs is unpacked, and only so much of it."""

import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from errno import ENAMETOOLONG
from functools import partial
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple

from pricing.errors import BadQuestion
from pricing.mlperf.layout import Skipped

TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
ZIP_SUFFIX = ".zip"
MOST_BYTES = 20_000_000_000
MOST_FILES = 200_000
NEEDED = ("results", "systems")
BLOCK, CHUNK = 512, 1_000_000
LINK_SHIFT, LINK = 28, 0o12  # of a zip's member: the kind of file, as Unix has it
DAMAGE = (
    tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError, RuntimeError,
    NotImplementedError,
)  # fmt: skip
"""What the libraries raise for an archive that is damaged, locked, or of a kind that they do not read."""
Member = tuple[str, int, Callable[[], IO[bytes] | None] | None]


def is_archive(path: Path) -> bool:
    """Whether a path is that of an archive, by its name."""
    return path.name.casefold().endswith((*TAR_SUFFIXES, ZIP_SUFFIX))


class Unpacked(NamedTuple):
    """A folder with what was unpacked, and what was left out and why."""

    folder: Path
    skipped: tuple[Skipped, ...]


@contextmanager
def unpacked(path: Path) -> Iterator[Unpacked]:
    """The results and systems of an archive, as long as the block lasts. Raises BadQuestion or OSError.

    An archive with a single folder at its top is that folder. Links, devices and names that lead out of the archive
    are left out, as is what cannot be written.
    """
    with TemporaryDirectory(prefix="traincost-") as folder:
        inside = Path(folder) / path.name.split(".tar")[0].removesuffix(".tgz").removesuffix(".zip")
        try:
            with closing(_zip(path) if path.name.casefold().endswith(ZIP_SUFFIX) else _tar(path)) as members:
                skipped = tuple(_extract(members, inside))
        except DAMAGE as error:
            raise BadQuestion("path", f"{path.name} is no whole archive: {_first_line(error)}") from None
        within = list(inside.iterdir())
        if not within:
            raise BadQuestion("path", f"{path.name} has no folder named {' or '.join(NEEDED)}")
        is_submitter = any((within[0] / name).exists() for name in NEEDED)
        yield Unpacked(inside if len(within) > 1 or is_submitter else within[0], skipped)


def _first_line(error: Exception) -> str:
    """Tarfile tells what each of its methods met, a line for each."""
    return (str(error).splitlines() or ["damaged"])[0].rstrip(":")


def _tar(path: Path) -> Generator[Member, None, None]:
    with tarfile.open(path) as archive:
        for member in archive:
            if not member.isdir():
                opened = partial(archive.extractfile, member) if member.isfile() else None
                yield member.name, member.size, opened
        _check_end(archive.fileobj)


def _check_end(stream: Any) -> None:
    """A damaged header looks like the end of an archive; behind the true one there is nothing but zeros.

    Reading it has a compressed stream check its sum, too. Raises tarfile.ReadError.
    """
    blocks = 0
    while block := stream.read(CHUNK):
        blocks += len(block)
        if block.strip(b"\0"):
            raise tarfile.ReadError("what follows its last file is no end")
    if blocks < BLOCK:
        raise tarfile.ReadError("it ends too soon")


def _zip(path: Path) -> Generator[Member, None, None]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                is_link = member.external_attr >> LINK_SHIFT == LINK
                yield member.filename, member.file_size, None if is_link else partial(archive.open, member)


def _extract(members: Iterator[Member], inside: Path) -> Iterator[Skipped]:
    """Write what is needed; give what is not written, and why. Raises BadQuestion for more than may be."""
    inside.mkdir()
    files = size = 0
    for name, claimed, opened in members:
        parts = PurePosixPath(name).parts
        if ".." in parts or name.startswith("/") or not set(NEEDED) & set(parts):
            continue
        if opened is None:
            yield Skipped(name, "no file: a link or the like")
            continue
        files, size = files + 1, size + claimed
        if files > MOST_FILES or size > MOST_BYTES:
            most = f"{MOST_FILES:,} files or {MOST_BYTES:,} bytes"
            raise BadQuestion("path", f"an archive of more than {most} of results")
        if fault := _write(inside.joinpath(*parts), opened):
            yield Skipped(name, fault)


def _write(target: Path, opened: Callable[[], IO[bytes] | None]) -> str | None:
    """Write a file; why it could not be, such as a name that is too long."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as out:
            if (source := opened()) is not None:
                with source:
                    copyfileobj(source, out)
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        return f"it cannot be written: {error.strerror}"
    except OSError as error:
        if error.errno != ENAMETOOLONG:
            raise
        return f"it cannot be written: {error.strerror}"
    return None
