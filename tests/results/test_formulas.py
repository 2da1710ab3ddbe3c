"""Cells that a spreadsheet would run."""

import pyarrow as pa
import pytest

from tamis.results.output import without_formulas


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary("int32", "string")])
def test_text_that_begins_as_a_formula_is_marked_whatever_its_type(kind: pa.DataType) -> None:
    given = ["=1+1", "+cmd|x", "-2+3", "@sum", "\tx", "\rx", "a=b", "-5", "+1.5e3", "", None]
    table = without_formulas(pa.table({"@n": pa.array(given).cast(kind)}))
    assert table.column_names == ["'@n"]
    marked = [f"'{text}" for text in given[:6]]
    assert table["'@n"].to_pylist() == [*marked, "a=b", "-5", "+1.5e3", "", None]


def test_numbers_and_other_types_stay_as_they_are() -> None:
    table = pa.table({"a": [-1.5, 2.0], "b": [True, False], "c": [-3, None]})
    assert without_formulas(table).equals(table)
