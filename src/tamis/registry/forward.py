"""Methods that add columns one by one, or choose a set of a given size, by linear algebra.

Where `exceptions` says "copies", two copies of a column score differently: nothing is left of the
second once the first is taken, or it is scored on a later component. The scores of `pfa` are
distances to a centre with a minus sign.
"""

from tamis.registry.method import IMPORTANCE, TOGETHER, Y_WEIGHT, Method, rank_iris
from tamis.registry.option import Option

FORWARD: tuple[Method, ...] = (
    Method(
        id="forward",
        name="Forward selection for new rows",
        mixed=True,
        scale="auto",
        paper="tamis",
        about="adds at each step the column that explains most of the others, numbers and "
        "categories alike; shrinks where rows are few",
        when="Start here: numbers and categories, and you want what holds on new rows.",
        when_not="Relations that are far from linear: use representatives.",
        cost="Two reads, then d^2 multiplications for each column kept; a few searches more where "
        "rows are few.",
        kernel="tamis.algorithms.forward.forward:take_groups",
        estimator="ForwardSelection",
        details="Where rows are few, regressions are shrunken as explains most on held-out rows.",
        example=rank_iris("ForwardSelection(n_features_to_select=2)", "[2, 1]"),
        references="""
        Golub, G., Heath, M. & Wahba, G. (1979). Generalized cross-validation as a method for
        choosing a good ridge parameter. Technometrics 21, 215-223.
        """,
        takes_limits="adding",
        options=(
            IMPORTANCE,
            Y_WEIGHT,
            TOGETHER,
            Option(
                "shrink",
                "tuned",
                "auto",
                "How much noise every column is taken to have, as a share of its variance. 'auto' "
                "finds on held-out rows what explains most of them, 0 where rows are many.",
            ),
            Option(
                "noise",
                "weights",
                None,
                "How noisy a column is beside the others, 1 where nothing is said: the shrinkage "
                "of a column is so many times `shrink`. Where that is found on held-out rows, it "
                "is also tried by how heavy the tails of the columns are.",
            ),
            Option(
                "outliers",
                "choice",
                "auto",
                "Extreme values: limit them to 5 robust standard deviations from the median "
                "(clip), do so in columns with heavy tails (auto), or keep all (keep).",
                choices=("auto", "keep", "clip"),
                reads=True,
            ),
        ),
        exceptions=("copies",),
    ),
    Method(
        id="forward-regression",
        name="Forward regression",
        needs="response",
        mixed=True,
        paper="tamis",
        about="adds at each step the column that explains most of what is left of a response, a "
        "number or classes, or of several",
        when="There is something to predict, and you want few columns that do it by a regression.",
        when_not="Columns that matter only together, or far from linearly: use jmi or a wrapper.",
        cost="One read, then k d multiplications for each column kept.",
        kernel="tamis.algorithms.forward.response:regress_forward",
        estimator="ForwardRegression",
        details="""
        Each step takes the column that raises R² of the response most, or of classes the mean
        squared canonical correlation.
        """,
        example="""
        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True)
        >>> fitted = ForwardRegression(n_features_to_select=2).fit(X, y)
        >>> fitted.ranking_, fitted.retained_.round(3)
        (array([2, 8]), array([0.344, 0.459]))
        """,
        references="""
        Chen, S., Billings, S. A. and Luo, W. (1989). Orthogonal least squares methods and their
        application to non-linear system identification.
        """,
        options=(TOGETHER,),
        takes_limits="adding",
        several=True,
        scale=None,
        decides=True,
        tasks=("classification", "regression"),
        exceptions=("copies",),
    ),
    Method(
        id="mrmr",
        name="Minimum redundancy, maximum relevance (mRMR)",
        needs="response",
        mixed=True,
        paper="Ding & Peng",
        about="adds at each step the column that is most related to a response and least to the "
        "columns already kept",
        when="There is something to predict, and a quick filter is wanted that avoids repetition.",
        when_not="Columns that matter only together: use forward-regression or jmi.",
        cost="One read, then k d multiplications.",
        kernel="tamis.algorithms.forward.response:weigh_redundancy",
        estimator="MRMR",
        details="""
        Each step takes the column with the largest relevance, divided by its mean correlation with
        the columns taken before, or less that.
        """,
        example="""
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> MRMR(n_features_to_select=2).fit(X, y).ranking_
        array([2, 3])
        """,
        references="""
        Ding, C. and Peng, H. (2005). Minimum redundancy feature selection from microarray gene
        expression data.
        """,
        takes_limits="adding",
        options=(
            Option(
                "scheme",
                "choice",
                "quotient",
                "Divide the relevance by the redundancy, or subtract that (difference).",
                choices=("quotient", "difference"),
            ),
            Option(
                "relevance",
                "choice",
                "F",
                "Relation with the response: the F statistic, or the squared correlation.",
                choices=("F", "correlation"),
            ),
        ),
        scale=None,
        keeps_copies=True,
        decides=True,
        tasks=("classification", "regression"),
    ),
    Method(
        id="sfs",
        name="Sequential forward selection (SFS)",
        paper="Cui & Dy",
        about="adds at each step the column that lowers the reconstruction error most",
        when="Columns of numbers, and you want to explain as much variance of these rows as "
        "possible.",
        when_not="Relations that are far from linear: use representatives.",
        cost="One read, then d^2 multiplications for each column kept.",
        kernel="tamis.algorithms.forward.sfs:greedy_reconstruction",
        estimator="SequentialForwardSelection",
        example=rank_iris("SequentialForwardSelection(n_features_to_select=2)", "[2, 1]"),
        references="Cui, Y. and Dy, J. G. Orthogonal principal feature selection.",
        takes_limits="adding",
        exceptions=("copies",),
    ),
    Method(
        id="pfs",
        name="Principal feature selection (PFS)",
        paper="Cui & Dy",
        about="adds at each step the column most correlated with the first principal "
        "component of the residual",
        when="Columns of numbers; nearly as good as sfs, and led by the principal components.",
        when_not="Several components of equal size: the choice between them is then arbitrary.",
        cost="One read, then a few products of d^2 for each column kept; rarely one eigenproblem.",
        kernel="tamis.algorithms.forward.pfs:principal_features",
        estimator="PrincipalFeatureSelection",
        details="What the column explains is then removed from all columns.",
        example=rank_iris("PrincipalFeatureSelection(n_features_to_select=2)", "[2, 1]"),
        references="Cui, Y. and Dy, J. G. Orthogonal principal feature selection.",
        takes_limits="adding",
        options=(
            Option(
                "norm",
                "choice",
                "residual",
                "Divide loadings by the norm of the residual column, of the original column, "
                "or not at all.",
                choices=("residual", "original", "none"),
            ),
        ),
        exceptions=("copies",),
    ),
    Method(
        id="principal-variables",
        name="Principal variables",
        paper="Cumming & Wooff",
        about="adds at each step the column with the largest partial covariances, given "
        "those already kept",
        when="You want a choice by partial covariances, as in the statistical literature.",
        when_not="You want the most variance explained: sfs reaches more at the same cost.",
        cost="One read, then d^2 multiplications for each column kept.",
        kernel="tamis.algorithms.forward.sfs:principal_variables",
        estimator="PrincipalVariables",
        details="Cumming and Wooff's criterion: the largest sum of squared partial covariances.",
        example=rank_iris("PrincipalVariables(n_features_to_select=2)", "[2, 1]"),
        references="""
        Cumming, J. A. and Wooff, D. A. (2007). Dimension reduction via principal variables.
        """,
        takes_limits="adding",
        exceptions=("copies",),
    ),
    Method(
        id="pivoted-qr",
        name="QR with column pivoting",
        paper="Businger & Golub; McCabe's M1 taken greedily",
        about="adds at each step the column with the largest residual variance, given those"
        " already kept",
        when="Very wide tables, and when columns that differ most from each other are wanted.",
        when_not="Noisy columns: noise is explained by nothing, so it is kept early.",
        cost="One read, then k d multiplications for each column kept: the quickest linear method.",
        kernel="tamis.algorithms.forward.sfs:pivoted_columns",
        estimator="PivotedQR",
        details="The order of QR with column pivoting on the centred table.",
        example=rank_iris("PivotedQR(n_features_to_select=2)", "[2, 1]"),
        references="""
        Businger, P. and Golub, G. H. (1965). Linear least squares solutions by Householder
        transformations.
        """,
        takes_limits="adding",
        exceptions=("copies",),
    ),
    Method(
        id="jolliffe-i",
        name="Jolliffe's loadings, iterated (J_i)",
        paper="Jolliffe",
        about="adds at each step the largest loading on the first principal component of "
        "the columns not yet kept",
        when="To compare with studies that used the loadings of repeated PCA.",
        when_not="Redundant columns: columns much like those already kept are kept as well.",
        cost="One read, then a leading eigenvector for each column kept.",
        kernel="tamis.algorithms.forward.jolliffe:iterated_loadings",
        estimator="JolliffeI",
        details="Redundancy is ignored: near-copies of a kept column may follow it.",
        example=rank_iris("JolliffeI(n_features_to_select=2)", "[2, 3]"),
        references="Jolliffe, I. T. (2002). Principal component analysis, second edition.",
        takes_limits="adding",
        keeps_copies=True,
        exceptions=("copies",),
    ),
    Method(
        id="jolliffe-ni",
        name="Jolliffe's B4 (J_ni)",
        paper="Jolliffe",
        about="keeps for each leading principal component the column with the largest loading",
        when="To compare with studies that used Jolliffe's B4: one column for each component.",
        when_not="Redundant columns, or components that mix many columns evenly.",
        cost="One read, then one eigenproblem of d^3.",
        kernel="tamis.algorithms.forward.jolliffe:one_pass_loadings",
        estimator="JolliffeNI",
        details="Jolliffe's B4, from a single eigen-decomposition.",
        example=rank_iris("JolliffeNI(n_features_to_select=2)", "[2, 1]"),
        references="Jolliffe, I. T. (2002). Principal component analysis, second edition.",
        keeps_copies=True,
        exceptions=("copies",),
    ),
    Method(
        id="jolliffe-b3",
        name="Jolliffe's B3",
        paper="Jolliffe",
        about="keeps the columns with the smallest sum of squared loadings on the smallest "
        "principal components",
        when="To compare with studies that used Jolliffe's B3; columns that carry the large "
        "components as a group.",
        when_not="Redundant columns: columns that load alike are kept together.",
        cost="One read, then one eigenproblem of d^3.",
        kernel="tamis.algorithms.forward.jolliffe:summed_loadings",
        estimator="JolliffeB3",
        example="""
        >>> from sklearn.datasets import load_iris
        >>> JolliffeB3(n_features_to_select=2).fit(load_iris().data).get_support(indices=True)
        array([0, 1])
        """,
        references="""
        Jolliffe, I. T. (1972). Discarding variables in a principal component analysis. I:
        Artificial data.
        """,
        keeps_copies=True,
    ),
    Method(
        id="spca",
        name="Sparse PCA (SPCA)",
        paper="Cui & Dy; Yuan & Zhang",
        about="keeps the columns whose best unit-length combination has the largest variance",
        when="You look for one group of columns that vary together, such as genes of one process.",
        when_not="You want to represent the table: all kept columns say much the same.",
        cost="One read, then some dozens of products of d^2; small tables start from every column.",
        kernel="tamis.algorithms.forward.spca:sparse_component",
        estimator="SPCA",
        details="Redundancy is ignored by design.",
        example=rank_iris("SPCA(n_features_to_select=2)", "[2, 3]"),
        references="""
        Yuan, X.-T. and Zhang, T. (2013). Truncated power method for sparse eigenvalue problems.
        """,
        options=(
            Option(
                "loadings",
                "choice",
                "shared",
                "One component with k non-zero loadings (shared), or k components with one each: "
                "of the table as it is (single, as jolliffe-ni), or each of what the columns "
                "before leave unexplained (deflated, as pivoted-qr).",
                choices=("shared", "single", "deflated"),
            ),
        ),
        keeps_copies=True,
    ),
    Method(
        id="pfa",
        name="Principal feature analysis (PFA)",
        paper="Lu, Cohen, Zhou & Tian",
        about="clusters the columns by their loadings and keeps one of each cluster",
        when="Columns form clear groups, and you want one column of each group.",
        when_not="No clear groups: k-means then cuts at random, and another seed gives other "
        "columns.",
        cost="One read, one eigenproblem of d^3 and one k-means of the d columns.",
        kernel="tamis.algorithms.forward.pfa:principal_feature_analysis",
        estimator="PrincipalFeatureAnalysis",
        details="K-means on the absolute loadings; the column nearest its centre is kept.",
        example=rank_iris("PrincipalFeatureAnalysis(n_features_to_select=2)", "[3, 1]"),
        references="""
        Lu, Y., Cohen, I., Zhou, X. S. and Tian, Q. (2007). Feature selection using principal
        feature analysis.
        """,
        options=(
            Option(
                "component_share",
                "share",
                0.95,
                "Explained variance of the components used for clustering.",
            ),
            Option(
                "signed",
                "flag",
                False,
                "Cluster signed loadings, so that a column and its negative differ.",
            ),
            Option("random_state", "integer", 0, "Random seed of the clustering."),
        ),
        keeps_copies=True,
        exceptions=("nonnegative",),
    ),
)
