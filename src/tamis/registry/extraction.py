"""Methods that compute components out of the columns."""

from dataclasses import dataclass, replace
from typing import Any

from tamis.registry.kinds import as_plain
from tamis.registry.method import Method
from tamis.registry.neighbourhood import GRAPH
from tamis.registry.option import Option


@dataclass(frozen=True)
class OpenOption(Option):
    """A choice of names, or something else that the method checks itself: `also` says what.

    `number` marks one that takes a number in place of a name.
    """

    also: str = ""
    number: bool = False

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        return f"{super().accepts} or {self.also}"

    @property
    def annotation(self) -> Any:
        """Any type: the method checks what is not a name."""
        return Any

    @property
    def type(self) -> str:
        """The type of its values, for a docstring."""
        return f"{super().type} or {self.also}"

    def check(self, value: Any, name: str | None = None) -> Any:
        """Raise a `TamisError` for a name that is not among the choices."""
        value = as_plain(value)
        return super().check(value, name) if isinstance(value, str | bool | None) else value


SHARE = Option(
    "share",
    "share",
    0.95,
    "Share to explain, of the variance or of what the method maximises, when no "
    "number of components is given.",
)
_KERNEL = (
    OpenOption(
        "kernel",
        "choice",
        "rbf",
        "Similarity of two rows: Gaussian, linear or polynomial.",
        choices=("rbf", "linear", "poly"),
        also="a function of two sets of rows",
    ),
    Option(
        "gamma",
        "positive",
        None,
        "Factor of the squared distances or products; by default 1 / number of columns.",
    ),
    Option("degree", "integer", 3, "Degree of the 'poly' kernel.", least=1),
    Option("coef0", "amount", 1.0, "Constant term of the 'poly' kernel."),
)

EXTRACTION: tuple[Method, ...] = (
    Method(
        id="pca",
        name="Principal component analysis (PCA)",
        kind="extraction",
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
        needs="gram",
        paper="Peluffo et al.",
        about="computes principal components of columns weighted by their relevance",
        when="Some columns are more relevant than others and should shape the components.",
        when_not="No reason for the weights: they change the components.",
        cost="One read, the cost of the weights and one eigenproblem of d^3.",
        kernel="tamis.algorithms.extraction.wpca:weighted_components",
        estimator="tamis.extraction.components:WeightedComponents",
        options=(
            OpenOption(
                "weights",
                "choice",
                "relpca",
                "Relevance method that gives the weights of the columns.",
                choices=("relpca", "relpca-first", "q-alpha", "q-alpha-approx"),
                also="a number for each column",
            ),
        ),
    ),
    Method(
        id="gdfe",
        name="Generalised-distance feature extraction (GDFE)",
        kind="extraction",
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
        ),
    ),
    Method(
        id="lsa",
        name="Latent semantic analysis (LSA)",
        kind="extraction",
        needs="rows",
        paper="Cunningham; Deerwester et al.",
        about="computes the leading singular vectors of the table without centring it, "
        "sparse or dense",
        when="Word counts and other sparse tables, which stay sparse.",
        when_not="Columns with large means in different units: nothing is centred or scaled.",
        cost="The rows in memory; some products with the stored values for each component.",
        kernel="tamis.algorithms.extraction.lsa:latent_directions",
        estimator="tamis.extraction.factors:LatentSemantics",
        scale=None,
    ),
    Method(
        id="nmf",
        name="Non-negative matrix factorisation (NMF)",
        kind="extraction",
        needs="rows",
        paper="Cunningham; Lee & Seung",
        about="writes each row as a sum of parts without negative values",
        when="Counts, spectra and amounts, where a row is a sum of parts.",
        when_not="Negative values, or when the answer must not depend on a seed.",
        cost="The rows in memory; n d k for each of up to 1,000 iterations.",
        kernel="tamis.algorithms.extraction.nmf:nonnegative_parts",
        estimator="tamis.extraction.factors:NonnegativeParts",
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
        needs="rows",
        paper="Cunningham; Schoelkopf et al.",
        about="computes principal components in the feature space of a kernel",
        when="Rows lie on a curve or in rings that no straight component shows.",
        when_not="You need to know which columns matter: kernel methods have no loadings.",
        cost="The rows in memory; n^2 d for the kernel, n^3 up to 2,048 rows; at most 32,768 rows.",
        kernel="tamis.algorithms.extraction.kernel_pca:kernel_components",
        estimator="tamis.extraction.components:KernelComponents",
        options=_KERNEL,
    ),
    Method(
        id="lpp",
        name="Locality preserving projections (LPP)",
        kind="extraction",
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
        needs="rows",
        paper="Cunningham; Ng, Jordan & Weiss",
        about="computes scores in which the rows of a cluster of any shape lie together, and the "
        "clusters",
        when="Clusters are rings, curves or of different density, which K-means cannot find.",
        when_not="You need loadings or tens of thousands of rows, or round clusters: K-means does.",
        cost="The rows in memory; n^2 d for the affinities, n^3 up to 2,048 rows; at most 32,768 "
        "rows.",
        kernel="tamis.algorithms.extraction.spectral:spectral_components",
        estimator="tamis.extraction.graphs:SpectralComponents",
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
    Method(
        id="lda",
        name="Linear discriminant analysis (LDA)",
        kind="extraction",
        needs="labelled rows",
        paper="Cunningham; Fisher",
        about="computes the components with the largest ratio of between-class to "
        "within-class variance",
        when="Labels are known, and the components should separate the classes.",
        when_not="More columns than rows: shuffled labels would be separated just as well.",
        cost="The rows in memory; n d^2 and one eigenproblem.",
        kernel="tamis.algorithms.extraction.lda:discriminants",
        estimator="tamis.extraction.discriminants:LinearDiscriminants",
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
    Method(
        id="kda",
        name="Kernel discriminant analysis (KDA)",
        kind="extraction",
        needs="labelled rows",
        paper="Cunningham; Baudat & Anouar",
        about="computes linear discriminants in the feature space of a kernel",
        when="Labels are known, and the classes are separated by curves, not by planes.",
        when_not="Few rows, or when loadings are needed: a kernel of full rank separates anything.",
        cost="The rows in memory; n^3, at most 8,192 rows.",
        kernel="tamis.algorithms.extraction.kda:kernel_discriminants",
        estimator="tamis.extraction.discriminants:KernelDiscriminants",
        options=(
            *_KERNEL,
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
    Method(
        id="lfda",
        name="Local Fisher discriminant analysis (LFDA)",
        kind="extraction",
        needs="labelled rows",
        paper="Cunningham; Sugiyama",
        about="computes discriminants that keep only nearby rows of a class together",
        when="Labels are known, and a class consists of several clusters.",
        when_not="More columns than rows, or classes without clusters: lda is simpler.",
        cost="The rows in memory; n^2 d within each class and one eigenproblem of d^3.",
        kernel="tamis.algorithms.extraction.lfda:local_discriminants",
        estimator="tamis.extraction.discriminants:LocalDiscriminants",
        options=(
            OpenOption(
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
