"""An accelerator with its dense peaks, and training runs whose cost in accelerator-hours is known."""

from dataclasses import dataclass

from marshmallow import Schema, fields

PRECISIONS = ("bf16", "fp16", "fp8", "tf32", "fp32")
DENSE = {"description": "Dense peak of one accelerator as MLPerf counts them [TFLOP/s]; never the sparse figure"}


@dataclass(frozen=True, slots=True)
class Accelerator:
    """An accelerator; a blank figure was not read at a source."""

    accelerator_model: str
    vendor: str
    released: str | None
    memory_gb: float
    memory_bandwidth_gb_per_s: float | None
    tdp_w: float | None
    peak_fp32_tflops: float | None
    peak_tf32_tflops: float | None
    peak_bf16_tflops: float | None
    peak_fp16_tflops: float | None
    peak_fp8_tflops: float | None
    source_title: str
    source_url: str
    confidence: str
    note: str | None

    def peaks(self) -> dict[str, float]:
        """The dense peaks that are known, by precision [TFLOP/s]."""
        found = {precision: getattr(self, f"peak_{precision}_tflops") for precision in PRECISIONS}
        return {precision: peak for precision, peak in found.items() if peak is not None}


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A run, or a part of one, with its model's parameters N, its tokens D and what it took.

    `flops_per_param_token` is 6 where all weights are trained. `implied_mfu_pct` is of the 16-bit peak,
    `implied_mfu_native_pct` of the peak of the precision trained in.
    """

    kind: str
    model: str
    parameters_n: float
    tokens_d: float
    flops_per_param_token: float
    accelerator: str
    accelerators: int | None
    accelerator_hours: float
    days: float | None
    precision: str
    mfu_stated_pct: str | None
    implied_mfu_pct: float
    implied_mfu_native_pct: float | None
    peak_used_tflops: float
    consistent: str | None
    flag: str | None
    year: int
    source_title: str
    source_url: str
    confidence: str
    note: str | None


class AcceleratorSchema(Schema):
    """An accelerator as the API shows it."""

    accelerator_model = fields.String(required=True)
    vendor = fields.String(required=True)
    released = fields.String(required=True, allow_none=True)
    memory_gb = fields.Float(required=True)
    memory_bandwidth_gb_per_s = fields.Float(required=True, allow_none=True)
    tdp_w = fields.Float(required=True, allow_none=True)
    peak_fp32_tflops = fields.Float(required=True, allow_none=True, metadata=DENSE)
    peak_tf32_tflops = fields.Float(required=True, allow_none=True, metadata=DENSE)
    peak_bf16_tflops = fields.Float(required=True, allow_none=True, metadata=DENSE)
    peak_fp16_tflops = fields.Float(required=True, allow_none=True, metadata=DENSE)
    peak_fp8_tflops = fields.Float(required=True, allow_none=True, metadata=DENSE)
    source_title = fields.String(required=True)
    source_url = fields.String(required=True)
    confidence = fields.String(required=True)
    note = fields.String(required=True, allow_none=True)


class TrainingRunSchema(Schema):
    """A run whose accelerator-hours are known, with what the estimate gives for it."""

    kind = fields.String(required=True, metadata={"description": "run, step, projection or mlperf"})
    model = fields.String(required=True)
    parameters_n = fields.Float(required=True, metadata={"description": "Parameters N; of a mixture, the active ones"})
    tokens_d = fields.Float(required=True, metadata={"description": "Tokens D"})
    flops_per_param_token = fields.Float(required=True)
    accelerator = fields.String(required=True)
    accelerators = fields.Integer(required=True, allow_none=True, strict=True)
    accelerator_hours = fields.Float(required=True, metadata={"description": "What it took [accelerator × h]"})
    precision = fields.String(required=True)
    implied_mfu_share = fields.Float(
        required=True, allow_none=True, metadata={"description": "Of the dense peak of its precision"}
    )
    estimated_accelerator_hours = fields.Float(
        required=True, allow_none=True, metadata={"description": "By the assumed MFU; null where no peak fits"}
    )
    low_accelerator_hours = fields.Float(required=True, allow_none=True, metadata={"description": "At the highest MFU"})
    high_accelerator_hours = fields.Float(required=True, allow_none=True, metadata={"description": "At the lowest MFU"})
    error_share = fields.Float(
        required=True, allow_none=True, metadata={"description": "Estimate over the truth, less 1"}
    )
    within = fields.String(
        required=True, metadata={"description": "yes where the truth lies in the interval; no; or not estimated"}
    )
    year = fields.Integer(required=True, strict=True)
    flag = fields.String(required=True, allow_none=True)
    source_title = fields.String(required=True)
    source_url = fields.String(required=True)
    confidence = fields.String(required=True)
    note = fields.String(required=True, allow_none=True)
