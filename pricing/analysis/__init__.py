"""Questions about cost, one a file."""
