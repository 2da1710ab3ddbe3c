"""`tamis.extract`: every method on every kind of input, and what it refuses."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse

import tamis
from tamis import registry
from tamis.errors import TamisError

METHODS = [method.id for method in registry.methods("extraction")]
LABELS = np.repeat(["low", "mid", "high"], 20)


@pytest.fixture
def positive(numbers):
    """Sixty rows without negative numbers, in three classes that differ in two columns."""
    table = numbers - numbers.min(axis=0)
    table[:, 0] += 4 * np.repeat([0, 1, 2], 20)
    table[:, 1] += 9 * np.repeat([0, 1, 0], 20)
    return table


@pytest.fixture
def frame(positive):
    return pd.DataFrame(positive, columns=[f"x{j}" for j in range(7)]).assign(kind=LABELS)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_scores_shares_and_a_page(method, frame, tmp_path):
    found = tamis.extract(frame, 2, method=method, y="kind")
    assert found.names == registry.get(method, "extraction").name_components(2)
    assert found.columns == [f"x{j}" for j in range(7)]
    assert found.skipped == {"kind": "the labels"}
    scores = found.transform(frame)
    assert scores.shape == (60, 2)
    assert np.ptp(scores, axis=0).min() > 0
    assert 0 < found.shares.sum() <= 1 + 1e-9
    assert found.sample.labels == tuple(LABELS)
    np.testing.assert_allclose(found.sample.scores, scores, rtol=1e-9, atol=1e-12)
    assert method in found.report(tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("method", METHODS)
def test_labels_are_a_column_its_position_or_values_beside_the_table(method, frame, positive):
    by_name = tamis.extract(frame, 2, method=method, y="kind").transform(frame)
    by_place = tamis.extract(frame, 2, method=method, y=np.int64(7)).transform(frame)
    np.testing.assert_array_equal(by_place, by_name)
    for labels in (LABELS, LABELS.tolist(), pd.Series(LABELS, index=np.arange(60) + 100)):
        found = tamis.extract(positive, 2, method=method, y=labels)
        assert found.sample.labels == tuple(LABELS)
        np.testing.assert_allclose(found.transform(positive), by_name, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("method", ["pca", "gdfe", "lda"])
def test_dropped_rows_get_no_scores_and_the_others_those_of_a_smaller_table(method, frame):
    gaps = frame.copy()
    gaps.loc[[3, 40], ["x1", "x4"]] = np.nan
    whole = gaps.dropna()
    found = tamis.extract(gaps, 2, method=method, y="kind", missing="drop")
    scores = found.transform(gaps)
    assert np.flatnonzero(np.isnan(scores).all(axis=1)).tolist() == [3, 40]
    expected = tamis.extract(whole, 2, method=method, y="kind")
    np.testing.assert_allclose(np.delete(scores, [3, 40], axis=0), expected.transform(whole))
    assert found.n_rows == 58
    assert len(found.sample.scores) == len(found.sample.labels) == 58


@pytest.mark.parametrize("method", ["pca", "gdfe"])
def test_missing_values_are_filled_with_means(method, positive):
    gaps = positive.copy()
    gaps[[3, 40], [1, 4]] = np.nan
    filled = np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps)
    found = tamis.extract(gaps, 2, method=method, missing="mean")
    expected = tamis.extract(filled, 2, method=method)
    np.testing.assert_allclose(found.transform(gaps), expected.transform(filled), atol=1e-9)
    with pytest.raises(TamisError, match=r"2 columns have missing values .* missing=\"mean\""):
        tamis.extract(gaps, 2, method=method, missing="error")
    usual = tamis.extract(gaps, 2, method=method)
    np.testing.assert_array_equal(usual.transform(gaps), found.transform(gaps))


def test_rows_without_a_label_are_refused_or_dropped_by_a_discriminant(frame, tmp_path):
    frame.loc[[5, 25], "kind"] = None
    expected = tamis.extract(frame.dropna(), 2, method="lda", y="kind")
    frame.to_csv(tmp_path / "t.csv", index=False)
    for table in (frame, tmp_path / "t.csv"):
        with pytest.raises(TamisError, match=r"'kind' has 2 missing labels of 60: pass missing="):
            tamis.extract(table, 2, method="lda", y="kind")
        found = tamis.extract(table, 2, method="lda", y="kind", missing="drop")
        np.testing.assert_allclose(found.components, expected.components, atol=1e-12)
        assert found.sample.labels.count("no label") == 2


def test_the_share_and_the_rule_decide_the_number_of_directions(real):
    iris = real("iris")
    assert tamis.extract(iris).k == 2  # shares 0.925, 0.053, 0.017, 0.005
    assert tamis.extract(iris, rule="floor").k == 1
    assert tamis.extract(iris, retain=0.98).k == 3
    assert tamis.extract(iris, retain=0.98).request.retain == 0.98
    found = tamis.extract(iris, 2, rule="floor")
    assert (found.k, found.request.retain, "rule" in found.request.settings) == (2, None, False)


@pytest.mark.parametrize("method", METHODS)
def test_constant_columns_are_named_and_weigh_nothing(method, positive):
    table = np.insert(positive, 2, 5.0, axis=1)
    found = tamis.extract(table, 2, method=method, y=LABELS)
    assert found.constant == ("x2",)
    if found.components is not None and method not in ("lsa", "nmf"):
        np.testing.assert_allclose(found.components[:, 2], 0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_parquet_file_in_row_groups_gives_what_the_array_gives(method, positive, tmp_path):
    table = pa.table({f"x{j}": positive[:, j] for j in range(7)}).append_column(
        "kind", pa.array(LABELS)
    )
    pa.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=17)
    found = tamis.extract(tmp_path / "t.parquet", 2, method=method, y="kind")
    expected = tamis.extract(positive, 2, method=method, y=LABELS)
    np.testing.assert_allclose(found.shares, expected.shares, rtol=1e-9)
    np.testing.assert_allclose(
        found.transform(tmp_path / "t.parquet"), expected.transform(positive), atol=1e-8
    )


@pytest.mark.parametrize("method", ["pca", "lsa", "nmf"])
def test_a_sparse_table_gives_what_the_dense_one_gives(method, positive):
    thin = np.where(positive > np.median(positive), positive, 0.0)
    sparse = scipy.sparse.csr_array(thin)
    found, expected = (tamis.extract(t, 2, method=method, y=LABELS) for t in (sparse, thin))
    np.testing.assert_allclose(found.transform(sparse), expected.transform(thin), atol=1e-6)
    np.testing.assert_allclose(found.sample.scores, expected.sample.scores, atol=1e-6)


def test_a_sparse_row_with_a_gap_gets_no_scores_when_such_rows_are_dropped(positive):
    gaps = positive.copy()
    gaps[7, 1] = np.nan
    found = tamis.extract(scipy.sparse.csr_array(gaps), 2, missing="drop")
    scores = found.transform(scipy.sparse.csr_array(gaps))
    assert np.flatnonzero(np.isnan(scores).any(axis=1)).tolist() == [7]
    expected = tamis.extract(np.delete(gaps, 7, axis=0), 2)
    np.testing.assert_allclose(found.shares, expected.shares)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_sample_of_a_long_table_is_even_and_small(suffix, tmp_path):
    rows = np.random.default_rng(0).normal(size=(9001, 2)).round(3)
    frame = pd.DataFrame({"a": rows[:, 0], "b": rows[:, 1], "row": np.arange(9001) % 2})
    path = tmp_path / f"t.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    found = tamis.extract(path, 2, y="row")
    assert found.sample.step == 3
    assert len(found.sample.scores) == 3001
    np.testing.assert_allclose(found.sample.scores, found.transform(path)[::3])
    assert found.sample.labels == tuple(str(i % 2) for i in range(0, 9001, 3))


def test_python_is_told_how_to_repeat_it(positive):
    found = tamis.extract(positive, 2, method="gdfe", options={"sigma": 2.0}, exclude=["x3"])
    call = found.to_dict()["repeat"]["python"]
    assert call.startswith("tamis.extract(table, method='gdfe', k=2, exclude=['x3'],")
    again = eval(call, {"tamis": tamis, "table": positive})
    np.testing.assert_array_equal(again.components, found.components)


BAD = [
    ({"k": 0}, "k=0: give an integer of at least 1"),
    ({"k": 2, "retain": 0.5}, "Give k or retain, not both"),
    ({"k": 8}, "k=8: The table has 7 numeric columns, give at most 7."),
    ({"retain": 95}, "retain=95: give a share above 0 and up to 1"),
    ({"rule": "up"}, "rule=\"up\": give 'ceil' or 'floor'"),
    ({"method": "sfs"}, "Method 'sfs' is a method of selection: use it with select."),
    ({"method": "pcs"}, "Unknown method 'pcs': did you mean 'pca'"),
    ({"method": "lda"}, "Method 'lda' needs labels: name their column, for example y="),
    ({"method": "lda", "y": "kind"}, "has no column 'kind'"),
    ({"y": LABELS[:9]}, "60 rows and y 9 labels: give one for each row."),
    ({"method": "lda", "y": np.arange(60)}, "y has another label in each of the 60 rows"),
    ({"method": "lda", "y": np.ones(60)}, "The labels name 1 class: at least 2"),
    ({"method": "lsa", "scale": True}, "method 'lsa' takes the table as it is; omit it"),
    ({"missing": "category"}, "is not for method 'pca': give 'error', 'auto', 'mean' or 'drop'"),
    ({"options": {"sigma": 1}}, "Method 'pca' does not take sigma: it has no options"),
    ({"method": "gdfe", "options": {"omega": "k"}}, "'kernel' or 'identity' or 'linear' or N x N"),
    ({"method": "gdfe", "options": {"sigma": "median"}}, "'nn_quantile' or a number"),
    ({"method": "spectral", "options": {"sigma": "mean"}}, "give 'median' or a number"),
    ({"method": "lda", "options": {"solver": "eigen"}, "y": LABELS}, "or 'pca+lda'"),
    ({"method": "lfda", "options": {"affinity": "knn"}, "y": LABELS}, "'local' or 'constant'"),
    ({"method": "lfda", "options": {"metric": "unit"}, "y": LABELS}, "'plain' or 'weighted'"),
    ({"method": "nmf", "options": {"loss": "l1"}}, "'kullback-leibler'"),
    ({"method": "kernel-pca", "options": {"kernel": "cosine"}}, "'rbf' or 'linear' or 'poly'"),
    ({"method": "wpca", "options": {"weights": "variance"}}, "'q-alpha-approx' or a number"),
]


@pytest.mark.parametrize(("given", "sentence"), BAD, ids=[sentence[:30] for _, sentence in BAD])
def test_what_cannot_be_done_is_refused_in_one_sentence(given, sentence, positive):
    with pytest.raises(TamisError) as refused:
        tamis.extract(positive, **given)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_tables_without_numbers_rows_or_variation_are_refused():
    with pytest.raises(TamisError, match="no numeric columns: turn text"):
        tamis.extract(pd.DataFrame({"a": ["x", "y"], "b": ["z", "w"]}), 1)
    with pytest.raises(TamisError, match="1 row to work with: at least 2"):
        tamis.extract(np.ones((1, 3)), 1)
    with pytest.raises(TamisError, match="constant: there are no components"):
        tamis.extract(np.ones((5, 3)), 1)


def test_labels_that_do_not_fit_a_file_are_refused_when_they_are_drawn(table_as):
    found = tamis.extract(table_as("csv"), 2, y=LABELS[:30])
    with pytest.raises(TamisError, match=r"table\.csv has 60 rows and y 30 labels"):
        _ = found.sample


@pytest.mark.parametrize("k", [1, 3])
def test_a_report_without_rows_says_so_and_has_no_scores(numbers, tmp_path, k):
    found = tamis.extract(numbers, k, method="pca")
    page = found.report(tmp_path / "page.html", rows=False).read_text(encoding="utf-8")
    assert "were omitted on request" in page
    assert 'id="points"' not in page
    assert '"scores":' not in page
    assert "<use " not in page
    assert "Loadings" in page
    whole = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "were omitted on request" not in whole
