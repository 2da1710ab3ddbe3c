import stat

import pytest

from tamis.errors import TamisError
from tamis_papers.laboratory.drafts import write_text


def test_a_file_is_replaced_and_no_draft_stays(tmp_path):
    path = tmp_path / "figures.csv"
    path.write_text("old")
    assert write_text(path, "a\nb\n") == path
    assert path.read_bytes() == b"a\nb\n"
    assert list(tmp_path.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_a_text_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "figures.csv"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(TamisError, match=r"Cannot write '.*lost.*page.html': no such file"):
        write_text(tmp_path / "lost" / "page.html", "text")
