"""What things are: one noun a file, a frozen dataclass and its marshmallow schema side by side."""
