import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tamis.results.frame import as_frame, frame_library, make_typed_frame

TYPES = {"column": "string", "rank": "int64", "share": "float64"}


@pytest.mark.parametrize(
    ("data", "library"),
    [
        (pd.DataFrame(), "pandas"),
        (pl.DataFrame(), "polars"),
        (pa.table({}), "pyarrow"),
        ([], "pyarrow"),
    ],
)
def test_a_frame_is_of_the_library_that_the_table_came_from(data, library):
    assert frame_library(data) == library
    assert type(as_frame({"a": [1]}, library)).__module__.startswith(library)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_empty_columns_have_their_type(library):
    frame = make_typed_frame({"column": [], "rank": [], "share": []}, TYPES, library, [])
    table = frame if library == "pyarrow" else pa.table(frame)
    assert [str(table.schema.field(name).type) for name in ("rank", "share")] == ["int64", "double"]


def test_labels_of_pandas_take_the_place_of_names_and_integers_may_be_missing():
    columns = {"column": ["1", "('a', 2)"], "rank": [1, None], "share": [0.5, 0.25]}
    frame = make_typed_frame(columns, TYPES, "pandas", [1, ("a", 2)])
    assert frame["column"].tolist() == [1, ("a", 2)]
    assert str(frame["rank"].dtype) == "Int64"
    assert frame["rank"].isna().tolist() == [False, True]
