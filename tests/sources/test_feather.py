"""Feather files that change while they are read."""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources.feather import FeatherSource


def test_a_file_that_is_cut_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.arrow"
    table = pa.table({"a": np.arange(100_000.0)})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    with limit_memory(1 << 20):
        parts = FeatherSource(path)._check_batches([0])
        next(parts)
        os.truncate(path, 1000)
        with pytest.raises(TamisError, match="has changed while it was read"):
            next(parts)
