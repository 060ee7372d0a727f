"""Settings, each an environment variable TRAINCOST_NAME; every one is documented in the README."""

import os
from dataclasses import dataclass, fields
from pathlib import Path

from pricing.catalogue.facts import DATA

MIB = 1024 * 1024
MOST_FIGURES = 12


@dataclass(frozen=True, slots=True)
class Settings:
    """How the service runs. Limits are in bytes unless said."""

    facts: Path = DATA
    """Folder of the facts."""
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
    return Settings(**{name: _read(name, value) for name, value in own.items()})  # type: ignore[arg-type]


def _names() -> list[str]:
    return [f"TRAINCOST_{each.name.upper()}" for each in fields(Settings)]


def _read(name: str, value: str) -> Path | int:
    if name == "facts":
        return Path(value)
    if not (value.isascii() and value.isdigit() and len(value) <= MOST_FIGURES):
        raise BadSetting(f"TRAINCOST_{name.upper()} must be a whole number of bytes, not {value!r}")
    return int(value)
