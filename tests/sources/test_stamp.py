import os

import pytest

from tamis.errors import TamisError
from tamis.sources.files import check_unchanged, look_at_file


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a\n1\n")
    return file


def test_the_same_file_passes_and_has_the_same_key(path):
    before = look_at_file(path)
    check_unchanged(path, before)
    assert (before[1], look_at_file(path)) == (4, before)


def test_another_size_or_another_time_is_a_change(path):
    before = look_at_file(path)
    os.utime(path, ns=(0, 12345))
    with pytest.raises(TamisError, match="changed"):
        check_unchanged(path, before)
    assert look_at_file(path) != before


def test_a_removed_file_is_said_to_be_removed(path):
    before = look_at_file(path)
    path.unlink()
    with pytest.raises(TamisError, match="removed"):
        check_unchanged(path, before)
