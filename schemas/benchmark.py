"""A benchmark: a model trained to a quality target, in a version that decides what compares with what."""

from dataclasses import dataclass

from marshmallow import Schema, fields


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark in the rounds in which its rules stayed the same (`version_group`)."""

    id: str
    rounds: tuple[str, ...]
    log_name: str
    name: str
    area: str
    model: str
    dataset: str
    quality_target: str
    version_group: str
    runs_required: str
    result_rows: int
    notes: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Compatibility:
    """MLCommons' own statement of which rounds of a benchmark compare with each other."""

    benchmark: str | None
    model: str
    group: int
    first_round: str
    last_round: str
    source: str


class BenchmarkSchema(Schema):
    """A benchmark as the API shows it."""

    id = fields.String(required=True)
    rounds = fields.List(fields.String(), required=True)
    log_name = fields.String(required=True, allow_none=True, metadata={"description": "Its name in the result logs"})
    name = fields.String(required=True)
    area = fields.String(required=True, allow_none=True)
    model = fields.String(required=True, allow_none=True)
    dataset = fields.String(required=True, allow_none=True)
    quality_target = fields.String(required=True, allow_none=True)
    version_group = fields.String(
        required=True, metadata={"description": "Results compare across rounds only within one group"}
    )
    runs_required = fields.String(required=True, allow_none=True)
    result_rows = fields.Integer(required=True, strict=True)
    notes = fields.String(required=True, allow_none=True)
    source = fields.String(required=True)
