"""Archives of a repository: only what the reader needs is unpacked, and only so much of it."""

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO

from pricing.errors import BadQuestion

TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst")
ZIP_SUFFIX = ".zip"
MOST_BYTES = 20_000_000_000
MOST_FILES = 200_000
NEEDED = ("results", "systems")
Member = tuple[str, int, Callable[[], IO[bytes] | None]]


def is_archive(path: Path) -> bool:
    """Whether a path is that of an archive, by its name."""
    return path.name.casefold().endswith((*TAR_SUFFIXES, ZIP_SUFFIX))


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A folder with the results and systems of an archive, as long as the block lasts. Raises BadQuestion or OSError.

    Links, devices and names that lead out of the archive are left out.
    """
    with TemporaryDirectory(prefix="traincost-") as folder:
        inside = Path(folder) / path.name.split(".tar")[0].removesuffix(".tgz").removesuffix(".zip")
        try:
            members = _zip(path) if path.name.casefold().endswith(ZIP_SUFFIX) else _tar(path)
            _extract(members, inside)
        except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
            raise BadQuestion("path", f"{path.name} is no whole archive: {error}") from None
        yield inside


def _tar(path: Path) -> Iterator[Member]:
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile():
                yield member.name, member.size, partial(archive.extractfile, member)


def _zip(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                yield member.filename, member.file_size, partial(archive.open, member)


def _extract(members: Iterator[Member], inside: Path) -> None:
    """Write what is needed. Raises BadQuestion for more than may be."""
    inside.mkdir()
    files = size = 0
    for name, claimed, opened in members:
        parts = PurePosixPath(name).parts
        if ".." in parts or name.startswith("/") or not set(NEEDED) & set(parts):
            continue
        files, size = files + 1, size + claimed
        if files > MOST_FILES or size > MOST_BYTES:
            raise BadQuestion(
                "path", f"an archive of more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes of results"
            )
        target = inside.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as out:
            source = opened()
            if source is not None:
                copyfileobj(source, out)
