"""The same picks however the rows arrive, for every method that works on a summary of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

import tamis
from tamis import memory, registry
from tamis.errors import TamisError
from tests.kinds import sample_methods

ROWS, WIDTH = 140, 10
STREAMING = [m for m in registry.METHODS if m.needs in ("gram", "information", "class counts")]
SELECTING = [m.id for m in STREAMING if m.kind == "selection"]


@pytest.fixture(scope="module")
def table() -> pa.Table:
    rng = np.random.default_rng(11)
    base = rng.normal(size=(ROWS, 4)) * [1.0, 2.0, 3.0, 4.0]
    X = np.column_stack([base, base @ rng.normal(size=(4, 5)) + rng.normal(size=(ROWS, 5))])
    kinds = (X[:, 0] + rng.normal(size=ROWS) > 0).astype(int)
    return pa.table({f"c{j}": X[:, j] for j in range(WIDTH - 1)} | {"kind": kinds})


@pytest.fixture(scope="module")
def folder(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write seven parts; in every other one the columns are in another order."""
    path = tmp_path_factory.mktemp("parts")
    for i in range(7):
        names = table.column_names[:: -1 if i % 2 else 1]
        part = table.slice(20 * i, 20).select(names)
        pq.write_table(part, path / f"part-{i}.parquet", row_group_size=9)
    (path / "_SUCCESS").touch()
    return path


@pytest.fixture(scope="module")
def forms(table: pa.Table, folder: Path) -> dict[str, Any]:
    """Give the table in every form that is read as a stream."""
    import duckdb
    import polars

    parts = sorted(folder.glob("*.parquet"))
    return {
        "folder": folder,
        "pattern": str(folder / "part-*.parquet"),
        "other order": [parts[i] for i in (4, 3, 0, 6, 2, 5, 1)],
        "dataset": pyarrow.dataset.dataset(parts[::2] + parts[1::2]),
        "lazy frame": polars.scan_parquet(parts),
        "relation": duckdb.from_arrow(table),
        "function": lambda: table.to_reader(31),
        "capsule": _Capsule(table),
    }


class _Capsule:
    """Nothing but the Arrow protocol."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(schema)


def _picks(chosen: str, data: Any) -> list[str]:
    method = registry.get(chosen)
    k, y = None if method.decides else 4, "kind" if method.supervised else None
    return tamis.select(data, k, method=method.id, y=y).names


@pytest.mark.parametrize("method", sample_methods(SELECTING))
def test_every_form_gives_the_picks_of_the_table_in_memory(
    method: str, table: pa.Table, forms: dict[str, Any]
) -> None:
    expected = _picks(method, table)
    assert {name: _picks(method, data) for name, data in forms.items()} == dict.fromkeys(
        forms, expected
    )


@pytest.mark.parametrize("method", sample_methods(SELECTING))
@pytest.mark.parametrize("rows", [20, 1])
def test_seven_and_very_many_batches_give_the_same_picks(
    method: str,
    rows: int,
    table: pa.Table,
    forms: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = _picks(method, table)
    monkeypatch.setattr(memory, "_BATCH_BYTES", rows * WIDTH * 8)
    assert _picks(method, forms["function"]) == expected
    assert _picks(method, forms["folder"]) == expected


def test_components_of_a_stream_are_those_of_the_table(
    table: pa.Table, forms: dict[str, Any]
) -> None:
    expected = tamis.extract(table, 2)
    for name, data in forms.items():
        found = tamis.extract(data, 2)
        np.testing.assert_allclose(found.components, expected.components, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("method", SELECTING)
def test_a_reader_serves_one_pass_and_is_refused_for_two(method: str, table: pa.Table) -> None:
    if registry.get(method).needs == "gram":
        assert _picks(method, table.to_reader(31)) == _picks(method, table)
        with pytest.raises(TamisError, match=r"only once.*missing.*function that opens it anew"):
            tamis.select(table.to_reader(), 4, method=method, missing="mean")
    else:
        with pytest.raises(TamisError, match=f"only once, and method '{method}' needs a second"):
            _picks(method, table.to_reader(31))


def test_a_stream_that_gives_other_rows_the_second_time_is_refused(table: pa.Table) -> None:
    lengths = iter([ROWS, ROWS, 90])  # the schema, the first pass, the second
    with pytest.raises(TamisError, match="gave 140 rows at first and 90 when it was read again"):
        tamis.select(lambda: table.slice(0, next(lengths)).to_reader(), 3, method="greedy-fs")


def test_a_function_that_gives_no_stream_is_refused() -> None:
    with pytest.raises(TamisError, match="The function gives a int: it must give an Arrow stream"):
        tamis.select(lambda: 3)


def test_a_stream_takes_text_and_is_picked_from(table: pa.Table) -> None:
    groups = pa.array(["one", "two"] * (ROWS // 2))
    mixed = table.append_column("group", groups)
    for form in (lambda: mixed.to_reader(31), _polars(mixed), _duckdb(mixed)):
        found = tamis.select(form, 3, method="greedy-fs")
        assert found.names == tamis.select(mixed, 3, method="greedy-fs").names
        assert found.transform(form).column_names == found.names


def _polars(table: pa.Table) -> Any:
    import polars

    return polars.from_arrow(table).lazy()


def _duckdb(table: pa.Table) -> Any:
    import duckdb

    return duckdb.from_arrow(table)


def test_memory_is_a_size_and_changes_no_pick(
    table: pa.Table, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tamis.cli import main

    assert tamis.select(folder, 4, memory="64MB").names == tamis.select(table, 4).names
    for wrong in ("much", "1MB", 5, 0.5):
        with pytest.raises(TamisError, match=r"memory=.*give a size of at least 64MB, such as '1G"):
            tamis.select(folder, 4, memory=wrong)
    main(["select", str(folder), "-k", "4", "--memory", "100 MB"])
    assert "Keep 4 of 10 columns" in capsys.readouterr().out
