"""The database of the books: SQLite in one file, or PostgreSQL; connections, transactions and the lock."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, IntegrityError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pricing.errors import StoreConflict, StoreMismatch, StoreUnavailable, TraincostError

SCHEMA = "0003"
"""The revision of the tables that this code works with; the last file of `migrations/versions`."""
LOCK = 7_461_001  # of PostgreSQL's advisory locks: publishing and migrating, one at a time
PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)  # seconds
ENGINES = ("sqlite", "postgresql")
PATIENCE_MS = 30_000  # to wait for another writer


class Store:
    """A database. It is opened on first use, once for each process."""

    def __init__(self, url: str) -> None:
        try:
            self.url = _with_driver(make_url(url))
            known = self.url.get_backend_name() in ENGINES
        except (ArgumentError, NoSuchModuleError, ValueError):  # ValueError: a port that is no number
            known = False
        if not known:
            raise TraincostError("the database's address is not of the form sqlite:///FILE or postgresql://…")
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine: Engine | None = None
        self._process = 0
        self._checked = False

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    def exists(self) -> bool:
        """Whether there may be tables: a SQLite file that is not there, or holds none yet, is no database."""
        return self.file is None or self._checked or self._has_tables(self.file)

    def _open(self) -> Engine:
        if self._engine is None or self._process != os.getpid():
            self._engine, self._process = _engine(self.url, is_sqlite=self.is_sqlite), os.getpid()
        return self._engine

    def close(self) -> None:
        """Close all connections; the next use opens new ones."""
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for single statements. Raises StoreMismatch or StoreUnavailable."""
        if not self.exists():
            raise StoreUnavailable("there is no database yet: import something, or run traincost migrate")
        with _explained(), self._open().connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            self._check(connection)
            yield connection

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        """A cursor of the driver, for statements that are prepared. Raises StoreMismatch or StoreUnavailable."""
        if not self._checked:
            with self.reading():
                pass
        engine = self._open()
        dbapi: Any = engine.dialect.dbapi
        try:
            connection = engine.raw_connection()
            try:
                yield connection.cursor()
            finally:
                connection.close()
        except (dbapi.DatabaseError, DatabaseError) as error:
            self.close()  # the other connections of the pool are as old
            raise StoreUnavailable(str(error).splitlines()[0]) from error

    @contextmanager
    def streaming(self) -> Iterator[Connection]:
        """A connection for one statement whose rows are taken a few at a time. Raises as `reading`."""
        if self.is_sqlite:
            with self.reading() as connection:
                yield connection
            return
        with _explained(), self._open().connect() as connection, connection.begin():
            self._check(connection)
            yield connection

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Connection]:
        """One transaction; on SQLite it is the only writer from its start. Raises StoreMismatch or StoreUnavailable.

        What is not `durable` may be lost in a power cut until the next durable transaction ends: staged rows, which
        the publication of their import makes durable with itself.
        """
        with _explained():
            if not self.exists():
                self.migrate()
            with self._open().connect() as connection:
                if self.is_sqlite:
                    _say(connection, DURABLE if durable else STAGING)
                with connection.begin():
                    self._check(connection)
                    yield connection

    def _has_tables(self, file: Path) -> bool:
        """Whether a SQLite file is there, and was not left empty by a first write that was killed or still goes on."""
        if not file.exists():
            return False
        with _explained(), self._open().connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            return revision(connection) is not None

    @contextmanager
    def publishing(self) -> Iterator[Connection]:
        """One transaction that no other of its kind runs beside, in this or any other process."""
        with self.writing() as connection:
            self.lock(connection)
            yield connection

    def lock(self, connection: Connection) -> None:
        """Wait for everyone else who publishes or migrates. On SQLite the transaction itself is the lock."""
        if not self.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})

    def migrate(self) -> tuple[str | None, str]:
        """Bring the tables to this code's revision under the lock. Returns the revision before and after."""
        from pricing.catalogue.migrations.running import upgrade  # noqa: PLC0415 (Alembic takes a fifth of a second)

        with _explained():
            if self.file:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self._let_readers_go_on()
            with self._open().begin() as connection:
                self.lock(connection)
                before = revision(connection)
                if before is not None and before > SCHEMA:
                    raise _newer(before)
                upgrade(connection)
                return before, SCHEMA

    def _let_readers_go_on(self) -> None:
        """Switch a SQLite file to a log beside it, once for its life; another process may be doing so right now."""
        for patience in (*PAUSES, None):
            try:
                with self._open().connect() as connection:
                    connection.execution_options(isolation_level="AUTOCOMMIT")
                    connection.execute(text("PRAGMA journal_mode=WAL"))
                return
            except OperationalError:  # it does not wait for a lock by itself
                if patience is None:
                    raise
                time.sleep(patience)

    def _check(self, connection: Connection) -> None:
        """Refuse tables of another revision, once for each process."""
        if not self._checked:
            found = revision(connection)
            if found is None or found < SCHEMA:
                held = f"is at revision {found}, and {SCHEMA} is needed" if found else "has no tables yet"
                raise StoreMismatch(f"the database {held}: run traincost migrate")
            if found > SCHEMA:
                raise _newer(found)
            self._checked = True

    @property
    def dialect(self) -> Dialect:
        """How statements are written for this engine."""
        return self._open().dialect

    def vacuum(self) -> None:
        """Give back, and overwrite, what deleted rows held."""
        with _explained(), self._open().connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            if self.is_sqlite:
                connection.execute(text("VACUUM"))
                connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
            else:
                connection.execute(text("VACUUM FULL price, fact, withdrawal, import"))


def revision(connection: Connection) -> str | None:
    """The revision of the tables; None where there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _newer(found: str) -> StoreMismatch:
    return StoreMismatch(f"the database is at revision {found}, made by a newer traincost; this one knows {SCHEMA}")


def _with_driver(url: URL) -> URL:
    """PostgreSQL by psycopg 3, whatever way the address spells it."""
    return url.set(drivername="postgresql+psycopg") if url.get_backend_name() in ("postgresql", "postgres") else url


def _engine(url: URL, *, is_sqlite: bool) -> Engine:
    engine = create_engine(url, pool_pre_ping=not is_sqlite)  # a server may have been restarted meanwhile
    if is_sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


READING = (f"busy_timeout={PATIENCE_MS}", "foreign_keys=ON", "cache_size=-65536", "wal_autocheckpoint=16000")
DURABLE = ("synchronous=FULL",)  # a commit is on the disk
STAGING = ("synchronous=NORMAL", "cache_size=-131072")  # a large import has memory for its index


def _prepare_sqlite(connection: Any, _: object) -> None:
    """Transactions are ours to begin, and readers go on beside a writer."""
    connection.isolation_level = None
    for pragma in READING:
        connection.execute(f"PRAGMA {pragma}")


def _say(connection: Connection, pragmas: tuple[str, ...]) -> None:
    """Tell the driver, as cannot be done within a transaction."""
    driver: Any = connection.connection.driver_connection
    for pragma in pragmas:
        driver.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Take the writer's place at once: a transaction that reads first and writes later could not get it."""
    if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _explained() -> Iterator[None]:
    """What the driver says of a database that does not answer is for our log, not for the one who asked."""
    try:
        yield
    except IntegrityError as error:
        raise StoreConflict("what this belongs to was changed or purged meanwhile: try again") from error
    except PoolTimeout as error:
        raise StoreUnavailable("all connections to it are in use") from error
    except DatabaseError as error:
        raise StoreUnavailable(str(error.orig).splitlines()[0] if error.orig else "no answer") from error
    except OSError as error:
        raise StoreUnavailable(f"the folder of the database cannot be made: {error.strerror}") from error


Opener = Callable[[], Store | None]
