"""Methods that give every column a relevance and rank by it."""

from functools import partial

from tamis.registry.method import Method, rank_iris
from tamis.registry.option import Option

_HELD_VARIANCE = Option(
    "threshold",
    "share",
    None,
    "Share of the total relevance that the kept columns reach, not a score; by default 0.95.",
)
_RULE = Option(
    "rule",
    "choice",
    "ceil",
    "Keep the fewest columns that reach the threshold, or the most that do not "
    "exceed it; a number of components chosen by default follows the same rule.",
    choices=("ceil", "floor"),
)

_weigh = partial(Method, usual_threshold=0.95, keeps_copies=True, ranks="largest")

RELEVANCE: tuple[Method, ...] = (
    _weigh(
        id="relpca",
        name="relPCA",
        paper="Peluffo et al.",
        about="ranks columns by the share of each that the leading principal components explain",
        when="A quick ranking of the columns that follow the main components.",
        when_not="Redundant columns: all columns of a large group score high.",
        cost="One read and one eigenproblem of d^3.",
        kernel="tamis.algorithms.relevance:rank_by_components",
        estimator="RelPCA",
        details="Copies of a column are equally relevant: redundancy is not removed.",
        example=rank_iris("RelPCA(2)", "[1, 2]"),
        references="""
        Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
        Unsupervised relevance analysis for feature extraction and selection.
        """,
        options=(
            _HELD_VARIANCE,
            _RULE,
            Option(
                "components",
                "integer",
                None,
                "Number of principal components to use; by default those that explain 95% of "
                "the variance.",
                least=1,
            ),
        ),
    ),
    _weigh(
        id="relpca-first",
        name="relPCA with the first component only",
        paper="Peluffo et al.",
        about="ranks columns by their loading on the first principal component",
        when="One factor drives the table, and you want the columns that follow it.",
        when_not="Several factors: all but the first are ignored.",
        cost="One read and one leading eigenvector.",
        kernel="tamis.algorithms.relevance:rank_by_first_component",
        estimator="RelPCAFirst",
        details="Copies of a column are equally relevant: redundancy is not removed.",
        example=rank_iris("RelPCAFirst(2)", "[2, 3]"),
        references="""
        Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
        Unsupervised relevance analysis for feature extraction and selection.
        """,
        options=(_HELD_VARIANCE, _RULE),
    ),
    _weigh(
        id="q-alpha",
        name="Q-alpha",
        paper="Wolf & Shashua; Wolf & Bileschi; Peluffo et al.",
        about="weights columns so that the rows form few, clear clusters",
        when="Rows form few clear clusters, and columns should be weighted to show them.",
        when_not="Redundant columns, which raise each other's weight.",
        cost="One read, then an eigenproblem of d^3 in each round.",
        kernel="tamis.algorithms.relevance:rank_by_coherence",
        estimator="QAlpha",
        details="Favours information that several columns share: redundancy is not removed.",
        example=rank_iris("QAlpha(2)", "[2, 3]"),
        references="""
        Wolf, L. & Shashua, A. (2005). Feature selection for unsupervised and supervised inference.
        Wolf, L. & Bileschi, S. (2005). Combining variable selection with dimensionality reduction.
        Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
        Unsupervised relevance analysis for feature extraction and selection.
        """,
        options=(
            _HELD_VARIANCE,
            _RULE,
            Option(
                "clusters",
                "integer",
                None,
                "Number of eigenvectors, such as the number of clusters; by default the "
                "components that explain 95% of the variance.",
                least=1,
            ),
            Option(
                "mode",
                "choice",
                "power",
                "Improve the eigenvectors by one power step per iteration, or compute them "
                "exactly.",
                choices=("power", "exact"),
            ),
            Option("rounds", "integer", 4, "Maximum number of iterations.", least=1),
            Option(
                "random_state",
                "integer",
                None,
                "Random seed of the start, as published; by default the start is the "
                "principal components.",
            ),
        ),
    ),
    _weigh(
        id="q-alpha-approx",
        name="Approximate Q-alpha",
        paper="Wolf & Bileschi; Peluffo et al.",
        about="weights columns by the variance they share with all others, in one step",
        when="A quick stand-in for q-alpha, or to find columns that belong together.",
        when_not="You want few columns without redundancy: copies raise each other's weight.",
        cost="One read and one leading eigenvector.",
        kernel="tamis.algorithms.relevance:rank_by_common_variance",
        estimator="ApproximateQAlpha",
        details="Favours information that several columns share: redundancy is not removed.",
        example=rank_iris("ApproximateQAlpha(2)", "[2, 3]"),
        references="""
        Wolf, L. & Bileschi, S. (2005). Combining variable selection with dimensionality reduction.
        Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
        Unsupervised relevance analysis for feature extraction and selection.
        """,
        options=(_HELD_VARIANCE, _RULE),
    ),
)
