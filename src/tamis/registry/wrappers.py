"""Methods that search for the set of columns with which a learner scores best."""

from functools import partial

from tamis.registry.method import CV, LEARNER, SCORING, Method
from tamis.registry.option import Option

_WRAPPER_OPTIONS = (
    LEARNER,
    SCORING,
    CV,
    Option(
        "test_size",
        "amount",
        0.2,
        "Share of the rows set aside for a final test; at most 0.5, 0 for none.",
    ),
    Option("n_jobs", "integer", 1, "Number of parallel processes, -1 for all cores.", least=-1),
    Option(
        "max_evaluations",
        "integer",
        None,
        "Stop after so many different sets of columns, with the best so far.",
        least=1,
    ),
    Option("max_seconds", "positive", None, "Stop after so many seconds, with the best so far."),
    Option(
        "checkpoint",
        "file",
        None,
        "File (JSON) for the scores so far; a stopped search resumes from it.",
    ),
    Option("random_state", "integer", 0, "Random seed, for the splits and the search."),
)

_EARLY = Option(
    "early_stopping",
    "flag",
    False,
    "Stop when the best set no longer improves on rows set aside from the search.",
)

_wrapper = partial(
    Method,
    needs="labelled rows",
    searches=True,
    scale=None,
    keeps_copies=True,
    decides=True,
    retains=False,
    tasks=("classification", "regression"),
)

WRAPPERS: tuple[Method, ...] = (
    _wrapper(
        id="wrapper-forward",
        name="Wrapper, forward selection",
        paper="Kohavi & John; Cunningham",
        about="adds, one at a time, the column with which a learner scores best",
        when="You have a learner, labels and tens of columns, and few should be kept.",
        when_not="Thousands of columns, few rows, or columns that matter only in pairs.",
        cost="About k d cross-validations; quick for naive Bayes, minutes to hours for others.",
        kernel="tamis.algorithms.wrappers.steps:select_forward",
        estimator="ForwardWrapper",
        example="""
        The sign of the sum of two columns takes both.

        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((90, 4))
        >>> found = ForwardWrapper().fit(X, X[:, 2] + X[:, 0] > 0)
        >>> found.get_support(indices=True)
        array([0, 2])
        """,
        references="""
        Kohavi, R. & John, G. (1997). Wrappers for feature subset selection. Artificial
        Intelligence.
        """,
        options=(
            Option("tol", "amount", 0.0, "Add a column only if the score rises by more than this."),
            *_WRAPPER_OPTIONS,
        ),
    ),
    _wrapper(
        id="wrapper-backward",
        name="Wrapper, backward elimination",
        paper="Kohavi & John; Cunningham",
        about="removes, one at a time, the column without which a learner scores best",
        when="You have a learner and labels, and columns matter only beside others.",
        when_not="Hundreds of columns or more: it starts with all of them.",
        cost="About d^2 / 2 cross-validations; quick for naive Bayes, long for other learners.",
        kernel="tamis.algorithms.wrappers.steps:select_backward",
        estimator="BackwardWrapper",
        example="""
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((90, 4))
        >>> BackwardWrapper().fit(X, X[:, 2] + X[:, 0] > 0).get_support(indices=True)
        array([0, 2])
        """,
        references="""
        Kohavi, R. & John, G. (1997). Wrappers for feature subset selection. Artificial
        Intelligence.
        """,
        options=(
            Option(
                "accept_ties",
                "flag",
                True,
                "Remove a column also if the score stays the same: the smaller set wins.",
            ),
            *_WRAPPER_OPTIONS,
        ),
    ),
    _wrapper(
        id="wrapper-genetic",
        name="Wrapper, genetic search",
        paper="Loughrey & Cunningham; Cunningham",
        about="evolves sets of columns by crossover and mutation, guided by the score of a learner",
        when="You have a learner and labels, and one-at-a-time searches stop too early.",
        when_not="Few rows: the longer it runs, the more it overfits.",
        cost="Up to population x generations cross-validations, whatever the number of columns.",
        kernel="tamis.algorithms.wrappers.lots:select_genetic",
        estimator="GeneticWrapper",
        example="""
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((90, 4))
        >>> found = GeneticWrapper().fit(X, X[:, 2] + X[:, 0] > 0)
        >>> found.get_support(indices=True), found.evidence_.test_rows
        (array([0, 2]), 17)
        """,
        references="""
        Loughrey, J. & Cunningham, P. (2005). Overfitting in wrapper-based feature subset selection:
        the harder you try the worse it gets.
        """,
        options=(
            Option("population", "integer", 50, "Number of sets in a generation.", least=2),
            Option("generations", "integer", 50, "Maximum number of generations.", least=1),
            Option(
                "penalty",
                "amount",
                0.0,
                "Subtracted from the score, times the share of columns kept.",
            ),
            _EARLY,
            *_WRAPPER_OPTIONS,
        ),
    ),
    _wrapper(
        id="wrapper-annealing",
        name="Wrapper, simulated annealing",
        paper="Kirkpatrick et al.; Cunningham",
        about="changes a set of columns at random, accepting worse sets less and less often",
        when="You have a learner and labels, and time for a search that escapes local optima.",
        when_not="Few rows: the best of many sets is too optimistic; early_stopping helps.",
        cost="About 135 d cross-validations, fewer with a limit.",
        kernel="tamis.algorithms.wrappers.lots:select_annealing",
        estimator="AnnealingWrapper",
        example="""
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((90, 4))
        >>> AnnealingWrapper().fit(X, X[:, 2] + X[:, 0] > 0).get_support(indices=True)
        array([0, 2])
        """,
        references="""
        Kirkpatrick, S., Gelatt, C. & Vecchi, M. (1983). Optimization by simulated annealing.
        Science.
        """,
        options=(
            Option(
                "temperature",
                "amount",
                None,
                "First temperature, in units of the score; by default chosen from the first sets.",
            ),
            _EARLY,
            *_WRAPPER_OPTIONS,
        ),
    ),
)
