"""The command `traincost`: the same questions, parameters, formats and error texts as over HTTP."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import click

import pricing
from service.cli_batch import BatchCommand
from service.cli_books import add_administration, add_book_commands

REPEATED = ("set", "vary")
HEADERS_INSTEAD = ("token",)  # who runs the command reads its own database


class Parameter(click.ParamType[str]):
    """A text; what it must be is checked by the same schema as over HTTP."""

    name = "text"


class Question(click.Command):
    """A command whose options are the parameters of a question; they are looked up when it runs."""

    def __init__(self, noun: str, arguments: tuple[str, ...], about: str) -> None:
        params: list[click.Parameter] = [
            click.Argument([argument], nargs=-1 if argument == "systems" else 1, required=argument == "systems")
            for argument in arguments
        ]
        super().__init__(noun, params=params, callback=lambda **given: answer(noun, given), help=about)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The arguments and, from the schema, the options."""
        return [*super().get_params(ctx), *_options(str(self.name), [param.name for param in self.params])]


class Facts(click.Group):
    """A list of facts, with its filters as options; what is done with such facts are its commands."""

    def __init__(self, noun: str, about: str) -> None:
        super().__init__(noun, callback=self.listed, help=about, invoke_without_command=True)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options, from the schema."""
        return [*super().get_params(ctx), *_options(str(self.name), [])]

    def listed(self, **given: Any) -> None:
        """Print the list, unless a command was named."""
        if click.get_current_context().invoked_subcommand is None:
            answer(str(self.name), given)


def answer(noun: str, given: Mapping[str, Any]) -> None:
    """Ask the engine and print the answer."""
    fields = {name: value for name, value in given.items() if value not in (None, ())}
    if "systems" in fields:
        fields["systems"] = ",".join(fields["systems"])
    run(noun, fields)


@cache
def _fields(noun: str) -> Mapping[str, Any]:
    schema, _ = question(noun)
    return {name: field for name, field in schema._declared_fields.items() if name not in HEADERS_INSTEAD}


def _options(noun: str, known: Sequence[str | None]) -> list[click.Parameter]:
    return [option(name, field) for name, field in _fields(noun).items() if name not in known]


def option(name: str, field: Any) -> click.Option:
    """An option for a parameter; what it must be is checked by the schema."""
    about = field.metadata.get("description") or ""
    return click.Option(
        [f"--{name.replace('_', '-')}", name],
        multiple=True,
        help=about.split("\n")[0],
        type=Parameter(),
    )


def question(noun: str) -> tuple[Any, Callable[..., Any]]:
    """The schema of a question's parameters, and what answers it."""
    from service import lists, parameters, questions  # noqa: PLC0415 (only what one command needs)

    if noun in lists.LISTINGS:
        listing = lists.LISTINGS[noun]
        return parameters.list_parameters(*listing.filters), lambda catalogue, fields: lists.list_answer(
            catalogue, listing, fields, lambda offset: f"--offset {offset}"
        )
    schemas = {
        "compare": (parameters.compare_parameters, questions.compare_answer),
        "tco": (parameters.compare_parameters, questions.tco_answer),
        "ranking": (parameters.ranking_parameters, questions.ranking_answer),
        "claims": (parameters.claims_parameters, questions.claims_answer),
        "breakeven": (parameters.breakeven_parameters, questions.breakeven_answer),
        "robustness": (parameters.robustness_parameters, questions.robustness_answer),
        "sizing": (parameters.sizing_parameters, questions.sizing_answer),
        "scaling": (parameters.scaling_parameters, questions.scaling_answer),
        "progress": (parameters.progress_parameters, questions.progress_answer),
    }
    make, ask = schemas[noun]
    return make(), ask


def run(noun: str, given: Mapping[str, Any]) -> None:
    """Answer a question on standard output; an error is one line on standard error and exit code 2."""
    from marshmallow import ValidationError  # noqa: PLC0415

    from pricing.catalogue.library import EVERYTHING  # noqa: PLC0415
    from pricing.errors import StoreMismatch, StoreUnavailable, TraincostError  # noqa: PLC0415
    from service.formats import FORMATS  # noqa: PLC0415
    from service.parameters import books_asked  # noqa: PLC0415
    from service.problems import problem_of  # noqa: PLC0415
    from service.starting import EXIT_ERROR, EXIT_MISMATCH, library  # noqa: PLC0415

    books = library()
    click.get_current_context().call_on_close(books.close)
    schema, ask = question(noun)
    try:
        fields = schema().load(once(given))
        catalogue = books.open(EVERYTHING, books_asked(fields), fields.get("catalogue"))
        answer = FORMATS[fields.get("format") or "table"].write(ask(catalogue, fields))
    except (StoreUnavailable, StoreMismatch) as error:
        click.echo(f"error: {error}", err=True)  # who runs the command may see what the database says
        sys.exit(EXIT_MISMATCH if isinstance(error, StoreMismatch) else EXIT_ERROR)
    except (TraincostError, ValidationError) as error:
        click.echo(problem_of(error).text(), err=True)
        sys.exit(EXIT_ERROR)
    end = b"\n" if sys.stdout.isatty() and not answer.endswith(b"\n") else b""
    try:
        sys.stdout.buffer.write(answer + end)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python flushes again at its end
        click.echo(f"the answer could not be written: {error.strerror}", err=True)
        sys.exit(EXIT_ERROR)


def once(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as parameters: one that was given more than once, and may not be, is an error."""
    from marshmallow import ValidationError  # noqa: PLC0415

    twice = [
        name for name, value in given.items() if isinstance(value, tuple) and len(value) > 1 and name not in REPEATED
    ]
    if twice:
        raise ValidationError({name: ["is given more than once"] for name in twice})
    return {
        name: list(value) if name in REPEATED else value[0] if isinstance(value, tuple) else value
        for name, value in given.items()
    }


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(pricing.__version__, prog_name="traincost")
def main() -> None:
    """Say what it costs to train this, on that, and how sure we are."""


@main.command()
def serve() -> None:
    """Serve the answers over HTTP on 127.0.0.1 (PORT, BIND, WORKERS, THREADS)."""
    from service.serving import serve as start  # noqa: PLC0415
    from service.starting import NUMBERS, check_store, library, number  # noqa: PLC0415

    check_store(library())
    for name in NUMBERS:
        number(name)

    sys.exit(start())


@main.command()
def check() -> None:
    """Check every table of facts that ships, and the books: form, units, sources, keys, references, counts."""
    from pricing.catalogue.linting import lint  # noqa: PLC0415
    from service.cli_books import explained, opened  # noqa: PLC0415

    books = opened()
    catalogue = books.facts
    findings = lint(catalogue)
    if books.has_books():
        from pricing.catalogue.checking_books import check_books  # noqa: PLC0415

        with explained():
            findings += check_books(books)
    for finding in findings:
        click.echo(finding, err=True)
    rows = sum(len(table) for table in catalogue.facts.tables.values())
    click.echo(f"{catalogue.version}: {len(catalogue.facts.tables)} tables, {rows} rows, {len(findings)} faults")
    sys.exit(1 if findings else 0)


QUESTIONS = (
    Question("compare", ("systems",), "Set systems side by side: every metric, absolute and as a ratio."),
    Question("ranking", ("benchmark",), "Rank all systems that have a result for BENCHMARK."),
    Question("tco", ("systems",), "Total cost of ownership by component and year."),
    Question("claims", (), "Recompute published claims."),
    Question("breakeven", ("systems",), "Own or rent: the payback, and where both would cost the same."),
    Question("robustness", ("systems",), "How sure a comparison is: intervals, chances, what moves it, flip points."),
    Question("sizing", ("benchmark",), "The cheapest system and size that will do, and the Pareto front."),
    Question("scaling", ("system",), "How time falls as the family of SYSTEM grows: speed-up, efficiency, curve."),
    Question("progress", ("system",), "The same SYSTEM over rounds: speed-up and time reduction, side by side."),
    Question("presets", (), "List the sets of assumptions, and how much of each has a source."),
    Question("grids", (), "List the places whose electricity grid is known, with its carbon intensity."),
    Question("benchmarks", (), "List the benchmarks."),
    Question("accelerators", (), "List the accelerators with their dense peaks."),
    Question("training_runs", (), "List runs whose accelerator-hours are known, and how far off the estimate is."),
    Question("quantities", (), "List what is computed, with formulas and units."),
)
FACTS = (
    Facts("systems", "List the systems of the catalogue, or import some into a book."),
    Facts("prices", "List the prices of the catalogue; import, export, template."),
    Facts("results", "List the benchmark results of the catalogue, or import your own into a book."),
    Facts("runs", "List the own runs of books, of which results are made; import, export, template."),
    Facts("assumptions", "List the assumptions and their sources, or import your own into a book."),
)
for each in QUESTIONS:
    main.add_command(each)
main.add_command(BatchCommand())
for facts in FACTS:
    add_book_commands(facts)
    main.add_command(facts)
add_administration(main)

if __name__ == "__main__":
    main()
