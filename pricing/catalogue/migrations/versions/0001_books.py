"""The books: imports with their rows, archived facts, sources and keys."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def plain_text(length: int) -> sa.String:
    """A text in the order of its code points on both engines."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "api_key",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("sheet", sa.Boolean(), nullable=False),
        sa.Column("rights", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "book",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("purged_head", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "facts_file",
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("file", sa.String(length=200), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("version", "file"),
    )
    op.create_table(
        "source_state",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("book", sa.String(length=64), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("good_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "import",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("book_id", NUMBER, nullable=False),
        sa.Column("noun", sa.String(length=16), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("replaces", sa.Boolean(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=True),
        sa.Column("number_of_rows", sa.Integer(), nullable=False),
        sa.Column("number_of_withdrawals", sa.Integer(), nullable=False),
        sa.Column("largest_quantity", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("file", sa.String(length=300), nullable=True),
        sa.Column("entered_by", sa.String(length=200), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("discarded", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"],
            ["book.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("book_id", "head"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "fact",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("import_id", NUMBER, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("cells", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["import.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_fact_import_id"), "fact", ["import_id"], unique=False)
    op.create_table(
        "price",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("import_id", NUMBER, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("system", plain_text(200), nullable=False),
        sa.Column("amount", sa.Text(), nullable=True),
        sa.Column("low", sa.Text(), nullable=True),
        sa.Column("high", sa.Text(), nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("kind", plain_text(16), nullable=False),
        sa.Column("per", sa.String(length=16), nullable=False),
        sa.Column("every", sa.String(length=8), nullable=False),
        sa.Column("includes", sa.Text(), nullable=True),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("observed_until", sa.Date(), nullable=True),
        sa.Column("date_precision", sa.String(length=8), nullable=False),
        sa.Column("about", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("confidence", sa.String(length=8), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("region", plain_text(200), nullable=False),
        sa.Column("minimum_quantity", sa.Integer(), nullable=False),
        sa.Column("valid_to", sa.Date(), nullable=True),
        sa.Column("tax_scope", sa.String(length=8), nullable=True),
        sa.Column("sku", sa.String(length=200), nullable=True),
        sa.Column("mpn", sa.String(length=200), nullable=True),
        sa.Column("gtin", sa.String(length=200), nullable=True),
        sa.Column("unspsc", sa.String(length=200), nullable=True),
        sa.Column("entered_by", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["import.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("price_offer", "price", ["import_id", "system", "kind", "region", "valid_from"], unique=False)
    op.create_table(
        "withdrawal",
        sa.Column("import_id", NUMBER, nullable=False),
        sa.Column("price_id", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["import.id"],
        ),
        sa.ForeignKeyConstraint(
            ["price_id"],
            ["price.id"],
        ),
        sa.PrimaryKeyConstraint("import_id", "price_id"),
    )
    op.create_index("withdrawal_price", "withdrawal", ["price_id"], unique=False)
