"""MLPerf Training result logs: from a repository's files to benchmark results."""
