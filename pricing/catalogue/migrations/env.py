"""What Alembic runs: our steps, on the connection that `running.upgrade` was given."""

from alembic import context

from pricing.catalogue.store_tables import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False
)  # the transaction is the caller's, with its lock
context.run_migrations()
