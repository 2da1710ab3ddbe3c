"""Methods on the mutual information of columns, numbers in bins and categories alike."""

from tamis.registry.method import Method
from tamis.registry.option import Option

BINS = Option("bins", "whole", 10, "Bins of a numeric column; fewer for few rows.", (), 2, True)
BINNING = Option(
    "binning",
    "choice",
    "depth",
    "Bins with equally many rows, of equal width, or by k-means of the column.",
    ("depth", "width", "kmeans"),
    reads=True,
)
_THRESHOLD = Option(
    "mi_threshold",
    "share",
    0.9,
    "Importance is read from the components that hold more than this share of the spectrum.",
)
_LAPLACIAN = Option(
    "laplacian",
    "choice",
    "unnormalized",
    "Matrix of the graph that is cut: plain, or normalised by the degrees in two ways.",
    ("unnormalized", "sym", "rw"),
)
_SPLIT = Option(
    "split", "choice", "sign", "Where a part is cut: at 0 or at the median.", ("sign", "median")
)
_COMMON = (BINS, BINNING, _THRESHOLD)
_PAPER = "VIMICA and RSPFS note (2015)"
# A second copy of a column is as important as the first, but is taken last or not at all.

INFORMATION: tuple[Method, ...] = (
    Method(
        "naive-fs",
        "Important columns",
        "selection",
        "information",
        _PAPER,
        "takes the columns with the highest importance in the mutual information of the table",
        "tamis.algorithms.information.naive_fs:most_important",
        "tamis.selection.naive_fs:ImportantColumns",
        _COMMON,
        usual_retain=0.5,
        scale=None,
    ),
    Method(
        "greedy-fs",
        "Important and new columns",
        "selection",
        "information",
        _PAPER,
        "takes at each step an important column that shares little information with those taken",
        "tamis.algorithms.information.greedy_fs:important_and_new",
        "tamis.selection.greedy_fs:ImportantNewColumns",
        _COMMON,
        usual_retain=0.5,
        scale=None,
    ),
    Method(
        "naive-rspfs",
        "First columns of a spectral tree",
        "selection",
        "information",
        _PAPER,
        "takes the columns that a recursive spectral partition splits off first",
        "tamis.algorithms.information.naive_rspfs:first_split_off",
        "tamis.selection.naive_rspfs:FirstSplitOff",
        (
            *_COMMON,
            _LAPLACIAN,
            _SPLIT,
            Option(
                "tie_break",
                "choice",
                "score",
                "What decides between columns that lie equally deep: importance or table order.",
                ("score", "index"),
            ),
        ),
        usual_retain=0.5,
        scale=None,
    ),
    Method(
        "rspfs",
        "Important columns of far branches",
        "selection",
        "information",
        _PAPER,
        "takes at each step an important column far in a spectral tree from those taken",
        "tamis.algorithms.information.rspfs:important_and_distant",
        "tamis.selection.rspfs:ImportantDistantColumns",
        (
            *_COMMON,
            _LAPLACIAN,
            _SPLIT,
            Option(
                "distance",
                "choice",
                "multiply",
                "Multiply importance by the distance, or divide as the paper's formula does.",
                ("multiply", "divide"),
            ),
        ),
        usual_retain=0.5,
        scale=None,
    ),
)
