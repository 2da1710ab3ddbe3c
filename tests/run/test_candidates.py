from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
import scipy.sparse

import tamis
from tamis.errors import TamisError

STAMPS = 1_700_000_000_000_000_000 + np.random.default_rng(2).permutation(60) * 3
SAME = np.full(60, 2**60)
REASON = "integers beyond 2^53 that float64 rounds to one value, subtract a constant first"


@pytest.mark.parametrize("kind", ["array", "sparse", "arrow", "csv", "parquet", "feather", "npz"])
def test_integers_that_differ_too_little_for_float64_are_not_called_constant(
    kind: str, tmp_path: Path, numbers: np.ndarray
) -> None:
    whole = np.column_stack([np.round(numbers[:, :3]).astype(np.int64), STAMPS, SAME])
    found = tamis.select(_table(kind, whole, tmp_path), k=2)
    assert found.skipped == {"x3": REASON}
    assert found.constant == ("x4",)


def _table(kind: str, whole: np.ndarray, folder: Path) -> Any:
    path, table = folder / f"t.{kind}", pa.table({f"x{j}": whole[:, j] for j in range(5)})
    match kind:
        case "array":
            return whole
        case "sparse":
            return scipy.sparse.csr_array(whole)
        case "arrow":
            return table
        case "csv":
            path.write_text(
                "\n".join(",".join(map(str, row)) for row in [table.column_names, *whole])
            )
        case "parquet":
            pq.write_table(table, path)
        case "feather":
            pyarrow.feather.write_feather(table, str(path))
        case "npz":
            np.savez(path, X=whole)
    return path


def test_a_table_of_such_integers_alone_is_refused_with_the_reason() -> None:
    with pytest.raises(TamisError, match=r"Column 'x0' of the table has integers beyond 2\^53"):
        tamis.select(np.column_stack([STAMPS, SAME]), k=1)
    with pytest.raises(TamisError, match="All 2 columns of the table are constant"):
        tamis.select(np.column_stack([SAME, SAME]), k=1)


def test_boxes_that_few_have_ticked_are_analysed() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({f"n{j}": rng.normal(size=200) for j in range(4)})
    table["bus"] = np.where(rng.random(200) < 0.3, "Yes", None)
    table["why"] = np.where(rng.random(200) < 0.3, rng.choice(["far", "wet"], 200), None)
    skipped = {row["column"] for row in tamis.select(table, 3).to_dict()["skipped"]}
    assert skipped == {"why"}
