"""The formulas, one topic a file: plain functions of numbers that know no record, file or clock."""
