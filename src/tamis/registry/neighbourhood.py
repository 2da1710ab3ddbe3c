"""Methods that look at neighbouring rows, and the plain variance that they are compared with.

`mcfs` scores two copies of a column differently: a sparse regression takes one of them.
"""

from tamis.registry.method import Method
from tamis.registry.option import Option

_GRAPH = (
    Option(
        "neighbours",
        "whole",
        5,
        "Nearest rows that each row is joined to.",
        least=1,
        reads=True,
    ),
    Option(
        "weight",
        "choice",
        "heat",
        "Weight of an edge: exp(-distance^2 / t), or 1.",
        ("heat", "binary"),
        reads=True,
    ),
    Option(
        "t",
        "positive",
        None,
        "Width of the heat kernel; unless given, the mean squared distance over the edges.",
        reads=True,
    ),
    Option(
        "search",
        "choice",
        "auto",
        "How the nearest rows are found; auto is exact up to 50,000 rows.",
        ("auto", "exact", "approximate"),
        reads=True,
    ),
    Option("random_state", "whole", 0, "Seed of the approximate search.", reads=True),
)

NEIGHBOURHOOD: tuple[Method, ...] = (
    Method(
        "laplacian",
        "Laplacian score",
        "selection",
        "neighbours",
        "He, Cai & Niyogi",
        "keeps the columns that vary least between neighbouring rows",
        "tamis.algorithms.neighbourhood.laplacian:smoothest_columns",
        "tamis.selection.laplacian:LaplacianScore",
        _GRAPH,
    ),
    Method(
        "mcfs",
        "Multi-cluster feature selection",
        "selection",
        "neighbours",
        "Cai, Zhang & He",
        "keeps the columns that describe the clusters of the rows in sparse regressions",
        "tamis.algorithms.neighbourhood.mcfs:describe_clusters",
        "tamis.selection.mcfs:MultiClusterSelection",
        (
            Option(
                "clusters",
                "whole",
                5,
                "Vectors to describe; about the number of clusters.",
                least=1,
            ),
            *_GRAPH,
        ),
        exceptions=("copies",),
    ),
    Method(
        "variance",
        "Largest variance",
        "selection",
        "gram",
        "common practice",
        "keeps the columns that vary most, in the units they come in",
        "tamis.algorithms.neighbourhood.variance:largest_variances",
        "tamis.selection.variance:LargestVariance",
        scale=False,
    ),
)
