"""Settings, each an environment variable TRAINCOST_NAME; every one is documented in the README."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pricing.catalogue.facts import DATA

MIB = 1024 * 1024
MOST_FIGURES = 12
DATABASES = ("sqlite:///", "postgresql://", "postgresql+psycopg://")


@dataclass(frozen=True, slots=True)
class Settings:
    """How the service runs. Limits are in bytes unless said."""

    facts: Path = DATA
    """Folder of the facts."""
    database_url: str | None = None
    """Database of the books: sqlite:///FILE or postgresql://…; from the environment, a file of the user's data."""
    public_reading: bool = True
    """Whether the facts and the public book may be read without a key."""
    sources: Path | None = None
    """File that lists the sources of prices (TOML)."""
    price_lists: Path | None = None
    """Folder of price lists, each file of which is a source."""
    max_body_bytes: int = 10 * MIB
    """Longest body of a request."""
    ready_bytes: int = 64 * MIB
    """Memory of a worker for answers kept ready."""


class BadSetting(ValueError):
    """A setting that is unknown or of the wrong form."""


def from_environment(environment: dict[str, str] | None = None) -> Settings:
    """Read the settings. Raises BadSetting for an unknown name or a value of the wrong form."""
    values = dict(os.environ if environment is None else environment)
    own = {
        name.removeprefix("TRAINCOST_").lower(): value
        for name, value in values.items()
        if name.startswith("TRAINCOST_")
    }
    known = {each.name: each for each in fields(Settings)}
    if unknown := own.keys() - known.keys():
        raise BadSetting(f"unknown setting TRAINCOST_{min(unknown).upper()}; known: {', '.join(_names())}")
    read: dict[str, Any] = {name: _read(name, value) for name, value in own.items()}
    return Settings(**_users_own(values) | read)


def _users_own(environment: Mapping[str, str]) -> dict[str, Any]:
    """Where the user's own data lies (XDG): the database of books and the folder of price lists."""
    home = environment.get("HOME", "")
    data = environment.get("XDG_DATA_HOME") or (home and f"{home}/.local/share")
    if not data:
        return {}
    folder = Path(data) / "traincost"
    return {"database_url": f"sqlite:///{folder}/books.db", "price_lists": folder / "price-lists"}


def _names() -> list[str]:
    return [f"TRAINCOST_{each.name.upper()}" for each in fields(Settings)]


def _read(name: str, value: str) -> Path | int | str | bool:
    setting = f"TRAINCOST_{name.upper()}"
    if name in ("facts", "sources", "price_lists"):
        return Path(value)
    if name == "database_url":
        if not value.startswith(DATABASES):
            raise BadSetting(f"{setting} must start with {' or '.join(DATABASES)}")  # it may hold a password
        return value
    if name == "public_reading":
        if value not in ("yes", "no"):
            raise BadSetting(f"{setting} must be yes or no, not {value!r}")
        return value == "yes"
    if not (value.isascii() and value.isdigit() and len(value) <= MOST_FIGURES):
        raise BadSetting(f"{setting} must be a whole number of bytes, not {value!r}")
    return int(value)
