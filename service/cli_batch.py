"""`traincost batch FILE`: a file of questions, one row out for each."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from service.cli_books import explained, opened

STANDARD_OUTPUT = "-"


class BatchCommand(click.Command):
    """The command; its options are the parameters of `/v1/batch`."""

    def __init__(self) -> None:
        file = click.Argument(["file"], type=click.Path(exists=True, dir_okay=False, path_type=Path))
        about = "Answer a file of questions (JSON, NDJSON, CSV, TSV, XLSX), one row out for each row in."
        super().__init__("batch", params=[file], callback=run, help=about)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The argument, where the answers go, and, from the schema, the options."""
        from service.cli import option  # noqa: PLC0415 (it imports this module)
        from service.parameters import batch_parameters  # noqa: PLC0415

        output = click.Option(["--output", "-o"], help="File of the answers, in the format of its suffix; else printed")
        fields = batch_parameters()._declared_fields.items()
        return [*super().get_params(ctx), output, *(option(name, field) for name, field in fields)]


def run(file: Path, output: str | None, **given: Any) -> None:
    """Answer the file."""
    from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415
    from pricing.catalogue.sources.files import form_of_file  # noqa: PLC0415
    from service.batch import WRITTEN, Batch, answers, rows_of, shared_fields, written  # noqa: PLC0415
    from service.cli import once  # noqa: PLC0415
    from service.parameters import batch_parameters, books_asked  # noqa: PLC0415

    given = {name: value for name, value in given.items() if value not in (None, ())}
    with explained():
        fields = batch_parameters()().load(once(given))
        form = form_of_file(file)
        suffix = Path(output).suffix.removeprefix(".") if output else ""
        name = fields.get("format") or (suffix if suffix in WRITTEN else form.name if form.name in WRITTEN else "csv")
        catalogue = opened().open(EVERYTHING, books_asked(fields), fields.get("catalogue"))
        batch = Batch(catalogue, fields["fields"], shared_fields(given))
        batch.check()
        rows = rows_of(form, file.read_bytes(), fields.get("delimiter"))
        with _opened(output) as out:
            for part in written(name, batch, answers(batch, rows)):
                out.write(part)


@contextmanager
def _opened(output: str | None) -> Iterator[IO[bytes]]:
    """Where the answers go. A file takes its place only when it is whole."""
    if output in (None, STANDARD_OUTPUT):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = Path(f"{output}.part")
    with part.open("wb") as out:
        yield out
    part.replace(str(output))
