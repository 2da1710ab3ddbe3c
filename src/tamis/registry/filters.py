"""Filters: columns against the classes, alone or in pairs, numbers in bins and text alike."""

from dataclasses import replace
from functools import partial

from tamis.registry.information import BINNING, BINS_OPTION
from tamis.registry.method import Method
from tamis.registry.option import Option

_BINS_OPTION = replace(
    BINS_OPTION,
    about="Number of bins of a numeric column; fewer when there are few rows. The most that "
    "'chimerge' leaves; 'mdl' decides itself.",
)
_BINNING = replace(
    BINNING,
    about="Bins of equal row counts, of equal width, from k-means of the column, or chosen by the "
    "labels: MDL (Fayyad & Irani) or ChiMerge (Kerber).",
    choices=("depth", "width", "kmeans", "mdl", "chimerge"),
)
_TWO_BINS = replace(
    BINS_OPTION,
    default=2,
    about="Number of bins of a numeric column, of equal row counts; 2 cuts at the median, of more "
    "each is compared with the others.",
)

_count = partial(Method, needs="class counts", scale=None, keeps_copies=True, decides=True)

FILTERS: tuple[Method, ...] = (
    _count(
        id="chi2",
        name="Chi-square score",
        paper="Cunningham",
        about="ranks columns by the chi-square statistic of their values and the classes",
        when="Labels are known, values are categories or bins, and each column is judged alone.",
        when_not="Columns that matter only together, or copies of one good column.",
        cost="Two reads; n d counts.",
        kernel="tamis.algorithms.filters.independence:rank_by_chi2",
        estimator="ChiSquareScore",
        example="""
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> ChiSquareScore(2).fit(X, y).ranking_
        array([3, 2])
        """,
        options=(
            _BINS_OPTION,
            _BINNING,
            Option(
                "normalise",
                "flag",
                False,
                "Divide by the largest possible value (Cramer's V squared), so that columns with "
                "many values are not favoured.",
            ),
        ),
        ranks="largest",
    ),
    _count(
        id="information-gain",
        name="Information gain",
        paper="Quinlan; Cunningham",
        about="ranks columns by their mutual information with the class",
        when="Labels are known: the usual first filter for categories and binned numbers.",
        when_not="Columns with very many values, unless ratio is set, or columns that matter "
        "together.",
        cost="Two reads; n d counts.",
        kernel="tamis.algorithms.filters.independence:rank_by_gain",
        estimator="InformationGain",
        example="""
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> InformationGain(2).fit(X, y).ranking_
        array([3, 2])
        """,
        references="""
        Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.
        """,
        options=(
            _BINS_OPTION,
            _BINNING,
            Option(
                "ratio",
                "flag",
                False,
                "Divide by the entropy of the column (gain ratio), so that columns with many "
                "values are not favoured.",
            ),
        ),
        ranks="largest",
    ),
    _count(
        id="odds-ratio",
        name="Odds ratio",
        paper="Cunningham",
        about="ranks columns by how much one of their values changes the odds of a class",
        when="Labels are known and one value matters, such as a word or a symptom.",
        when_not="Numbers whose middle values matter: they are cut at the median.",
        cost="Two reads; n d counts.",
        kernel="tamis.algorithms.filters.odds_ratio:rank_by_odds",
        estimator="OddsRatio",
        example="""
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> OddsRatio(2).fit(X, y == 2).ranking_
        array([3, 2])
        """,
        options=(
            _TWO_BINS,
            Option(
                "direction",
                "choice",
                "both",
                "Count values that make the class more likely (positive), less likely, or both.",
                choices=("both", "positive", "negative"),
            ),
            Option(
                "smoothing",
                "choice",
                "zero",
                "Where to add the constant: to 2 x 2 tables with an empty cell, to all, or to the "
                "empty cells only.",
                choices=("zero", "always", "cell"),
            ),
            Option("constant", "positive", 0.5, "What smoothing adds to a cell."),
        ),
        ranks="largest",
    ),
    _count(
        id="jmi",
        name="Joint mutual information (JMI)",
        paper="Yang & Moody; Novovicova et al.; Cunningham",
        about="adds the column that, together with those already kept, shares most information "
        "with the class",
        when="Labels are known, and columns matter together or repeat each other.",
        when_not="Few rows: pairs of columns have many cells, and chance fills them.",
        cost="Two reads, then n d counts for each column kept; a long table is read again for it.",
        kernel="tamis.algorithms.filters.jmi:join_informative",
        estimator="JointInformation",
        example="""
        Of two columns that matter only together the second follows the first.

        >>> import numpy as np
        >>> X = np.random.default_rng(0).integers(2, size=(200, 4))
        >>> JointInformation(start="pair").fit(X, X[:, 1] ^ X[:, 3]).get_support(indices=True)
        array([1, 3])
        """,
        references="""
        Yang, H. H. & Moody, J. (1999). Data visualization and feature selection: new algorithms for
        non-Gaussian data. Advances in Neural Information Processing Systems 12.
        """,
        takes_limits="adding",
        options=(
            replace(_BINS_OPTION, default=5),
            _BINNING,
            Option(
                "start",
                "choice",
                "column",
                "Begin with the best column, or with the best pair of all.",
                choices=("column", "pair"),
            ),
            Option(
                "corrected",
                "flag",
                False,
                "Subtract what unrelated columns with as many values would share by chance.",
            ),
        ),
        exceptions=("copies",),
    ),
)
