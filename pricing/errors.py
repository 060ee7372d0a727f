"""What can be wrong with a question or with the data; each error carries what would have been right."""

from collections.abc import Sequence
from pathlib import Path


class TraincostError(Exception):
    """Any fault that we can explain to the one who asked."""


class UnknownName(TraincostError):
    """A system, benchmark, round or field that the catalogue does not hold."""

    def __init__(self, kind: str, name: str, nearest: Sequence[str]) -> None:
        self.kind, self.name, self.nearest = kind, name, tuple(nearest)
        hint = f"nearest: {', '.join(nearest)}" if nearest else "nothing is near it"
        super().__init__(f"unknown {kind} {name[:200]!r}; {hint}")


class BadQuestion(TraincostError):
    """A question whose parts do not fit together."""

    def __init__(self, field: str, detail: str) -> None:
        self.field = field
        super().__init__(detail)


class Competing(TraincostError):
    """Several rows answer equally well; the question must choose."""

    def __init__(self, field: str, detail: str, rows: Sequence[str]) -> None:
        self.field, self.rows = field, tuple(rows)
        super().__init__(f"{detail}: {'; '.join(rows)}")


class DamagedTable(TraincostError):
    """A table that ships with the package is not as it must be."""

    def __init__(self, path: Path, line: int, detail: str) -> None:
        super().__init__(f"{path.name}, line {line}: {detail}")


class StoreUnavailable(TraincostError):
    """The database does not answer, or could not do what was asked."""


class StoreConflict(TraincostError):
    """Another process changed or deleted meanwhile what a transaction rests on."""


class StoreMismatch(TraincostError):
    """The tables of the database are not of the revision that this code works with."""


class Purged(TraincostError):
    """What was asked was there, and was deleted for good."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was purged: its rows are deleted for good, and with them what was computed from them")


class NoStore(TraincostError):
    """There is no database to write to."""

    def __init__(self) -> None:
        super().__init__("there is no database for books: set TRAINCOST_DATABASE_URL, such as sqlite:////srv/books.db")
