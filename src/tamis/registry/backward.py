"""Methods that remove columns one by one."""

from tamis.registry.method import Method
from tamis.registry.option import Option

_ERROR = Option(
    "threshold",
    "positive",
    None,
    "Remove columns while the squared error of their equation is at most this; on the scale of the "
    "eigenvalues of the correlation matrix, whose mean is 1.",
)

BACKWARD: tuple[Method, ...] = (
    Method(
        "ufs",
        "Redundancy elimination",
        "selection",
        "gram",
        "Yen, Chen & Lin",
        "removes at each step the column that the others express best, by elimination on equations",
        "tamis.methods.ufs:remove_redundant",
        "tamis.selection.ufs:RedundancyElimination",
        (_ERROR,),
    ),
    Method(
        "ufs-static",
        "Redundancy elimination without updating (B2)",
        "selection",
        "gram",
        "Yen, Chen & Lin; Jolliffe",
        "removes for each of the smallest components the column that loads most on it",
        "tamis.methods.ufs_static:remove_by_smallest_components",
        "tamis.selection.ufs_static:StaticElimination",
        (_ERROR,),
    ),
    Method(
        "vif",
        "Variance inflation",
        "selection",
        "gram",
        "Marquardt; exact backward elimination",
        "removes at each step the column that a regression on all others reproduces best",
        "tamis.methods.vif:remove_inflated",
        "tamis.selection.vif:VarianceInflation",
        (
            Option(
                "threshold",
                "positive",
                None,
                "Largest variance inflation that may stay; 10 when neither k nor retain is given.",
            ),
        ),
        usual_threshold=10.0,
    ),
)
