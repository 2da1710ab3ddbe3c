"""Text that a spreadsheet would run as a formula, marked as text."""

from typing import Any

__all__ = ["without_formulas"]

_RUN = r"^[=+\-@\t\r]"  # how a cell begins that Excel, LibreOffice or Google Sheets may run
_PLAIN_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_MARK = "'"


def without_formulas(table: Any) -> Any:
    """Put `'` before such text and before such names; numbers are none, also as text.

    >>> import pyarrow as pa
    >>> without_formulas(pa.table({"=a": ["@b", "-5", "c"], "n": [-1, 2, 3]})).to_pydict()
    {"'=a": ["'@b", '-5', 'c'], 'n': [-1, 2, 3]}
    """
    import pyarrow as pa

    columns = [
        _mark_formulas(column) if _is_text(column.type) else column for column in table.columns
    ]
    names = _mark_formulas(pa.array(table.column_names, pa.string())).to_pylist()
    return pa.table(columns, names=names)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or "string_view" in str(kind)


def _mark_formulas(texts: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = texts.cast(pa.large_string()) if texts.type != pa.string() else texts
    runs = pc.and_not(
        pc.match_substring_regex(texts, _RUN), pc.match_substring_regex(texts, _PLAIN_NUMBER)
    )
    mark = pa.scalar(_MARK, texts.type)
    return pc.if_else(
        runs, pc.binary_join_element_wise(mark, texts, pa.scalar("", texts.type)), texts
    )
