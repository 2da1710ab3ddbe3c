"""Shared options about rows: which belong together, whether they follow one another, weights."""

from tamis.registry.option import Option
from tamis.registry.reading import READING_DOORS

__all__ = ["ORDERED", "ROW_GROUPS", "ROW_OPTIONS", "WEIGHTS"]

_DOORS = tuple(door for door in READING_DOORS if door != "extract")

ROW_GROUPS = Option(
    "row_groups",
    "labels",
    None,
    "Column that says which rows belong together, such as a patient or a plate: they are held out "
    "together. It is not analysed.",
    doors=_DOORS,
)
ORDERED = Option(
    "ordered",
    "flag",
    False,
    "The rows follow one another, as in time: hold out stretches of them.",
    doors=_DOORS,
)
WEIGHTS = Option(
    "weights",
    "labels",
    None,
    "Column with the weight of every row; an integer counts as so many rows. It is not analysed.",
    doors=(*_DOORS, "summarise"),
    texts=(("summarise", "Column with how many rows each row stands for: integers."),),
)
ROW_OPTIONS = (ROW_GROUPS, ORDERED, WEIGHTS)
