"""The table zoo: the same numbers in every form that tamis reads."""

import ast
import gzip
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.house import SOURCE, parsed

from tests.needs import NO_SHARED, SHARED

NAMES = [f"x{j}" for j in range(7)]
TEXT = {"csv": ",", "tsv": "\t", "csv.gz": ","}
INDEXES = ("filtered", "shuffled", "strings", "dates", "MultiIndex", "named")
ZOO = (
    *(f"pandas, {index}" for index in INDEXES),
    *("array", "float32", "fortran", "list", "pandas", "polars", "arrow", "sparse"),
    *(*TEXT, "parquet", "feather", "npz", "sparse.npz"),
)


def build_table() -> np.ndarray:
    """Make 60 rows of seven columns, three of them mixtures, all in eighths: exact in float32."""
    rng = np.random.default_rng(5)
    base = rng.normal(size=(60, 4)) * [1.0, 2.0, 3.0, 4.0]
    mixed = base @ rng.normal(size=(4, 3)) + 0.3 * rng.normal(size=(60, 3))
    return np.round(8 * np.column_stack([base, mixed])) / 8 + 0.0  # no negative zero


def build_text(X: np.ndarray, separator: str = ",") -> str:
    """Write the table as text, whole numbers without a point."""
    lines = [NAMES, *([f"{value:g}" for value in row] for row in X)]
    return "".join(separator.join(line) + "\n" for line in lines)


def build_member(kind: str, X: np.ndarray, folder: Path) -> Any:
    """Make one member of the zoo; files go to the folder and are given by path."""
    if kind.startswith("pandas, "):
        return build_member("pandas", X, folder).set_axis(build_index(kind[8:], len(X)))
    match kind:
        case "array":
            return X
        case "float32":
            return X.astype(np.float32)
        case "fortran":
            return np.asfortranarray(X)
        case "list":
            return X.tolist()
        case "pandas":
            return pytest.importorskip("pandas").DataFrame(X, columns=NAMES)
        case "polars":
            return pytest.importorskip("polars").DataFrame(X, schema=NAMES)
        case "arrow":
            return _arrow(X)
        case "sparse":
            import scipy.sparse

            return scipy.sparse.csr_array(X)
    return _file(kind, X, folder / f"table.{kind}")


def build_index(kind: str, n: int) -> Any:
    """Make an index of pandas for so many rows that does not count them from 0."""
    pandas = pytest.importorskip("pandas")
    match kind:
        case "filtered":
            return pandas.Index(np.sort(np.random.default_rng(1).choice(3 * n, n, replace=False)))
        case "shuffled":
            return pandas.Index(np.random.default_rng(0).permutation(n))
        case "strings":
            return pandas.Index([f"row {i}" for i in range(n)])
        case "dates":
            return pandas.date_range("2024-01-31", periods=n)
        case "MultiIndex":
            return pandas.MultiIndex.from_arrays([np.arange(n) // 7, np.arange(n) % 7])
        case "named":  # as a column is
            return pandas.Index(np.arange(n) + 5, name=NAMES[0])
        case "repeated":
            return pandas.Index(np.arange(n) // 2)
    raise AssertionError(kind)


def _arrow(X: np.ndarray) -> Any:
    import pyarrow as pa

    return pa.table({name: X[:, j] for j, name in enumerate(NAMES)})


def _file(kind: str, X: np.ndarray, path: Path) -> str:
    import pyarrow.feather
    import pyarrow.parquet
    import scipy.sparse

    if kind in TEXT:
        data = build_text(X, TEXT[kind]).encode()
        path.write_bytes(gzip.compress(data) if kind.endswith("gz") else data)
    elif kind == "parquet":
        pyarrow.parquet.write_table(_arrow(X), path, row_group_size=17)
    elif kind == "feather":
        pyarrow.feather.write_feather(_arrow(X), str(path), chunksize=17)
    elif kind == "npz":
        np.savez_compressed(path, X=X, feature_names=np.array(NAMES))
    else:
        scipy.sparse.save_npz(path, scipy.sparse.csr_array(X))
    return str(path)


@pytest.fixture(scope="session")
def numbers() -> np.ndarray:
    return build_table()


@pytest.fixture
def as_text() -> Any:
    return build_text


@pytest.fixture(params=ZOO)
def any_table(request: pytest.FixtureRequest, numbers: np.ndarray, tmp_path: Path) -> Any:
    """Give the same table in each form in turn."""
    return build_member(request.param, numbers, tmp_path)


@pytest.fixture
def table_as(numbers: np.ndarray, tmp_path: Path) -> Any:
    """Make the table in the form that is named."""
    return lambda kind: build_member(kind, numbers, tmp_path)


@pytest.fixture(scope="session")
def real() -> Callable[[str], np.ndarray]:
    """Load a table: scikit-learn's own, or one that lies beside the project."""

    def load(name: str) -> np.ndarray:
        from sklearn.datasets import load_digits, load_iris, load_wine

        own = {"iris": load_iris, "wine": load_wine, "digits": load_digits}
        if name in own:
            return own[name]().data
        path = SHARED / "data" / f"{name}.npz"
        if not path.exists():
            pytest.skip(NO_SHARED)
        with np.load(path, allow_pickle=False) as archive:
            return archive["X"].astype(float)

    return load


@pytest.fixture(scope="session")
def trees() -> dict[Path, ast.Module]:
    """Give the parsed modules of the package: a second or two, so that one worker has them all."""
    return parsed(SOURCE)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """Give the client of a Dask cluster of two workers, which are threads, started once.

    It is not the one that Dask takes by itself: `with cluster.as_current()`.
    """
    distributed = pytest.importorskip("distributed")
    own = {"processes": False, "n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**own) as workers,
        distributed.Client(workers, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print as to a file, however wide the terminal is in which the tests run."""
    monkeypatch.delenv("COLUMNS", raising=False)
    os.unsetenv("COLUMNS")  # readline sets it behind Python's back, for children to see


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Close what a test has drawn: many open figures are a warning, and warnings are errors."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
