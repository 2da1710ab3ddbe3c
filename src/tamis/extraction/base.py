"""The only place that knows how scikit-learn transformers work."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from tamis import registry
from tamis.algorithms.projection import Projection
from tamis.errors import TamisError
from tamis.numerics.types import Indices
from tamis.registry.extraction import SHARE_OPTION
from tamis.results.extraction import make_extraction
from tamis.run.extraction import find_components
from tamis.run.request import Request
from tamis.sources.arrays import ArraySource
from tamis.statistics.labels import asks_for_clusters, refuse_missing

_FLOATS = (np.float64, np.float32)


class Extractor(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Compute the components of a registered method and the scores of rows."""

    method_id: str
    takes_negative = True

    n_components: int | None
    share: float
    rule: str
    scale: bool | None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Compute the components.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            A class for each row, for the methods that separate classes; not used by others.
            "clusters" stands for clusters of the rows.
        """
        X, y = self._validate_table(X, y)
        source = ArraySource(X, getattr(self, "feature_names_in_", None), "X")
        self.projection_ = find_components(self._request(y), source).projection
        self.shares_ = self.projection_.shares
        self.note_ = self.projection_.note
        return self

    def explain(self, n: int = 10) -> dict[str, dict[Any, float]]:
        """Give the `n` columns with the largest loadings on every component, largest first.

        Parameters
        ----------
        n : int
            How many columns for each component.

        Returns
        -------
        dict
            The loadings by column, for each component by its name.
        """
        weights = self.components_
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        orders = np.argsort(-np.abs(weights), axis=1, kind="stable")[:, :n]
        return {
            name: {names[j]: float(weights[i, j]) for j in orders[i]}
            for i, name in enumerate(self.get_feature_names_out())
        }

    def report(self, path: Any, X: Any, y: Any = None) -> Any:
        """Write a self-contained HTML page about the components and give its path.

        Parameters
        ----------
        path : str or path
            The file to write.
        X, y : array-like
            The table of `fit`, and its labels: the page shows the scores of its rows, of which
            the estimator holds none.
        """
        check_is_fitted(self)
        again = clone(self)
        X, y = again._validate_table(X, y)
        source = ArraySource(X, getattr(again, "feature_names_in_", None), "X")
        return make_extraction(find_components(again._request(y), source), X).report(path)

    def _request(self, y: Any) -> Request:
        """Say what is asked, in the same way as `tamis.extract`."""
        method = self._method
        share = SHARE_OPTION.check(self.share)
        return Request.of(
            self.method_id,
            "extraction",
            k=self.n_components,
            retain=share if self.n_components is None else None,
            rule=self.rule,
            scale=None if method.scale is None else self.scale,
            options={option.name: getattr(self, option.name) for option in method.options},
            y=y,
            least=1,
            k_name="n_components",
        )

    @property
    def _method(self) -> registry.Method:
        return registry.get(self.method_id, "extraction")

    def _validate_table(self, X: Any, y: Any) -> tuple[Any, Any]:
        supervised = self._method.supervised
        rules = {
            "accept_sparse": "csr" if self._method.takes_sparse else False,
            "dtype": _FLOATS,
            "ensure_min_samples": 2,
        }
        if not supervised or asks_for_clusters(y):
            return validate_data(self, X, **rules), y if supervised else None
        if y is not None and np.asarray(y).dtype.kind == "O":
            refuse_missing(np.ravel(y))
        X, y = validate_data(self, X, y, **rules)
        check_classification_targets(y)
        return X, y

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Compute the scores of the rows, one column for each component.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        """
        check_is_fitted(self)
        sparse = "csr" if self._method.takes_sparse else False
        X = validate_data(self, X, accept_sparse=sparse, dtype=_FLOATS, reset=False)
        return self.projection_.project(X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ARG002
        """Name the scores: PC1, PC2, ... of principal components, LD1, ... of discriminants.

        Parameters
        ----------
        input_features : ignored
            Not used; here for pipelines.
        """
        check_is_fitted(self)
        names = self._method.name_components(self.projection_.size)
        return np.asarray(names, dtype=object)

    @property
    def components_(self) -> NDArray[np.float64]:
        """Loadings: the weight of every column in every component."""
        check_is_fitted(self)
        if self.projection_.loadings is None:
            raise AttributeError("Kernel methods have no column weights (loadings).")
        return self.projection_.loadings

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._method.takes_sparse
        tags.input_tags.positive_only = not self.takes_negative
        tags.target_tags.required = self._method.supervised
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


class Reversible:
    """What an extractor can do whose scores lead back to rows."""

    projection_: Projection

    def inverse_transform(self, X: Any) -> NDArray[np.float64]:
        """Reconstruct rows from their scores, as well as the components allow.

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


class LatentExtractor(Extractor):
    """What latent semantic analysis has beside."""

    projection_: Any

    def fold_in(self, X: Any, *, scaled: bool = True) -> NDArray[np.float64]:
        """Place new rows among those fitted: on the scale of `transform`, or of length 1.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        scaled : bool, default=True
            False divides by the singular values, as Cunningham does.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=_FLOATS, reset=False)
        scores = self.projection_.project(X)
        return scores if scaled else scores / self.projection_.values


class FactorExtractor(Extractor):
    """What a factorisation into parts without negative values has beside."""

    takes_negative = False
    projection_: Any

    @property
    def n_iter_(self) -> int:
        """Number of iterations."""
        return self.projection_.rounds


class SpectralExtractor(Extractor):
    """What a spectral embedding has beside."""

    projection_: Any

    @property
    def labels_(self) -> Indices:
        """Cluster of every row of `fit`, numbered in the order of their first rows."""
        check_is_fitted(self)
        return self.projection_.labels


_BASES = {"lsa": LatentExtractor, "nmf": FactorExtractor, "spectral": SpectralExtractor}


def list_bases(method: registry.Method) -> tuple[type, ...]:
    """Say what the estimator of a method stands on."""
    base = _BASES.get(method.id, Extractor)
    return (Reversible, base) if method.rebuilds else (base,)
