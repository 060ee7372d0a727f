"""The answers over HTTP and on the command line; no arithmetic."""
