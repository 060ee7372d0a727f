"""Systems, prices, results and assumptions, joined at one version."""
