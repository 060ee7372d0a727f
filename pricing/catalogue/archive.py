"""The shipped facts of every release, kept in the database by their hash."""

import zlib
from datetime import UTC, datetime

from sqlalchemy import insert, select

from pricing.catalogue.facts import Facts, facts_of
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import facts_file


def archive_facts(store: Store, facts: Facts) -> bool:
    """Keep these facts; False where the database has them already."""
    with store.publishing() as connection:
        held = connection.execute(select(facts_file.c.file).where(facts_file.c.version == facts.version).limit(1))
        if held.first():
            return False
        now = datetime.now(UTC)
        rows = [
            {"version": facts.version, "file": file, "content": zlib.compress(content), "archived_at": now}
            for file, content in facts.content.items()
        ]
        connection.execute(insert(facts_file), rows)
    return True


def archived_facts(store: Store, version: str) -> Facts | None:
    """The facts of that hash; None where they were never archived. Raises DamagedTable."""
    files = select(facts_file.c.file, facts_file.c.content).where(facts_file.c.version == version)
    with store.reading() as connection:
        content = {file: zlib.decompress(packed) for file, packed in connection.execute(files)}
    return facts_of(content) if content else None


def archived_versions(store: Store) -> dict[str, datetime]:
    """The versions of facts that are kept, and since when."""
    files = select(facts_file.c.version, facts_file.c.archived_at).where(facts_file.c.file == "tables.csv")
    with store.reading() as connection:
        return {version: since for version, since in connection.execute(files.order_by(facts_file.c.archived_at))}
