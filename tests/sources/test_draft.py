"""Outputs: whole or not at all, with the mode and the owner they had."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamis.algorithms.wrappers.search_checkpoint import Checkpoint
from tamis.errors import TamisError
from tamis.results.output import check_output
from tamis.sources.draft import replace_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of Unix")


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _write(path: Path, text: str = "new") -> None:
    with replace_file(path) as draft:
        draft.write_text(text)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o400])
def test_an_existing_output_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "kept.csv"
    path.write_text("old")
    path.chmod(mode)
    with replace_file(path) as draft:
        assert not _mode(draft) & 0o077  # nobody else reads the draft of a private file
        draft.write_text("new")
    assert (path.read_text(), _mode(path)) == ("new", mode)


def test_a_new_output_follows_the_umask(umask: None, tmp_path: Path) -> None:  # noqa: ARG001
    _write(tmp_path / "new.csv")
    assert _mode(tmp_path / "new.csv") == 0o640


def test_a_checkpoint_follows_the_umask(umask: None, tmp_path: Path) -> None:  # noqa: ARG001
    Checkpoint(tmp_path / "search.json", "mark")
    assert _mode(tmp_path / "search.json") == 0o640


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root gives files away")
def test_an_existing_output_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "kept.csv"
    path.write_text("old")
    os.chown(path, 12345, 23456)
    path.chmod(0o640)
    _write(path)
    found = path.stat()
    assert (found.st_uid, found.st_gid, _mode(path)) == (12345, 23456, 0o640)


def test_what_a_group_may_read_is_not_given_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    path = tmp_path / "kept.csv"
    path.write_text("old")
    if os.getuid() == 0:
        os.chown(path, -1, 23456)
    else:
        pytest.skip("needs another group")
    path.chmod(0o664)
    monkeypatch.setattr(os, "chown", refuse)
    _write(path)
    assert _mode(path) == 0o604


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to("real.csv")
    _write(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


@pytest.mark.parametrize("name", ["a\ud800.csv", "a\0.csv", "loop.csv"])
def test_names_that_lead_nowhere_are_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    path = tmp_path / name
    for write in (_write, lambda path: check_output(path, (".csv",), [])):
        with pytest.raises(TamisError, match=r"Cannot write .*: (its links|the system has no)"):
            write(path)
    assert (tmp_path / "loop.csv").is_symlink()


def test_nothing_is_left_of_a_draft_however_it_ends(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("old")
    with pytest.raises(KeyboardInterrupt), replace_file(tmp_path / "a.csv") as draft:
        _stop_half_way(draft)
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
    assert (tmp_path / "a.csv").read_text() == "old"


def _stop_half_way(draft: Path) -> None:
    draft.write_text("half")
    raise KeyboardInterrupt
