"""Which sources there are: those of the operator's file, each price list of a folder, and guests that are installed."""

import importlib
import pkgutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, ClassVar, get_args, get_type_hints

import pricing.catalogue.sources as package
from pricing.catalogue.importing.cells import DecimalMark, Separators, ThousandsMark
from pricing.catalogue.importing.reading import Layout
from pricing.catalogue.sources.base import PriceSource, Row, SourceFault
from pricing.catalogue.sources.files import FORMS, slug
from pricing.catalogue.versions import BOOK_FORM, PUBLIC, SOURCE_FORM, is_book_name, is_source_name
from pricing.errors import TraincostError

GROUP = "traincost.price_sources"
SHAPES: dict[str, tuple[type[Any], str]] = {
    **dict.fromkeys(("book", "path", "url", "query", "table"), (str, "a text")),
    **dict.fromkeys(("map", "fill", "headers"), (dict, "a table")),
    "ignore": (list, "a list"),
}
OURS = ("kind", "book", "decimal", "thousands", "map", "fill", "ignore")


class BadConfiguration(TraincostError):
    """The file of sources is not as it must be; says which source, and what would be right."""


@dataclass(frozen=True, slots=True)
class Configured:
    """A source with the book that it goes into, and how its columns are read."""

    source: PriceSource
    book: str = PUBLIC
    layout: Layout = Layout()  # noqa: RUF009 (a tuple, which nobody can change)
    guest: bool = False

    @property
    def name(self) -> str:
        """The name under which its rows stand."""
        return self.source.name


@cache
def built_in() -> dict[str, type[Any]]:
    """The kinds of source in this folder: every class with a `kind` in one of its files."""
    found: dict[str, type[Any]] = {}
    for module in pkgutil.iter_modules(package.__path__):
        held = importlib.import_module(f"{package.__name__}.{module.name}")
        for each in vars(held).values():
            kind = getattr(each, "kind", None)
            own = isinstance(each, type) and each.__module__ == held.__name__
            if own and isinstance(kind, str) and kind != Broken.kind:
                found[kind] = each
    return found


def guests() -> dict[str, type[Any]]:
    """The kinds of source that other packages bring, by the names of their entry points."""
    return {each.name: each.load() for each in entry_points(group=GROUP)}


def configured(file: Path | None, folder: Path | None) -> list[Configured]:
    """Every source, by name. Raises BadConfiguration where the file of sources cannot be understood.

    A section or a file that is wrong is a source that fails, and says why, when it is taken in; it stops no other.
    """
    found: dict[str, Configured] = {}
    for each in (*_of_file(file), *_of_folder(folder), *_of_guests(file)):
        wrong = _named_wrong(each)
        if each.name in found:
            wrong = f"two sources are called {each.name}: none of them is taken in"
        found[each.name] = replace(each, source=Broken(each.name, wrong)) if wrong else each
    return list(found.values())


def _named_wrong(each: Configured) -> str | None:
    if not is_source_name(each.name):
        return f"{each.name!r} cannot be the name of a source: {SOURCE_FORM}"
    return None if is_book_name(each.book) else f"{each.book!r} cannot be the name of a book: {BOOK_FORM}"


@dataclass(slots=True)
class Broken:
    """A source whose section is wrong: taking it in tells why."""

    name: str
    why: str

    kind: ClassVar = "wrong"

    def prices(self) -> Iterator[Row]:
        """Nothing but the fault. Raises SourceFault."""
        raise SourceFault("", self.why)


def _of_file(file: Path | None) -> Iterator[Configured]:
    for name, options in _read(file).items():
        try:
            yield _made(name, _beside(file, options))
        except BadConfiguration as error:
            book = options.get("book", PUBLIC)
            yield Configured(Broken(name, str(error)), book if isinstance(book, str) else PUBLIC)


def _beside(file: Path | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with a path as it stands beside the file of sources."""
    path = options.get("path")
    return {**options, "path": str(file.parent / path)} if file and isinstance(path, str) else dict(options)


def _read(file: Path | None) -> Mapping[str, Any]:
    if file is None:
        return {}
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfiguration(f"{file.name} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"{file.name}: {error}") from None
    for name, options in found.items():
        if not isinstance(options, dict) or not isinstance(options.get("kind"), str):
            raise BadConfiguration(f"{file.name}: [{name}] needs kind, one of {', '.join({**built_in(), **guests()})}")
    return found


def _made(name: str, options: dict[str, Any]) -> Configured:
    """A source from its section. Raises BadConfiguration."""
    kind = options["kind"]
    kinds = {**built_in(), **guests()}
    if kind not in kinds:
        raise BadConfiguration(f"unknown kind {kind!r}; known: {', '.join(kinds)}")
    own = {key: value for key, value in options.items() if key not in OURS}
    _check_shapes(options)
    try:
        source = kinds[kind](name=name, **_typed(kinds[kind], own))
        separators = Separators(options.get("decimal"), options.get("thousands"))
        separators.check()
    except (TypeError, ValueError, SourceFault) as error:
        raise BadConfiguration(str(error)) from None
    layout = Layout(separators, options.get("map", {}), tuple(options.get("ignore", ())), options.get("fill", {}))
    return Configured(source, options.get("book", PUBLIC), layout, guest=kind not in built_in())


def _check_shapes(options: Mapping[str, Any]) -> None:
    """Our options must be of their kind. Raises BadConfiguration."""
    for name, (kind, called) in SHAPES.items():
        if name in options and not isinstance(options[name], kind):
            raise BadConfiguration(f"{name}: {called} expected, not {options[name]!r}")
    for name, known in (("decimal", get_args(DecimalMark)), ("thousands", get_args(ThousandsMark))):
        if name in options and options[name] not in known:
            raise BadConfiguration(f"{name}: one of {', '.join(known)} expected, not {options[name]!r}")


def _typed(kind: type[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with paths as paths."""
    hints = get_type_hints(kind)
    if unknown := [name for name in options if hints and name not in hints]:
        known = (name for name in hints if name not in ("kind", "name", "state"))
        raise ValueError(f"unknown option {unknown[0]!r}; known: {', '.join(known)}")
    for name, value in options.items():
        if get_args(hints[name]) and isinstance(value, str) and value not in get_args(hints[name]):
            raise ValueError(f"{name}: one of {', '.join(map(str, get_args(hints[name])))} expected, not {value!r}")
    if "path" in hints and "path" not in options:
        raise ValueError("path is missing")
    return {name: Path(value) if hints.get(name) is Path else value for name, value in options.items()}


def _of_folder(folder: Path | None) -> Iterator[Configured]:
    """Each price list in the folder goes into the public book, each in a folder below into the book of its name."""
    if folder is None or not folder.is_dir():
        return
    suffixes = {suffix: form.name for form in FORMS for suffix in form.suffixes}
    for path in sorted(folder.glob("*")) + sorted(folder.glob("*/*")):
        kind = suffixes.get(path.suffix.casefold())
        if kind and path.is_file() and not path.name.startswith((".", "~")):
            book = PUBLIC if path.parent == folder else path.parent.name
            yield Configured(built_in()[kind](name=slug(path.stem), path=path), book)


def _of_guests(file: Path | None) -> Iterator[Configured]:
    """Guests that need no section of their own: they can be made from their name alone."""
    asked = {options["kind"] for options in _read(file).values()}
    for name, kind in guests().items():
        if name not in asked:
            yield Configured(kind(name=name), guest=True)
