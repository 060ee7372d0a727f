"""Unit factors. They are names, so that the unit check can put real units in their place."""

MINUTES_PER_HOUR = 60.0
HOURS_PER_YEAR = 8760.0  # 365 days, as NREL's and the colocation trade's yearly sums have it
MONTHS_PER_YEAR = 12.0
WATTS_PER_KW = 1000.0
SECONDS_PER_MINUTE = 60.0
FLOP_PER_TFLOP = 1e12
HOURS_PER_JULIAN_YEAR = 8766.0  # 365.25 days, as Epoch AI's yearly sums have it
HOURS_PER_30_DAYS = 720.0
GB_PER_TB = 1000.0
GRAMS_PER_KG = 1000.0
ONE = 1.0  # a pure number beside shares
ONE_YEAR = 1.0
TWICE = 2.0
