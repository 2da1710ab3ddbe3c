"""A table whose variables are in rows, turned: in memory or, where it is large, in a file."""

from dataclasses import replace
from math import prod

import numpy as np
import pyarrow as pa
import scipy.sparse

from tamis.errors import TamisError
from tamis.memory import check_room, get_budget
from tamis.rules.kinds import NUMBER_KINDS
from tamis.rules.tables import ROW_NAMES_COLUMN
from tamis.sources.annotated import AnnotatedSource
from tamis.sources.arrays import ArraySource
from tamis.sources.faults import list_few
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import Source

_NAME_BYTES = 150
_BUDGET_PART = 4  # of the memory budget that the numbers may take
_MAX_LABELS_SHOWN = 5


def transpose(source: Source) -> Source:
    """Give the table with its rows as columns, named by its first column of text."""
    numbers = [j for j, kind in enumerate(source.kinds) if kind in NUMBER_KINDS]
    texts = [j for j, kind in enumerate(source.kinds) if kind in ("categorical", "row names")]
    if not numbers:
        raise TamisError(f"{source.label} has no columns of numbers to turn into rows.")
    names = _read_names(source, texts[0] if texts else None, numbers[0])
    shape = (len(numbers), len(names))
    if 8 * prod(shape) <= get_budget() // _BUDGET_PART:
        array = np.empty(shape)
    else:
        with with_room():
            array = np.memmap(scratch_folder() / "transposed", np.float64, "w+", shape=shape)
    start = 0
    for batch in source.batches(numbers):
        block = batch.toarray() if scipy.sparse.issparse(batch) else batch
        array[:, start : start + len(block)] = np.asarray(block, dtype=np.float64).T
        start += len(block)
    beside = pa.table({ROW_NAMES_COLUMN: [source.names[j] for j in numbers]})
    turned = AnnotatedSource(
        ArraySource(array, names, source.label, in_blocks=True, as_table=True), beside
    )
    left = [source.names[j] for j in range(len(source.names)) if j not in {*numbers, *texts[:1]}]
    said = (
        f"Columns of {source.label} that are no numbers are skipped in the turned table "
        f"({list_few(left, _MAX_LABELS_SHOWN)})."
    )
    turned.info = replace(
        turned.info, files=source.info.files, doubts=source.info.doubts
    ).with_doubts([said] if left else [])
    return turned


def _read_names(source: Source, column: int | None, first: int) -> list[str]:
    """Read the names of the rows; without any they are numbered."""
    names: list[str] = []
    for table in source.tables([first if column is None else column]):
        values = table.column(0).to_pylist()
        start = len(names)
        names += [
            f"x{start + i}" if column is None or value is None else str(value)
            for i, value in enumerate(values)
        ]
        check_room(_NAME_BYTES * len(names), f"The names of the rows of {source.label}")
    return names
