"""Selectors that find clusters of rows, each with columns of its own."""

from tamis.selection.base import ClusterSelector


class ProjectedClustering(ClusterSelector):
    """Keep the columns in which some cluster of rows is close together.

    Examples
    --------
    Two clusters: one is close together in the first two columns, the other in the last two.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, (80, 6))
    >>> X[:40, :2] = X[:40, :2] / 20 + 0.5
    >>> X[40:, 4:] = X[40:, 4:] / 20 - 0.5
    >>> fitted = ProjectedClustering(n_clusters=2).fit(X)
    >>> fitted.get_support(indices=True)
    array([0, 1, 4, 5])
    >>> fitted.columns_.astype(int)
    array([[0, 0, 0, 0, 1, 1],
           [1, 1, 0, 0, 0, 0]])

    References
    ----------
    Aggarwal, C. C., Wolf, J. L., Yu, P. S., Procopiuc, C. & Park, J. S. (1999). Fast algorithms for
    projected clustering. Proceedings of ACM SIGMOD, 61-72.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "proclus"


class Biclustering(ClusterSelector):
    """Keep the columns of sets of rows and columns whose values belong together.

    Examples
    --------
    The first 30 rows have the same pattern in the first four columns, up to a shift and noise.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 8))
    >>> X[:30, :4] = rng.standard_normal((30, 1)) + [0, 1, 2, 3] + X[:30, :4] / 10
    >>> fitted = Biclustering().fit(X)
    >>> fitted.get_support(indices=True)
    array([0, 1, 2, 3])
    >>> fitted.rows_.sum(axis=1)
    array([29])

    References
    ----------
    Bryan, K., Cunningham, P. & Bolshakova, N. (2005). Biclustering of expression data using
    simulated annealing. IEEE Symposium on Computer-Based Medical Systems, 383-388.
    Cheng, Y. & Church, G. M. (2000). Biclustering of expression data. Proceedings of ISMB, 93-103.
    Hartigan, J. A. (1972). Direct clustering of a data matrix. Journal of the American Statistical
    Association 67, 123-129.
    """

    method_id = "bicluster"


class NMFParts(ClusterSelector):
    """Keep the columns that weigh heavily in a part of a non-negative factorisation.

    Examples
    --------
    Two parts: the first 20 rows have one in the first two columns, the last 20 one in the last two.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(0, 1, (40, 6))
    >>> X[:20, :2] += 8
    >>> X[20:, 4:] += 8
    >>> fitted = NMFParts(n_clusters=2).fit(X)
    >>> fitted.get_support(indices=True)
    array([0, 1, 4, 5])
    >>> fitted.rows_.sum(axis=1)
    array([20, 20])

    References
    ----------
    Lee, D. D. & Seung, H. S. (1999). Learning the parts of objects by non-negative matrix
    factorization. Nature 401, 788-791.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "nmf-parts"
