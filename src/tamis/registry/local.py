"""Methods that find clusters of rows, each with columns of its own."""

from functools import partial

from tamis.registry.method import Method
from tamis.registry.option import Option

_SEED_OPTION = Option("random_state", "integer", 0, "Random seed.")

_cluster = partial(Method, needs="rows", keeps_copies=True, decides=True, clusters=True)

LOCAL: tuple[Method, ...] = (
    _cluster(
        id="proclus",
        name="Projected clustering (PROCLUS)",
        paper="Aggarwal et al.; Cunningham",
        about="finds clusters of rows, each with the columns in which its rows are close together, "
        "and keeps these columns",
        when="Groups of rows are alike in some columns only, which differ from group to group.",
        when_not="Clusters that fill all columns, or no idea of how many clusters there are.",
        cost="The rows in memory; n d for each round and cluster, in six searches.",
        kernel="tamis.algorithms.local.proclus:find_projected_clusters",
        estimator="ProjectedClustering",
        example="""
        Two clusters: one is close together in the first two columns, the other in the last two.

        >>> import numpy as np
        >>> X = np.random.default_rng(0).uniform(-1, 1, (80, 6))
        >>> X[:40, :2] = X[:40, :2] / 20 + 0.5
        >>> X[40:, 4:] = X[40:, 4:] / 20 - 0.5
        >>> fitted = ProjectedClustering(n_clusters=2).fit(X)
        >>> fitted.get_support(indices=True)
        array([0, 1, 4, 5])
        >>> fitted.columns_.astype(int)
        array([[0, 0, 0, 0, 1, 1],
               [1, 1, 0, 0, 0, 0]])
        """,
        references="""
        Aggarwal, C. C., Wolf, J. L., Yu, P. S., Procopiuc, C. & Park, J. S. (1999). Fast algorithms
        for projected clustering. Proceedings of ACM SIGMOD, 61-72.
        """,
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
    ),
    _cluster(
        id="bicluster",
        name="Biclustering",
        paper="Bryan et al.; Cheng & Church; Hartigan; Cunningham",
        about="finds sets of rows and columns whose values rise and fall together, or are alike, "
        "and keeps these columns",
        when="Sets of rows and columns move together, as genes do under some conditions.",
        when_not="Patterns across all rows: sfs and pca find these.",
        cost="The rows in memory; n d for each step of the search, on four tables in turn.",
        kernel="tamis.algorithms.local.bicluster:find_biclusters",
        estimator="Biclustering",
        example="""
        The first 30 rows have the same pattern in the first four columns, up to a shift and noise.

        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> X = rng.standard_normal((80, 8))
        >>> X[:30, :4] = rng.standard_normal((30, 1)) + [0, 1, 2, 3] + X[:30, :4] / 10
        >>> fitted = Biclustering().fit(X)
        >>> fitted.get_support(indices=True)
        array([0, 1, 2, 3])
        >>> fitted.rows_.sum(axis=1)
        array([29])
        """,
        references="""
        Bryan, K., Cunningham, P. & Bolshakova, N. (2005). Biclustering of expression data using
        simulated annealing. IEEE Symposium on Computer-Based Medical Systems, 383-388.
        Cheng, Y. & Church, G. M. (2000). Biclustering of expression data. Proceedings of ISMB,
        93-103.
        Hartigan, J. A. (1972). Direct clustering of a data matrix. Journal of the American
        Statistical Association 67, 123-129.
        """,
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
    ),
    _cluster(
        id="nmf-parts",
        name="Parts of a non-negative factorisation (NMF)",
        paper="Lee & Seung; Cunningham",
        about="writes each row as a sum of non-negative parts, each with its columns and rows, and "
        "keeps these columns",
        when="Counts, spectra and amounts, where some rows share a part that fills some columns.",
        when_not="Columns in different units, effects of both signs, or no idea of how many parts.",
        cost="The rows in memory; n d for each part and each of up to 1,000 iterations.",
        kernel="tamis.algorithms.local.nmf_parts:local_parts",
        estimator="NMFParts",
        example="""
        Two parts: one in the first two columns of 20 rows, one in the last two of the others.

        >>> import numpy as np
        >>> X = np.random.default_rng(0).uniform(0, 1, (40, 6))
        >>> X[:20, :2] += 8
        >>> X[20:, 4:] += 8
        >>> fitted = NMFParts(n_clusters=2).fit(X)
        >>> fitted.get_support(indices=True)
        array([0, 1, 4, 5])
        >>> fitted.rows_.sum(axis=1)
        array([20, 20])
        """,
        references="""
        Lee, D. D. & Seung, H. S. (1999). Learning the parts of objects by non-negative matrix
        factorization. Nature 401, 788-791.
        """,
        options=(
            Option("n_clusters", "integer", 3, "How many parts to find.", least=1),
            _SEED_OPTION,
        ),
        scale=False,
    ),
)
