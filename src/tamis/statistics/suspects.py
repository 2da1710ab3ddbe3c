"""Columns that are perhaps not what they look like: identifiers, labels, codes, amounts, dates.

Judged by their names and their first rows. Nothing is done about them: the user is asked.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.sources.amounts import notation_of
from tamis.sources.source import Kind

Suspicion = Literal["identifier", "label", "codes", "amounts", "dates"]

_ID = re.compile(r"(^|[^a-z])(id|key|uuid|guid|nr|no|number|index|row)s?$|id$", re.IGNORECASE)
_LABEL = re.compile(
    r"^(class|label|target|outcome|response|diagnosis|species|churn(ed)?|default(ed)?|y)s?$",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(^|[^a-z])(code|zip|plz|post(al)?[ _]?code|zip[ _]?code|type|category|group|class|region|"
    r"sector|branch|status|cluster)(\b|_|$)",
    re.IGNORECASE,
)
_DATE = re.compile(r"^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T]\d{1,2}:\d{2}.*)?$")
_FEW_CLASSES, _FEW_CODES, _LEAST_ROWS = 20, 50, 20


class Suspect(NamedTuple):
    """A column, and what it looks like."""

    column: str
    looks_like: Suspicion


def suspects(sample: Any, kinds: Sequence[Kind]) -> list[Suspect]:
    """Find the suspicious columns of the first rows of a table, in the order of the table.

    Examples
    --------
    >>> rows = pa.table({"id": range(40), "price": ["$ 5.00", "$ 1,200.00"] * 20})
    >>> [tuple(found) for found in suspects(rows, ["numeric", "categorical"])]
    [('id', 'identifier'), ('price', 'amounts')]
    """
    return list(_found(sample, kinds)) if sample.num_rows >= _LEAST_ROWS else []


def _found(sample: Any, kinds: Sequence[Kind]) -> Iterator[Suspect]:
    for name, column, kind in zip(sample.column_names, sample.columns, kinds, strict=True):
        values = column.drop_null()
        if not len(values):
            continue
        looks = _of_numbers(name, values) if kind == "numeric" else None
        if kind in ("categorical", "other"):
            looks = _of_text(name, values)
        if looks is not None:
            yield Suspect(name, looks)


def _of_numbers(name: str, values: Any) -> Suspicion | None:
    # `to_numpy` would load pandas where there is one, for half a second.
    numbers = np.from_dlpack(values.cast(pa.float64(), safe=False).combine_chunks())
    if not np.isfinite(numbers).all() or (numbers != np.round(numbers)).any():
        return None
    different = np.unique(numbers)
    if len(different) == len(numbers):
        steps = np.diff(numbers)
        counted = bool((steps == 1).all())
        return "identifier" if counted or _ID.search(name) else None
    if _LABEL.match(name) and len(different) <= _FEW_CLASSES:
        return "label"
    coded = _CODE.search(name) is not None and 2 < len(different) <= _FEW_CODES
    return "codes" if coded else None


def _of_text(name: str, values: Any) -> Suspicion | None:
    if pa.types.is_temporal(values.type):
        return "dates"
    if pa.types.is_dictionary(values.type):
        values = pa.chunked_array([chunk.dictionary_decode() for chunk in values.chunks])
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return None
    texts = pc.unique(values).to_pylist()
    if _LABEL.match(name) and 1 < len(texts) <= _FEW_CLASSES:
        return "label"
    if len(texts) > 1 and all(_DATE.match(text) for text in texts):
        return "dates"
    written = len(texts) > 1 and not all(text.isdigit() for text in texts)
    return "amounts" if written and _is_readable(texts) else None


def _is_readable(texts: list[str]) -> bool:
    seen = notation_of(texts)
    return seen.decimal is not None and len(seen.units) < 2
