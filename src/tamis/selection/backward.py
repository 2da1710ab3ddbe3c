"""Selectors that remove columns one by one."""

from tamis.selection.base import GramSelector


class UFS(GramSelector):
    """Remove at each step the column that a linear combination of the others predicts best.

    Gaussian elimination on the eigenvectors of the correlation matrix, exact dependencies first.
    `path_` holds every removal and its linear combination.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> UFS(n_features_to_select=2).fit(load_iris().data).ranking_
    array([0, 1])

    References
    ----------
    Yen, C.-C., Chen, L.-C. and Lin, S.-D. (2010). Unsupervised feature selection: minimize
    information redundancy of features.
    """

    method_id = "ufs"


class UFSStatic(GramSelector):
    """Remove for each of the smallest components the column with the largest loading.

    Jolliffe's B2 run to the end: one decomposition, never updated.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> UFSStatic(n_features_to_select=2).fit(load_iris().data).ranking_
    array([3, 1])

    References
    ----------
    Yen, C.-C., Chen, L.-C. and Lin, S.-D. (2010). Unsupervised feature selection: minimize
    information redundancy of features.
    """

    method_id = "ufs-static"


class JolliffeB1(GramSelector):
    """Remove at each step the column with the largest loading on the smallest component.

    The components are those of the remaining columns: the analysis is done again at each step.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> JolliffeB1(n_features_to_select=2).fit(load_iris().data).ranking_
    array([0, 1])

    References
    ----------
    Jolliffe, I. T. (1972). Discarding variables in a principal component analysis. I: Artificial
    data.
    Yen, C.-C., Chen, L.-C. and Lin, S.-D. (2010). Unsupervised feature selection: minimize
    information redundancy of features.
    """

    method_id = "jolliffe-b1"


class VarianceInflation(GramSelector):
    """Remove at each step the column that a regression on all others explains best.

    Backward elimination by variance inflation, on the inverse correlation matrix.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> VarianceInflation(n_features_to_select=2).fit(load_iris().data).ranking_
    array([0, 1])

    References
    ----------
    Marquardt, D. W. (1970). Generalized inverses, ridge regression, biased linear estimation, and
    nonlinear estimation.
    """

    method_id = "vif"


class CorrelationFilter(GramSelector):
    """Keep one representative of each group of highly correlated columns.

    The representative does not depend on the order of the columns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> CorrelationFilter(threshold=0.9).fit(load_iris().data).ranking_
    array([2, 0, 1])

    References
    ----------
    Own rule; compare the filters of caret (findCorrelation) and feature-engine
    (DropCorrelatedFeatures), which depend on the order of the columns.
    """

    method_id = "correlation"


class FeatureCondensing(GramSelector):
    """Cluster the columns by the angles between them and keep one of each cluster.

    A stand-in for the "feature condensing" of Krizek et al., whose definition is not available.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> FeatureCondensing(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Krizek, P., Kittler, J. & Hlavac, V. (2008). Feature condensing algorithm for feature selection;
    cited after Yen, Chen & Lin.
    """

    method_id = "condensing"


class FeatureSimilarity(GramSelector):
    """Keep the columns most similar to their nearest neighbours and remove those neighbours.

    The distance is the maximal information compression index. The paper uses `scale=False`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> FeatureSimilarity(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Mitra, P., Murthy, C. A. & Pal, S. K. (2002). Unsupervised feature selection using feature
    similarity.
    """

    method_id = "fsfs"


class Krzanowski(GramSelector):
    """Remove at each step the column without which the component scores change least.

    Backward elimination by the Procrustes criterion.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> Krzanowski(n_features_to_select=2).fit(load_iris().data).ranking_
    array([3, 1])

    References
    ----------
    Krzanowski, W. J. (1987). Selection of variables to preserve multivariate data structure, using
    principal components.
    """

    method_id = "krzanowski"
