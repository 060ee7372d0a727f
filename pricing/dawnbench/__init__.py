"""DAWNBench's entries: measured times and costs that are not MLPerf's."""
