"""Where the data sets of the papers come from: a folder, scikit-learn or, on request, OpenML."""

import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell, spell_name
from tamis_papers.laboratory.fingerprint import hash_parts
from tamis_papers.laboratory.openml import OPENML, Fetch, fetch_table
from tamis_papers.laboratory.protocol import Table

__all__ = ["Shelf", "find_tables", "hash_table"]


@dataclass(frozen=True, eq=False)
class Shelf:
    """The tables that were found, where each came from, and why others were not."""

    tables: dict[str, Table] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    lacking: dict[str, str] = field(default_factory=dict)


def find_tables(
    names: Iterable[str], folder: Path | None, *, download: bool = False, fetch: Fetch | None = None
) -> Shelf:
    """Look for each table in the folder, among scikit-learn's own and, with `download`, on OpenML.

    Nothing is downloaded without `download`. `fetch` takes the place of scikit-learn's function.
    """
    if folder is not None and not folder.is_dir():
        given = spell("data", str(folder))
        raise TamisError(f"{given}: there is no such folder, give one that holds NAME.npz files.")
    shelf = Shelf()
    for name in dict.fromkeys(names):
        path = None if folder is None else folder / f"{name}.npz"
        if path is not None and path.exists():
            shelf.tables[name], shelf.sources[name] = _read(path), "folder"
        elif name in _BUNDLED:
            shelf.tables[name], shelf.sources[name] = _load_bundled(name), "scikit-learn"
        elif name in OPENML and download:
            _fetch_into(shelf, name, fetch or _fetch_openml())
        else:
            shelf.lacking[name] = _advise(name, folder)
    return shelf


def _fetch_into(shelf: Shelf, name: str, fetch: Fetch) -> None:
    """Take a table from OpenML, or note why it could not be had."""
    entry = OPENML[name]
    try:
        shelf.tables[name] = fetch_table(name, entry, fetch)
    except TamisError as error:
        shelf.lacking[name] = str(error)
    else:
        remark = f", {entry.remark}" if entry.remark else ""
        shelf.sources[name] = f"OpenML, {entry.name} version {entry.version}{remark}"


def hash_table(table: Table) -> str:
    """Give a text that differs whenever the values of a table do."""
    extra = [part for key in sorted(table.extra) for part in (key, table.extra[key])]
    return hash_parts(table.name, table.X, table.y, *extra)


def _read(path: Path) -> Table:
    """Read an archive with the arrays X and y and what else it has."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
        X = arrays.pop("X").astype(float)
        y = arrays.pop("y")
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise TamisError(
            f"{str(path)!r} cannot be read as a data set: give an NPZ archive with the arrays X "
            "(rows x columns) and y (labels), written without pickles."
        ) from error
    if X.ndim != 2 or len(X) != len(y):
        raise TamisError(
            f"{str(path)!r} has X of shape {X.shape} and y of shape {y.shape}: give as many labels "
            "as rows."
        )
    return Table(path.stem, X, y, arrays)


def _load_bundled(name: str) -> Table:
    from sklearn import datasets

    found = getattr(datasets, _BUNDLED[name])()
    names = [one.removesuffix(" (cm)").replace(" ", "_") for one in found.feature_names]
    extra: dict[str, Any] = {
        "feature_names": np.array(names),
        "categorical": np.zeros(len(names), dtype=bool),
    }
    return Table(name, found.data.astype(float), found.target_names[found.target], extra)


def _fetch_openml() -> Fetch:
    from sklearn.datasets import fetch_openml

    fetch: Fetch = fetch_openml
    return fetch


def _advise(name: str, folder: Path | None) -> str:
    """Say where a table was looked for, and how it can be had."""
    file = f"{name}.npz"
    if folder is None:
        way = f"name the folder that has {file} with {spell_name('data')}"
    else:
        way = f"put {file} into {str(folder)!r}"
    if name in OPENML:
        return f"Not here: {way}, or give {spell('download', True)} to take it from OpenML."
    return f"Not here, and not on OpenML in this form: {way}."


_BUNDLED = {"iris": "load_iris"}
