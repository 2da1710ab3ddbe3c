"""Options of methods that take columns one by one: what they must respect, and what matters."""

from tamis.registry.option import Option

FORBID = Option(
    "forbid",
    "columns",
    None,
    "Columns never kept, but analysed and explained.",
    group="Which columns",
)
COSTS = Option(
    "costs",
    "prices",
    None,
    "Price of a column, 1 where none is given. At each step the column with the largest gain per "
    "price is added.",
    flag="cost",
)
IMPORTANCE = Option(
    "importance",
    "weights",
    None,
    "How much it matters to explain a column, 1 where nothing is said. With 0 it may explain "
    "others, and need not be explained.",
)
Y_WEIGHT = Option(
    "y_weight",
    "share",
    None,
    "How much a response matters beside all columns, from 0 to 1: 0.5 keeps columns that explain "
    "it and stand for the others.",
)
GROUPS = Option(
    "groups",
    "groups",
    None,
    "Groups of columns, each with a name, that at_most and at_least count, or that are taken "
    "together; on the command line also @FILE, a CSV file with columns and their groups.",
    flag="group",
)
AT_MOST = Option(
    "at_most", "counts", None, "Keep at most so many columns of every group, or of one."
)
AT_LEAST = Option(
    "at_least", "counts", None, "Keep at least so many columns of every group, or of one."
)
MAX_PRICE = Option(
    "budget",
    "positive",
    None,
    "What the kept columns may cost together; a column costs 1 where no price is given.",
)
APART = Option(
    "apart",
    "positive",
    None,
    "Smallest distance of kept columns on an axis. Names of columns that are numbers, such as "
    "wavelengths, are the axis.",
)
AXIS = Option(
    "axis",
    "axis",
    None,
    "Position of every column on the axis, where the names are no numbers; on the command line a "
    "CSV file with columns and positions.",
)
TOGETHER = Option(
    "together",
    "flag",
    None,
    "Take every group whole, as a sensor with all its columns; the number of columns to keep then "
    "counts groups, and columns that are in none.",
    switch=True,
)
LIMITS = (GROUPS, AT_MOST, AT_LEAST, MAX_PRICE, APART, AXIS)
ALL_LIMITS = (FORBID, COSTS, *LIMITS)
