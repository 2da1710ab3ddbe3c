"""Selectors that add columns one by one, or choose a set of a given size."""

from tamis.selection.base import GramSelector, MixedGramSelector, MixedSelector


class ForwardSelection(MixedGramSelector):
    """Keep the columns that best explain all the others on rows not seen.

    Each step takes the column that explains most of the others. Where rows are few, regressions
    are shrunken as explains most on held-out rows. Data frames may hold text and categories.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> ForwardSelection(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Golub, G., Heath, M. & Wahba, G. (1979). Generalized cross-validation as a method for choosing a
    good ridge parameter. Technometrics 21, 215-223.
    """

    method_id = "forward"


class ForwardRegression(MixedSelector):
    """Keep the columns that best explain a response, one at a time.

    Each step takes the column that raises R² of the response most, or of classes the mean squared
    canonical correlation.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> fitted = ForwardRegression(n_features_to_select=2).fit(X, y)
    >>> fitted.ranking_, fitted.retained_.round(3)
    (array([2, 8]), array([0.344, 0.459]))

    References
    ----------
    Chen, S., Billings, S. A. and Luo, W. (1989). Orthogonal least squares methods and their
    application to non-linear system identification.
    """

    method_id = "forward-regression"


class MRMR(MixedSelector):
    """Keep columns that are related to a response, and little to each other.

    Each step takes the column with the largest relevance, divided by its mean correlation with the
    columns taken before, or less that.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MRMR(n_features_to_select=2).fit(X, y).ranking_
    array([2, 3])

    References
    ----------
    Ding, C. and Peng, H. (2005). Minimum redundancy feature selection from microarray gene
    expression data.
    """

    method_id = "mrmr"


class SequentialForwardSelection(GramSelector):
    """Keep the columns that best explain all the others, one at a time.

    Each step takes the column that lowers the squared error of reconstructing the table most.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> SequentialForwardSelection(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Cui, Y. and Dy, J. G. Orthogonal principal feature selection.
    """

    method_id = "sfs"


class PrincipalFeatureSelection(GramSelector):
    """Keep the columns most correlated with the first component of the residual.

    Each step finds the leading principal component of the residual table, takes the column most
    correlated with it, and removes from all columns what that one explains.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> PrincipalFeatureSelection(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Cui, Y. and Dy, J. G. Orthogonal principal feature selection.
    """

    method_id = "pfs"


class PrincipalVariables(GramSelector):
    """Keep the columns with the largest partial covariances, given those already kept.

    Cumming and Wooff's criterion: the largest sum of squared partial covariances.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> PrincipalVariables(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Cumming, J. A. and Wooff, D. A. (2007). Dimension reduction via principal variables.
    """

    method_id = "principal-variables"


class PivotedQR(GramSelector):
    """Keep the columns with the largest residual variance, given those already kept.

    The order of QR with column pivoting on the centred table.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> PivotedQR(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Businger, P. and Golub, G. H. (1965). Linear least squares solutions by Householder
    transformations.
    """

    method_id = "pivoted-qr"


class JolliffeI(GramSelector):
    """Keep the columns with the largest loading on a first component, recomputed each time.

    Redundancy is ignored: near-copies of a kept column may follow it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> JolliffeI(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    Jolliffe, I. T. (2002). Principal component analysis, second edition.
    """

    method_id = "jolliffe-i"


class JolliffeNI(GramSelector):
    """Keep one column for each leading component, by largest loading.

    Jolliffe's B4, from a single eigen-decomposition.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> JolliffeNI(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Jolliffe, I. T. (2002). Principal component analysis, second edition.
    """

    method_id = "jolliffe-ni"


class JolliffeB3(GramSelector):
    """Keep the columns with the largest squared loadings on as many leading components.

    Jolliffe's B3: the columns with the largest sums over the other components are removed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> JolliffeB3(n_features_to_select=2).fit(load_iris().data).get_support(indices=True)
    array([0, 1])

    References
    ----------
    Jolliffe, I. T. (1972). Discarding variables in a principal component analysis. I: Artificial
    data.
    """

    method_id = "jolliffe-b3"


class SPCA(GramSelector):
    """Keep the columns of one sparse principal component.

    The set whose best unit combination has the largest variance. Redundancy is ignored by design.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> SPCA(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    Yuan, X.-T. and Zhang, T. (2013). Truncated power method for sparse eigenvalue problems.
    """

    method_id = "spca"


class PrincipalFeatureAnalysis(GramSelector):
    """Keep one column of each cluster of columns with similar loadings.

    K-means on the absolute loadings; the column nearest its centre is kept.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> PrincipalFeatureAnalysis(n_features_to_select=2).fit(load_iris().data).ranking_
    array([3, 1])

    References
    ----------
    Lu, Y., Cohen, I., Zhou, X. S. and Tian, Q. (2007). Feature selection using principal feature
    analysis.
    """

    method_id = "pfa"
