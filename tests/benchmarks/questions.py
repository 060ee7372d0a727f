"""The questions that the benchmarks ask."""

FIELDS = {
    "systems": "ipu-pod16,dgx-a100-640gb",
    "benchmark": "resnet",
    "round": "v1.0",
    "division": "closed",
    "baseline": "dgx-a100-640gb",
}
PAIR_ADDRESS = "/v1/compare?" + "&".join(f"{name}={value}" for name, value in FIELDS.items())
