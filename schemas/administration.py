"""What administration shows and takes: books, publications, imports, sources, keys."""

from marshmallow import Schema, fields

from schemas.numbers import Whole
from schemas.question import Day, Flag, Name, options

LONGEST_LIST = 50


class BookSchema(Schema):
    """A book as it is now."""

    book = fields.String(required=True)
    head = fields.Integer(required=True, strict=True, metadata={"description": "Number of its last publication"})
    purged_up_to = fields.Integer(required=True, strict=True)
    prices = fields.Integer(required=True, strict=True)
    sources = fields.Integer(required=True, strict=True)
    published_at = fields.String(required=True, allow_none=True)


class BooksSchema(Schema):
    """The books that one may read."""

    books = fields.List(fields.Nested(BookSchema), required=True)


class PublicationSchema(Schema):
    """One import that was published."""

    version = fields.String(required=True)
    book = fields.String(required=True)
    head = fields.Integer(required=True, strict=True)
    noun = fields.String(required=True)
    source = fields.String(required=True)
    replaces = fields.Boolean(required=True)
    rows = fields.Integer(required=True, strict=True)
    withdrawals = fields.Integer(required=True, strict=True)
    file = fields.String(required=True, allow_none=True)
    entered_by = fields.String(required=True, allow_none=True)
    published_at = fields.String(required=True)


class VersionsSchema(Schema):
    """What was published when, the newest first."""

    catalogue = fields.String(required=True, metadata={"description": "The version now"})
    facts = fields.List(fields.String(), required=True, metadata={"description": "Versions of facts that can be asked"})
    total = fields.Integer(required=True, strict=True)
    versions = fields.List(fields.Nested(PublicationSchema), required=True)


class FindingSchema(Schema):
    """A fault or a warning, and where it stands."""

    line = fields.Integer(required=True, strict=True, allow_none=True)
    column = fields.String(required=True, allow_none=True)
    where = fields.String(required=True)
    detail = fields.String(required=True)
    code = fields.String(metadata={"description": "Of a warning: what accept names"})


class ReportSchema(Schema):
    """What came of an import."""

    noun = fields.String(required=True)
    book = fields.String(required=True)
    source = fields.String(required=True)
    file = fields.String(required=True, allow_none=True)
    dry_run = fields.Boolean(required=True)
    rows = fields.Integer(required=True, strict=True)
    withdrawn = fields.Integer(required=True, strict=True)
    faults = fields.List(fields.Nested(FindingSchema), required=True)
    more_faults = fields.Boolean(required=True)
    warnings = fields.List(fields.Nested(FindingSchema), required=True)
    accepted = fields.List(fields.String(), required=True)
    changes = fields.Dict(keys=fields.String(), values=fields.Integer(strict=True), required=True, allow_none=True)
    examples = fields.List(fields.String(), required=True, metadata={"description": "The first rows that differ"})
    unchanged = fields.Boolean(required=True)
    published = fields.String(required=True, allow_none=True, metadata={"description": "Catalogue version"})


class SourceSchema(Schema):
    """A source and how it is."""

    name = fields.String(required=True)
    kind = fields.String(required=True)
    book = fields.String(required=True)
    tried_at = fields.String(required=True, allow_none=True)
    good_at = fields.String(required=True, allow_none=True)
    age = fields.String(required=True, allow_none=True, metadata={"description": "Since it was last good"})
    fault = fields.String(required=True, allow_none=True)


class SourcesSchema(Schema):
    """The sources that one may take in."""

    sources = fields.List(fields.Nested(SourceSchema), required=True)


class OutcomeSchema(Schema):
    """What came of one source."""

    source = fields.String(required=True)
    good = fields.Boolean(required=True)
    fault = fields.String(required=True, allow_none=True)
    report = fields.Nested(ReportSchema, required=True, allow_none=True)


class KeySchema(Schema):
    """A key as it is kept: without its secret."""

    id = fields.String(required=True)
    label = fields.String(required=True)
    sheet = fields.Boolean(required=True)
    rights = fields.List(fields.String(), required=True)
    created_at = fields.String(required=True)
    expires_at = fields.String(required=True, allow_none=True)
    revoked_at = fields.String(required=True, allow_none=True)


class KeysSchema(Schema):
    """All keys."""

    keys = fields.List(fields.Nested(KeySchema), required=True)


class NewKeySchema(Schema):
    """A key to be made."""

    label = Name(required=True)
    rights = fields.List(Name(), required=True, metadata={"description": "read:BOOK, import:BOOK, admin"})
    sheet = Flag(metadata={"description": "A weak token that may only read, and may travel in an address"})
    expires = Day(metadata={"description": "First day on which it no longer holds"})


class MadeKeySchema(Schema):
    """A key that was made; it is shown this once."""

    key = fields.String(required=True)


class Texts(fields.List[str]):
    """A parameter that may be repeated."""

    is_multiple = True  # webargs: every value of a repeated parameter


def texts(about: str) -> Texts:
    """A repeated parameter of names."""
    return Texts(Name(), metadata={"description": about})


NOUNS = ("prices", "systems", "results", "runs", "assumptions")


class AcceptSchema(Schema):
    """How an import treats what it doubts."""

    dry_run = Flag(metadata={"description": "1 reports what would happen, and changes nothing"})
    accept = texts("Import in spite of this warning: outlier, shrunk, jump, competing")


class ImportSchema(AcceptSchema):
    """Where the rows of a body go, and how they are read."""

    noun = fields.String(validate=options(*NOUNS), metadata={"description": "prices unless asked"})
    book = Name(metadata={"description": "public unless asked; made where there is none"})
    source = Name(required=True, metadata={"description": "Name under which the rows stand in the book"})
    merge = Flag(metadata={"description": "1 adds to the source's earlier rows instead of replacing them"})
    map = texts("OURS=THEIRS: our column is called so in the file")
    fill = texts("OURS=TEXT: a column that the file lacks, for all rows")
    ignore = texts("A column of the file that is not taken in")
    decimal = fields.String(validate=options("point", "comma"), metadata={"description": "The decimal mark"})
    thousands = fields.String(
        validate=options("none", "comma", "point", "space", "apostrophe"),
        metadata={"description": "The thousands mark"},
    )
    delimiter = fields.String(validate=options("comma", "semicolon", "tab"), metadata={"description": "Of a CSV"})
    sheet = Name(metadata={"description": "Of a workbook"})
    entered_by = Name(metadata={"description": "Who entered the rows; the key's label unless said"})


class TemplateSchema(Schema):
    """Which template."""

    noun = fields.String(validate=options(*NOUNS))
    format = fields.String(validate=options("csv", "xlsx"), metadata={"description": "csv unless asked"})


class ExportSchema(Schema):
    """How a book is written, and at which version."""

    format = fields.String(
        validate=options("csv", "json", "ndjson", "xlsx"), metadata={"description": "csv unless asked"}
    )
    catalogue = Name(metadata={"description": "A version of this book; the newest unless asked"})


class DiffSchema(Schema):
    """Which versions are set beside each other."""

    before = Name(required=True, metadata={"description": "Catalogue version"})
    after = Name(metadata={"description": "Catalogue version; the newest of the public book unless asked"})


class PageSchema(Schema):
    """A page of a list."""

    book = Name(metadata={"description": "Only of this book"})
    limit = Whole(1, 500, metadata={"description": "Items on a page; 100 unless asked"})
    offset = Whole(0, 1_000_000, metadata={"description": "Items before the page"})
