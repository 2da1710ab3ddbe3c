"""Panels of genes and words from tables of counts: `python -m benchmarks.counts FOLDER`.

FOLDER has `small_data_raw_counts.h5ad` with the panels of Spapros (`spapros_panels_of_20.csv`), and
`CNAE-9.data`. Of every panel of 20 genes: the share of the log-counts that it explains, how many of
the 30 nearest cells (in 50 components) stay so, and how often a random forest finds the type of a
new cell; of 50 words how often it and a logistic regression find the class of a new text. The last
table says which scale the default takes for every file in the folder.
"""

import sys
import time
import warnings
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
from tamis.sources.open import open_source
from tamis.statistics.linear import stack_batches
from tamis.statistics.rows import label_column
from tamis.statistics.scaled_source import settle_scale

Floats = NDArray[np.float64]

SCALES = ("auto", "standard", "none", "pareto", "counts")
N_NEIGHBOURS = 30
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


def list_scales(folder: Path) -> None:
    """Print which scale the default takes for every table that can be read."""
    print("\nscale that the default takes")
    for path in sorted(folder.iterdir()):
        try:
            source = open_source(path)
            numeric = [j for j, kind in enumerate(source.kinds) if kind == "numeric"]
            scale = settle_scale(source, numeric, Scale.AUTO)
        except tamis.TamisError:
            continue
        print(f"{path.name:48}{len(numeric):6} numbers  {scale}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    place = Path(sys.argv[1])
    compare_genes(place)
    compare_words(place)
    list_scales(place)
