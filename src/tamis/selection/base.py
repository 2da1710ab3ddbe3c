"""How scikit-learn selectors work: what all of them have."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from tamis import registry
from tamis.errors import TamisError, spell
from tamis.evaluation.plan import Plan, has_weights, make_plan
from tamis.registry.missing_policy import MissingPolicy
from tamis.results.selection import Selection, make_selection, without_rows
from tamis.run.request import Request
from tamis.run.selection import FoundColumns, select_columns
from tamis.sources.arrays import ArraySource
from tamis.sources.open import open_source
from tamis.sources.source import Source
from tamis.statistics.labels import asks_for_clusters


class PathSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Keep the columns that a registered method takes."""

    method_id: str
    n_features_to_select: float | None
    retain: float | None = None
    include: Sequence[str | int]
    scale: bool | None = None
    refine: bool | str = False
    missing: str = MissingPolicy.ERROR.value
    task: str = "auto"
    ordered: bool = False

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the columns to keep.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            A label for each row, for the methods that learn from labels; not used by others.
            "clusters" stands for clusters of the rows. Several columns are several responses, for
            methods that take them.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, weights: Any = None, groups: Any = None) -> Self:
        # Without shrinkage, and with extreme values as they are, nothing needs sums by block.
        held_out = False if self._method.mixed and groups is None else None
        found = self._find_columns(X, y, weights, groups, held_out=held_out)
        self._keep(found)
        self._result = without_rows(found)
        self._plan = _plan_of(found)
        return self

    def inverse_transform(self, X: Any) -> Any:
        """Give all columns again: the dropped ones as the kept ones predict them.

        Constant columns have their value, and columns that were not analysed are 0. For methods
        that do not work on the variance all columns that were dropped are 0, as in scikit-learn.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_selected_features)
            The kept columns.
        """
        check_is_fitted(self)
        whole = super().inverse_transform(X)
        if self._plan is None:
            return whole
        plan, used, still = self._plan
        if plan is None:
            raise TamisError(
                "Counts are divided by the sum of their row over all columns, and only the kept "
                f"ones are given: use {spell('scale', True)} to have inverse_transform."
            )
        kept = X.toarray() if hasattr(X, "toarray") else np.asarray(X, dtype=np.float64)
        made = np.zeros(whole.shape)
        made[:, list(still)] = list(still.values())
        made[:, used] = plan.predict(kept).values
        made[:, self._get_support_mask()] = kept
        return made

    def _find_columns(
        self,
        X: Any,
        y: Any,
        weights: Any = None,
        groups: Any = None,
        held_out: bool | None = None,
    ) -> FoundColumns:
        labelled = self._learns and not asks_for_clusters(y)
        source = self._source(X, y) if labelled else self._source(X)
        return select_columns(replace(self._request(y, weights, groups), held_out=held_out), source)

    def explain(self, X: Any = None, y: Any = None, *, column: Any = None) -> Any:
        """Say how much of every dropped column the kept ones explain, and which of them.

        Parameters
        ----------
        X, y : array-like
            The table of `fit`, and its labels. They are needed only where the fitted estimator
            does not hold its summary: after loading from a file, for tables with more columns
            than rows, and above 2,000 columns. The name of a column in place of X stands for
            `column`.
        column : str
            The one column to explain; by default all that are dropped.

        Returns
        -------
        list of DroppedColumn, or one of them
            As `Selection.explain` gives it.
        """
        if isinstance(X, str):
            X, column = None, X
        return self._selection(X, y).explain(column)

    def report(self, path: Any, X: Any = None, y: Any = None) -> Any:
        """Write a self-contained HTML page about the selection and give its path.

        Parameters
        ----------
        path : str or path
            The file to write.
        X, y : array-like
            As for `explain`.
        """
        return self._selection(X, y).report(path)

    def _selection(self, X: Any, y: Any) -> Selection:
        """Give the result that `tamis.select` would give."""
        check_is_fitted(self)
        if isinstance(X, str):
            raise TamisError(f"X={X!r}: give the table of fit, or nothing.")
        if X is not None:
            found = clone(self)._find_columns(X, y)
            if not np.array_equal(found.used[found.path.kept], self.ranking_):
                raise TamisError("X is not the table of fit, other columns are kept: give that.")
            return make_selection(found, X)
        held: Selection | None = getattr(self, "_result", None)
        if held is None:
            raise TamisError(
                "The estimator holds no summary of its table (it was loaded from a file, or the "
                "table has more columns than rows, or over 2,000): pass the table as X, and a "
                "column to explain as column."
            )
        return held

    def __getstate__(self) -> dict[str, Any]:
        """Leave what can be computed again out of files."""
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_result"}

    def _keep(self, found: FoundColumns) -> None:
        """Store what was found, and clusters as scikit-learn's biclusters are stored."""
        self.path_, self.shortfall_ = found.path, found.shortfall
        self.skipped_ = found.skipped
        self.ranking_ = found.used[found.path.kept]
        self.retained_ = found.path.retained[: len(self.ranking_)]
        self.evidence_ = found.path.evidence
        if self._method.clusters:
            clusters, self.labels_ = found.path.evidence.clusters, found.path.evidence.labels
            self.rows_ = np.zeros((len(clusters), self.labels_.size), dtype=bool)
            self.columns_ = np.zeros((len(clusters), self.n_features_in_), dtype=bool)
            for i, cluster in enumerate(clusters):
                self.rows_[i, cluster.rows] = True
                self.columns_[i, found.used[cluster.columns]] = True

    @property
    def _learns(self) -> bool:
        """Whether labels are needed: by the method, or by the policy."""
        weighed = getattr(self, "y_weight", None) is not None
        decides = getattr(self, "policy", "best") == "incremental"
        return self._method.supervised or weighed or decides

    @property
    def _takes_several(self) -> bool:
        """Whether several responses may be given, as columns of y."""
        return self._method.several

    @property
    def _method(self) -> registry.Method:
        return registry.get(self.method_id)

    def _request(self, y: Any, weights: Any = None, groups: Any = None) -> Request:
        """Say what is asked, in the same way as `tamis.select`."""
        method = self._method
        return Request.of(
            self.method_id,
            k=self.n_features_to_select,
            retain=self.retain,
            include=self.include,
            scale=None if method.scale is None else self.scale,
            refine=self.refine,
            missing=self.missing,
            max_missing=1.0,  # a column of a pipeline is skipped only by its user
            options={option.name: getattr(self, option.name) for option in method.taken},
            y=_labels(y) if self._learns else None,
            task=self.task,
            weights=weights,
            row_groups=groups,
            ordered=self.ordered,
            least=1,
            k_name="n_features_to_select",
        )

    def _source(self, X: Any, *y: Any) -> Source:
        """Check the table, and that there is a label for each row if `y` is given.

        A frame with text stays as it is, for methods that take text.
        """
        if self._method.takes_text and hasattr(X, "columns"):
            source = open_source(X)
            for name, kind in zip(source.names, source.kinds, strict=True):
                if kind == "other":
                    raise TamisError(
                        f"Column {name!r} holds dates or another type not supported yet: drop it."
                    )
            if "categorical" in source.kinds:
                validate_data(self, X, *y, skip_check_array=True)
                return source
        try:
            checked = validate_data(
                self,
                X,
                *y,
                accept_sparse="csr",
                dtype=(np.float64, np.float32),
                ensure_min_samples=2,
                **({"multi_output": True} if y and self._takes_several else {}),
                ensure_all_finite=MissingPolicy.finite_check(self.missing),
            )
        except ValueError as error:
            _name_text(X, type(self).__name__, error)
            raise
        X = checked[0] if y else checked
        return ArraySource(X, getattr(self, "feature_names_in_", None), "X")

    def _get_support_mask(self) -> Any:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.ranking_] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = self._learns
        tags.target_tags.multi_output = self._takes_several
        tags.input_tags.allow_nan = MissingPolicy.finite_check(self.missing) is not True
        return tags


def _plan_of(found: FoundColumns) -> tuple[Plan | None, Any, dict[int, float]] | None:
    """Give the weights of the kept columns, the columns they are for, and the constant ones.

    Of counts there is no plan: the kept ones do not say how large their row is.
    """
    summary = found.summary
    if not has_weights(summary, found.request.own.get("kind", "pearson")):
        return None
    if summary.row_size is not None:
        return None, found.used, {}
    names = tuple(found.source.names[j] for j in found.used)
    plan = make_plan(summary, names, found.path.kept, ridge=found.search.ridge)
    if plan.encoding.levels:
        return None
    constant = set(found.constant)
    units = np.ones(len(found.usable)) if summary.units is None else summary.units
    plan = plan.in_units(units[summary.varying])
    mean = dict(zip(found.usable, (summary.mean * units).tolist(), strict=True))
    return plan, found.used, {j: v for j, v in mean.items() if found.source.names[j] in constant}


def _labels(y: Any) -> Any:
    """Give the labels as an array, or the word for clusters of the rows."""
    if asks_for_clusters(y):
        return y
    labels = np.asarray(y)
    return labels if labels.ndim == 2 and labels.shape[1] > 1 else labels.ravel()


def _name_text(X: Any, taker: str, error: ValueError) -> None:
    """Say which column of a frame is text, where only its first value was named."""
    if "could not convert string" not in str(error) or not hasattr(X, "columns"):
        return
    source = open_source(X)
    text = [n for n, kind in zip(source.names, source.kinds, strict=True) if kind == "categorical"]
    if text:
        more = f" and {len(text) - 1} more" if len(text) > 1 else ""
        raise TamisError(
            f"Column {text[0]!r}{more}: {taker} takes numbers only; encode or drop text, or use "
            "ForwardSelection, which takes both."
        ) from error


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


def list_bases(method: registry.Method) -> tuple[type, ...]:
    """Say what the estimator of a method stands on."""
    return (GramSelector if method.needs == "gram" and method.ranks is None else PathSelector,)
