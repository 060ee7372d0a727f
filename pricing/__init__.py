"""What AI training systems cost: the formulas, the catalogue and the questions asked of them."""

__version__ = "0.1.0"
