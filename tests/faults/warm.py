"""Everything that a child imports and reads, so that it does so once, before it is forked; no database is opened."""

import alembic.command  # noqa: F401
import sqlalchemy.dialects.postgresql.psycopg
import sqlalchemy.dialects.sqlite.pysqlite  # noqa: F401

import tests.faults.rivals
import tests.faults.work  # noqa: F401
from pricing.catalogue.catalogue import shipped

shipped()
