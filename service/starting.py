"""Before anything starts: the facts whole, the settings right, or one line that says what is not."""

import os

import click

from pricing.catalogue.library import Library
from pricing.errors import DamagedTable, StoreMismatch, StoreUnavailable
from service.settings import BadSetting, from_environment

EXIT_ERROR, EXIT_MISMATCH = 2, 3
NUMBERS = {"PORT": (8000, 65_535), "WORKERS": (2, 1_000), "THREADS": (4, 1_000)}
"""How the server runs: the default of each setting, and its largest value."""


def library() -> Library:
    """The catalogues; where a table is damaged or a setting wrong, one line and exit code 2.

    A database whose tables are of another revision is exit code 3; one that does not answer now may answer later.
    """
    try:
        settings = from_environment()
        found = Library(settings.facts, settings.database_url)
        found.facts  # noqa: B018 (reads them)
    except (DamagedTable, BadSetting) as error:
        raise stop(str(error)) from None
    return found


def check_store(found: Library) -> None:
    """Refuse a database whose tables are of another revision: one line and exit code 3."""
    try:
        found.heads()
    except StoreMismatch as error:
        click.echo(f"error: {error}", err=True)
        raise SystemExit(EXIT_MISMATCH) from None
    except StoreUnavailable as error:
        click.echo(f"the database does not answer yet: {error}", err=True)


def number(name: str) -> int:
    """A setting of the server as a number; one line and exit code 2 where it is none."""
    default, highest = NUMBERS[name]
    text = os.environ.get(name, str(default))
    if text.isascii() and text.isdigit() and 0 < int(text[:9]) <= highest:
        return int(text)
    raise stop(f"{name} must be a number from 1 to {highest}, not {text!r}")


def stop(reason: str) -> SystemExit:
    """Say one line; what is returned ends the process with exit code 2."""
    click.echo(f"error: {reason}", err=True)
    return SystemExit(EXIT_ERROR)
