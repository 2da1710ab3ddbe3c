"""Methods that compute components out of the columns."""

from dataclasses import replace

from tamis.registry.discriminants import DISCRIMINANTS
from tamis.registry.method import Method
from tamis.registry.neighbourhood import GRAPH
from tamis.registry.open_option import KERNEL, OpenOption
from tamis.registry.option import Option

SHARE_OPTION = Option(
    "share",
    "share",
    0.95,
    "Share to explain, of the variance or of what the method maximises, when no "
    "number of components is given.",
)
_WEIGHTS = OpenOption(
    "weights",
    "choice",
    "relpca",
    "Relevance method that gives the weights of the columns.",
    choices=("relpca", "relpca-first", "q-alpha", "q-alpha-approx"),
    also="a number for each column",
)

EXTRACTION: tuple[Method, ...] = (
    Method(
        id="pca",
        name="Principal component analysis (PCA)",
        kind="extraction",
        component="PC",
        needs="gram",
        paper="Cunningham; Pearson",
        about="computes the orthogonal components with the largest variance",
        when="You need few new columns that hold most variance, whatever they are called.",
        when_not="You must say which columns to measure: components need all of them.",
        cost="One read and one eigenproblem of d^3.",
        kernel="tamis.algorithms.extraction.pca:principal_components",
        estimator="tamis.extraction.components:PrincipalComponents",
    ),
    Method(
        id="wpca",
        name="Weighted PCA (WPCA)",
        kind="extraction",
        component="WPC",
        needs="gram",
        paper="Peluffo et al.",
        about="computes principal components of columns weighted by their relevance",
        when="Some columns are more relevant than others and should shape the components.",
        when_not="No reason for the weights: they change the components.",
        cost="One read, the cost of the weights and one eigenproblem of d^3.",
        kernel="tamis.algorithms.extraction.wpca:weighted_components",
        estimator="tamis.extraction.components:WeightedPCA",
        options=(_WEIGHTS,),
    ),
    Method(
        id="gdfe",
        name="Generalised-distance feature extraction (GDFE)",
        kind="extraction",
        component="GDFE",
        needs="rows",
        paper="Peluffo et al.",
        about="computes the projection with the smallest reconstruction error when errors "
        "of similar rows are weighted jointly",
        when="Errors of similar rows belong together, as in repeated measurements.",
        when_not="Tens of thousands of rows, or rows without clusters: pca is simpler.",
        cost="The rows in memory; n^2 d for the weights of all pairs of rows.",
        kernel="tamis.algorithms.extraction.gdfe:generalised_directions",
        estimator="tamis.extraction.components:GeneralisedDistance",
        options=(
            OpenOption(
                "omega",
                "choice",
                "kernel",
                "Joint weights of the errors of two rows.",
                choices=("kernel", "identity", "linear"),
                also="N x N values or a function of two sets of rows",
            ),
            OpenOption(
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
            Option(
                "twice",
                "flag",
                False,
                "Apply the weights twice in the scores: Y = X W (W V).",
            ),
        ),
    ),
    Method(
        id="lsa",
        name="Latent semantic analysis (LSA)",
        kind="extraction",
        component="LSA",
        needs="rows",
        paper="Cunningham; Deerwester et al.",
        about="computes the leading singular vectors of the table without centring it, "
        "sparse or dense",
        when="Word counts and other sparse tables, which stay sparse.",
        when_not="Columns with large means in different units: nothing is centred or scaled.",
        cost="The rows in memory; some products with the stored values for each component.",
        kernel="tamis.algorithms.extraction.lsa:latent_directions",
        estimator="tamis.extraction.factors:LatentSemanticAnalysis",
        scale=None,
    ),
    Method(
        id="nmf",
        name="Non-negative matrix factorisation (NMF)",
        kind="extraction",
        component="NMF",
        needs="rows",
        paper="Cunningham; Lee & Seung",
        about="writes each row as a sum of parts without negative values",
        when="Counts, spectra and amounts, where a row is a sum of parts.",
        when_not="Negative values, or when the answer must not depend on a seed.",
        cost="The rows in memory; n d k for each of up to 1,000 iterations.",
        kernel="tamis.algorithms.extraction.nmf:nonnegative_parts",
        estimator="tamis.extraction.factors:NonNegativeMatrixFactorisation",
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
    Method(
        id="kernel-pca",
        name="Kernel PCA",
        kind="extraction",
        component="KPC",
        needs="rows",
        paper="Cunningham; Schoelkopf et al.",
        about="computes principal components in the feature space of a kernel",
        when="Rows lie on a curve or in rings that no straight component shows.",
        when_not="You need to know which columns matter: kernel methods have no loadings.",
        cost="The rows in memory; n^2 d for the kernel, n^3 up to 2,048 rows; at most 32,768 rows.",
        kernel="tamis.algorithms.extraction.kernel_pca:kernel_components",
        estimator="tamis.extraction.components:KernelPCA",
        options=KERNEL,
    ),
    Method(
        id="lpp",
        name="Locality preserving projections (LPP)",
        kind="extraction",
        component="LPP",
        needs="rows",
        paper="Cunningham; He & Niyogi",
        about="computes the components whose scores differ least between neighbouring rows",
        when="Rows lie along curves or in clusters, and components with loadings should follow.",
        when_not="About as many columns as rows: the directions fit any graph; use pca first.",
        cost="The rows in memory; their neighbours, n^2 d up to 50,000 rows, then n d^2 and d^3.",
        kernel="tamis.algorithms.extraction.lpp:locality_preserving",
        estimator="tamis.extraction.graphs:LocalityPreserving",
        options=tuple(replace(option, reads=False) for option in GRAPH),
    ),
    Method(
        id="spectral",
        name="Spectral embedding and clusters",
        kind="extraction",
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
        estimator="tamis.extraction.graphs:SpectralEmbedding",
        options=(
            OpenOption(
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
