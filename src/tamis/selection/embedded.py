"""Selectors that rank columns by how a learner uses them."""

from tamis.selection.base import PathSelector


class TreeImportance(PathSelector):
    """Keep the columns on which a decision tree splits best.

    Columns that correlate share their importance: of two copies a tree uses one.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((60, 4))
    >>> TreeImportance().fit(X, X[:, 2] > 0).get_support(indices=True)
    array([2])

    References
    ----------
    Breiman, L., Friedman, J., Olshen, R. & Stone, C. (1984). Classification and Regression Trees.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "tree-importance"


class PermutationImportance(PathSelector):
    """Keep the columns without which a random forest predicts worse.

    Columns that correlate share their importance: shuffle one of two copies and the other is still
    there.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((60, 4))
    >>> PermutationImportance().fit(X, X[:, 2] > 0).get_support(indices=True)
    array([2])

    References
    ----------
    Breiman, L. (2001). Random forests. Machine Learning 45, 5-32.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "permutation-importance"


class BrainDamage(PathSelector):
    """Keep the columns whose weights a small neural network can spare least.

    The column of least saliency, by the second derivatives of the training error, is removed, and
    the network is trained on.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((200, 4))
    >>> BrainDamage().fit(X, X[:, 2] * X[:, 0] > 0).get_support(indices=True)
    array([0, 2])

    References
    ----------
    LeCun, Y., Denker, J. S. & Solla, S. A. (1990). Optimal brain damage. Advances in Neural
    Information Processing Systems 2.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "brain-damage"
