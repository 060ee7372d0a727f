"""Any SQL table or query that SQLAlchemy can reach, read only."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from sqlalchemy import Connection, create_engine, make_url, quoted_name, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from pricing.catalogue.sources.base import Row, SourceFault, check_header

BATCH = 1_000


class Record(Row):
    """A row of a query, which has a number and no line."""

    __slots__ = ()

    def at(self, column: str | None = None) -> str:
        """Where a value stands in the result of the query."""
        return f"row {self.line}, column {column}" if column else f"row {self.line}"


@dataclass(slots=True)
class SqlQuery:
    """A `table`, or the result of a `query`, of the database at a SQLAlchemy `url`.

    `$NAME` as url is that of an environment variable, so that no password stands in the file of sources. A number
    column is taken as it is; one that holds codes must be a text there, or be cast to one in the query.
    """

    kind: ClassVar[str] = "sql"
    name: str
    url: str = field(repr=False)
    table: str | None = None
    query: str | None = None

    def __post_init__(self) -> None:
        """Refuse neither, or both, of table and query."""
        if (self.table is None) == (self.query is None):
            raise ValueError("table or query expected, and only one of them")

    def prices(self) -> Iterator[Row]:
        """Every row of the table or query, by the names of its columns. Raises SourceFault."""
        try:
            engine = create_engine(make_url(self._url()))
        except (ArgumentError, NoSuchModuleError, ImportError):
            raise SourceFault("", "the url is none that SQLAlchemy knows, or its driver is not installed") from None
        try:
            with engine.connect() as connection:
                yield from self._rows(connection)
        except DBAPIError as error:
            reason = str(error.orig).strip().splitlines()
            raise SourceFault("", f"the database says: {reason[0] if reason else 'nothing'}") from None
        except SQLAlchemyError as error:
            raise SourceFault("", f"the query cannot be run: {type(error).__name__}") from None
        finally:
            engine.dispose()

    def _url(self) -> str:
        if not self.url.startswith("$"):
            return self.url
        found = os.environ.get(self.url[1:])
        if not found:
            raise SourceFault("", f"the environment variable {self.url[1:]} of the url is not set")
        return found

    def _rows(self, connection: Connection) -> Iterator[Row]:
        _forbid_writing(connection)
        preparer = connection.dialect.identifier_preparer
        names = [preparer.quote(quoted_name(part, quote=True)) for part in (self.table or "").split(".")]
        statement = text(self.query or f"SELECT * FROM {'.'.join(names)}")
        result = connection.execution_options(yield_per=BATCH).execute(statement)
        header = list(result.keys())
        check_header(header, "")
        for number, row in enumerate(result, 1):
            yield Record(number, dict(zip(header, row, strict=True)))


def _forbid_writing(connection: Connection) -> None:
    """Make the database itself refuse what is no reading, where it can."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("PRAGMA query_only=ON"))
    elif connection.dialect.name in ("postgresql", "mysql", "mariadb"):
        connection.execute(text("SET TRANSACTION READ ONLY"))
