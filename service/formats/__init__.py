"""The formats an answer comes in: one file and one line each."""

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from service.answers.answer import Answer


class Format(NamedTuple):
    """A format: its media type, and the function that writes an answer in it."""

    mimetype: str
    module: str
    function: str = "write"

    def write(self, answer: Answer) -> bytes:
        """Write an answer; the module is imported when it is first needed."""
        function: Callable[[Answer], bytes] = getattr(import_module(f"service.formats.{self.module}"), self.function)
        return function(answer)


FORMATS = {
    "json": Format("application/json", "json"),
    "csv": Format("text/csv", "csv"),
    "tsv": Format("text/tab-separated-values", "csv", "write_tabs"),
    "table": Format("text/plain", "table"),
    "md": Format("text/markdown", "markdown"),
    "value": Format("text/plain", "value"),
}
