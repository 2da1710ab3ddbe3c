import os

import pytest

from tamis.errors import TamisError
from tamis.sources.files import Stamp


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a\n1\n")
    return file


def test_the_same_file_passes_and_has_the_same_key(path):
    stamp = Stamp(path)
    stamp.check()
    assert (stamp.size, stamp.key) == (4, Stamp(path).key)


def test_another_size_or_another_time_is_a_change(path):
    stamp = Stamp(path)
    os.utime(path, ns=(0, 12345))
    with pytest.raises(TamisError, match="changed"):
        stamp.check()
    assert Stamp(path).key != stamp.key


def test_a_removed_file_is_said_to_be_removed(path):
    stamp = Stamp(path)
    path.unlink()
    with pytest.raises(TamisError, match="removed"):
        stamp.check()
