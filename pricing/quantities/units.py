"""Unit factors. They are names, so that the unit check can put real units in their place."""

MINUTES_PER_HOUR = 60.0
HOURS_PER_YEAR = 8760.0  # 365 days, as NREL's and the colocation trade's yearly sums have it
MONTHS_PER_YEAR = 12.0
WATTS_PER_KW = 1000.0
SECONDS_PER_MINUTE = 60.0
FLOP_PER_TFLOP = 1e12
ONE = 1.0  # a pure number beside shares
ONE_YEAR = 1.0
