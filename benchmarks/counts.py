"""Panels of genes and words from tables of counts: `python -m benchmarks.counts FOLDER`.

FOLDER has `small_data_raw_counts.h5ad` with the panels of Spapros (`spapros_panels_of_20.csv`), and
`CNAE-9.data`. Of every panel of 20 genes: the share of the log-counts that it explains, how many of
the 30 nearest cells (in 50 components) stay so, and how often a random forest finds the type of a
new cell; of 50 words how often it and a logistic regression find the class of a new text. The last
table says which scale the default takes: of the tables in the folder and in FOLDER/../data, and of
counts that are drawn here. Beside it are how many of the 10 nearest rows of a new row are kept by
20 columns, standardised and on the other scale, and what these explain of new rows.
"""

import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import NearestNeighbors

import tamis
from tamis.registry.shared import Scale
from tamis.run.scale import try_scales
from tamis.sources.arrays import ArraySource
from tamis.sources.open import open_source
from tamis.statistics.linear import stack_batches
from tamis.statistics.rows import label_column
from tamis.statistics.scaled_source import look_for_counts

Floats = NDArray[np.float64]

SCALES = ("auto", "standard", "none", "pareto", "counts")
N_NEIGHBOURS = 30
WORDS = ("fseval_basehock", "fseval_relathe", "mini_newsgroups", "CNAE-9")
SPECTRA = ("lrs", "fermentation_spectra")
OTHERS = ("spambase", "mnist_4v9_test", "kr_vs_kp", "Caravan", "ames", "satellite")
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def log_counts(X: Floats) -> Floats:
    """Give counts by the size of their row as logarithms, centred; of the median row here."""
    sizes = X.sum(axis=1)
    logs = np.log1p(X / (sizes / np.median(sizes))[:, None])
    return np.asarray(logs - logs.mean(axis=0))


def find_neighbours(rows: Floats) -> Any:
    """Give the nearest rows of every row."""
    model = NearestNeighbors(n_neighbors=N_NEIGHBOURS).fit(rows)
    return model.kneighbors(return_distance=False)


def accuracy(model: ClassifierMixin, rows: Floats, labels: Any) -> float:
    """Give how often the class of a held-out row is found."""
    return float(cross_val_score(model, rows, labels, cv=FOLDS).mean())


def compare_genes(folder: Path) -> None:
    """Print the figures of the panels of 20 genes."""
    import pandas as pd

    path = folder / "small_data_raw_counts.h5ad"
    source = open_source(path)
    genes = [j for j, kind in enumerate(source.kinds) if kind == "numeric"]
    types = label_column(source, source.names.index("celltype"))
    logs = log_counts(stack_batches(list(source.batches(genes))).toarray().astype(np.float64))
    place = {source.names[j]: i for i, j in enumerate(genes)}
    near = find_neighbours(PCA(50, random_state=0).fit_transform(logs))
    panels = pd.read_csv(folder / "spapros_panels_of_20.csv", index_col=0)
    chosen = {str(name): panels[name].dropna().tolist() for name in panels}
    seconds = dict.fromkeys(chosen, float("nan"))
    for scale in SCALES:
        start = time.perf_counter()
        chosen[f"tamis, {scale}"] = tamis.select(path, 20, scale=scale).names
        seconds[f"tamis, {scale}"] = time.perf_counter() - start
    print(f"{'panel of 20 genes':24}{'explained':>10}{'neighbours':>12}{'forest':>8}{'s':>6}")
    for name, panel in chosen.items():
        kept = logs[:, [place[gene] for gene in panel]]
        left = logs - kept @ np.linalg.lstsq(kept, logs)[0]
        share = 1 - np.square(left).sum() / np.square(logs).sum()
        pairs = zip(find_neighbours(kept), near, strict=True)
        same = np.mean([len({*a} & {*b}) for a, b in pairs]) / N_NEIGHBOURS
        forest = RandomForestClassifier(200, random_state=0)
        found = accuracy(forest, kept, types.astype(str))
        print(f"{name:24}{share:10.3f}{same:12.3f}{found:8.3f}{seconds[name]:6.0f}", flush=True)


def compare_words(folder: Path) -> None:
    """Print the figures of 50 words."""
    table = np.loadtxt(folder / "CNAE-9.data", delimiter=",")
    words, labels = table[:, 1:], table[:, 0]
    print(f"\n{'50 words':24}{'forest':>8}{'logistic':>10}{'s':>6}")
    for scale in SCALES:
        start = time.perf_counter()
        kept = words[:, tamis.select(words, 50, scale=scale).indices]
        seconds = time.perf_counter() - start
        forest = accuracy(RandomForestClassifier(200, random_state=0), kept, labels)
        linear = accuracy(LogisticRegression(max_iter=2000), kept, labels)
        print(f"{'tamis, ' + scale:24}{forest:8.3f}{linear:10.3f}{seconds:6.0f}", flush=True)


def draw_cells(n: int, d: int, depth: float = 1.0, types: int = 6, seed: int = 0) -> Floats:
    """Give counts of genes in cells of some types, each with markers of its own."""
    rng = np.random.default_rng(seed)
    folds = np.ones((types, d))
    for own in folds:
        own[rng.choice(d, d // 20, replace=False)] = rng.lognormal(1.5, 0.7, d // 20)
    means = rng.lognormal(-1.0, 1.5, d) * folds[rng.integers(0, types, n)]
    means *= depth * rng.lognormal(0.0, 0.4, (n, 1))
    return rng.poisson(rng.gamma(2.0, means / 2.0)).astype(np.float64)


def write_logs(X: Floats) -> Floats:
    """Write counts as scanpy does: 10,000 in each row, then log1p."""
    return np.asarray(np.log1p(1e4 * X / np.maximum(X.sum(axis=1, keepdims=True), 1.0)))


def read_numbers(path: Path) -> Floats:
    """Read the columns of numbers without missing values."""
    if path.suffix == ".npz":
        values = np.asarray(np.load(path, allow_pickle=True)["X"], dtype=np.float64)
    else:
        source = open_source(path)
        numeric = [j for j, kind in enumerate(source.kinds) if kind == "numeric"]
        found = stack_batches(list(source.batches(numeric)))
        dense = found.toarray() if hasattr(found, "toarray") else found
        values = np.asarray(dense, dtype=np.float64)
    return values[:, np.isfinite(values).all(axis=0)]


def list_tables(folder: Path) -> Iterator[tuple[str, Floats]]:
    """Give tables that are drawn, and those of the folders."""
    for name, cells, genes, depth in (
        ("1,000 genes", 1200, 1000, 1.0),
        ("60 genes", 1200, 60, 1.5),
        ("60 genes, deep", 300, 60, 10.0),
    ):
        counts = draw_cells(cells, genes, depth)
        yield f"drawn, {name}, counts", counts
        yield f"drawn, {name}, logs", write_logs(counts)
    counts = read_numbers(folder / "small_data_raw_counts.h5ad")
    yield "small_data, counts", counts
    yield "small_data, logs", write_logs(counts)
    for name in (*WORDS, *SPECTRA, *OTHERS):
        yield name, read_numbers(next(folder.parent.glob(f"*/{name}.*")))


def list_scales(folder: Path, k: int = 20) -> None:
    """Print which scale the default takes, and what speaks for it."""
    head = ("table", "rows x columns", "zeros", "in doubt", "other", "neighbours kept", "share")
    print(f"\n| {' | '.join(head)} | scale taken |\n{'|---' * (len(head) + 1)}|")
    for name, values in list_tables(folder):
        source, columns = ArraySource(values), list(range(values.shape[1]))
        size = min(k, len(columns) // 3)
        whole = bool((values >= 0).all() and (values == np.rint(values)).all())
        other = Scale.COUNTS if whole else Scale.NONE
        doubt = look_for_counts(source, columns) is not None
        tried = try_scales(source, columns, size, other)
        shares = [
            tamis.select(values, size, scale=scale.value).held_out[-1]
            for scale in (Scale.STANDARD, other)
        ]
        taken = tamis.select(values, size).request.settings["scale"]
        said = {"auto": "standard", False: "none"}.get(taken, taken)
        kept = "" if tried is None else f"{tried.standard:.3f} / {tried.other:.3f}"
        print(
            f"| {name} | {len(values):,} x {len(columns):,} | {(values == 0).mean():.2f} "
            f"| {'yes' if doubt else 'no'} | {other.value} | {kept} "
            f"| {shares[0]:.3f} / {shares[1]:.3f} | {said} |",
            flush=True,
        )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    place = Path(sys.argv[1])
    compare_genes(place)
    compare_words(place)
    list_scales(place)
