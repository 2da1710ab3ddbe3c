import numpy as np
import pyarrow as pa

from tamis.run.look import MAX_RELATED_ROWS, MAX_TEXT_BYTES, RelationSample, _take


def _sample(table, *cuts):
    sample = RelationSample(table.num_columns)
    for start, stop in zip((0, *cuts), (*cuts, table.num_rows), strict=True):
        sample.add(table.slice(start, stop - start))
    return sample


def test_the_rows_taken_are_the_same_in_any_order_and_batches():
    rng = np.random.default_rng(0)
    rows = 3 * MAX_RELATED_ROWS
    table = pa.table({"a": rng.normal(size=rows), "b": rng.integers(0, 9, rows)})
    order = rng.permutation(rows)
    whole = _sample(table)
    parts = _sample(table.take(pa.array(order)), 10, 9_000, 9_000)
    assert len(whole.places) == MAX_RELATED_ROWS
    assert not whole.is_whole
    assert np.array_equal(whole.places, order[parts.places])
    assert np.array_equal(whole.numbers([0, 1], {}), parts.numbers([0, 1], {}))


def test_few_rows_are_all_taken():
    sample = _sample(pa.table({"a": [1.0, None, 3.0], "t": ["x", "y", None]}), 1)
    assert sample.is_whole
    assert np.nanmax(sample.numbers([0], {})) == 3.0
    assert np.isnan(sample.numbers([0], {})).sum() == 1
    assert set(sample.texts(1)) == {"x", "y", None}


def test_columns_of_any_type_pass():
    table = pa.table(
        {
            "view": pa.array(["a", None], pa.string_view()),
            "codes": pa.array(["b", "b"]).dictionary_encode(),
            "list": pa.array([[1], [2]]),
            "date": pa.array([1, 2], pa.date32()),
            "flag": [True, None],
            "price": pa.array([1, 2], pa.decimal128(5, 2)),
        }
    )
    sample = _sample(table, 1)
    assert sample.texts(0) in (["a", None], [None, "a"])
    assert np.nansum(sample.numbers([4, 5], {}), axis=0).tolist() == [1.0, 3.0]
    assert np.isnan(sample.numbers([2, 3], {})).all()


def test_long_texts_are_cut_before_they_are_written_out():
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 20), pa.array(["x" * 10**6, "y"]))
    sample = RelationSample(2)
    sample.add(pa.table({"coded": coded, "plain": ["z" * 5000] * 40}))
    assert {len(text) for text in sample.texts(0)} == {200, 1}
    assert {len(text) for text in sample.texts(1)} == {200}


def test_long_texts_are_cut_before_rows_are_taken():
    texts = pa.table({"text": ["a" * 5_000] * 40})
    taken = _take(texts.column(0), pa.array([3, 5]))
    assert set(taken.to_pylist()) == {"a" * MAX_TEXT_BYTES}


def test_of_rows_that_are_alike_the_first_are_taken_and_no_others_are_held():
    values = np.random.default_rng(0).integers(0, 3, 8 * MAX_RELATED_ROWS).astype(float)
    table = pa.table({"a": values, "b": values + 1})
    sample = RelationSample(2)
    sizes = []
    for start in range(0, table.num_rows, 2 * MAX_RELATED_ROWS):
        sample.add(table.slice(start, 2 * MAX_RELATED_ROWS))
        sizes.append(len(sample._fresh))
    smallest = values[sample.places[0]]
    first = np.flatnonzero(values == smallest)[:MAX_RELATED_ROWS]
    assert sample.places.tolist() == first.tolist()
    assert max(sizes) <= MAX_RELATED_ROWS
