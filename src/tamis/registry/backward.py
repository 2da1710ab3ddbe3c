"""Methods that remove columns one by one.

Where `exceptions` says "copies", the second of two copies is removed first, without any error, and
the first is kept.
"""

from functools import partial

from tamis.registry.method import Method, rank_iris
from tamis.registry.option import Option

_ERROR_THRESHOLD = Option(
    "threshold",
    "positive",
    None,
    "Remove columns while the squared error of the linear combination that predicts them is at "
    "most this; unit: the mean eigenvalue of the correlation matrix.",
)

_remove = partial(Method, takes_limits="removing", exceptions=("copies",))

BACKWARD: tuple[Method, ...] = (
    _remove(
        id="ufs",
        name="Unsupervised feature selection with updating (UFS)",
        paper="Yen, Chen & Lin",
        about="removes at each step the column that a linear combination of the others "
        "predicts best",
        when="Columns that are sums, differences or copies of others, and you want to see how.",
        when_not="Mostly noise, or far fewer columns wanted than there are: sfs explains more.",
        cost="One read, then about one eigenproblem of d^3 for the order of all columns.",
        kernel="tamis.algorithms.backward.ufs:remove_redundant",
        estimator="UFS",
        details="""
        Gaussian elimination on the eigenvectors of the correlation matrix, exact dependencies
        first. `path_` holds every removal and its linear combination.
        """,
        example=rank_iris("UFS(n_features_to_select=2)", "[0, 1]"),
        references="""
        Yen, C.-C., Chen, L.-C. and Lin, S.-D. (2010). Unsupervised feature selection: minimize
        information redundancy of features.
        """,
        options=(_ERROR_THRESHOLD,),
    ),
    _remove(
        id="ufs-static",
        name="UFS without updating (Jolliffe's B2)",
        paper="Yen, Chen & Lin; Jolliffe",
        about="removes for each of the smallest principal components the column with the "
        "largest loading",
        when="To compare with ufs, or with studies that used Jolliffe's B2.",
        when_not="Several dependencies that share columns: ufs updates them, this does not.",
        cost="One read and one eigenproblem of d^3.",
        kernel="tamis.algorithms.backward.ufs:remove_by_smallest_components",
        estimator="UFSStatic",
        details="Jolliffe's B2 run to the end: one decomposition, never updated.",
        example=rank_iris("UFSStatic(n_features_to_select=2)", "[3, 1]"),
        references="""
        Yen, C.-C., Chen, L.-C. and Lin, S.-D. (2010). Unsupervised feature selection: minimize
        information redundancy of features.
        """,
        options=(
            _ERROR_THRESHOLD,
            Option(
                "collision",
                "choice",
                "next",
                "Where the column with the largest loading has already been removed: remove the "
                "next largest, or skip the component.",
                choices=("next", "skip"),
            ),
            Option(
                "random_state",
                "integer",
                0,
                "Random seed of the basis of exact dependencies, with collision 'skip'.",
            ),
        ),
    ),
    _remove(
        id="jolliffe-b1",
        name="Jolliffe's B1",
        paper="Jolliffe; Yen, Chen & Lin",
        about="removes at each step the column with the largest loading on the smallest principal "
        "component of those left",
        when="To compare with studies that used Jolliffe's B1, or with ufs, which approximates it.",
        when_not="Thousands of columns: ufs comes near to it in a fraction of the time.",
        cost="One read, then d^3 work for each column removed: 1 s for 400 columns.",
        kernel="tamis.algorithms.backward.components:remove_with_new_components",
        estimator="JolliffeB1",
        example=rank_iris("JolliffeB1(n_features_to_select=2)", "[0, 1]"),
        references="""
        Jolliffe, I. T. (1972). Discarding variables in a principal component analysis. I:
        Artificial data.
        Yen, C.-C., Chen, L.-C. and Lin, S.-D. (2010). Unsupervised feature selection: minimize
        information redundancy of features.
        """,
        options=(_ERROR_THRESHOLD,),
    ),
    _remove(
        id="vif",
        name="Variance inflation factor (VIF)",
        paper="Marquardt; exact backward elimination",
        about="removes at each step the column that a regression on all others explains best",
        when="Before a regression, to remove columns that the others predict (multicollinearity).",
        when_not="More columns than rows, or no regression to follow: sfs explains more.",
        cost="One read, one inverse of d^3, then d^2 for each column removed.",
        kernel="tamis.algorithms.backward.vif:remove_inflated",
        estimator="VarianceInflation",
        details="Backward elimination by variance inflation, on the inverse correlation matrix.",
        example=rank_iris("VarianceInflation(n_features_to_select=2)", "[0, 1]"),
        references="""
        Marquardt, D. W. (1970). Generalized inverses, ridge regression, biased linear estimation,
        and nonlinear estimation.
        """,
        options=(
            Option(
                "threshold",
                "positive",
                None,
                "Largest variance inflation factor allowed; by default 10.",
            ),
        ),
        usual_threshold=10.0,
    ),
    Method(
        id="correlation",
        name="Correlation filter",
        paper="common practice, without its dependence on column order",
        about="keeps one representative of each group of highly correlated columns",
        when="You want only redundant columns removed: no two kept ones correlate above a limit.",
        when_not="Columns that are sums of several others: no pair of them correlates highly.",
        cost="One read, then d^2 comparisons for each limit tried, 24 at most.",
        kernel="tamis.algorithms.backward.correlation:keep_representatives",
        estimator="CorrelationFilter",
        details="The representative does not depend on the order of the columns.",
        example=rank_iris("CorrelationFilter(threshold=0.9)", "[2, 0, 1]"),
        references="""
        Own rule; compare the filters of caret (findCorrelation) and feature-engine
        (DropCorrelatedFeatures), which depend on the order of the columns.
        """,
        options=(
            Option(
                "threshold",
                "share",
                None,
                "Largest absolute correlation between kept columns; by default 0.9.",
            ),
            Option(
                "kind",
                "choice",
                "pearson",
                "Correlation of the values, or of their ranks.",
                choices=("pearson", "spearman"),
                reads=True,
            ),
        ),
        usual_threshold=0.9,
    ),
    Method(
        id="condensing",
        name="Feature condensing",
        paper="Krizek, Kittler & Hlavac (a stand-in: their definition is not available)",
        about="clusters the columns by the angles between them and keeps one representative"
        " of each cluster",
        when="You think of columns as groups by angle, and want one column of each group.",
        when_not="Long chains of similar columns, which single linkage joins into one group.",
        cost="One read, then a hierarchical clustering: d^2 time, and d^2 memory for all pairs.",
        kernel="tamis.algorithms.backward.condensing:condense",
        estimator="FeatureCondensing",
        details="""
        A stand-in for the "feature condensing" of Krizek et al., whose definition is not available.
        """,
        example=rank_iris("FeatureCondensing(n_features_to_select=2)", "[2, 1]"),
        references="""
        Krizek, P., Kittler, J. & Hlavac, V. (2008). Feature condensing algorithm for feature
        selection; cited after Yen, Chen & Lin.
        """,
        options=(
            Option("threshold", "positive", None, "Merge clusters up to this angle, in degrees."),
            Option(
                "linkage",
                "choice",
                "average",
                "Distance of two clusters: mean, largest or smallest over the pairs of columns.",
                choices=("average", "complete", "single"),
            ),
        ),
        exceptions=("copies",),
    ),
    Method(
        id="fsfs",
        name="Feature selection using feature similarity (FSFS)",
        paper="Mitra, Murthy & Pal",
        about="keeps the columns most similar to their nearest neighbours and removes those"
        " neighbours",
        when="To compare with studies that used feature similarity; groups of similar columns.",
        when_not="Columns related in sets of three or more: only pairs are compared.",
        cost="One read, then a sort of all d^2 distances, and d^2 for each size that is tried.",
        kernel="tamis.algorithms.backward.fsfs:keep_tight_neighbourhoods",
        estimator="FeatureSimilarity",
        details="""
        The distance is the maximal information compression index. The paper uses `scale=False`.
        """,
        example=rank_iris("FeatureSimilarity(n_features_to_select=2)", "[2, 1]"),
        references="""
        Mitra, P., Murthy, C. A. & Pal, S. K. (2002). Unsupervised feature selection using feature
        similarity.
        """,
        options=(
            Option(
                "neighbours",
                "integer",
                None,
                "Neighbours removed with the first column kept; by default the number that "
                "meets the goal.",
                least=1,
            ),
        ),
    ),
    _remove(
        id="krzanowski",
        name="Krzanowski's Procrustes criterion",
        paper="Krzanowski",
        about="removes at each step the column without which the principal component scores"
        " change least, or adds the one with which they come nearest",
        when="The picture of the rows on the first components must stay the same.",
        when_not="Tables of thousands of columns, or when columns matter more than the picture.",
        cost="One read, then some d^2 work for each column removed: 10 s for 400 columns.",
        kernel="tamis.algorithms.backward.components:remove_by_procrustes",
        estimator="Krzanowski",
        example=rank_iris("Krzanowski(n_features_to_select=2)", "[3, 1]"),
        references="""
        Krzanowski, W. J. (1987). Selection of variables to preserve multivariate data structure,
        using principal components.
        """,
        options=(
            Option(
                "components",
                "integer",
                None,
                "Number of principal components to compare; by default those that explain 80%"
                " of the variance.",
                least=1,
            ),
            Option(
                "direction",
                "choice",
                "backward",
                "Remove columns from the full set, or add them to the empty one.",
                choices=("backward", "forward"),
            ),
        ),
    ),
)
