"""Selectors that search for the set of columns with which a learner scores best."""

from tamis.selection.base import PathSelector


class ForwardWrapper(PathSelector):
    """Add the column with which a learner scores best, one at a time.

    Examples
    --------
    The sign of the sum of two columns takes both.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((90, 4))
    >>> found = ForwardWrapper().fit(X, X[:, 2] + X[:, 0] > 0)
    >>> found.get_support(indices=True)
    array([0, 2])

    References
    ----------
    Kohavi, R. & John, G. (1997). Wrappers for feature subset selection. Artificial Intelligence.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "wrapper-forward"


class BackwardWrapper(PathSelector):
    """Remove the column without which a learner scores best, one at a time.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((90, 4))
    >>> BackwardWrapper().fit(X, X[:, 2] + X[:, 0] > 0).get_support(indices=True)
    array([0, 2])

    References
    ----------
    Kohavi, R. & John, G. (1997). Wrappers for feature subset selection. Artificial Intelligence.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "wrapper-backward"


class GeneticWrapper(PathSelector):
    """Evolve sets of columns by crossover and mutation, guided by the score of a learner.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((90, 4))
    >>> found = GeneticWrapper().fit(X, X[:, 2] + X[:, 0] > 0)
    >>> found.get_support(indices=True), found.evidence_.trial.rows
    (array([0, 2]), 17)

    References
    ----------
    Loughrey, J. & Cunningham, P. (2005). Overfitting in wrapper-based feature subset selection: the
    harder you try the worse it gets.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "wrapper-genetic"


class AnnealingWrapper(PathSelector):
    """Change a set of columns at random, accepting worse sets less and less often.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((90, 4))
    >>> AnnealingWrapper().fit(X, X[:, 2] + X[:, 0] > 0).get_support(indices=True)
    array([0, 2])

    References
    ----------
    Kirkpatrick, S., Gelatt, C. & Vecchi, M. (1983). Optimization by simulated annealing. Science.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "wrapper-annealing"
