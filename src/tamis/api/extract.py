"""`extract`: compute components (PCA, LDA, NMF, ...) of a table and the scores of its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis import registry
from tamis.algorithms.projection import Projection
from tamis.api.columns import check_rows, sorted_out
from tamis.errors import TamisError, spelled
from tamis.evaluation.missing_values import MissingValues
from tamis.evaluation.outcome import Request
from tamis.registry.extraction import RULE
from tamis.results import Extraction
from tamis.sources.source import Source, open_source, positions
from tamis.statistics.labels import class_codes
from tamis.statistics.linear import collect_gram
from tamis.statistics.missing import Tally
from tamis.statistics.rows import check_label_count, collect_rows


def extract(
    data: Any,
    k: int | None = None,
    *,
    method: str = "pca",
    y: Any = None,
    retain: float | None = None,
    rule: str = "ceil",
    columns: Sequence[str | int] | None = None,
    exclude: Sequence[str | int] = (),
    scale: bool | None = None,
    missing: str = "error",
    options: Mapping[str, Any] | None = None,
) -> Extraction:
    """Compute components (PCA, LDA, NMF, ...) of a table and the scores of its rows.

    Parameters
    ----------
    data
        Any table that `select` takes.
    k
        How many components.
    method
        The id of a method; `tamis.methods()` lists them.
    y
        Labels: the name of a column, or one label for each row. Discriminants need them; for other
        methods they colour the report. A column of labels is not analysed itself.
    retain
        Instead of `k`: the share of the method's own measure to explain. When neither is given,
        0.95, or all discriminants.
    rule
        "ceil" for the fewest components that reach the share, "floor" for the most that do not
        exceed it.
    columns, exclude
        Names or positions of the columns to analyse, and of those to skip.
    scale
        Standardise the columns (mean 0, standard deviation 1); None for the default of the method.
    missing
        What to do about missing values: "error", "mean" (fill) or "drop" (drop their rows).
    options
        Settings of the method itself, by name.

    Returns
    -------
    Extraction
        Components, shares, loadings, transform, report.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).standard_normal((2, 50))
    >>> found = extract(np.column_stack([a, b, a + b]), 2, method="pca", scale=True)
    >>> found.names, round(float(found.shares.sum()), 6)
    (['pca0', 'pca1'], 1.0)
    """
    k, columns = registry.K.check(k), registry.COLUMNS.check(columns)
    exclude = registry.EXCLUDE.check(exclude)
    asked = _checked(method, k, retain, rule, scale, missing, options)
    source = open_source(data)
    _check_numbers(source)
    labels = _labels(source, asked.method, y)
    usable, left_out = sorted_out(source, columns, _without(source, exclude, labels))
    if isinstance(labels, int):
        left_out[source.names[labels]] = "the labels"
    _check_k(k, len(usable), asked.method, source.label)
    found = _found(asked, source, usable, labels, k)
    request = _request(asked, source, k, labels, columns, exclude)
    return Extraction(
        request,
        found.projection,
        found.n_rows,
        np.asarray(usable, dtype=np.intp),
        source,
        MissingValues.of(missing, found.tally, [source.names[j] for j in usable]),
        labels,
        found.fill,
        tuple(source.names[usable[i]] for i in found.constant),
        left_out,
    )


@dataclass(frozen=True)
class _Asked:
    method: registry.Method
    missing: str
    settings: dict[str, Any]


def _checked(
    method_id: str,
    k: Any,
    retain: Any,
    rule: Any,
    scale: Any,
    missing: Any,
    options: Mapping[str, Any] | None,
) -> _Asked:
    method = registry.get(method_id, "extraction")
    retain, rule = registry.RETAIN.check(retain), RULE.check(rule)
    if k is not None and retain is not None:
        raise TamisError(
            f"Give {spelled('k', k)} or {spelled('retain', retain)}, not both: each decides how "
            "many components there are."
        )
    scaled = registry.check_shared(method, scale=scale, refine=False, missing=missing)
    own = registry.check_options(method, options or {})
    settings = {"share": method.usual_retain if retain is None else retain, "rule": rule, **own}
    if method.scale is not None:
        settings["scale"] = scaled
    return _Asked(method, missing, settings)


def _request(
    asked: _Asked,
    source: Source,
    k: int | None,
    labels: Any,
    columns: Sequence[str | int] | None,
    exclude: Sequence[str | int],
) -> Request:
    """Note the request, without what had no effect."""
    own = {name: value for name, value in asked.settings.items() if value is not None}
    share, rule = own.pop("share"), own.pop("rule")
    settings = {
        **({"y": source.names[labels]} if isinstance(labels, int) else {}),
        **({"columns": list(columns)} if columns is not None else {}),
        **({"exclude": list(exclude)} if len(exclude) else {}),
        **({"rule": rule} if k is None else {}),
        "missing": asked.missing,
        **own,
    }
    goal = share if k is None else None
    return Request.of(source, asked.method, k, goal, settings)


def _labels(source: Source, method: registry.Method, y: Any) -> Any:
    """Give the position of the column of labels, or the labels themselves, or None."""
    if y is None:
        if method.needs == "labelled rows":
            raise TamisError(
                f"Method {method.id!r} separates classes: name the column of labels with "
                f"{spelled('y', 'class')}."
            )
        return None
    if isinstance(y, str) or (hasattr(y, "__index__") and not hasattr(y, "__len__")):
        return positions(source, [y])[0]
    labels = np.asarray(y, dtype=object).ravel()
    if source.n_rows is not None:
        check_label_count(source, source.n_rows, labels)
    return labels


def _check_numbers(source: Source) -> None:
    if not {"numeric", "boolean"} & set(source.kinds):
        raise TamisError(f"{source.label} has no numeric columns: turn text into numbers first.")


def _without(source: Source, exclude: Sequence[str | int], labels: Any) -> list[int]:
    return [*positions(source, exclude), *([labels] if isinstance(labels, int) else [])]


def _check_k(k: int | None, width: int, method: registry.Method, label: str) -> None:
    if k is not None and k > width and method.id not in ("kernel-pca", "kda"):
        raise TamisError(
            f"{spelled('k', k)}: {label} has {width} numeric columns, give at most {width}."
        )


@dataclass(frozen=True)
class _Found:
    projection: Projection
    n_rows: int
    constant: list[int]
    fill: Any
    tally: Tally


def _found(asked: _Asked, source: Source, usable: list[int], labels: Any, k: int | None) -> _Found:
    """Read what the method needs and run it."""
    kernel, missing = asked.method.load_kernel(), asked.missing
    if asked.method.needs == "gram":
        summary = collect_gram(source, usable, scale=asked.settings["scale"], missing=missing)
        constant = np.flatnonzero(summary.std == 0).tolist()
        _check_table(source, summary.n_rows, len(summary.varying))
        projection = kernel(summary, k, **asked.settings)
        return _Found(projection, summary.n_rows, constant, summary.mean, summary.tally)
    supervised = asked.method.needs == "labelled rows"
    rows = collect_rows(source, usable, missing=missing, labels=labels if supervised else None)
    values, given = (
        rows.values,
        (class_codes(rows.labels, _named(source, labels)),) if supervised else (),
    )
    low, high = (np.ravel(_plain(getattr(values, name)(axis=0))) for name in ("min", "max"))
    constant = np.flatnonzero(low == high).tolist()
    _check_table(source, values.shape[0], len(usable) - len(constant))
    fill = np.ravel(values.mean(axis=0)) if missing == "mean" else None
    projection = kernel(values, *given, k, **asked.settings)
    return _Found(projection, values.shape[0], constant, fill, rows.tally)


def _plain(values: Any) -> Any:
    return values.toarray() if hasattr(values, "toarray") else values


def _check_table(source: Source, n_rows: int, varying: int) -> None:
    check_rows(source, n_rows)
    if not varying:
        raise TamisError(
            f"All columns of {source.label} are constant: there are no components to compute."
        )


def _named(source: Source, labels: Any) -> str:
    return f"Column {source.names[labels]!r}" if isinstance(labels, int) else "y"
