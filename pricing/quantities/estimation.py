"""The time of a run that nobody measured, from arithmetic: work over rate.

The count is six floating-point operations for each parameter and token: two in the forward pass, four in the backward.
Attention's own work is not in it, so that the model FLOP utilisation (MFU) must be one that does not count it, either.
Sources: Kaplan et al. 2020, "Scaling laws for neural language models", section 2.1; Chowdhery et al. 2022 (PaLM),
appendix B.
"""

from pricing.quantities.tag import quantity
from pricing.quantities.units import FLOP_PER_TFLOP, SECONDS_PER_MINUTE


@quantity("FLOP / run")
def training_flop(flop_per_parameter_token: float, parameters: float, tokens: float) -> float:
    """Floating-point operations that training a dense language model takes: 6 N D where all weights are trained."""
    return flop_per_parameter_token * parameters * tokens


@quantity("minute / run")
def estimated_time_to_train_minutes(
    training_flop: float, cluster_accelerators: float, peak_tflops: float, mfu_share: float
) -> float:
    """Time of that work on all accelerators at a share of their dense peak: an estimate, never a measured time.

    Peak and share must be of one precision.
    """
    return training_flop / (cluster_accelerators * peak_tflops * FLOP_PER_TFLOP * mfu_share) / SECONDS_PER_MINUTE
