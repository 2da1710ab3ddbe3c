"""Lines with other numbers of values than the first are listed, of a file worth reading."""

import io

import pyarrow.csv as pc
import pytest

from tamis.sources.delimited import list_ragged

TEXT = b"a,b\n1,2\n3\n4,5,6\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT)
    return path


def read(path, size):
    def open_table(note):
        options = pc.ParseOptions(invalid_row_handler=note)
        reading = pc.ReadOptions(use_threads=False)
        return pc.open_csv(io.BytesIO(TEXT), read_options=reading, parse_options=options)

    return list_ragged(path, open_table, size)


def test_lines_that_are_too_short_or_too_long_are_listed(path):
    assert read(path, 1000) == [(3, 1), (4, 3)]


def test_a_file_that_is_too_large_is_not_read_on(path):
    assert read(path, 5) == []
