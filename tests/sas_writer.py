"""Write a file of SAS, which no Python package does: pyreadstat holds the functions, uncalled."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_TEXT, _DOUBLE = 0, 5  # of the library's `readstat_type_t`


def write_sas7bdat(path: Path, columns: Mapping[str, Sequence[float] | Sequence[str]]) -> None:
    """Write columns of numbers and of texts."""
    from pyreadstat import _readstat_writer

    library = ctypes.CDLL(_readstat_writer.__file__)
    library.readstat_writer_init.restype = ctypes.c_void_p
    library.readstat_add_variable.restype = ctypes.c_void_p
    writer = ctypes.c_void_p(library.readstat_writer_init())
    form = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    with path.open("wb") as sink:
        put = form(lambda data, size, _: sink.write(ctypes.string_at(data, size)))
        library.readstat_set_data_writer(writer, put)
        _write_rows(library, writer, columns)
    library.readstat_writer_free(writer)


def _write_rows(library: Any, writer: Any, columns: Mapping[str, Any]) -> None:
    variables = []
    for name, values in columns.items():
        text = isinstance(values[0], str)
        width = ctypes.c_size_t(max(map(len, values)) if text else 8)
        kind = _TEXT if text else _DOUBLE
        made = library.readstat_add_variable(writer, name.encode(), kind, width)
        variables.append(ctypes.c_void_p(made))
    rows = len(next(iter(columns.values())))
    errors = [library.readstat_begin_writing_sas7bdat(writer, None, ctypes.c_long(rows))]
    for row in zip(*columns.values(), strict=True):
        library.readstat_begin_row(writer)
        for variable, value in zip(variables, row, strict=True):
            if isinstance(value, str):
                word = value.encode()
                errors.append(library.readstat_insert_string_value(writer, variable, word))
            else:
                number = ctypes.c_double(value)
                errors.append(library.readstat_insert_double_value(writer, variable, number))
        errors.append(library.readstat_end_row(writer))
    errors.append(library.readstat_end_writing(writer))
    if any(errors):
        raise OSError(f"the library could not write the file: {set(errors) - {0}}")
