"""Methods that add columns one by one, or choose a set of a given size, by linear algebra.

Where `exceptions` says "copies", two copies of a column score differently: nothing is left of the
second once the first is taken, or it is scored on a later component. The scores of `pfa` are
distances to a centre with a minus sign.
"""

from tamis.registry.method import Method
from tamis.registry.option import Option

FORWARD: tuple[Method, ...] = (
    Method(
        "sfs",
        "Greedy reconstruction",
        "selection",
        "gram",
        "Cui & Dy",
        "takes at each step the column that lowers the reconstruction error most",
        "tamis.algorithms.forward.sfs:greedy_reconstruction",
        "tamis.selection.sfs:GreedyReconstruction",
        exceptions=("copies",),
    ),
    Method(
        "pfs",
        "Principal feature selection",
        "selection",
        "gram",
        "Cui & Dy",
        "takes at each step the column most correlated with the leading component of what is left",
        "tamis.algorithms.forward.pfs:principal_features",
        "tamis.selection.pfs:PrincipalFeatureSelection",
        (
            Option(
                "norm",
                "choice",
                "residual",
                "What a loading is divided by: the norm of what is left of the column, of the "
                "column itself, or nothing.",
                ("residual", "original", "none"),
            ),
        ),
        exceptions=("copies",),
    ),
    Method(
        "principal-variables",
        "Principal variables",
        "selection",
        "gram",
        "Cumming & Wooff",
        "takes at each step the column most related to all others, given those taken",
        "tamis.algorithms.forward.principal_variables:principal_variables",
        "tamis.selection.principal_variables:PrincipalVariables",
        exceptions=("copies",),
    ),
    Method(
        "pivoted-qr",
        "Pivoted QR",
        "selection",
        "gram",
        "Businger & Golub; McCabe's M1 taken greedily",
        "takes at each step the column that those taken reproduce least",
        "tamis.algorithms.forward.pivoted_qr:pivoted_columns",
        "tamis.selection.pivoted_qr:PivotedQR",
        exceptions=("copies",),
    ),
    Method(
        "jolliffe-i",
        "Jolliffe's loadings, iterated",
        "selection",
        "gram",
        "Jolliffe",
        "takes the largest loading on the leading component of the columns not yet taken",
        "tamis.algorithms.forward.jolliffe_i:iterated_loadings",
        "tamis.selection.jolliffe_i:JolliffeIterated",
        exceptions=("copies",),
    ),
    Method(
        "jolliffe-ni",
        "Jolliffe's loadings, one pass (B4)",
        "selection",
        "gram",
        "Jolliffe",
        "takes for each leading component the column that loads most on it",
        "tamis.algorithms.forward.jolliffe_ni:one_pass_loadings",
        "tamis.selection.jolliffe_ni:JolliffeOnePass",
        exceptions=("copies",),
    ),
    Method(
        "spca",
        "Sparse principal component",
        "selection",
        "gram",
        "Cui & Dy; Yuan & Zhang",
        "takes the columns whose best combination has the largest variance",
        "tamis.algorithms.forward.spca:sparse_component",
        "tamis.selection.spca:SparsePrincipalComponent",
    ),
    Method(
        "pfa",
        "Principal feature analysis",
        "selection",
        "gram",
        "Lu, Cohen, Zhou & Tian",
        "clusters the columns by their loadings and keeps one of each cluster",
        "tamis.algorithms.forward.pfa:principal_feature_analysis",
        "tamis.selection.pfa:PrincipalFeatureAnalysis",
        (
            Option(
                "component_share",
                "share",
                0.95,
                "Share of the variance that the components used for clustering hold.",
            ),
            Option("signed", "flag", False, "Tell a column from its mirror image."),
            Option("random_state", "whole", 0, "Seed of the clustering."),
        ),
        exceptions=("nonnegative",),
    ),
)
