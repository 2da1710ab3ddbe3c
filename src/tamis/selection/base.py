"""The only place that knows how scikit-learn selectors work."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from tamis import registry
from tamis.algorithms.path import NO_GOAL, Path
from tamis.declaration import Declared
from tamis.errors import TamisError
from tamis.run import find_path
from tamis.sources.arrays import ArraySource
from tamis.sources.source import Source, open_source, positions
from tamis.statistics.collect import Summary, check_used, summarise


class PathSelector(Declared, SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Keep the columns that a registered method takes."""

    n_features_to_select: int | None
    retain: float | None
    include: Sequence[str | int]
    scale: bool | None = None
    refine: bool | str = False
    missing: str = "error"

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002  # scikit-learn's signature
        """Find the columns to keep.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The table.
        y : ignored
            Not used; here for pipelines.
        """
        method = registry.get(self.method_id)
        k, retain, own = self._checked(method)
        source = self._source(X)
        columns = range(len(source.names))
        summary = summarise(
            method,
            source,
            columns,
            scale=bool(self.scale),
            missing=self.missing,
            options=own,
            insist=set(self._wanted(source)),
        )
        check_used(summary, len(columns), source.label)
        self.skipped_ = {source.names[j]: why for j, why in summary.refused.items()}
        used = summary.varying
        path = find_path(
            method,
            summary,
            self._size(k, used.size),
            retain=NO_GOAL if retain is None else retain,
            include=self._forced(source, summary),
            refine=registry.REFINE.check(self.refine),
            options=own,
        )
        self.path_ = path
        self.shortfall_ = self._shortfall(path, k, summary)
        self.ranking_ = used[path.kept]
        self.retained_ = path.retained[: len(path.kept)]
        return self

    def _source(self, X: Any) -> Source:
        """Check the table."""
        X = validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_min_samples=2,
            ensure_all_finite=True if self.missing == "error" else "allow-nan",
        )
        return ArraySource(X, getattr(self, "feature_names_in_", None), "X")

    def _checked(self, method: registry.Method) -> tuple[int | None, float | None, dict[str, Any]]:
        registry.check_shared(method, scale=self.scale, refine=self.refine, missing=self.missing)
        own = {option.name: getattr(self, option.name) for option in method.options}
        return registry.resolve_goal(
            method,
            self.n_features_to_select,
            self.retain,
            registry.check_options(method, own),
            k_name="n_features_to_select",
        )

    def _size(self, k: int | None, used: int) -> int:
        if k is not None and k > self.n_features_in_:
            raise TamisError(
                f"n_features_to_select={k}: X has {self.n_features_in_} columns, give at most "
                f"{self.n_features_in_}."
            )
        return used if k is None else min(k, used)

    def _shortfall(self, path: Path, k: int | None, summary: Summary) -> str | None:
        if k is not None and k > summary.varying.size == len(path.kept):
            why = (
                "all others are skipped or constant"
                if summary.refused
                else "all others are constant"
            )
            path = replace(path, stopped=why)
        return path.shortfall(k)

    def _wanted(self, source: Source) -> list[int]:
        """Give the positions of the columns that must stay."""
        return positions(source, registry.INCLUDE.check(self.include))

    def _forced(self, source: Source, summary: Summary) -> Sequence[int]:
        places = {int(j): place for place, j in enumerate(summary.varying)}
        wanted = self._wanted(source)
        lost = [j for j in wanted if j not in places]
        if lost:
            name, why = source.names[lost[0]], summary.refused.get(lost[0], "constant")
            raise TamisError(f"Column {name!r} cannot be kept by include: it is {why}.")
        return [places[j] for j in wanted]

    def _get_support_mask(self) -> Any:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.ranking_] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


class InformationSelector(PathSelector):
    """Keep the columns that a method on mutual information takes; frames may hold text."""

    def _source(self, X: Any) -> Source:
        """Check the table; a frame with text stays as it is."""
        if hasattr(X, "columns"):
            source = open_source(X)
            _check_kinds(source)
            if "categorical" in source.kinds:
                validate_data(self, X, skip_check_array=True)
                return source
        return super()._source(X)


def _check_kinds(source: Source) -> None:
    for name, kind in zip(source.names, source.kinds, strict=True):
        if kind == "other":
            raise TamisError(
                f"Column {name!r} holds dates or another kind that is neither numbers nor "
                "categories: leave it out."
            )
