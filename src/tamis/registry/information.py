"""Methods on the mutual information of columns, numbers in bins and categories alike."""

from dataclasses import replace
from functools import partial

from tamis.registry.method import Method, rank_iris
from tamis.registry.option import Option

BINS_OPTION = Option(
    "bins",
    "integer",
    10,
    "Number of bins of a numeric column; fewer when there are few rows.",
    choices=(),
    least=2,
    reads=True,
)
BINNING = Option(
    "binning",
    "choice",
    "depth",
    "Bins of equal row counts, of equal width, or from k-means of the column.",
    choices=("depth", "width", "kmeans"),
    reads=True,
)
CORRECTED = Option(
    "corrected",
    "flag",
    True,
    "Take off what chance gives each pair of columns, which grows with their distinct values, and "
    "measure what is explained of each column; otherwise normalised mutual information as it is.",
    reads=True,
)
_THRESHOLD = Option(
    "mi_threshold",
    "share",
    0.9,
    "Importance uses the leading components that explain more than this share of the spectrum.",
)
_LAPLACIAN = Option(
    "laplacian",
    "choice",
    "unnormalized",
    "Graph Laplacian: unnormalised, symmetric normalised or random walk.",
    choices=("unnormalized", "sym", "rw"),
)
_SPLIT = Option(
    "split",
    "choice",
    "sign",
    "Split the Fiedler vector at 0 or at its median.",
    choices=("sign", "median"),
)
_COMMON = (BINS_OPTION, BINNING, _THRESHOLD)
_PAPER = "VIMICA and RSPFS note (2015)"
_inform = partial(Method, needs="information", usual_retain=0.5, scale=None)

# A second copy of a column is as important as the first, but is taken last or not at all. A
# representative adds nothing to its copy, hence the exception.
INFORMATION_METHODS: tuple[Method, ...] = (
    _inform(
        id="representatives",
        name="Representatives",
        paper="tamis; the greedy bound is Nemhauser, Wolsey & Fisher's",
        about="adds the column that shares most information with those not yet represented",
        when="Text, categories and numbers in one table, or relations that are not linear.",
        when_not="Numbers with linear relations: sums of several columns are seen by sfs only.",
        cost="Two reads, n d^2 work for the pairs, then about d for each column kept.",
        kernel="tamis.algorithms.information.representatives:take_representatives",
        estimator="Representatives",
        example=rank_iris("Representatives(2)", "[2, 1]"),
        references="""
        Nemhauser, G., Wolsey, L. & Fisher, M. (1978). An analysis of approximations for maximizing
        submodular set functions. Mathematical Programming 14, 265-294.
        """,
        takes_limits="adding",
        options=(replace(BINS_OPTION, default=6), BINNING, CORRECTED),
        swaps=True,
        exceptions=("copies",),
    ),
    _inform(
        id="naive-fs",
        name="NaiveFS",
        paper=_PAPER,
        about="keeps the columns with the highest importance score, from the mutual "
        "information of all pairs",
        when="To compare with studies that used VIMICA scores; a first ranking of mixed columns.",
        when_not="Redundant columns: they all score high.",
        cost="Two reads, n d^2 work for the pairs, then one eigenproblem of d^3.",
        kernel="tamis.algorithms.information.importance:most_important",
        estimator="NaiveFS",
        example=rank_iris("NaiveFS(2)", "[2, 3]"),
        references="""
        The note on variable importance by mutual information and component analysis (VIMICA) and on
        recursive spectral partitioning for feature selection (RSPFS), 2015.
        """,
        options=_COMMON,
        ranks="largest",
    ),
    _inform(
        id="greedy-fs",
        name="GreedyFS",
        paper=_PAPER,
        about="adds at each step an important column that shares little information with "
        "those already kept",
        when="To compare with studies that used it; mixed columns, few of them redundant.",
        when_not="You want most information explained: representatives reaches more.",
        cost="Two reads, n d^2 work for the pairs, one eigenproblem, then d for each column kept.",
        kernel="tamis.algorithms.information.importance:important_and_new",
        estimator="GreedyFS",
        example=rank_iris("GreedyFS(2)", "[2, 1]"),
        references="""
        The note on variable importance by mutual information and component analysis (VIMICA) and on
        recursive spectral partitioning for feature selection (RSPFS), 2015.
        """,
        takes_limits="adding",
        options=_COMMON,
    ),
    _inform(
        id="naive-rspfs",
        name="NaiveRSPFS",
        paper=_PAPER,
        about="keeps the columns that recursive spectral partitioning separates first",
        when="To compare with studies that used spectral trees of columns.",
        when_not="You want most information explained: representatives reaches more.",
        cost="Two reads, n d^2 work for the pairs, then up to d - 1 spectral cuts.",
        kernel="tamis.algorithms.information.importance:first_split_off",
        estimator="NaiveRSPFS",
        example=rank_iris("NaiveRSPFS(2)", "[1, 0]"),
        references="""
        The note on variable importance by mutual information and component analysis (VIMICA) and on
        recursive spectral partitioning for feature selection (RSPFS), 2015.
        """,
        takes_limits="adding",
        options=(
            *_COMMON,
            _LAPLACIAN,
            _SPLIT,
            Option(
                "tie_break",
                "choice",
                "score",
                "Order of columns at equal depth of the tree: by importance or as in the table.",
                choices=("score", "index"),
            ),
        ),
    ),
    _inform(
        id="rspfs",
        name="RSPFS",
        paper=_PAPER,
        about="adds at each step an important column that is distant in the spectral tree "
        "from those already kept",
        when="You want a tree of the columns, and columns from distant branches of it.",
        when_not="You want most information explained: representatives reaches more.",
        cost="Two reads, n d^2 work for the pairs, then up to d - 1 spectral cuts.",
        kernel="tamis.algorithms.information.importance:important_and_distant",
        estimator="RSPFS",
        example=rank_iris("RSPFS(2)", "[2, 1]"),
        references="""
        The note on variable importance by mutual information and component analysis (VIMICA) and on
        recursive spectral partitioning for feature selection (RSPFS), 2015.
        """,
        takes_limits="adding",
        options=(
            *_COMMON,
            _LAPLACIAN,
            _SPLIT,
            Option(
                "distance",
                "choice",
                "multiply",
                "Multiply importance by the tree distance, or divide by it as in the paper's "
                "formula.",
                choices=("multiply", "divide"),
            ),
        ),
    ),
)
