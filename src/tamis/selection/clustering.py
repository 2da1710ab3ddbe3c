"""Selectors that search for the columns with the best clusters of rows."""

from tamis.selection.base import PathSelector


class CategoryUtility(PathSelector):
    """Keep the columns whose COBWEB clusters predict all columns best.

    Examples
    --------
    Three clusters in the first two columns, and three columns of noise.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> middles = np.repeat([[0, 4], [4, 8], [8, 0]], 40, axis=0)
    >>> X = np.hstack([middles, np.zeros((120, 3))]) + rng.standard_normal((120, 5))
    >>> CategoryUtility().fit(X).get_support(indices=True)
    array([0, 1])

    References
    ----------
    Devaney, M. & Ram, A. (1997). Efficient feature selection in conceptual clustering. ICML.
    Fisher, D. (1987). Knowledge acquisition via incremental conceptual clustering. Machine
    Learning.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "category-utility"


class EMWrapper(PathSelector):
    """Keep the columns in which a Gaussian mixture finds the best separated clusters.

    Examples
    --------
    Three clusters in the first two columns, and three columns of noise.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> middles = np.repeat([[0, 4], [4, 8], [8, 0]], 40, axis=0)
    >>> X = np.hstack([middles, np.zeros((120, 3))]) + rng.standard_normal((120, 5))
    >>> EMWrapper().fit(X).get_support(indices=True)
    array([0, 1])

    References
    ----------
    Dy, J. & Brodley, C. (2004). Feature selection for unsupervised learning. Journal of Machine
    Learning Research.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "em-wrapper"
