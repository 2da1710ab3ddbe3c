"""Methods that cluster the rows with sets of columns, and keep the set with the best clusters."""

from dataclasses import replace
from functools import partial

from tamis.registry.method import Method
from tamis.registry.option import Option
from tamis.registry.shared import SCALE_SWITCH

_DIRECTION = Option(
    "direction",
    "choice",
    "forward",
    "Add columns to the empty set, or remove them from the full one.",
    choices=("forward", "backward"),
)
_SEARCH = (
    Option(
        "min_gain",
        "amount",
        0.01,
        "Smallest improvement of the criterion, as a share of it, for which a column is kept.",
    ),
    Option(
        "sample",
        "integer",
        1000,
        "Number of rows to cluster; of a longer table a random sample is taken.",
        least=2,
    ),
    Option("random_state", "integer", 0, "Random seed of the sample and of the starts."),
)

_ACUITY = Option(
    "acuity",
    "positive",
    0.28209479177387814,  # 1 / (2 sqrt(pi)): a column known so well counts 1
    "Smallest standard deviation of a column in a cluster, relative to that of all rows.",
)
_TREES = Option(
    "n_init", "integer", 3, "Number of random row orders; the best tree counts.", least=1
)

# The parameters of `tamis.clustering.Cobweb`, which is no method of selection.
COBWEB = (
    _ACUITY,
    Option("cutoff", "amount", 0.001, "Smallest gain in category utility, by column, of a split."),
    replace(SCALE_SWITCH, default=True),
    _TREES,
    Option("random_state", "integer", 0, "Random seed of the row orders."),
)

_search = partial(Method, needs="rows", searches=True, decides=True, retains=False)

CLUSTERING: tuple[Method, ...] = (
    _search(
        id="category-utility",
        name="Category utility (COBWEB wrapper)",
        paper="Devaney & Ram; Cunningham",
        about="searches for the columns whose COBWEB clusters predict all columns best",
        when="No labels, tens of columns of numbers, and clusters of any shape to be found.",
        when_not="Text, which is skipped; more than some tens of columns; no clusters in the rows.",
        cost="About d^2 / 2 clusterings of up to 1,000 rows.",
        kernel="tamis.algorithms.clustering.category_utility:cluster_by_concepts",
        estimator="CategoryUtility",
        example="""
        Three clusters in the first two columns, and three columns of noise.

        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> middles = np.repeat([[0, 4], [4, 8], [8, 0]], 40, axis=0)
        >>> X = np.hstack([middles, np.zeros((120, 3))]) + rng.standard_normal((120, 5))
        >>> CategoryUtility().fit(X).get_support(indices=True)
        array([0, 1])
        """,
        references="""
        Devaney, M. & Ram, A. (1997). Efficient feature selection in conceptual clustering. ICML.
        Fisher, D. (1987). Knowledge acquisition via incremental conceptual clustering. Machine
        Learning.
        """,
        options=(
            _DIRECTION,
            Option(
                "over",
                "choice",
                "all",
                "Sum category utility over all columns, or over those of the set.",
                choices=("all", "subset"),
            ),
            Option(
                "weighted",
                "flag",
                True,
                "Weight clusters by their share of the rows; Cunningham's formula does not.",
            ),
            _ACUITY,
            _TREES,
            Option(
                "incremental",
                "flag",
                False,
                "Add each column to the tree of the set before it (AICC) instead of growing a new "
                "one; for a forward search.",
            ),
            *_SEARCH,
        ),
    ),
    _search(
        id="em-wrapper",
        name="EM wrapper (FSSEM)",
        paper="Dy & Brodley; Cunningham",
        about="searches for the columns in which a Gaussian mixture finds the best separated "
        "clusters",
        when="No labels, tens of columns of numbers, and clusters shaped like ellipses.",
        when_not="More than some tens of columns, or no clusters in the rows.",
        cost="About d^2 / 2 mixture fits of up to 1,000 rows.",
        kernel="tamis.algorithms.clustering.em_wrapper:cluster_by_mixtures",
        estimator="EMWrapper",
        example="""
        Three clusters in the first two columns, and three columns of noise.

        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> middles = np.repeat([[0, 4], [4, 8], [8, 0]], 40, axis=0)
        >>> X = np.hstack([middles, np.zeros((120, 3))]) + rng.standard_normal((120, 5))
        >>> EMWrapper().fit(X).get_support(indices=True)
        array([0, 1])
        """,
        references="""
        Dy, J. & Brodley, C. (2004). Feature selection for unsupervised learning. Journal of Machine
        Learning Research.
        """,
        options=(
            _DIRECTION,
            Option(
                "criterion",
                "choice",
                "trace",
                "Separation of the clusters, trace(S_w^-1 S_b), or log-likelihood of the mixture.",
                choices=("trace", "likelihood"),
            ),
            Option("k_max", "integer", 10, "Largest number of clusters tried.", least=1),
            Option(
                "n_init", "integer", 5, "Number of random starts of EM; the best counts.", least=1
            ),
            *_SEARCH,
        ),
    ),
)
