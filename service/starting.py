"""Before anything starts: the facts whole, the settings right, or one line that says what is not."""

import os

import click

from pricing.catalogue.catalogue import Catalogue, shipped
from pricing.errors import DamagedTable
from service.settings import BadSetting, from_environment

EXIT_ERROR = 2
NUMBERS = {"PORT": (8000, 65_535), "WORKERS": (2, 1_000), "THREADS": (4, 1_000)}
"""How the server runs: the default of each setting, and its largest value."""


def facts() -> Catalogue:
    """The catalogue; where a table is damaged or a setting wrong, one line and exit code 2."""
    try:
        return shipped(from_environment().facts)
    except (DamagedTable, BadSetting) as error:
        raise stop(str(error)) from None


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
