"""Data sets of the papers as OpenML has them, brought to the form of the folder `--data`.

OpenML's copies differ from those in the folder in the order of some codes and in the names of
labels; both are brought into line here. What has other rows or columns than expected is refused: it
would be another data set with the same name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis_papers.laboratory.numbers import Floats
from tamis_papers.laboratory.protocol import Table

__all__ = ["OPENML", "Fetch", "OpenmlEntry", "fetch_table"]

Fetch = Callable[..., Any]
"""Called as `sklearn.datasets.fetch_openml` is."""


@dataclass(frozen=True, eq=False)
class OpenmlEntry:
    """A data set on OpenML: its name, the rows and columns it must have, and what differs.

    `labels` gives our names for its labels; without them, labels that are numbers become integers.
    `codes` is the order of the codes of categories where it is not alphabetical. `complete` drops
    rows with missing values, `drop` columns that are no measurement.
    """

    name: str
    rows: int
    columns: int
    labels: Mapping[str, Any] = field(default_factory=dict)
    codes: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    complete: bool = False
    extra: Callable[[Any], Mapping[str, Any]] = lambda _: {}
    remark: str = ""
    version: int = 1


def _normal(y: Any) -> Mapping[str, Any]:
    return {"y_binary": np.where(y == 1, "normal", "abnormal")}


def _super(y: Any) -> Mapping[str, Any]:
    return {"y_super": y // 10}


_SIGNS = {"1": -1, "2": 1, "-1": -1, "+1": 1}

OPENML: dict[str, OpenmlEntry] = {
    "abalone": OpenmlEntry("abalone", 4177, 8),
    "arcene": OpenmlEntry("arcene", 200, 10000, labels=_SIGNS),
    "arrhythmia": OpenmlEntry("arrhythmia", 452, 279, extra=_normal),
    "breast_w": OpenmlEntry("breast-w", 683, 9, complete=True),
    "gisette": OpenmlEntry("gisette", 7000, 5000, labels={"-1": -1, "1": 1}),
    "ionosphere": OpenmlEntry("ionosphere", 351, 34),
    "kr_vs_kp": OpenmlEntry("kr-vs-kp", 3196, 36),
    "lrs": OpenmlEntry("spectrometer", 531, 101, drop=("LRS-name",), extra=_super),
    "satellite": OpenmlEntry("satimage", 6430, 36, remark="five rows fewer than Statlog's 6,435"),
    "segment": OpenmlEntry("segment", 2310, 19),
    "sonar": OpenmlEntry("sonar", 208, 60, labels={"Mine": "M", "Rock": "R"}),
    "spambase": OpenmlEntry("spambase", 4601, 57),
    "splice": OpenmlEntry("splice", 3190, 60, codes=tuple("ACGTDNSR"), drop=("Instance_name",)),
    "twonorm": OpenmlEntry("twonorm", 7400, 20, labels={"1": 0, "2": 1}),
}


def fetch_table(name: str, entry: OpenmlEntry, fetch: Fetch) -> Table:
    """Download a data set, or take it from scikit-learn's cache, and bring it to our form."""
    try:
        found = fetch(entry.name, version=entry.version, as_frame=False, parser="liac-arff")
    except Exception as error:  # whatever a network can do
        reason = " ".join(str(error).split())[:120].rstrip(".") or type(error).__name__
        raise TamisError(f"OpenML did not give {entry.name!r}: {reason}.") from error
    names = [str(column) for column in found.feature_names]
    kept = [j for j, column in enumerate(names) if column not in entry.drop]
    X, categorical = _recode(found, names, entry)
    y = np.array([str(label).strip() for label in np.ravel(found.target)])
    X, categorical = X[:, kept], categorical[kept]
    if entry.complete:
        full = ~np.isnan(X).any(axis=1)
        X, y = X[full], y[full]
    if X.shape != (entry.rows, entry.columns):
        raise TamisError(
            f"{entry.name!r} of OpenML has {X.shape[0]:,} rows and {X.shape[1]:,} columns, not the "
            f"{entry.rows:,} and {entry.columns:,} of the paper's: put {name}.npz into the folder "
            "of --data."
        )
    labels = _labels(y, entry)
    extra = {
        "feature_names": np.array([names[j] for j in kept]),
        "categorical": categorical,
        **entry.extra(labels),
    }
    return Table(name, X, labels, extra)


def _recode(found: Any, names: list[str], entry: OpenmlEntry) -> tuple[Floats, Any]:
    """Give numbers, with the codes of categories in our order, and which columns have codes."""
    data = found.data.toarray() if hasattr(found.data, "toarray") else found.data
    X = np.array(data, dtype=float)
    categorical = np.zeros(len(names), dtype=bool)
    for column, levels in (found.categories or {}).items():
        if column not in names or column in entry.drop:
            continue
        j = names.index(column)
        values = _number_levels([str(level).strip() for level in levels], entry.codes)
        known = ~np.isnan(X[:, j])
        X[known, j] = values[X[known, j].astype(int)]
        categorical[j] = True
    return X, categorical


def _number_levels(levels: list[str], codes: tuple[str, ...]) -> Floats:
    """Give the number of each level: its own if all are numbers, otherwise its place.

    >>> _number_levels(["t", "f"], ()), _number_levels(["2", "10"], ())
    (array([1., 0.]), array([ 2., 10.]))
    """
    try:
        return np.array([float(level) for level in levels])
    except ValueError:
        order = [*codes, *sorted(set(levels) - set(codes))]
        return np.array([float(order.index(level)) for level in levels])


def _labels(y: Any, entry: OpenmlEntry) -> Any:
    """Give labels our names, integers where they are numbers."""
    if entry.labels:
        strange = sorted(set(y.tolist()) - set(entry.labels))
        if strange:
            raise TamisError(
                f"{entry.name!r} of OpenML has the label {strange[0]!r}, where "
                f"{', '.join(entry.labels)} are expected: use a file in the folder of --data."
            )
        return np.array([entry.labels[label] for label in y.tolist()])
    try:
        return y.astype(float).astype(int)
    except ValueError:
        return y
