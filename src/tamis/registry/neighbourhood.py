"""Methods on neighbouring rows, and the plain variance that they are compared with.

`mcfs` scores two copies of a column differently: a sparse regression takes one of them.
"""

from tamis.registry.method import Method, rank_iris
from tamis.registry.option import Option

GRAPH = (
    Option(
        "neighbours",
        "integer",
        5,
        "Number of nearest neighbours of each row in the graph.",
        least=1,
        reads=True,
    ),
    Option(
        "weight",
        "choice",
        "heat",
        "Edge weights: exp(-distance^2 / t), or 1.",
        choices=("heat", "binary"),
        reads=True,
    ),
    Option(
        "t",
        "positive",
        None,
        "Width of the heat kernel; by default the mean squared distance over the edges.",
        reads=True,
    ),
    Option(
        "search",
        "choice",
        "auto",
        "Nearest-neighbour search; auto is exact up to 50,000 rows.",
        choices=("auto", "exact", "approximate"),
        reads=True,
    ),
    Option("random_state", "integer", 0, "Random seed of the approximate search.", reads=True),
)

NEIGHBOURHOOD: tuple[Method, ...] = (
    Method(
        id="laplacian",
        name="Laplacian score",
        needs="neighbours",
        paper="He, Cai & Niyogi",
        about="keeps the columns that vary least between neighbouring rows",
        when="Rows form clusters or a continuum, and kept columns should follow it.",
        when_not="Redundant columns, or so many noise columns that neighbours mean nothing.",
        cost="The rows in memory; their neighbours, n^2 d up to 50,000 rows, then n d.",
        kernel="tamis.algorithms.neighbourhood.laplacian:smoothest_columns",
        estimator="LaplacianScore",
        details="""
        Scores one column at a time: copies of a good column are kept with it. Of the scores in
        `path_` the smaller is the better.
        """,
        example=rank_iris("LaplacianScore(n_features_to_select=2)", "[2, 3]"),
        references="He, X., Cai, D. & Niyogi, P. (2005). Laplacian score for feature selection.",
        options=GRAPH,
        keeps_copies=True,
        ranks="smallest",
    ),
    Method(
        id="mcfs",
        name="Multi-cluster feature selection (MCFS)",
        needs="neighbours",
        paper="Cai, Zhang & He",
        about="keeps the columns that predict the clusters of the rows in sparse regressions",
        when="Rows form clusters, and few columns should separate all of them.",
        when_not="No clusters in the rows, or so many noise columns that they are hidden.",
        cost="The rows in memory; their neighbours, n^2 d, then a regression for each cluster.",
        kernel="tamis.algorithms.neighbourhood.mcfs:describe_clusters",
        estimator="MultiClusterSelection",
        details="""
        Each vector of a spectral embedding of the rows is regressed on few columns; the score is
        the largest coefficient.
        """,
        example=rank_iris("MultiClusterSelection(n_features_to_select=2)", "[2, 0]"),
        references="""
        Cai, D., Zhang, C. & He, X. (2010). Unsupervised feature selection for multi-cluster data.
        """,
        options=(
            Option(
                "clusters",
                "integer",
                5,
                "Number of spectral embedding vectors; about the number of clusters.",
                least=1,
            ),
            *GRAPH,
        ),
        exceptions=("copies",),
    ),
    Method(
        id="variance",
        name="Variance filter",
        paper="common practice",
        about="keeps the columns with the largest variance, in their original units",
        when="All columns in one unit, and columns that hardly vary carry no information.",
        when_not="Columns in different units: the unit decides.",
        cost="One read, then a sort.",
        kernel="tamis.algorithms.neighbourhood.variance:largest_variances",
        estimator="VarianceFilter",
        details="""
        Depends on the units of the columns and ignores redundancy; with `scale=True` all columns
        tie.
        """,
        example=rank_iris("VarianceFilter(n_features_to_select=2)", "[2, 0]"),
        scale=False,
        keeps_copies=True,
        ranks="largest",
    ),
)
