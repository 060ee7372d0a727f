"""Whether the assumptions fit these sides, and how much of them has a source."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pricing.analysis.scene import Scene
from pricing.catalogue.catalogue import Catalogue
from pricing.graph import Bases, graph
from schemas.caveat import Caveat

EMBODIED = "embodied_carbon_kg"
TOTALS = ("tco_undiscounted", "tco_present_value", "cost_per_run")
MOSTLY = 0.5
NEUTRAL = (0.0, 1.0)


def embodied_of_another(scene: Scene) -> Iterator[Caveat]:
    """Embodied carbon that a preset takes from another kind of server."""
    for side in scene.sides:
        setting = side.provenance.get(EMBODIED, {}).get("setting")
        if side.system is None or setting is None or "carbon_per_run_kg" not in side.values:
            continue
        kind = setting.partition("-")[0].upper()
        if setting != side.choice.system and kind not in (side.system.accelerator_model or "").upper():
            detail = (
                f"The embodied carbon of {side.name} is assumed to be that of {setting}, "
                f"{side.values[EMBODIED]:g} kg a system; none of its own was found."
            )
            yield Caveat("embodied_of_another", (side.name,), "caution", detail)


def rent_of_another(scene: Scene) -> Iterator[Caveat]:
    """A rent that is another system's."""
    for side in scene.sides:
        origin = side.provenance.get("rental_price_per_hour", {})
        if origin.get("status") == "estimated":
            theirs = scene.catalogue.system(scene.question.rent_from or "").accelerator_model
            ours = side.system.accelerator_model if side.system else None
            unlike = "" if ours == theirs else f" Its accelerators are unlike: {ours}, and there {theirs}."
            detail = f"The price of an hour of {side.name} is estimated: {origin['rule']}.{unlike}"
            yield Caveat("rent_of_another", (side.name,), "serious" if unlike else "caution", detail)


def mostly_assumed(scene: Scene) -> Iterator[Caveat]:
    """A preset most of whose values that count have no source."""
    for bases in dict.fromkeys(side.choice.bases for side in scene.sides):
        names = tuple(side.name for side in scene.sides if side.choice.bases == bases)
        without, counted = without_source(scene.catalogue, scene.question.preset, bases)
        without = tuple(name for name in without if name not in scene.question.assumptions)
        if is_mostly(without, counted):
            detail = (
                f"Preset {scene.question.preset} rests mostly on assumed values: {len(without)} of the {counted} that "
                f"count in the costs have no source: {', '.join(without)}."
            )
            yield Caveat("mostly_assumed", names, "caution", detail)


def is_mostly(without: Sequence[str], counted: int) -> bool:
    """Whether most of what counts has no source."""
    return len(without) > MOSTLY * counted


@lru_cache(maxsize=256)
def without_source(catalogue: Catalogue, preset: str, bases: Bases) -> tuple[tuple[str, ...], int]:
    """The values of a preset that the costs read and that have no source, and how many count at all.

    What is 0 or 1 and has no range, such as storage that nobody asked for, changes nothing.
    """
    read = graph(bases).needs(TOTALS)
    counted = [
        each
        for name, each in catalogue.preset(preset).items()
        if name in read and (each.value not in NEUTRAL or each.low < each.high)
    ]
    return tuple(sorted(each.name for each in counted if each.status == "assumed")), len(counted)
