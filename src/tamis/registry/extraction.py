"""Methods that build new directions out of the columns."""

from dataclasses import dataclass
from typing import Any

from tamis.registry.method import Method
from tamis.registry.option import Option, plain


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

    def check(self, value: Any, name: str | None = None) -> Any:
        """Raise a `TamisError` for a name that is not among the choices."""
        value = plain(value)
        return super().check(value, name) if isinstance(value, str | bool | None) else value


SHARE = Option(
    "share", "share", 0.95, "Keep as many directions as hold this share, when k is not given."
)
RULE = Option(
    "rule",
    "choice",
    "ceil",
    "Keep the fewest directions that reach the share, or the most that do not pass it.",
    ("ceil", "floor"),
)

_KERNEL = (
    OpenOption(
        "kernel",
        "choice",
        "rbf",
        "Similarity of two rows: Gaussian, inner product or its power.",
        ("rbf", "linear", "poly"),
        also="a function",
    ),
    Option("gamma", "positive", None, "Factor of distances or products; 1 / columns unless given."),
    Option("degree", "whole", 3, "Power of the 'poly' kernel.", least=1),
    Option("coef0", "amount", 1.0, "What the 'poly' kernel adds to products."),
)

EXTRACTION: tuple[Method, ...] = (
    Method(
        "pca",
        "Principal components",
        "extraction",
        "gram",
        "Cunningham; Pearson",
        "finds the orthogonal directions in which the rows differ most",
        "tamis.algorithms.extraction.pca:principal_components",
        "tamis.extraction.pca:PrincipalComponents",
    ),
    Method(
        "wpca",
        "Weighted principal components",
        "extraction",
        "gram",
        "Peluffo et al.",
        "finds principal components of columns weighted by their relevance",
        "tamis.algorithms.extraction.wpca:weighted_components",
        "tamis.extraction.wpca:WeightedComponents",
        (
            OpenOption(
                "weights",
                "choice",
                "relpca",
                "Relevance method that weights the columns.",
                ("relpca", "relpca-first", "q-alpha", "q-alpha-approx"),
                also="a number for each column",
            ),
        ),
    ),
    Method(
        "gdfe",
        "Generalised distance",
        "extraction",
        "rows",
        "Peluffo et al.",
        "finds the projection that loses least when the errors of near rows count together",
        "tamis.algorithms.extraction.gdfe:generalised_directions",
        "tamis.extraction.gdfe:GeneralisedDistance",
        (
            OpenOption(
                "omega",
                "choice",
                "kernel",
                "How errors of two rows count together.",
                ("kernel", "identity", "linear"),
                also="N x N values or a function",
            ),
            OpenOption(
                "sigma",
                "choice",
                "pooled_quantile",
                "Width of the kernel: a tenth of all distances or of those to the nearest row lie "
                "within it.",
                ("pooled_quantile", "nn_quantile"),
                also="a number",
                number=True,
            ),
        ),
    ),
    Method(
        "lsa",
        "Latent semantic analysis",
        "extraction",
        "rows",
        "Cunningham; Deerwester et al.",
        "finds the leading singular directions of the table as it is, sparse or not",
        "tamis.algorithms.extraction.lsa:latent_directions",
        "tamis.extraction.lsa:LatentSemantics",
        scale=None,
    ),
    Method(
        "nmf",
        "Non-negative parts",
        "extraction",
        "rows",
        "Cunningham; Lee & Seung",
        "finds parts without negative values that add up to each row",
        "tamis.algorithms.extraction.nmf:nonnegative_parts",
        "tamis.extraction.nmf:NonnegativeParts",
        (
            Option(
                "loss",
                "choice",
                "frobenius",
                "What the parts make small: squared errors, or divergence.",
                ("frobenius", "kullback-leibler"),
            ),
            Option("max_iter", "whole", 1000, "Most rounds of updates.", least=1),
            Option("random_state", "whole", 0, "Seed of the start."),
        ),
        scale=None,
    ),
    Method(
        "kernel-pca",
        "Kernel components",
        "extraction",
        "rows",
        "Cunningham; Schoelkopf et al.",
        "finds principal components in the space of a kernel",
        "tamis.algorithms.extraction.kernel_pca:kernel_components",
        "tamis.extraction.kernel_pca:KernelComponents",
        _KERNEL,
    ),
    Method(
        "lda",
        "Linear discriminants",
        "extraction",
        "labelled rows",
        "Cunningham; Fisher",
        "finds the directions that set classes apart most, compared with the spread inside them",
        "tamis.algorithms.extraction.lda:discriminants",
        "tamis.extraction.lda:LinearDiscriminants",
        (
            Option(
                "solver",
                "choice",
                "auto",
                "What to do when the scatter within classes is singular; 'auto' decides.",
                ("auto", "regular", "svd", "nullspace", "pca+lda"),
            ),
        ),
        usual_retain=1.0,
    ),
    Method(
        "kda",
        "Kernel discriminants",
        "extraction",
        "labelled rows",
        "Cunningham; Baudat & Anouar",
        "finds discriminants in the space of a kernel",
        "tamis.algorithms.extraction.kda:kernel_discriminants",
        "tamis.extraction.kda:KernelDiscriminants",
        (
            *_KERNEL,
            Option("cut", "positive", 1e-8, "Smallest eigenvalue of the kernel, of the largest."),
            Option(
                "ridge",
                "positive",
                None,
                "Multiple of the kernel's mean eigenvalue to add; unless given, 0.001 where the "
                "kernel separates all rows, else 0.",
            ),
        ),
        usual_retain=1.0,
    ),
    Method(
        "lfda",
        "Local discriminants",
        "extraction",
        "labelled rows",
        "Cunningham; Sugiyama",
        "finds discriminants that pull together only near rows of a class",
        "tamis.algorithms.extraction.lfda:local_discriminants",
        "tamis.extraction.lfda:LocalDiscriminants",
        (
            OpenOption(
                "affinity",
                "choice",
                "local",
                "Nearness of two rows of a class: by distance, or all alike.",
                ("local", "constant"),
                also="a function",
            ),
            Option(
                "neighbours", "whole", 7, "Neighbour whose distance is the local unit.", least=1
            ),
            Option(
                "metric",
                "choice",
                "plain",
                "Directions as they are, or times the root of their eigenvalue.",
                ("plain", "weighted"),
            ),
        ),
    ),
)
