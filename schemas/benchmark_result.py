"""A benchmark result: how long a submission took to train a benchmark to its target."""

from dataclasses import dataclass
from urllib.parse import quote

from marshmallow import Schema, fields

REPOSITORIES = "https://github.com/mlcommons/training_results_"
DIVISIONS = ("closed", "open", "not-mlperf")
AVAILABILITY = {  # the spellings of all rounds, in lower case
    "onprem": "available", "on-prem": "available", "on-premise": "available", "cloud": "available",
    "available": "available", "available on-premise": "available", "available on premise": "available",
    "available cloud": "available", "available in cloud": "available", "preview": "preview",
    "research": "research", "rdi": "research",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row of a round's table, as the logs give it. `minutes` is the unscaled mean, blank if unscored."""

    round: str
    submitter: str
    system_id: str
    system_name: str | None
    division: str | None
    status: str | None
    benchmark: str
    nodes: int | None
    accelerators_total: int | None
    accelerator_model: str | None
    host_processors_total: int | None
    host_processor_model: str | None
    runs: int
    minutes: float | None
    minutes_min: float | None
    minutes_max: float | None
    framework: str | None
    runs_failed: int
    runs_absent: int
    scaling_factor: float
    official_minutes: float | None
    energy_j: float | None
    benchmark_raw: str
    submitter_json: str | None
    results_dir: str
    system_json: str | None
    run_minutes: str | None = None
    """Unscaled times of the runs that converged, fastest first, with blanks between; blank where logs are absent."""

    def __post_init__(self) -> None:
        """Refuse a score that is no time, and a division or status that MLPerf does not have."""
        if self.official_minutes is not None and not self.official_minutes > 0:
            raise ValueError("official_minutes is above 0")
        if self.official_minutes is not None and self.division not in DIVISIONS:
            raise ValueError(f"division is one of {', '.join(DIVISIONS)}")
        if self.status and self.status.lower() not in AVAILABILITY:
            raise ValueError(f"status {self.status!r} is none of {', '.join(AVAILABILITY)}")


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """A result tied to the catalogue: which system, how many of it, under which rules.

    `time_to_train_minutes` [min] is the official score. `units` systems worked together on one job.
    `doubt_level` is none, low, medium or high; `repeat_of` names the earlier row that it repeats.
    """

    id: str
    row: ResultRow
    benchmark: str
    version_group: str
    organisation: str
    system: str | None
    units: int | None
    hosts: int | None
    time_to_train_minutes: float | None
    repeat_of: str | None
    doubt_level: str
    doubt: str | None
    book: str = "facts"
    """Who holds it; traincost cannot say of a result of a book that MLCommons verified it."""
    kind: str = "mlperf"
    """Who says it: mlperf (MLCommons' repositories), vendor, and in books logs, own_run or dawnbench, too."""
    note: str | None = None
    """What a reader should know of how the time came about."""
    price_per_hour: float | None = None
    currency: str | None = None
    """What an hour was said to cost with the time, by DAWNBench."""

    @property
    def run_minutes(self) -> tuple[float, ...]:
        """Times of the runs that converged, fastest first, scaled as the score is [min]."""
        return tuple(float(each) * self.row.scaling_factor for each in (self.row.run_minutes or "").split())

    @property
    def log_url(self) -> str | None:
        """Where MLCommons shows the logs."""
        if self.kind != "mlperf":
            return None
        return f"{REPOSITORIES}{self.row.round}/tree/HEAD/{quote(self.row.results_dir)}"

    @property
    def availability(self) -> str:
        """Say whether the system was available, preview or research."""
        return AVAILABILITY.get((self.row.status or "").lower(), "unknown")


class BenchmarkResultSchema(Schema):
    """A result as the API shows it."""

    id = fields.String(required=True, metadata={"description": "Round, submitter, system id and benchmark"})
    benchmark = fields.String(required=True)
    round = fields.String(required=True)
    division = fields.String(required=True, allow_none=True)
    version_group = fields.String(required=True)
    submitter = fields.String(required=True)
    organisation = fields.String(required=True)
    system_id = fields.String(required=True, metadata={"description": "The submission's own id"})
    system = fields.String(required=True, allow_none=True, metadata={"description": "Id in the catalogue"})
    units = fields.Integer(required=True, allow_none=True, strict=True)
    hosts = fields.Integer(required=True, allow_none=True, strict=True)
    availability = fields.String(required=True)
    accelerator_model = fields.String(required=True, allow_none=True)
    accelerators_total = fields.Integer(required=True, allow_none=True, strict=True)
    time_to_train_minutes = fields.Float(
        required=True, allow_none=True, metadata={"description": "Official score [min]; null if unscored"}
    )
    unscaled_minutes = fields.Float(required=True, allow_none=True)
    minutes_min = fields.Float(required=True, allow_none=True)
    minutes_max = fields.Float(required=True, allow_none=True)
    run_minutes = fields.List(
        fields.Float(), required=True, metadata={"description": "Scaled times of the runs that converged [min]"}
    )
    run_deviation_minutes = fields.Float(
        required=True, allow_none=True, metadata={"description": "Standard deviation from run to run [min]"}
    )
    time_low_minutes = fields.Float(
        required=True, allow_none=True, metadata={"description": "Lower end of the 90 % interval of the score [min]"}
    )
    time_high_minutes = fields.Float(
        required=True, allow_none=True, metadata={"description": "Upper end of the 90 % interval of the score [min]"}
    )
    runs = fields.Integer(required=True, strict=True)
    runs_failed = fields.Integer(required=True, strict=True)
    runs_absent = fields.Integer(
        required=True, strict=True, metadata={"description": "Runs whose logs were not there to be read"}
    )
    scaling_factor = fields.Float(required=True)
    energy_j = fields.Float(required=True, allow_none=True, metadata={"description": "Whole submission [J]"})
    framework = fields.String(required=True, allow_none=True)
    results_dir = fields.String(required=True)
    log_url = fields.String(required=True, allow_none=True, metadata={"description": "Where MLCommons shows the logs"})
    repeat_of = fields.String(required=True, allow_none=True)
    doubt_level = fields.String(required=True)
    doubt = fields.String(required=True, allow_none=True)
    book = fields.String(required=True, metadata={"description": "Who holds it; facts: it ships"})
    kind = fields.String(
        required=True, metadata={"description": "Who says it: mlperf, vendor, logs, own_run or dawnbench"}
    )
    note = fields.String(required=True, allow_none=True)
    price_per_hour = fields.Float(
        required=True, allow_none=True, metadata={"description": "What DAWNBench's entry says an hour cost"}
    )
    currency = fields.String(required=True, allow_none=True, metadata={"description": "Of price_per_hour"})
    cost_per_run = fields.Float(
        required=True, allow_none=True, metadata={"description": "At price_per_hour, busy time only"}
    )
    cautions = fields.List(
        fields.String(), required=True, metadata={"description": "With comparable_with: what to say beside it"}
    )
