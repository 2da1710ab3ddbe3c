"""Methods that compute components out of the columns."""

from dataclasses import replace
from functools import partial

from tamis.registry.method import Method
from tamis.registry.neighbourhood import GRAPH
from tamis.registry.option import KERNEL, Option

_discriminate = partial(Method, kind="extraction", needs="labelled rows")

_extract = partial(Method, kind="extraction")

DISCRIMINANTS: tuple[Method, ...] = (
    _discriminate(
        id="lda",
        name="Linear discriminant analysis (LDA)",
        component="LD",
        paper="Cunningham; Fisher",
        about="computes the components with the largest ratio of between-class to "
        "within-class variance",
        when="Labels are known, and the components should separate the classes.",
        when_not="More columns than rows: shuffled labels would be separated just as well.",
        cost="The rows in memory; n d^2 and one eigenproblem.",
        kernel="tamis.algorithms.extraction.lda:discriminants",
        estimator="LinearDiscriminants",
        details="""
        There are at most as many components as classes, less one. Shares are of the sum of
        eigenvalues.
        """,
        example="""
        >>> from sklearn.datasets import load_iris
        >>> model = LinearDiscriminants(2).fit(*load_iris(return_X_y=True))
        >>> model.shares_.round(5), model.note_[:14]
        (array([0.99121, 0.00879]), 'solver regular')
        """,
        options=(
            Option(
                "solver",
                "choice",
                "auto",
                "Treatment of a singular within-class covariance; 'auto' chooses.",
                choices=("auto", "regular", "svd", "nullspace", "pca+lda"),
            ),
        ),
        usual_retain=1.0,
    ),
    _discriminate(
        id="kda",
        name="Kernel discriminant analysis (KDA)",
        component="KD",
        paper="Cunningham; Baudat & Anouar",
        about="computes linear discriminants in the feature space of a kernel",
        when="Labels are known, and the classes are separated by curves, not by planes.",
        when_not="Few rows, or when loadings are needed: a kernel of full rank separates anything.",
        cost="The rows in memory; n^3, at most 8,192 rows.",
        kernel="tamis.algorithms.extraction.kernels:kernel_discriminants",
        estimator="KernelDiscriminants",
        details="""
        The fitted object keeps the rows, at most 8,192, which scores of new rows need. Shares are
        of the sum of eigenvalues.
        """,
        example="""
        >>> from sklearn.datasets import load_iris
        >>> model = KernelDiscriminants(2, kernel="linear").fit(*load_iris(return_X_y=True))
        >>> model.projection_.values.round(5)
        array([0.96987, 0.22203])
        """,
        references="""
        Baudat, G. and Anouar, F. Generalized discriminant analysis using a kernel approach.
        """,
        options=(
            *KERNEL,
            Option(
                "cut",
                "positive",
                1e-8,
                "Drop kernel eigenvalues below this fraction of the largest.",
            ),
            Option(
                "ridge",
                "positive",
                None,
                "Regularisation, as a multiple of the mean kernel eigenvalue; by default "
                "0.001 if the kernel matrix has full rank, else 0.",
            ),
        ),
        usual_retain=1.0,
    ),
    _discriminate(
        id="lfda",
        name="Local Fisher discriminant analysis (LFDA)",
        component="LFD",
        paper="Cunningham; Sugiyama",
        about="computes discriminants that keep only nearby rows of a class together",
        when="Labels are known, and a class consists of several clusters.",
        when_not="More columns than rows, or classes without clusters: lda is simpler.",
        cost="The rows in memory; n^2 d within each class and one eigenproblem of d^3.",
        kernel="tamis.algorithms.extraction.lda:local_discriminants",
        estimator="LocalDiscriminants",
        details="""
        Suits classes that consist of several clusters. Shares are of the sum of eigenvalues.
        """,
        example="""
        >>> from sklearn.datasets import load_iris
        >>> LocalDiscriminants(3).fit(*load_iris(return_X_y=True)).components_.shape
        (3, 4)
        """,
        references="""
        Sugiyama, M. Dimensionality reduction of multimodal labeled data by local Fisher
        discriminant analysis.
        """,
        options=(
            Option(
                "affinity",
                "choice",
                "local",
                "Affinity of two rows of a class: by distance with local scaling, or constant.",
                choices=("local", "constant"),
                also="a function of two sets of rows",
            ),
            Option(
                "neighbours",
                "integer",
                7,
                "The distance to this nearest neighbour is the local scale.",
                least=1,
            ),
            Option(
                "metric",
                "choice",
                "plain",
                "Components as they are, or multiplied by the square root of their eigenvalue.",
                choices=("plain", "weighted"),
            ),
        ),
    ),
)

SHARE_OPTION = Option(
    "share",
    "share",
    0.95,
    "Share to explain, of the variance or of what the method maximises, when no "
    "number of components is given.",
)
_WEIGHTS = Option(
    "weights",
    "choice",
    "relpca",
    "Relevance method that gives the weights of the columns.",
    choices=("relpca", "relpca-first", "q-alpha", "q-alpha-approx"),
    also="a number for each column",
)

EXTRACTION: tuple[Method, ...] = (
    _extract(
        id="pca",
        name="Principal component analysis (PCA)",
        component="PC",
        paper="Cunningham; Pearson",
        about="computes the orthogonal components with the largest variance",
        when="You need few new columns that hold most variance, whatever they are called.",
        when_not="You must say which columns to measure: components need all of them.",
        cost="One read and one eigenproblem of d^3.",
        takes_sparse=True,
        rebuilds=True,
        kernel="tamis.algorithms.extraction.pca:principal_components",
        estimator="PrincipalComponents",
        details="""
        The table is read once, into its Gram matrix, or into its rows if those are fewer.
        """,
        example="""
        >>> from sklearn.datasets import load_iris
        >>> model = PrincipalComponents(scale=False).fit(load_iris().data)
        >>> model.shares_.round(5)
        array([0.92462, 0.05307])
        """,
    ),
    _extract(
        id="wpca",
        name="Weighted PCA (WPCA)",
        component="WPC",
        paper="Peluffo et al.",
        about="computes principal components of columns weighted by their relevance",
        when="Some columns are more relevant than others and should shape the components.",
        when_not="No reason for the weights: they change the components.",
        cost="One read, the cost of the weights and one eigenproblem of d^3.",
        takes_sparse=True,
        rebuilds=True,
        kernel="tamis.algorithms.extraction.pca:weighted_components",
        estimator="WeightedPCA",
        details="""
        The weights come from a relevance method or are given, one number for each column.
        """,
        example="""
        >>> from sklearn.datasets import load_iris
        >>> model = WeightedPCA(1, weights=[0, 0, 1, 0]).fit(load_iris().data)
        >>> model.components_
        array([[0., 0., 1., 0.]])
        """,
        references="""
        Peluffo, D. et al. Generalised-distance feature extraction and relevance by PCA.
        """,
        options=(_WEIGHTS,),
    ),
    _extract(
        id="gdfe",
        name="Generalised-distance feature extraction (GDFE)",
        component="GDFE",
        needs="rows",
        paper="Peluffo et al.",
        about="computes the projection with the smallest reconstruction error when errors "
        "of similar rows are weighted jointly",
        when="Errors of similar rows belong together, as in repeated measurements.",
        when_not="Tens of thousands of rows, or rows without clusters: pca is simpler.",
        cost="The rows in memory; n^2 d for the weights of all pairs of rows.",
        rebuilds=True,
        kernel="tamis.algorithms.extraction.gdfe:generalised_directions",
        estimator="GeneralisedDistance",
        example="""
        >>> from sklearn.datasets import load_iris
        >>> model = GeneralisedDistance(scale=False).fit(load_iris().data)
        >>> model.note_, model.shares_.round(5)
        ('Gaussian kernel, sigma = 0.591608', array([0.97457]))
        """,
        references="""
        Peluffo, D. et al. Generalised-distance feature extraction and relevance by PCA.
        """,
        options=(
            Option(
                "omega",
                "choice",
                "kernel",
                "Joint weights of the errors of two rows.",
                choices=("kernel", "identity", "linear"),
                also="N x N values or a function of two sets of rows",
            ),
            Option(
                "sigma",
                "choice",
                "pooled_quantile",
                "Width of the kernel: 10% quantile of all pairwise distances, or of "
                "nearest-neighbour distances.",
                choices=("pooled_quantile", "nn_quantile"),
                also="a number",
                number=True,
            ),
            replace(
                _WEIGHTS,
                default=None,
                about="Relevance method that gives weights of the columns; by default all are "
                "alike.",
            ),
            Option("twice", "flag", False, "Apply the weights twice in the scores: Y = X W (W V)."),
        ),
    ),
    _extract(
        id="lsa",
        name="Latent semantic analysis (LSA)",
        component="LSA",
        needs="rows",
        paper="Cunningham; Deerwester et al.",
        about="computes the leading singular vectors of the table without centring it, "
        "sparse or dense",
        when="Word counts and other sparse tables, which stay sparse.",
        when_not="Columns with large means in different units: nothing is centred or scaled.",
        cost="The rows in memory; some products with the stored values for each component.",
        takes_sparse=True,
        rebuilds=True,
        kernel="tamis.algorithms.extraction.lsa:latent_directions",
        estimator="LatentSemanticAnalysis",
        details="A sparse table stays sparse. Shares are of the sum of squares of the table.",
        example="""
        >>> model = LatentSemanticAnalysis().fit([[3.0, 4.0], [6.0, 8.0]])
        >>> model.transform([[3.0, 4.0]])
        array([[5.]])
        >>> model.fold_in([[6.0, 8.0]], scaled=False).round(3)
        array([[0.894]])
        """,
        scale=None,
    ),
    _extract(
        id="nmf",
        name="Non-negative matrix factorisation (NMF)",
        component="NMF",
        needs="rows",
        paper="Cunningham; Lee & Seung",
        about="writes each row as a sum of parts without negative values",
        when="Counts, spectra and amounts, where a row is a sum of parts.",
        when_not="Negative values, or when the answer must not depend on a seed.",
        cost="The rows in memory; n d k for each of up to 1,000 iterations.",
        takes_sparse=True,
        rebuilds=True,
        kernel="tamis.algorithms.extraction.nmf:nonnegative_parts",
        estimator="NonNegativeMatrixFactorisation",
        details="""
        Each part sums to 1; a score is the amount of the part in the row. Shares are of the total
        of all scores.
        """,
        example="""
        >>> model = NonNegativeMatrixFactorisation(1).fit([[1.0, 3.0], [2.0, 6.0]])
        >>> model.components_.round(6)
        array([[0.25, 0.75]])
        """,
        references="""
        Lee, D. D. and Seung, H. S. Learning the parts of objects by non-negative matrix
        factorization.
        """,
        options=(
            Option(
                "loss",
                "choice",
                "frobenius",
                "Loss to minimise: squared error or divergence.",
                choices=("frobenius", "kullback-leibler"),
            ),
            Option("max_iter", "integer", 1000, "Maximum number of iterations.", least=1),
            Option("random_state", "integer", 0, "Random seed of the initial values."),
        ),
        scale=None,
    ),
    _extract(
        id="kernel-pca",
        name="Kernel PCA",
        component="KPC",
        needs="rows",
        paper="Cunningham; Schoelkopf et al.",
        about="computes principal components in the feature space of a kernel",
        when="Rows lie on a curve or in rings that no straight component shows.",
        when_not="You need to know which columns matter: kernel methods have no loadings.",
        cost="The rows in memory; n^2 d for the kernel, n^3 up to 2,048 rows; at most 32,768 rows.",
        kernel="tamis.algorithms.extraction.kernels:kernel_components",
        estimator="KernelPCA",
        details="The fitted object keeps the rows, which scores of new rows need.",
        example="""
        >>> from sklearn.datasets import load_iris
        >>> KernelPCA(2).fit_transform(load_iris().data).shape
        (150, 2)
        """,
        references="""
        Schoelkopf, B., Smola, A. and Mueller, K.-R. Nonlinear component analysis as a kernel
        eigenvalue problem.
        """,
        options=KERNEL,
    ),
    _extract(
        id="lpp",
        name="Locality preserving projections (LPP)",
        component="LPP",
        needs="rows",
        paper="Cunningham; He & Niyogi",
        about="computes the components whose scores differ least between neighbouring rows",
        when="Rows lie along curves or in clusters, and components with loadings should follow.",
        when_not="About as many columns as rows: the directions fit any graph; use pca first.",
        cost="The rows in memory; their neighbours, n^2 d up to 50,000 rows, then n d^2 and d^3.",
        kernel="tamis.algorithms.extraction.lpp:locality_preserving",
        estimator="LocalityPreserving",
        details="""
        Shares are of the sum of `1 - lam` over all components, where that is positive; `lam` is in
        `projection_.values`, smallest first.
        """,
        example="""
        >>> from sklearn.datasets import load_iris
        >>> model = LocalityPreserving(2).fit(load_iris().data)
        >>> model.projection_.values.round(4)
        array([0.0067, 0.0492])
        """,
        references="He, X. and Niyogi, P. Locality preserving projections.",
        options=tuple(replace(option, reads=False) for option in GRAPH),
    ),
    _extract(
        id="spectral",
        name="Spectral embedding and clusters",
        component="SE",
        needs="rows",
        paper="Cunningham; Ng, Jordan & Weiss",
        about="computes scores in which the rows of a cluster of any shape lie together, and the "
        "clusters",
        when="Clusters are rings, curves or of different density, which K-means cannot find.",
        when_not="You need loadings or tens of thousands of rows, or round clusters: K-means does.",
        cost="The rows in memory; n^2 d for the affinities, n^3 up to 2,048 rows; at most 32,768 "
        "rows.",
        kernel="tamis.algorithms.extraction.spectral:spectral_components",
        estimator="SpectralEmbedding",
        details="""
        The fitted object keeps the rows, at most 32,768, which scores of new rows need. Without a
        number of components, there are as many as clusters are found. Shares are of the sum of
        their eigenvalues.
        """,
        example="""
        Two rings, one around the other.

        >>> from sklearn.datasets import make_circles
        >>> X, rings = make_circles(400, factor=0.4, noise=0.03, random_state=0)
        >>> model = SpectralEmbedding().fit(X)
        >>> model.transform(X).shape, len(set(zip(model.labels_.tolist(), rings.tolist())))
        ((400, 2), 2)
        """,
        references="""
        Ng, A. Y., Jordan, M. I. and Weiss, Y. On spectral clustering: analysis and an algorithm.
        """,
        options=(
            Option(
                "sigma",
                "choice",
                "median",
                "Width of the affinity: the median distance to a near neighbour.",
                choices=("median",),
                also="a number",
                number=True,
            ),
            Option(
                "neighbours",
                "integer",
                5,
                "Which nearest neighbour the median distance is taken to.",
                least=1,
            ),
            Option("random_state", "integer", 0, "Random seed of K-means."),
        ),
        usual_retain=1.0,
    ),
    *DISCRIMINANTS,
)
