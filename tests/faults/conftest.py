"""What the tests of faults share."""

from pathlib import Path

import pytest

from tests.faults.contents import Fresh


@pytest.fixture
def fresh(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Fresh:
    """Gives the address of another empty database each time, of each engine in turn."""
    if database.startswith("sqlite"):
        return (f"sqlite:///{tmp_path / f'{number}.db'}" for number in range(1_000)).__next__
    found: Fresh = request.getfixturevalue("postgres").fresh
    return found
