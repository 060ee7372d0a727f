"""Statements that are asked again and again: written once, then handed to the driver as they are.

SQLAlchemy writes them; building and looking up such a statement takes it several times as long as SQLite takes to
answer it.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from sqlalchemy import Dialect, Select

from pricing.catalogue.store import Store


class Prepared:
    """A statement for one engine, whose `bindparam`s are given at each execution."""

    def __init__(self, statement: Select[Any], store: Store) -> None:
        self._store, dialect = store, store.dialect
        compiled = statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
        self._text = str(compiled)
        self._constants = {name: _plain(value, dialect) for name, value in compiled.params.items()}
        self._places = tuple(compiled.positiontup) if compiled.positiontup is not None else None

    def rows(self, values: Mapping[str, Any]) -> list[Any]:
        """The rows as the driver gives them. Raises StoreUnavailable."""
        given = self._constants | {name: _plain(value, self._store.dialect) for name, value in values.items()}
        parameters: Any = tuple(given[name] for name in self._places) if self._places is not None else given
        with self._store.cursor() as cursor:
            cursor.execute(self._text, parameters)
            found: list[Any] = cursor.fetchall()
            cursor.close()
        return found


def _plain(value: Any, dialect: Dialect) -> Any:
    """A value as the driver takes it: SQLite has days as texts."""
    return value.isoformat() if isinstance(value, date) and dialect.name == "sqlite" else value
