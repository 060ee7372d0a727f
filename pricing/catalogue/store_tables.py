"""The tables of the database that holds the books. Rows are only added; a purge alone takes some away.

An *import* is one load of one source into one book. It is staged first, and takes part in nothing; publishing gives it
the book's next *head*. Which imports of a book are live at a head follows from their heads alone, so that no row is
ever changed for a later one, and an old head answers as it did.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)

metadata = MetaData()


class Instant(TypeDecorator[datetime]):
    """A point in time, UTC; SQLite keeps no time zone, and gets it back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The time as UTC."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def plain_text(length: int) -> String:
    """A text that both engines put in the same order, by its code points."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


NUMBER = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts rows by a column of the type INTEGER only

book = Table(
    "book",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("head", Integer, nullable=False),
    Column("purged_head", Integer, nullable=False),  # heads up to this one are gone for good
    Column("created_at", Instant, nullable=False),
)

import_ = Table(
    "import",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("book_id", NUMBER, ForeignKey("book.id"), nullable=False),
    Column("noun", String(16), nullable=False),
    Column("source", String(64), nullable=False),
    Column("replaces", Boolean, nullable=False),  # whether earlier imports of the source end with this one
    Column("head", Integer),  # of the book, once it is published
    Column("number_of_rows", Integer, nullable=False),
    Column("number_of_withdrawals", Integer, nullable=False),
    Column("largest_quantity", Integer, nullable=False),  # of its prices' tiers; 1 where there are none
    Column("digest", String(64)),  # SHA-256 of the rows as they were stored
    Column("file", String(300)),
    Column("entered_by", String(200)),
    Column("started_at", Instant, nullable=False),
    Column("published_at", Instant),
    Column("discarded", Boolean, nullable=False, server_default=false()),  # its rows go: it can no longer be published
    UniqueConstraint("book_id", "head"),
    sqlite_autoincrement=True,  # a number that a purge took away is never given again
)

price = Table(
    "price",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("import_id", NUMBER, ForeignKey("import.id"), nullable=False),
    Column("line", Integer, nullable=False),
    Column("system", plain_text(200), nullable=False),
    Column("amount", Text),  # exact decimals, as text on both engines
    Column("low", Text),
    Column("high", Text),
    Column("currency", String(3), nullable=False),
    Column("kind", plain_text(16), nullable=False),
    Column("per", String(16), nullable=False),
    Column("every", String(8), nullable=False),
    Column("includes", Text),
    Column("valid_from", Date, nullable=False),
    Column("observed_until", Date),
    Column("date_precision", String(8), nullable=False),
    Column("about", Boolean, nullable=False),
    Column("source", Text, nullable=False),
    Column("url", Text),
    Column("confidence", String(8)),
    Column("note", Text),
    Column("region", plain_text(200), nullable=False),  # blank: everywhere
    Column("minimum_quantity", Integer, nullable=False),
    Column("valid_to", Date),
    Column("tax_scope", String(8)),
    Column("sku", String(200)),
    Column("mpn", String(200)),
    Column("gtin", String(200)),
    Column("unspsc", String(200)),
    Column("entered_by", String(200)),
    Index("price_offer", "import_id", "system", "kind", "region", "valid_from"),
)

withdrawal = Table(
    "withdrawal",
    metadata,
    Column("import_id", NUMBER, ForeignKey("import.id"), primary_key=True),
    Column("price_id", NUMBER, ForeignKey("price.id"), primary_key=True),
    Index("withdrawal_price", "price_id"),
)

fact = Table(  # rows of systems, results and assumptions, which are few
    "fact",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("import_id", NUMBER, ForeignKey("import.id"), nullable=False, index=True),
    Column("line", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("cells", Text),  # JSON; null for a withdrawal
)

facts_file = Table(  # the facts that shipped, by their hash, so that an upgrade kills no version
    "facts_file",
    metadata,
    Column("version", String(32), primary_key=True),
    Column("file", String(200), primary_key=True),
    Column("content", LargeBinary, nullable=False),  # compressed by zlib
    Column("archived_at", Instant, nullable=False),
)

source_state = Table(
    "source_state",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("book", String(64), nullable=False),
    Column("tried_at", Instant, nullable=False),
    Column("good_at", Instant),
    Column("fault", Text),
    Column("state", Text, nullable=False),  # JSON: what the source wants to be told next time
)

api_key = Table(
    "api_key",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("digest", String(64), nullable=False),  # SHA-256 of the secret, which has 256 random bits
    Column("label", String(200), nullable=False),
    Column("sheet", Boolean, nullable=False),  # a weak one that may only read, and may travel in an address
    Column("rights", Text, nullable=False),  # with blanks between them
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
)

idempotency = Table(  # requests that may be sent again under the same key
    "idempotency",
    metadata,
    Column("asker", String(64), primary_key=True),  # whose key it is; blank: anyone's
    Column("key", String(255), primary_key=True),
    Column("digest", String(64), nullable=False),  # SHA-256 of the request
    Column("version", Text, nullable=False),  # of the catalogue that answered it first
    Column("day", Date, nullable=False),
    Column("first_at", Instant, nullable=False),
    Index("idempotency_first_at", "first_at"),
)

quote = Table(  # frozen answers
    "quote",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("noun", String(32), nullable=False),
    Column("asked", Text, nullable=False),  # JSON
    Column("resolved", Text, nullable=False),  # JSON
    Column("version", Text, nullable=False),  # of the catalogue
    Column("engine", String(64), nullable=False),
    Column("books", Text, nullable=False),  # that it rests on, with blanks between
    Column("valid_until", Date),
    Column("made_by", String(200)),
    Column("made_at", Instant, nullable=False),
    Column("redacted", Boolean, nullable=False, server_default=false()),  # a book that it rests on was purged
)

quote_body = Table(
    "quote_body",
    metadata,
    Column("quote_id", String(32), ForeignKey("quote.id"), primary_key=True),
    Column("form", String(16), primary_key=True),
    Column("content", LargeBinary, nullable=False),  # compressed by zlib
)
