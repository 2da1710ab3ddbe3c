"""Methods that compute components which separate labelled classes."""

from tamis.registry.method import Method
from tamis.registry.open_option import KERNEL, OpenOption
from tamis.registry.option import Option

DISCRIMINANTS: tuple[Method, ...] = (
    Method(
        id="lda",
        name="Linear discriminant analysis (LDA)",
        kind="extraction",
        component="LD",
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
        component="KD",
        needs="labelled rows",
        paper="Cunningham; Baudat & Anouar",
        about="computes linear discriminants in the feature space of a kernel",
        when="Labels are known, and the classes are separated by curves, not by planes.",
        when_not="Few rows, or when loadings are needed: a kernel of full rank separates anything.",
        cost="The rows in memory; n^3, at most 8,192 rows.",
        kernel="tamis.algorithms.extraction.kda:kernel_discriminants",
        estimator="tamis.extraction.discriminants:KernelDiscriminants",
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
    Method(
        id="lfda",
        name="Local Fisher discriminant analysis (LFDA)",
        kind="extraction",
        component="LFD",
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
