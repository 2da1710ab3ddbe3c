"""What was done about missing values is said wherever the answer is."""

import json
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.arrays import ArraySource
from tamis.statistics.linear import collect_gram

ROWS = 200


@pytest.fixture(scope="module")
def gaps() -> np.ndarray:
    """Make a table with gaps: 95% of x1, 10% of x4, one value of x5."""
    rng = np.random.default_rng(3)
    table = rng.normal(size=(ROWS, 6)) @ rng.normal(size=(6, 6)) + 8.0
    table[:190, 1] = np.nan
    table[:20, 4] = np.nan
    table[3, 5] = np.nan
    return np.abs(table)


CASES = [
    ("select", "sfs", "mean"),
    ("select", "laplacian", "mean"),
    ("select", "greedy-fs", "category"),
    ("extract", "pca", "mean"),
    ("extract", "nmf", "mean"),
    *(("select", method, "drop") for method in ("sfs", "correlation", "laplacian", "greedy-fs")),
    *(("extract", method, "drop") for method in ("pca", "kernel-pca")),
]


@pytest.mark.parametrize(("verb", "method", "missing"), CASES)
def test_rows_used_and_shares_missing_are_in_every_answer(
    verb: str, method: str, missing: str, gaps: np.ndarray, tmp_path: Any
) -> None:
    found = getattr(tamis, verb)(gaps, 2, method=method, missing=missing, max_missing=1)
    used = 10 if missing == "drop" else ROWS
    assert (found.missing.rows, found.missing.used) == (ROWS, used)
    assert list(found.missing.shares.items()) == [("x1", 0.95), ("x4", 0.1), ("x5", 0.005)]
    facts = json.loads(json.dumps(found.to_dict()))
    assert facts["missing"]["rows_read"] == ROWS
    assert facts["missing"]["rows_used"] == facts["rows"] == used
    assert facts["missing"]["shares"] == found.missing.shares
    said = facts["missing"]["sentence"]
    assert ": x1 (95.0% of the rows), x4 (10.0%), x5 (0.5%)" in said
    assert said in str(found)
    page = found.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert said in page
    if missing == "drop":
        assert said.startswith("Dropped 190 of 200 rows because of missing values; 10 are used.")
        assert "10 of 200 rows" in page


@pytest.mark.parametrize("missing", ["error", "mean", "drop"])
def test_a_full_table_is_not_talked_about(missing: str, numbers: np.ndarray) -> None:
    for verb in ("select", "extract"):
        found = getattr(tamis, verb)(numbers, 2, missing=missing)
        assert (found.missing.rows, found.missing.used, found.missing.shares) == (60, 60, {})
        facts = found.to_dict()
        assert facts["missing"]["sentence"] == ""
        assert "missing values" not in str(found)


def test_text_and_labels_count_as_well(numbers: np.ndarray) -> None:
    pd = pytest.importorskip("pandas")
    text = np.where(np.arange(60) % 2 == 0, "a", "b").astype(object)
    text[:15] = None
    frame = pd.DataFrame(numbers[:, :4], columns=[*"abcd"]).assign(kind=text)
    for missing, used in (("category", 60), ("drop", 45)):
        found = tamis.select(frame, 2, method="greedy-fs", missing=missing)
        assert (found.missing.used, found.missing.shares) == (used, {"kind": 0.25})
        assert tamis.mutual_information(frame, missing=missing).missing == found.missing
    found = tamis.extract(frame, 1, method="lda", y="kind", missing="drop")
    assert (found.missing.rows, found.missing.used, found.missing.shares) == (60, 45, {})
    assert "Dropped 15 of 60 rows" in found.to_dict()["missing"]["sentence"]


def test_what_was_done_to_text_is_not_called_a_mean(numbers: np.ndarray) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(numbers[:, :4], columns=[*"abcd"])
    frame["kind"] = np.where(np.arange(60) % 2 == 0, "p", "q").astype(object)
    frame.loc[:14, "kind"] = None
    for missing, said in (("auto", "text: the share of each level"), ("category", "text: a categ")):
        found = tamis.select(frame, 2, missing=missing)
        assert said in found.to_dict()["missing"]["sentence"]
        frame.loc[3, "a"] = np.nan
        assert said in tamis.select(frame, 2, missing=missing).to_dict()["missing"]["sentence"]
        frame.loc[3, "a"] = 0.0
    found = tamis.select(frame.drop(columns="kind"), 2, missing="auto")
    assert found.missing.done == "auto"  # nothing was missing
    frame.loc[3, "a"] = np.nan
    found = tamis.select(frame.drop(columns="kind"), 2, missing="auto")
    assert "filled with the column mean: a" in found.to_dict()["missing"]["sentence"]


def test_only_the_worst_columns_are_listed_and_tiny_shares_are_not_called_zero() -> None:
    table = np.random.default_rng(0).normal(size=(3000, 12))
    for j in range(12):
        table[: 1 + 100 * (11 - j), j] = np.nan
    said = tamis.select(table, 2, missing="mean").to_dict()["missing"]["sentence"]
    assert said == (
        "Missing values filled with the column mean: x0 (36.7% of the rows), x1 (33.4%), "
        "x2 (30.0%), x3 (26.7%), x4 (23.4%), x5 (20.0%) and 6 more columns; "
        "see missing for other ways."
    )
    said = tamis.select(table[:, -2:], 1, missing="drop").to_dict()["missing"]["sentence"]
    assert said == (
        "Dropped 101 of 3,000 rows because of missing values; 2,899 are used. Missing most often: "
        "x0 (3.4% of the rows), x1 (under 0.1%)."
    )


@pytest.mark.parametrize(("missing", "passes"), [("error", 1), ("drop", 1), ("mean", 2)])
def test_counting_needs_no_further_pass(missing: str, passes: int, gaps: np.ndarray) -> None:
    reads = []

    class Counted(ArraySource):
        def batches(self, columns: Any) -> Any:
            reads.append(1)
            block = super().pick(columns)
            yield from (block[:50], block[50:])

    table = np.nan_to_num(gaps) if missing == "error" else gaps
    policy = MissingPolicy(missing)
    tally = collect_gram(Counted(table), range(6), scale=True, missing=policy).tally
    assert len(reads) == passes
    assert tally.rows == ROWS
    assert tally.counts.tolist() == np.isnan(table).sum(axis=0).tolist()
