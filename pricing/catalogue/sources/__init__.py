"""Where prices come from: one file for each kind of source, and guests by entry point."""
