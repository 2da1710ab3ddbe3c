"""Methods that remove columns one by one.

Where `exceptions` says "copies", the second of two copies goes first, without any error, and the
first stays.
"""

from tamis.registry.method import Method
from tamis.registry.option import Option

_ERROR = Option(
    "threshold",
    "positive",
    None,
    "Remove columns while the squared error of their equation is at most this; on the scale of the "
    "eigenvalues of the correlation matrix, whose mean is 1.",
)

BACKWARD: tuple[Method, ...] = (
    Method(
        "ufs",
        "Redundancy elimination",
        "selection",
        "gram",
        "Yen, Chen & Lin",
        "removes at each step the column that the others express best, by elimination on equations",
        "tamis.algorithms.backward.ufs:remove_redundant",
        "tamis.selection.ufs:RedundancyElimination",
        (_ERROR,),
        exceptions=("copies",),
    ),
    Method(
        "ufs-static",
        "Redundancy elimination without updating (B2)",
        "selection",
        "gram",
        "Yen, Chen & Lin; Jolliffe",
        "removes for each of the smallest components the column that loads most on it",
        "tamis.algorithms.backward.ufs_static:remove_by_smallest_components",
        "tamis.selection.ufs_static:StaticElimination",
        (_ERROR,),
        exceptions=("copies",),
    ),
    Method(
        "vif",
        "Variance inflation",
        "selection",
        "gram",
        "Marquardt; exact backward elimination",
        "removes at each step the column that a regression on all others reproduces best",
        "tamis.algorithms.backward.vif:remove_inflated",
        "tamis.selection.vif:VarianceInflation",
        (
            Option(
                "threshold",
                "positive",
                None,
                "Largest variance inflation that may stay; 10 when neither k nor retain is given.",
            ),
        ),
        usual_threshold=10.0,
        exceptions=("copies",),
    ),
    Method(
        "correlation",
        "Correlation groups",
        "selection",
        "gram",
        "common practice, without its dependence on column order",
        "keeps of every group of columns that correlate too much the one that stands best for it",
        "tamis.algorithms.backward.correlation:keep_representatives",
        "tamis.selection.correlation:CorrelationGroups",
        (
            Option(
                "threshold",
                "share",
                None,
                "Largest correlation between kept columns, in absolute value; 0.9 when neither k "
                "nor retain is given.",
            ),
            Option(
                "kind",
                "choice",
                "pearson",
                "Correlation of the values, or of their ranks.",
                ("pearson", "spearman"),
                reads=True,
            ),
        ),
        usual_threshold=0.9,
    ),
    Method(
        "condensing",
        "Feature clustering",
        "selection",
        "gram",
        "Krizek, Kittler & Hlavac, whose definition it stands in for",
        "merges columns by their angles into clusters and keeps one representative of each",
        "tamis.algorithms.backward.condensing:condense",
        "tamis.selection.condensing:FeatureClustering",
        (
            Option("threshold", "positive", None, "Merge clusters up to this distance in degrees."),
            Option(
                "linkage",
                "choice",
                "average",
                "Distance of two clusters: the mean, the largest or the smallest of their pairs.",
                ("average", "complete", "single"),
            ),
        ),
        exceptions=("copies",),
    ),
    Method(
        "fsfs",
        "Feature similarity",
        "selection",
        "gram",
        "Mitra, Murthy & Pal",
        "keeps the columns with the tightest neighbourhoods and drops their nearest neighbours",
        "tamis.algorithms.backward.fsfs:keep_tight_neighbourhoods",
        "tamis.selection.fsfs:FeatureSimilarity",
        (
            Option(
                "neighbours",
                "whole",
                None,
                "Neighbours removed with the first column kept; unless given, found from the goal.",
                least=1,
            ),
        ),
    ),
    Method(
        "krzanowski",
        "Procrustes elimination",
        "selection",
        "gram",
        "Krzanowski",
        "removes at each step the column without which the principal components change least",
        "tamis.algorithms.backward.krzanowski:remove_by_procrustes",
        "tamis.selection.krzanowski:ProcrustesElimination",
        (
            Option(
                "components",
                "whole",
                None,
                "Principal components to compare; unless given, those with 80% of the variance.",
                least=1,
            ),
        ),
        exceptions=("copies",),
    ),
)
