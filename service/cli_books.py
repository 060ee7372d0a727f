"""Commands that change books: import, export, template; migrate, books, versions, diff, purge, keys, sources, sync.

They speak to the database directly, so that who may run them is who may read its file or its address.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pricing.catalogue.importing.report import Report
    from pricing.catalogue.library import Library
    from pricing.mlperf.importing import Read

MANY_ROWS = 20_000  # from which on progress is worth showing


@contextmanager
def explained() -> Iterator[None]:
    """An error is one line and exit code 2, as for a question."""
    from marshmallow import ValidationError  # noqa: PLC0415

    from pricing.errors import StoreMismatch, StoreUnavailable, TraincostError  # noqa: PLC0415
    from service.problems import problem_of  # noqa: PLC0415
    from service.starting import EXIT_ERROR, EXIT_MISMATCH  # noqa: PLC0415

    try:
        yield
    except (StoreUnavailable, StoreMismatch) as error:
        click.echo(f"error: {error}", err=True)  # who runs the command may see what the database says
        sys.exit(EXIT_MISMATCH if isinstance(error, StoreMismatch) else EXIT_ERROR)
    except (TraincostError, ValidationError) as error:
        click.echo(problem_of(error).text(), err=True)
        sys.exit(EXIT_ERROR)
    except BrokenPipeError:
        raise
    except OSError as error:
        click.echo(f"error: it could not be written: {error.strerror}", err=True)
        sys.exit(EXIT_ERROR)


def opened() -> "Library":
    """The catalogues of this machine."""
    from service.starting import library  # noqa: PLC0415

    found = library()
    click.get_current_context().call_on_close(found.close)
    return found


@contextmanager
def progress(what: str) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many rows were read so far; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.status import Status  # noqa: PLC0415

    with Status(what, console=Console(stderr=True)) as status:
        yield lambda rows: status.update(f"{what}: {rows:,} rows")


def finish(report: "Report", form: str, booking: "Read | None" = None) -> None:
    """Print a report, with what was read from logs before it; one that refuses is exit code 1."""
    from service.formats.json import dumps  # noqa: PLC0415

    read = booking.document() if booking else {}
    if form == "json":
        click.echo(dumps({**report.document(), **read}))
    else:
        click.echo("\n".join([*(booking.lines() if booking else ()), *report.lines()]))
    if report.refused:
        sys.exit(1)


LAYOUT = (
    click.option("--map", "mapping", multiple=True, metavar="OURS=THEIRS", help="Our column is called so in the file."),
    click.option("--fill", multiple=True, metavar="OURS=TEXT", help="A column that the file lacks, for all rows."),
    click.option("--ignore", multiple=True, metavar="THEIRS", help="A column of the file that is not taken in."),
    click.option("--decimal", type=click.Choice(["point", "comma"]), help="The decimal mark of the file."),
    click.option(
        "--thousands",
        type=click.Choice(["none", "comma", "point", "space", "apostrophe"]),
        help="The thousands mark of the file.",
    ),
    click.option("--delimiter", type=click.Choice(["comma", "semicolon", "tab"]), help="Between the cells of a CSV."),
    click.option("--sheet", help="Which sheet of a workbook."),
)


def with_options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options at once."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


LOGS = (
    click.option("--round", help="The round of result logs, as v1.1; that of their folder's name unless said."),
    click.option(
        "--form",
        "form_of",
        type=click.Choice(["logs", "dawnbench"]),
        help="What FILE holds, where it is no table: MLPerf result logs (unless said, of a folder), DAWNBench entries.",
    ),
    click.option("--tie", multiple=True, metavar="SYSTEM_ID=UNITS*SYSTEM", help="Which systems a submission is."),
)


def take_in_logs(path: Path, form: str, given: dict[str, Any]) -> bool:
    """Import result logs, if the path is of such; whether it is."""
    from service.importing_logs import check_options, holds_logs, import_logs  # noqa: PLC0415

    with explained():
        if not holds_logs(path, given["form_of"]):
            check_options(given, of_logs=False)
            return False
        check_options(given, of_logs=True)
        with log_progress(path.name) as tell:
            report, booking = import_logs(opened(), path, given, tell)
    finish(report, form, booking)
    return True


@contextmanager
def log_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal a bar of the logs read so far; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("reading {task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def add_book_commands(facts: click.Group) -> None:
    """Importing, exporting and the template of one kind of fact."""
    noun = str(facts.name)
    _add_import(facts, noun)
    _add_template(facts, noun)
    _add_export(facts, noun)


def _add_import(facts: click.Group, noun: str) -> None:
    logs = LOGS if noun == "results" else ()
    also = " Also reads MLPerf result logs: a checkout or archive of a round, or a folder of logs." if logs else ""

    @facts.command("import", help=f"Import the {noun} of a CSV, TSV, XLSX, JSON or NDJSON file into a book.{also}")
    @click.argument("file", type=click.Path(path_type=Path))
    @click.option("--book", default="public", show_default=True, help="Which book; it is made where there is none.")
    @click.option("--source", help="The name under which the rows stand; the file's unless said.")
    @click.option("--merge", is_flag=True, help="Add to the source's earlier rows instead of replacing them.")
    @click.option("--dry-run", is_flag=True, help="Report what would happen, and change nothing.")
    @click.option(
        "--accept",
        multiple=True,
        metavar="WARNING",
        help="In spite of this warning; commas between several.",
    )
    @click.option("--entered-by", help="Who entered the rows.")
    @click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="Of the report.")
    @with_options(*LAYOUT, *logs)
    def take_in(file: Path, form: str, **given: Any) -> None:
        from service.importing import import_file  # noqa: PLC0415

        if logs and take_in_logs(file, form, given):
            return
        with explained(), progress(f"importing {file.name}") as tell:
            report = import_file(opened(), noun, file, given, tell)
        finish(report, form)


def _add_template(facts: click.Group, noun: str) -> None:
    @facts.command("template", help=f"Print a file of {noun} to fill in; as xlsx it says what each column means.")
    @click.option("--format", "form", type=click.Choice(["csv", "xlsx"]), default="csv", show_default=True)
    def template(form: str) -> None:
        from pricing.catalogue.exporting import template_of  # noqa: PLC0415

        with explained():
            sys.stdout.buffer.write(template_of(noun, form))


def _add_export(facts: click.Group, noun: str) -> None:
    @facts.command("export", help=f"Print the {noun} of a book as a file that can be imported again.")
    @click.option("--book", default="public", show_default=True)
    @click.option("--format", "form", type=click.Choice(["csv", "json", "ndjson", "xlsx"]), default="csv")
    @click.option("--catalogue", help="The version; the newest unless said.")
    def export(book: str, form: str, catalogue: str | None) -> None:
        from pricing.catalogue.exporting import export_of  # noqa: PLC0415
        from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415

        with explained():
            held = opened().open(EVERYTHING, None if catalogue else (book,), catalogue)
            for part in export_of(held, noun, book, form):
                sys.stdout.buffer.write(part)


def add_administration(main: click.Group) -> None:
    """What the one who runs the service does."""
    from service.cli_admin import COMMANDS  # noqa: PLC0415

    for each in COMMANDS:
        main.add_command(each)
