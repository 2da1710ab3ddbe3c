"""Methods that rank columns by how a learner uses them."""

from tamis.registry.method import Method
from tamis.registry.option import Option

_SEED = Option("random_state", "integer", 0, "Random seed, for columns whose splits are equal.")

EMBEDDED: tuple[Method, ...] = (
    Method(
        id="tree-importance",
        name="Decision-tree importance",
        kind="selection",
        needs="labelled rows",
        paper="Breiman et al.; Cunningham",
        about="ranks columns by how well a decision tree separates the classes with them",
        kernel="tamis.algorithms.embedded.tree_importance:rank_by_tree",
        estimator="tamis.selection.embedded:TreeImportance",
        options=(_SEED,),
        scale=None,
        keeps_copies=True,
        decides=True,
        tasks=("classification", "regression"),
    ),
)
