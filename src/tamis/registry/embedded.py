"""Methods that rank columns by how a learner uses them."""

from tamis.registry.method import Method
from tamis.registry.option import Option

_TIE_SEED = Option("random_state", "integer", 0, "Random seed, for columns whose splits are equal.")

EMBEDDED: tuple[Method, ...] = (
    Method(
        id="tree-importance",
        name="Decision-tree importance",
        kind="selection",
        needs="labelled rows",
        paper="Breiman et al.; Cunningham",
        about="ranks columns by how well a decision tree separates the classes with them",
        when="Labels are known, and thresholds or combinations of columns matter.",
        when_not="Columns that correlate: one may get all the credit, the others none.",
        cost="The rows in memory; one decision tree, n d log n.",
        kernel="tamis.algorithms.embedded.tree_importance:rank_by_tree",
        estimator="tamis.selection.embedded:TreeImportance",
        options=(_TIE_SEED,),
        scale=None,
        keeps_copies=True,
        decides=True,
        tasks=("classification", "regression"),
        ranks="largest",
        shares_credit=True,
    ),
    Method(
        id="permutation-importance",
        name="Permutation importance",
        kind="selection",
        needs="labelled rows",
        paper="Breiman; Cunningham",
        about="ranks columns by how much worse a random forest predicts once they are shuffled",
        when="Labels are known, and you want what a forest loses without a column.",
        when_not="Columns that correlate: copies make each other look unimportant.",
        cost="The rows in memory; one forest, then ten predictions for each column.",
        kernel="tamis.algorithms.embedded.permutation_importance:rank_by_permutation",
        estimator="tamis.selection.embedded:PermutationImportance",
        options=(
            Option(
                "oob",
                "flag",
                False,
                "Test each tree on the rows that are not in its bootstrap sample, as Breiman "
                "defined it, in place of rows held out from all trees.",
            ),
            Option("trees", "integer", 100, "Number of trees in the forest.", least=1),
            Option("random_state", "integer", 0, "Random seed of the forest and the shuffles."),
        ),
        scale=None,
        keeps_copies=True,
        decides=True,
        tasks=("classification", "regression"),
        ranks="largest",
        shares_credit=True,
    ),
    Method(
        id="brain-damage",
        name="Optimal Brain Damage",
        kind="selection",
        needs="labelled rows",
        paper="LeCun, Denker & Solla; Cunningham",
        about="removes the column whose weights a small neural network can spare most, and trains "
        "it on",
        when="Labels are known, and columns act together or in curves rather than straight lines.",
        when_not="Fewer than some hundred rows, or thousands of columns: the network is trained "
        "for each removal.",
        cost="The rows in memory; a training of the network for each column removed, n d each.",
        kernel="tamis.algorithms.embedded.brain_damage:rank_by_saliency",
        estimator="tamis.selection.embedded:BrainDamage",
        options=(
            Option("hidden", "integer", 5, "Number of hidden units of the network.", least=1),
            Option(
                "decay",
                "amount",
                None,
                "Weight decay of the network (scikit-learn's alpha); by default the one with which "
                "held-out rows are predicted best.",
            ),
            Option("random_state", "integer", 0, "Random seed of the first weights."),
        ),
        scale=None,
        keeps_copies=True,
        decides=True,
        tasks=("classification", "regression"),
        searches=True,
        exceptions=("copies",),
    ),
)
