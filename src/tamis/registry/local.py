"""Methods that find clusters of rows, each with columns of its own."""

from tamis.registry.method import Method
from tamis.registry.option import Option

_SEED_OPTION = Option("random_state", "integer", 0, "Random seed.")

LOCAL: tuple[Method, ...] = (
    Method(
        id="proclus",
        name="Projected clustering (PROCLUS)",
        kind="selection",
        needs="rows",
        paper="Aggarwal et al.; Cunningham",
        about="finds clusters of rows, each with the columns in which its rows are close together, "
        "and keeps these columns",
        when="Groups of rows are alike in some columns only, which differ from group to group.",
        when_not="Clusters that fill all columns, or no idea of how many clusters there are.",
        cost="The rows in memory; n d for each round and cluster, in six searches.",
        kernel="tamis.algorithms.local.proclus:find_projected_clusters",
        estimator="tamis.selection.local:ProjectedClustering",
        options=(
            Option("n_clusters", "integer", 3, "How many clusters to find.", least=1),
            Option(
                "dimensions",
                "integer",
                None,
                "Mean number of columns of a cluster; found from the table when not given.",
                least=2,
            ),
            _SEED_OPTION,
        ),
        keeps_copies=True,
        decides=True,
        clusters=True,
    ),
    Method(
        id="bicluster",
        name="Biclustering",
        kind="selection",
        needs="rows",
        paper="Bryan et al.; Cheng & Church; Hartigan; Cunningham",
        about="finds sets of rows and columns whose values rise and fall together, or are alike, "
        "and keeps these columns",
        when="Sets of rows and columns move together, as genes do under some conditions.",
        when_not="Patterns across all rows: sfs and pca find these.",
        cost="The rows in memory; n d for each step of the search, on four tables in turn.",
        kernel="tamis.algorithms.local.bicluster:find_biclusters",
        estimator="tamis.selection.local:Biclustering",
        options=(
            Option(
                "algorithm",
                "choice",
                "annealing",
                "Simulated annealing, deletion and addition of rows and columns, or direct "
                "splitting into blocks.",
                choices=("annealing", "cheng-church", "hartigan"),
            ),
            Option(
                "n_clusters",
                "integer",
                5,
                "Maximum number of biclusters; blocks to cut the table into for 'hartigan'.",
                least=1,
            ),
            Option(
                "residue",
                "share",
                0.15,
                "Largest mean squared residue of a bicluster, relative to that of the full "
                "table; not used by 'hartigan'.",
            ),
            _SEED_OPTION,
        ),
        keeps_copies=True,
        decides=True,
        clusters=True,
    ),
    Method(
        id="nmf-parts",
        name="Parts of a non-negative factorisation (NMF)",
        kind="selection",
        needs="rows",
        paper="Lee & Seung; Cunningham",
        about="writes each row as a sum of non-negative parts, each with its columns and rows, and "
        "keeps these columns",
        when="Counts, spectra and amounts, where some rows share a part that fills some columns.",
        when_not="Columns in different units, effects of both signs, or no idea of how many parts.",
        cost="The rows in memory; n d for each part and each of up to 1,000 iterations.",
        kernel="tamis.algorithms.local.nmf_parts:local_parts",
        estimator="tamis.selection.local:NMFParts",
        options=(
            Option("n_clusters", "integer", 3, "How many parts to find.", least=1),
            _SEED_OPTION,
        ),
        scale=False,
        keeps_copies=True,
        decides=True,
        clusters=True,
    ),
)
