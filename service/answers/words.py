"""Names of quantities as words."""

SPELLED = {"tco": "TCO", "kw": "kW", "it": "IT"}


def label(name: str) -> str:
    """The name of a quantity as words, without the unit at its end."""
    words = name.removeprefix("cluster_").split("_")
    if words[-1] in ("minutes", "kw", "kwh") and words[-2] != "per":
        words = words[:-1]
    return " ".join(SPELLED.get(word, word) for word in words)
