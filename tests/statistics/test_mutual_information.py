"""Mixed tables to mutual information: kinds, missing values, streams, identifiers."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.metrics import normalized_mutual_info_score

from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.open import open_source
from tamis.statistics.gram import DenseGram
from tamis.statistics.mutual_information import collect_information
from tamis.statistics.shared_information import Information


def matrix_of(data, **settings):
    source = open_source(data)
    return collect_information(source, range(len(source.names)), **settings)


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    size = rng.standard_normal(200)
    colour = np.where(size > 0, "red", rng.choice(["green", "blue"], 200))
    return pd.DataFrame(
        {
            "size": size,
            "count": rng.integers(0, 4, 200),
            "colour": colour,
            "kind": pd.Categorical(rng.choice(["a", "b"], 200)),
            "flag": size > 1,
        }
    )


def in_bins(column):
    if column.dtype.kind == "f":
        return pd.qcut(column, 10, labels=False).to_numpy()
    return pd.factorize(column)[0]


def test_scikit_learn_agrees_on_a_mixed_table(frame):
    codes = [in_bins(frame[name]) for name in frame]
    score = normalized_mutual_info_score
    expected = [[score(a, b, average_method="geometric") for a in codes] for b in codes]
    np.testing.assert_allclose(matrix_of(frame).statistic.matrix, expected, atol=1e-12)


@pytest.mark.parametrize("form", ["polars", "arrow", "parquet", "csv", "feather"])
def test_every_form_of_a_mixed_table_gives_the_same(frame, form, tmp_path):
    made = {
        "polars": lambda: pl.from_pandas(frame),
        "arrow": lambda: pa.Table.from_pandas(frame, preserve_index=False),
        "parquet": lambda: frame.to_parquet(tmp_path / "t.parquet", row_group_size=17),
        "csv": lambda: frame.to_csv(tmp_path / "t.csv", index=False),
        "feather": lambda: frame.to_feather(tmp_path / "t.feather"),
    }[form]()
    data = tmp_path / f"t.{form}" if made is None else made
    expected = matrix_of(frame).statistic.matrix
    np.testing.assert_allclose(matrix_of(data).statistic.matrix, expected, atol=1e-12)


def test_a_table_too_long_to_hold_is_read_again_and_again(frame, tmp_path):
    path = tmp_path / "t.parquet"
    frame.to_parquet(path, row_group_size=17)
    plain = matrix_of(frame).statistic.matrix
    again = matrix_of(path, held=0, budget=2000).statistic.matrix
    np.testing.assert_allclose(again, plain, atol=1e-12)


def test_sparse_tables_are_welcome():
    X = np.random.default_rng(0).poisson(0.7, (80, 9)).astype(float)
    plain = matrix_of(X).statistic.matrix
    assert np.array_equal(matrix_of(scipy.sparse.csr_array(X)).statistic.matrix, plain)


def test_missing_values_are_refused_dropped_or_a_category(frame):
    frame.loc[3, "size"] = np.nan
    frame.loc[5:6, "colour"] = None
    with pytest.raises(TamisError, match=r"2 columns have missing values .* 'colour' 2.*category"):
        matrix_of(frame)
    dropped = matrix_of(frame, missing=MissingPolicy.DROP)
    assert dropped.n_rows == 197
    whole = matrix_of(frame.dropna())
    assert np.array_equal(dropped.statistic.matrix, whole.statistic.matrix)
    taken = matrix_of(frame, missing=MissingPolicy.CATEGORY)
    assert taken.n_rows == 200
    colour = pd.factorize(frame["colour"].fillna("?"))[0]
    expected = normalized_mutual_info_score(
        colour, in_bins(frame["flag"]), average_method="geometric"
    )
    assert taken.statistic.matrix[2, 4] == pytest.approx(expected)


def test_identifiers_and_constants_take_no_part(frame):
    frame["id"] = [f"row {i}" for i in range(200)]
    frame["same"] = "x"
    found = matrix_of(frame)
    assert found.varying.tolist() == [0, 1, 2, 3, 4]
    assert found.refused == {5: "few rows for each value, 200 distinct values in 200 rows"}


def test_infinite_values_are_refused_by_name(frame):
    frame.loc[7, "size"] = np.inf
    with pytest.raises(TamisError, match="'size' has infinite values"):
        matrix_of(frame)


def test_few_rows_have_fewer_bins():
    x = np.random.default_rng(0).standard_normal((20, 2))
    four = np.column_stack([pd.qcut(column, 4, labels=False) for column in x.T])
    expected = normalized_mutual_info_score(*four.T, average_method="geometric")
    assert matrix_of(x).statistic.matrix[0, 1] == pytest.approx(expected)


def test_too_many_columns_are_refused_before_any_work():
    with pytest.raises(TamisError, match="20,001 columns, whose pairs would take 3 GB"):
        matrix_of(np.zeros((3, 20_001), dtype=np.int8))


def test_variance_and_information_answer_the_same_questions():
    matrix = np.array([[1.0, 0.5], [0.5, 1.0]])
    gram, information = DenseGram(matrix), Information(matrix)
    both = (gram, information)
    assert [one.rank_bound for one in both] == [2, 2]
    assert gram.redundant_at > information.redundant_at
    np.testing.assert_allclose(gram.pooled(np.array([1.0, 2.0])), [1.5, 2.25])
    np.testing.assert_allclose(information.pooled(np.array([1.0, 2.0])), [2.0, 2.5])
