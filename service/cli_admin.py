"""Commands of the one who runs the service: migrate, books, versions, diff, purge, keys, sources, sync."""

import sys
import textwrap
from collections.abc import Iterable

import click

from service.cli_books import explained, opened, progress

WIDTH = 80


def rows(lines: Iterable[tuple[object, ...]]) -> None:
    """Print lines of cells under each other."""
    table = [["" if cell is None else str(cell) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


@click.command()
def migrate() -> None:
    """Make the tables of the database, or bring them up to date, and archive the shipped facts."""
    from pricing.catalogue.archive import archive_facts  # noqa: PLC0415
    from pricing.errors import NoStore  # noqa: PLC0415

    with explained():
        library = opened()
        if library.store is None:
            raise NoStore
        before, now = library.store.migrate()
        click.echo(f"tables: revision {now}" + (f", before {before}" if before != now else ", as before"))
        new = archive_facts(library.store, library.facts.facts)
        click.echo(f"facts: {library.facts.version} {'archived' if new else 'is in the archive'}")


@click.command()
def books() -> None:
    """List the books, with the number of their last publication."""
    from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415
    from pricing.catalogue.listing_books import books_of  # noqa: PLC0415

    with explained():
        found = books_of(opened(), EVERYTHING)
    if not found:
        click.echo("there are no books: import prices into one")
        return
    rows(
        [
            ("book", "head", "prices", "sources", "published"),
            *((each["book"], each["head"], each["prices"], each["sources"], each["published_at"]) for each in found),
        ]
    )


@click.command()
@click.option("--book", help="Only of this book.")
def versions(book: str | None) -> None:
    """List what was published when: each line is a head of a book."""
    from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415
    from pricing.catalogue.listing_books import publications  # noqa: PLC0415

    with explained():
        library = opened()
        found = publications(library, EVERYTHING, book)
        if book is None:
            click.echo(f"now: {library.open(EVERYTHING).version}")
    names = ("version", "noun", "source", "rows", "published_at")
    if found:
        rows([names, *(tuple(each[name] for name in names) for each in found)])


@click.command()
@click.argument("before")
@click.argument("after")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def diff(before: str, after: str, form: str) -> None:
    """Say what differs between two catalogue versions, and which named answers move."""
    from pricing.analysis.moving import difference  # noqa: PLC0415
    from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415
    from service.answers.difference import DifferenceAnswer  # noqa: PLC0415
    from service.formats import FORMATS  # noqa: PLC0415

    with explained():
        library = opened()
        found = difference(library.open(EVERYTHING, None, before), library.open(EVERYTHING, None, after))
        sys.stdout.buffer.write(FORMATS[form].write(DifferenceAnswer(found)))


@click.command()
@click.argument("book")
@click.option("--yes", is_flag=True, help="Do not ask.")
def purge(book: str, *, yes: bool) -> None:
    """Delete a book for good: its rows, and what was computed from them."""
    from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415
    from pricing.catalogue.listing_books import books_of  # noqa: PLC0415
    from pricing.catalogue.names import find  # noqa: PLC0415
    from pricing.catalogue.purging import purge_book  # noqa: PLC0415

    with explained():
        library = opened()
        if not yes:
            held = find("book", book, {each["book"]: each for each in books_of(library, EVERYTHING)})
            told = f"Delete book {book} for good: {held['prices']:,} prices now, and its versions up to {held['head']}?"
            click.confirm(told, abort=True)
        head = purge_book(library, book)
    click.echo(f"book {book} is purged up to head {head}")


@click.command()
@click.argument("source")
@click.option("--book", default="public", show_default=True)
def drop(source: str, book: str) -> None:
    """Take a SOURCE out of a book: from now on it has no rows there. Earlier versions keep them."""
    from pricing.catalogue.importing.dropping import drop_source  # noqa: PLC0415

    with explained():
        click.echo(f"published as {drop_source(opened(), book, source)}")


@click.group(invoke_without_command=True)
def keys() -> None:
    """List the API keys; add and revoke them."""
    from pricing.catalogue.keys import all_keys  # noqa: PLC0415

    if click.get_current_context().invoked_subcommand:
        return
    with explained():
        library = opened()
        found = all_keys(library.store) if library.store else []
    kinds = {True: "sheet", False: "key"}
    lines = [(each.id, kinds[each.sheet], each.state, " ".join(sorted(each.rights)), each.label) for each in found]
    rows([("id", "kind", "state", "rights", "label"), *lines])


@keys.command("add")
@click.argument("label")
@click.option("--right", "rights", multiple=True, required=True, help="read:BOOK, import:BOOK or admin; repeatable.")
@click.option("--sheet", is_flag=True, help="A weak token that may only read, and may travel in an address.")
@click.option("--expires", help="First day on which it no longer holds, as 2027-06-30 (UTC).")
def add(label: str, rights: tuple[str, ...], expires: str | None, *, sheet: bool) -> None:
    """Make a key and print it, this once."""
    from datetime import UTC, datetime, time  # noqa: PLC0415

    from marshmallow import ValidationError  # noqa: PLC0415

    from pricing.catalogue.keys import make_key  # noqa: PLC0415
    from pricing.errors import NoStore  # noqa: PLC0415
    from schemas.question import Day  # noqa: PLC0415

    with explained():
        try:
            day = Day().deserialize(expires) if expires else None
        except ValidationError as error:
            raise ValidationError({"expires": error.messages}) from None
        library = opened()
        if library.store is None:
            raise NoStore
        ends = datetime.combine(day, time(), UTC) if day else None
        click.echo(make_key(library.store, label, rights, sheet=sheet, expires_at=ends))


@keys.command("revoke")
@click.argument("number")
def revoke(number: str) -> None:
    """Take the key of that id back for good."""
    from pricing.catalogue.keys import revoke_key  # noqa: PLC0415
    from pricing.errors import NoStore  # noqa: PLC0415

    with explained():
        library = opened()
        if library.store is None:
            raise NoStore
        revoke_key(library.store, number)
    click.echo(f"key {number} is revoked")


@click.command()
def sources() -> None:
    """List the sources of prices, when each was last taken in, and what went wrong."""
    from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415
    from service.sources import configured, states  # noqa: PLC0415

    with explained():
        library = opened()
        found = states(library, configured(), EVERYTHING)
    lines = [(each["name"], each["kind"], each["book"], each["good_at"] or "never", each["age"]) for each in found]
    rows([("source", "kind", "book", "last good", "age"), *lines])
    for each in found:
        if each["fault"]:
            told = f"{each['name']}: {each['fault']}"
            click.echo(textwrap.fill(told, WIDTH, subsequent_indent="  ", break_on_hyphens=False))


@click.command()
@click.argument("name", required=False)
@click.option("--accept", multiple=True, metavar="WARNING", help="In spite of this warning; commas between several.")
@click.option("--dry-run", is_flag=True, help="Report what would happen, and change nothing.")
def sync(name: str | None, accept: tuple[str, ...], *, dry_run: bool) -> None:
    """Take in all sources, or the one of that NAME; one that fails stops no other, and its last good rows stay."""
    from pricing.catalogue.sources.syncing import Wish  # noqa: PLC0415
    from service.sources import configured, sync_all  # noqa: PLC0415

    failed = False
    with explained():
        library = opened()
        with progress("syncing") as tell:
            for outcome in sync_all(library, configured(), name, Wish(accept, dry_run), tell):
                failed = failed or not outcome.good
                click.echo("\n".join(outcome.lines()), err=not outcome.good)
    sys.exit(1 if failed else 0)


COMMANDS: tuple[click.Command, ...] = (migrate, books, versions, diff, drop, purge, keys, sources, sync)
