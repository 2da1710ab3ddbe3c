"""Mixed tables against their classes: kinds, missing values and labels, streams, both measures."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from tests.algorithms.filters.tables import crossed

import tamis
from tamis import registry
from tamis.errors import TamisError
from tamis.evaluation.measure import SharedInformation, Variance, measure_of
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.open import open_source
from tamis.statistics.class_table import collect_class_table
from tamis.statistics.classes import ClassTally, RowLabels

FILTERS = [m.id for m in registry.methods("selection") if m.needs == "class counts"]


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    kind = rng.choice(["a", "b", "c"], 240)
    size = rng.standard_normal(240) + (kind == "b")
    return pd.DataFrame(
        {
            "size": size,
            "colour": np.where(kind == "a", "red", rng.choice(["green", "blue"], 240)),
            "count": rng.integers(0, 4, 240),
            "flag": rng.random(240) < 0.5,
            "kind": kind,
        }
    )


def table_of(data, y, **settings):
    source = open_source(data)
    columns = [j for j, name in enumerate(source.names) if name != y]
    labels = source.names.index(y) if isinstance(y, str) else y
    return collect_class_table(source, columns, labels=labels, **settings)


def test_counts_are_those_of_the_values_and_bins(frame):
    found = table_of(frame, "kind").statistic
    codes = [
        pd.qcut(frame["size"], 10, labels=False),
        frame["colour"],
        frame["count"],
        frame["flag"],
    ]
    for j, column in enumerate(codes):
        assert np.array_equal(found.counts.block(j), crossed(column, frame["kind"]))
    assert found.target.counts == frame["kind"].value_counts().sort_index().to_dict()
    assert found.levels[1] == ("blue", "green", "red")


@pytest.mark.parametrize(
    "form", ["polars", "arrow", "parquet", "csv", "feather", "array of labels"]
)
@pytest.mark.parametrize("method", FILTERS)
def test_every_form_of_a_mixed_table_gives_the_same(frame, form, method, tmp_path):
    path = tmp_path / f"t.{form}"
    y = "kind"
    match form:
        case "polars":
            data = pl.from_pandas(frame)
        case "arrow":
            data = pl.from_pandas(frame).to_arrow()
        case "parquet":
            frame.to_parquet(path, row_group_size=17)
        case "csv":
            frame.to_csv(path, index=False)
        case "feather":
            frame.to_feather(path)
        case _:
            data, y = frame.drop(columns="kind"), frame["kind"]
    data = path if path.exists() else data
    expected = tamis.select(frame, 3, method=method, y="kind").to_dict()
    found = tamis.select(data, 3, method=method, y=y).to_dict()
    assert found["names"] == expected["names"]
    assert found["evidence"] == expected["evidence"]
    assert found["retained"] == pytest.approx(expected["retained"])


def test_row_groups_do_not_change_the_counts(frame, tmp_path):
    expected = table_of(frame, "kind").statistic.counts.table
    for rows in (1, 7, 240):
        frame.to_parquet(tmp_path / "t.parquet", row_group_size=rows)
        found = table_of(tmp_path / "t.parquet", "kind").statistic.counts.table
        assert np.array_equal(found, expected)


def test_numbers_are_measured_by_variance_and_text_by_information(frame):
    numbers = frame.drop(columns="colour")
    assert isinstance(measure_of(table_of(numbers, "kind").statistic), Variance)
    assert isinstance(measure_of(table_of(frame, "kind").statistic), SharedInformation)
    mixed = tamis.select(frame, 2, method="chi2", y="kind")
    expected = tamis.select(frame.drop(columns="kind"), 2, method="naive-fs", include=mixed.names)
    assert mixed.retained == pytest.approx(expected.retained)
    assert "of the information" in repr(mixed)


@pytest.mark.parametrize("method", FILTERS)
def test_rows_without_a_label_are_refused_or_dropped(frame, method):
    holes = frame.copy()
    holes.loc[[3, 50], "kind"] = [None, " "]
    holes.loc[[7, 50], "size"] = np.nan
    with pytest.raises(TamisError, match="Column 'kind' has 2 missing labels of 240"):
        tamis.select(holes, 2, method=method, y="kind")
    with pytest.raises(TamisError, match="'size' has 2 missing values"):
        tamis.select(holes.drop(columns="kind"), 2, method=method, y=frame["kind"], missing="error")
    found = tamis.select(holes, 2, method=method, y="kind", missing="drop")
    expected = tamis.select(frame.drop(index=[3, 7, 50]), 2, method=method, y="kind")
    assert found.to_dict()["evidence"] == expected.to_dict()["evidence"]
    assert found.retained == pytest.approx(expected.retained)
    assert found.summary.n_rows == 237


@pytest.mark.parametrize("missing", ["category", "auto"])
def test_missing_values_may_be_a_category_or_filled(frame, missing):
    holes = frame.copy()
    holes.loc[:29, ["size", "colour"]] = [np.nan, None]
    found = table_of(holes, "kind", missing=MissingPolicy(missing)).statistic.counts
    labels = frame["kind"][:30].to_numpy()
    last = crossed(np.zeros(30), labels)[0].tolist()
    assert found.block(1)[-1].tolist() == last
    assert (found.block(0)[-1].tolist() == last) == (missing == "category")


def test_text_that_hardly_repeats_is_skipped_and_the_table_may_be_sparse_or_wide(frame):
    named = frame.assign(user=[f"u{i}" for i in range(240)])
    found = tamis.select(named, 2, method="chi2", y="kind")
    assert found.skipped["user"] == "another value in each of 240 rows"
    wide = np.random.default_rng(1).poisson(0.3, (30, 60)).astype(float)
    y = np.arange(30) % 2
    expected = tamis.select(wide, 4, method="chi2", y=y)
    found = tamis.select(scipy.sparse.csr_array(wide), 4, method="chi2", y=y)
    assert found.names == expected.names
    assert found.retained == pytest.approx(expected.retained)


def test_labels_of_any_type_name_the_same_classes():
    tally = ClassTally("y")
    for labels in ([1, 2], [1.0, np.float32(2)], [np.int8(1)], ["1", None, float("nan")]):
        tally.add(RowLabels.of(labels))
    assert (tally.rows, tally.unlabelled) == (8, 2)
    assert RowLabels.of([True, 1, None]).places.tolist() == [0, 1, -1]


def test_far_too_many_labels_are_refused_while_reading():
    tally = ClassTally("Column 'y'")
    with pytest.raises(TamisError, match="more than 65,000 distinct labels"):
        tally.add(RowLabels.of(np.arange(70_000).tolist()))


def test_too_many_classes_for_the_values_of_the_columns_are_refused(frame, monkeypatch):
    monkeypatch.setattr("tamis.statistics.class_table._MOST_CELLS", 20)
    with pytest.raises(TamisError, match=r"3 classes, too many .* merge rare classes"):
        table_of(frame, "kind")


def test_bins_by_the_labels_are_only_for_filters():
    for method in registry.methods("selection"):
        for option in (o for o in method.options if o.name == "binning"):
            assert ("mdl" in option.choices) == (method.needs == "class counts")


@pytest.mark.parametrize("binning", ["mdl", "chimerge"])
def test_bins_by_the_labels_also_serve_mixed_tables(frame, binning):
    found = tamis.select(frame, method="information-gain", y="kind", options={"binning": binning})
    assert found.names[0] == "colour"
    rows = {row["column"]: row for row in found.to_dict()["evidence"]["columns"]}
    assert rows["size"]["p"] is None
    assert rows["colour"]["adjusted"] < 1e-6
