"""What an import found: faults that refuse it, warnings that must be confirmed, and what it would change."""

from dataclasses import dataclass, field
from typing import Any, Literal

MOST_FAULTS = 100

Warning = Literal["outlier", "shrunk", "jump", "competing"]
WARNINGS: dict[str, str] = {
    "outlier": "An amount is 1,000 times its neighbours, or a thousandth of them.",
    "shrunk": "Less than half of the source's earlier rows are left.",
    "jump": "The amount of an offer is more than ten times, or less than a tenth of, what it was.",
    "competing": "Another source of the book has another amount of the same offer on the same day.",
}
"""What must be confirmed by `accept`, and when it is found."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be, or is unlikely, and where it stands in the file."""

    line: int | None
    column: str | None
    detail: str
    where: str = ""
    code: str | None = None

    def __str__(self) -> str:
        """Write it as a sentence with its place."""
        return f"{self.where}: {self.detail}" if self.where else self.detail


@dataclass(slots=True)
class Report:
    """The outcome of an import. `published` is the catalogue version that holds it; None where nothing was done."""

    noun: str
    book: str
    source: str
    file: str | None
    dry_run: bool
    rows: int = 0
    withdrawn: int = 0
    faults: list[Finding] = field(default_factory=list)
    more_faults: bool = False
    warnings: list[Finding] = field(default_factory=list)
    accepted: tuple[str, ...] = ()
    changes: dict[str, int] | None = None
    examples: list[str] = field(default_factory=list)
    unchanged: bool = False
    published: str | None = None

    @property
    def unconfirmed(self) -> list[str]:
        """Codes of warnings that nobody has accepted."""
        return sorted({str(each.code) for each in self.warnings} - set(self.accepted))

    @property
    def refused(self) -> bool:
        """Whether nothing may be published."""
        return bool(self.faults or self.unconfirmed)

    def fault(self, finding: Finding) -> bool:
        """Note a fault; False when there are so many that reading on tells nothing more."""
        if len(self.faults) >= MOST_FAULTS:
            self.more_faults = True
            return False
        self.faults.append(finding)
        return True

    def document(self) -> dict[str, Any]:
        """The report as JSON holds it."""
        return {
            "noun": self.noun, "book": self.book, "source": self.source, "file": self.file, "dry_run": self.dry_run,
            "rows": self.rows, "withdrawn": self.withdrawn, "faults": [_document(each) for each in self.faults],
            "more_faults": self.more_faults, "warnings": [_document(each) for each in self.warnings],
            "accepted": list(self.accepted), "changes": self.changes,
            "examples": self.examples, "unchanged": self.unchanged,
            "published": self.published,
        }  # fmt: skip

    def lines(self) -> list[str]:
        """The report for a terminal."""
        noun = self.noun.removesuffix("s") if self.rows == 1 else self.noun
        what = f"{noun} from {self.file or self.source} into book {self.book}, source {self.source}"
        found = [f"{'dry run: ' if self.dry_run else ''}{self.rows:,} {what}"]
        found += [f"fault: {each}" for each in self.faults]
        if self.more_faults:
            found.append(f"and more; the first {MOST_FAULTS} are shown")
        found += [f"warning ({each.code}): {each}" for each in self.warnings]
        if self.changes is not None:
            found.append(", ".join(f"{count:,} {name}" for name, count in self.changes.items()))
        found += self.examples
        return [*found, self._outcome()]

    def _outcome(self) -> str:
        if self.faults:
            return "nothing was imported"
        if self.unconfirmed:
            return f"nothing was imported; to import all the same, accept {', '.join(self.unconfirmed)}"
        if self.unchanged:
            return f"nothing changed; the catalogue stays {self.published}"
        return "nothing was imported: a dry run" if self.dry_run else f"published as {self.published}"


def _document(finding: Finding) -> dict[str, Any]:
    named = {"line": finding.line, "column": finding.column, "where": finding.where, "detail": finding.detail}
    return {**named, "code": finding.code} if finding.code else named
