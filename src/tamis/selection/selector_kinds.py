"""Selectors of several kinds: of rows with weights, of frames with text, of local clusters."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import _check_sample_weight, validate_data

from tamis.errors import TamisError
from tamis.run.selection import FoundColumns
from tamis.selection.base import PathSelector
from tamis.sources.open import open_source
from tamis.sources.source import Source


class GramSelector(PathSelector):
    """Keep the columns that a method on correlations takes, of rows that may have weights."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Find the columns to keep.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            A response, for methods that explain one; not used by others.
        sample_weight : array-like of shape (n_samples,)
            How much each row counts; an integer counts as so many rows.
        groups : array-like of shape (n_samples,)
            Which rows belong together, such as those of a patient: they are held out together where
            shrinkage is chosen.
        """
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        return self._fit(X, y, sample_weight, groups)


class MixedSelector(PathSelector):
    """Keep the columns that a method takes to which frames may hold text."""

    def _source(self, X: Any, *y: Any) -> Source:
        """Check the table; a frame with text stays as it is."""
        if hasattr(X, "columns"):
            source = open_source(X)
            _check_kinds(source)
            if "categorical" in source.kinds:
                validate_data(self, X, *y, skip_check_array=True)
                return source
        return super()._source(X, *y)


class MixedGramSelector(GramSelector, MixedSelector):
    """Keep the columns that a method on correlations takes to which frames may hold text."""


class InformationSelector(MixedSelector):
    """Keep the columns that a method on mutual information takes."""


class ClusterSelector(PathSelector):
    """Keep the columns that local clusters use, and what is in every cluster."""

    def _keep(self, found: FoundColumns) -> None:
        """Store what was found, and the clusters as scikit-learn's biclusters are stored."""
        super()._keep(found)
        clusters = found.path.evidence.clusters
        self.labels_ = found.path.evidence.labels
        self.rows_ = np.zeros((len(clusters), self.labels_.size), dtype=bool)
        self.columns_ = np.zeros((len(clusters), self.n_features_in_), dtype=bool)
        for i, one in enumerate(clusters):
            self.rows_[i, one.rows] = True
            self.columns_[i, found.used[one.columns]] = True


def _check_kinds(source: Source) -> None:
    for name, kind in zip(source.names, source.kinds, strict=True):
        if kind == "other":
            raise TamisError(
                f"Column {name!r} holds dates or another type not supported yet: drop it."
            )
