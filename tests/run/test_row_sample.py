from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse

import tamis
from tamis.run import again
from tamis.run.again import sample_rows


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(500, 6)).round(3)


def test_the_rows_are_evenly_spaced_and_the_columns_in_the_order_asked_for(
    table: np.ndarray,
) -> None:
    found = sample_rows(tamis.select(table, k=2, method="sfs").reader, [4, 1], most=50)
    assert found is not None
    assert found.seen == 500
    assert len(found.at) == 50
    assert set(np.diff(found.at)) <= {10, 11}
    for i, j in enumerate((4, 1)):
        np.testing.assert_array_equal(found.values[i], table[found.at, j])
        assert found.distinct[i] == len(np.unique(table[:, j]))
        assert found.means[i] == pytest.approx(table[:, j].mean())


def test_any_form_of_the_table_gives_the_same_rows(table: np.ndarray) -> None:
    forms = [
        table,
        pd.DataFrame(table),
        pa.table(pd.DataFrame(table)),
        scipy.sparse.csr_array(table),
    ]
    samples = [sample_rows(tamis.select(form, k=2, method="sfs").reader, [0, 5]) for form in forms]
    for sample in samples:
        assert sample is not None
        np.testing.assert_array_equal(sample.values, samples[0].values)


def test_of_a_long_table_only_the_first_part_is_read(
    table: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "_MAX_SAMPLED_CELLS", 600)
    found = sample_rows(tamis.select(table, k=2, method="sfs").reader, [0, 1], most=20)
    assert found is not None
    assert found.seen == 300
    assert found.at.max() == 299


def test_a_stream_a_summary_and_a_table_that_is_gone_have_no_rows(table: np.ndarray) -> None:
    batches = pa.table(pd.DataFrame(table)).to_reader()
    assert sample_rows(tamis.select(batches, k=2, method="sfs").reader, [0]) is None
    stored = tamis.summarise(table)
    assert sample_rows(tamis.select(stored, k=2, method="sfs").reader, [0]) is None
    copy = table.copy()
    reader = tamis.select(copy, k=2, method="sfs").reader
    assert sample_rows(reader, [0]) is not None
    del copy
    assert sample_rows(reader, [0]) is None
    assert sample_rows(None, [0]) is None


def test_rare_words_are_put_together() -> None:
    words = [f"w{i}" for i in range(30) for _ in range(30 - i)]
    frame = pd.DataFrame({"a": words, "b": np.arange(len(words)) % 7, "c": words[::-1]})
    reader = tamis.select(frame, k=1, method="representatives").reader
    found = sample_rows(reader, [0])
    assert found.labels[0][:2] == ("w0", "w1")
    assert found.labels[0][-1] == "18 others"
    assert found.distinct == (30,)
    assert set(found.values[0]) <= set(range(13))


@pytest.mark.filterwarnings("error")
def test_infinite_values_are_neither_counted_nor_subtracted(tmp_path: Path) -> None:
    X = np.random.default_rng(0).standard_normal((60, 4))
    X[:, 1] = np.arange(60) % 5
    X[[3, 4], 1], X[[5, 6], 1] = np.inf, -np.inf
    found = tamis.select(X, 2, missing="auto")
    found.report(tmp_path / "page.html")
    sample = sample_rows(found.reader, [1])
    assert sample is not None
    assert sample.distinct == (5,)
