"""Columns packed into one array for each type, and unpacked: the same types, values and nulls."""

import numpy as np
import pyarrow as pa

from tamis.sources.spark import PackedColumns

TYPES = {"integer": pa.int32(), "double": pa.float64(), "string": pa.string(), "byte": pa.int8()}


def pack(columns, packed):
    """Do what Spark does with the expressions."""
    made = []
    for group in packed.groups:
        first, rows = columns[group[0]], len(columns[group[0]])
        lists = [[columns[j][i].as_py() for j in group] for i in range(rows)]
        made.append(first if len(group) == 1 else pa.array(lists, pa.list_(first.type)))
    return pa.record_batch(made, names=[str(i) for i in range(len(made))])


def test_what_is_unpacked_is_what_was_packed():
    rng = np.random.default_rng(0)
    types = ["double", "integer", "string", "double", "byte", "integer", "double"]
    columns = [pa.array(rng.integers(-9, 9, 23).astype(str)).cast(TYPES[kind]) for kind in types]
    columns[3] = pa.array([None, float("nan"), *[0.5] * 21])
    columns[5] = pa.array([*[2**31 - 1] * 22, None], pa.int32())
    packed = PackedColumns.of(types)
    assert packed.groups == ((0, 3, 6), (1, 5), (2,), (4,))
    batch = pack(columns, packed)
    found = list(packed.unpack([batch.slice(0, 0), batch, batch.slice(5, 11)]))
    assert [one.num_rows for one in found] == [23, 11]
    for j, column in enumerate(columns):
        assert found[0].column(j).type == column.type
        assert str(found[0].column(j)) == str(column)  # a NaN equals no other
        assert str(found[1].column(j)) == str(column.slice(5, 11))


def test_names_are_quoted():
    packed = PackedColumns.of(["long", "long", "boolean", "boolean"])
    assert packed.expressions(["a`b", "c.d", "e f", "g"]) == [
        "array(`a``b`, `c.d`) AS `0`",
        "`e f` AS `1`",
        "`g` AS `2`",
    ]
