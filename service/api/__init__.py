"""The addresses under /v1, one blueprint a noun."""
