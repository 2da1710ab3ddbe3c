"""The only place that knows how scikit-learn transformers work."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from tamis import registry
from tamis.algorithms.projection import Projection
from tamis.declaration import Declared
from tamis.errors import TamisError
from tamis.registry.extraction import RULE, SHARE
from tamis.sources.arrays import ArraySource
from tamis.statistics.labels import refuse_missing
from tamis.statistics.linear import collect_gram

_FLOATS = (np.float64, np.float32)


class Extractor(Declared, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Put rows on the directions that a registered method finds."""

    takes_sparse = False
    takes_negative = True
    width_is_limit = True

    n_components: int | None
    share: float
    rule: str
    scale: bool | None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the directions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            A class for each row, for the methods that tell classes apart; not used by others.
        """
        method = registry.get(self.method_id, kind="extraction")
        settings = self._checked(method)
        X, y = self._validated(method, X, y)
        if self.width_is_limit and (self.n_components or 0) > X.shape[1]:
            raise TamisError(
                f"n_components={self.n_components}: X has {X.shape[1]} columns, give at most "
                f"{X.shape[1]}."
            )
        self.projection_ = self._projection(method, X, y, settings)
        self.shares_ = self.projection_.shares
        self.note_ = self.projection_.note
        return self

    def _checked(self, method: registry.Method) -> dict[str, Any]:
        registry.K.check(self.n_components, "n_components")
        own = registry.check_options(
            method, {option.name: getattr(self, option.name) for option in method.options}
        )
        if method.scale is not None:
            scale = registry.SCALE.check(self.scale)
            own["scale"] = method.scale if scale is None else scale
        return {"share": SHARE.check(self.share), "rule": RULE.check(self.rule), **own}

    def _validated(self, method: registry.Method, X: Any, y: Any) -> tuple[Any, Any]:
        rules = {
            "accept_sparse": "csr" if self.takes_sparse else False,
            "dtype": _FLOATS,
            "ensure_min_samples": 2,
        }
        if method.needs != "labelled rows":
            return validate_data(self, X, **rules), None
        if y is not None and np.asarray(y).dtype.kind == "O":
            refuse_missing(np.ravel(y))
        X, y = validate_data(self, X, y, **rules)
        check_classification_targets(y)
        return X, y

    def _projection(
        self, method: registry.Method, X: Any, y: Any, settings: dict[str, Any]
    ) -> Projection:
        kernel = method.load_kernel()
        if method.needs == "gram":
            source = ArraySource(X, getattr(self, "feature_names_in_", None), "X")
            summary = collect_gram(source, range(X.shape[1]), scale=settings["scale"])
            return kernel(summary, self.n_components, **settings)
        labels = () if y is None else (y,)
        return kernel(X, *labels, self.n_components, **settings)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Give the scores of rows, one column for each direction.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        """
        check_is_fitted(self)
        sparse = "csr" if self.takes_sparse else False
        X = validate_data(self, X, accept_sparse=sparse, dtype=_FLOATS, reset=False)
        return self.projection_.project(X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ARG002
        """Name the scores: the id of the method and a number from 0.

        Parameters
        ----------
        input_features : ignored
            Not used; here for pipelines.
        """
        check_is_fitted(self)
        stem = self.method_id.replace("-", "_")
        return np.asarray([f"{stem}{i}" for i in range(self.projection_.size)], dtype=object)

    @property
    def components_(self) -> NDArray[np.float64]:
        """Weight of every column in every direction."""
        check_is_fitted(self)
        if self.projection_.loadings is None:
            raise AttributeError("A kernel method has no weights of columns.")
        return self.projection_.loadings

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.takes_sparse
        tags.input_tags.positive_only = not self.takes_negative
        method = registry.get(self.method_id, kind="extraction")
        tags.target_tags.required = method.needs == "labelled rows"
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


class Reversible:
    """What an extractor can do whose scores lead back to rows."""

    projection_: Projection

    def inverse_transform(self, X: Any) -> NDArray[np.float64]:
        """Turn scores back into rows, as well as the directions kept allow.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            The scores.
        """
        check_is_fitted(self)
        scores = check_array(X, dtype=_FLOATS)
        if scores.shape[1] != self.projection_.size:
            raise TamisError(
                f"X has {scores.shape[1]} columns of scores: give {self.projection_.size}."
            )
        return self.projection_.rebuild(scores)
