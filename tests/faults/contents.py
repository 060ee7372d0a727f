"""Price lists whose every cell says of which generation it is, and everything that a book shows."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import func, select

from pricing.catalogue.library import ANYONE, EVERYTHING, Library
from pricing.catalogue.store import Store
from pricing.catalogue.store_tables import fact, import_, price, withdrawal
from tests.pricing.catalogue.books.imports import HEADER

ROWS, BATCH = 400, 100
FIRST_LINE = 2
Row = tuple[str, str, str]  # where it is from, its amount, its day
Content = list[Row]
Fresh = Callable[[], str]  # gives the address of another empty database each time


def day(number: int) -> str:
    return f"{2000 + number // 336}-{1 + number // 28 % 12:02}-{1 + number % 28:02}"


def amount(generation: int, number: int) -> str:
    return f"{200_000 + generation}.{number:03}"


def line(generation: int, number: int, *more: str) -> str:
    """One line of a list."""
    price = amount(generation, number)
    return ",".join((f"dgx-a100-640gb,{price},USD,list,generation {generation},{day(number)}", *more))


def write(folder: Path, generation: int, ends: int = 0) -> Path:
    """A file of a generation; with `ends`, it first withdraws the rows of that one."""
    if ends:
        lines = [f"{HEADER},withdrawn", *(line(ends, number, "yes") for number in range(ROWS))]
        lines += [line(generation, number, "no") for number in range(ROWS)]
    else:
        lines = [HEADER, *(line(generation, number) for number in range(ROWS))]
    path = folder / "list.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def expected(head: int, generation: int, *, merged: bool = False) -> Content:
    """What the book shows when this generation was published under that head."""
    first = FIRST_LINE + (ROWS if merged else 0)
    return [(f"public.{head}:{first + number}", amount(generation, number), day(number)) for number in range(ROWS)]


def shown(library: Library, version: str | None = None, book: str = "public") -> Content:
    """Every row that the catalogue shows, by each way in which it can be asked."""
    held = library.open(EVERYTHING, None if version else (book,), version)
    if not held.books:
        return []
    prices = held.books[0].prices
    found = [(str(each.row), str(each.amount), str(each.valid_from)) for _, each in prices.each()]
    assert prices.total == len(found), f"the book counts {prices.total} rows, and has {len(found)}"
    assert prices.count({"currency": "USD"}) == len(found)
    assert len(prices.page({}, 0, len(found) + 1)) == len(found)
    return found


def head_of(library: Library, book: str = "public") -> int:
    """The head of a book now; 0 where there is none."""
    named = library.heads(exact=True).get(book)
    return named.head if named else 0


def version_of(library: Library, head: int) -> str:
    assert library.open(ANYONE).version
    return f"{library.facts.version}+public.{head}"


def leftovers(store: Store) -> dict[str, int]:
    """How many rows there are that no published import holds."""
    published = select(import_.c.id).where(import_.c.head.is_not(None))
    found = {"import": select(func.count()).where(import_.c.head.is_(None))}
    for table in (price, fact, withdrawal):
        found[table.name] = select(func.count()).where(table.c.import_id.not_in(published))
    with store.reading() as connection:
        return {name: number for name, each in found.items() if (number := connection.execute(each).scalar_one())}
