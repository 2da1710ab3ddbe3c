"""`nmf` as a scikit-learn transformer."""

from tamis.algorithms.extraction.nmf import FactorProjection
from tamis.extraction.base import Extractor, Reversible


class NonnegativeParts(Reversible, Extractor):
    """Describe rows as sums of parts without negative values.

    Each part sums to 1; a score is the amount of the part in the row.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions to keep; None for as many as hold the share.
    share : float, default=0.95
        Share of the squares to hold when n_components is None.
    rule : "ceil" or "floor", default="ceil"
        Keep the fewest directions that reach the share, or the most that do not pass it.
    loss : "frobenius" or "kullback-leibler", default="frobenius"
        What the parts make small.
    max_iter : int, default=1000
        Most rounds of updates.
    random_state : int, default=0
        Seed of the start.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Weight of every column in every direction.
    shares_ : ndarray of float
        Share of the squares that each direction holds.
    note_ : str
        Which branch of the method ran.
    projection_ : Projection
        What the method returned.

    Examples
    --------
    >>> model = NonnegativeParts(1).fit([[1.0, 3.0], [2.0, 6.0]])
    >>> model.components_.round(6)
    array([[0.25, 0.75]])

    References
    ----------
    Lee, D. D. and Seung, H. S. Learning the parts of objects by non-negative matrix factorization.
    """

    method_id = "nmf"
    takes_sparse = True
    takes_negative = False
    projection_: FactorProjection

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: str = "ceil",
        loss: str = "frobenius",
        max_iter: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.loss = loss
        self.max_iter = max_iter
        self.random_state = random_state

    @property
    def n_iter_(self) -> int:
        """Rounds of updates it took."""
        return self.projection_.rounds
