"""Copies of tables: private, deleted at the end, and refused in one sentence without room."""

import errno
import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.errors import TamisError
from tamis.sources import scratch
from tamis.sources.files import _copy_stream
from tamis.sources.scratch import scratch_folder, with_room


def test_the_folder_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert stat.S_IMODE(scratch_folder().stat().st_mode) == 0o700


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_full_temporary_folder_is_one_sentence(number: int) -> None:
    with pytest.raises(TamisError, match="TMPDIR"), with_room():
        raise OSError(number, os.strerror(number))


def test_a_temporary_folder_that_is_none_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(TamisError, match="TMPDIR"):
        scratch_folder()


def test_standard_input_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    class Failing(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:  # noqa: ARG002
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(TamisError, match="Standard input cannot be read: input/output error"):
        _copy_stream(Failing(), tmp_path)


def test_the_folder_goes_with_the_process(tmp_path: Path) -> None:
    code = "from tamis.sources.scratch import scratch_folder as f; (f() / 'x').write_text('x')"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="locks folders as Unix does")
def test_what_a_killed_process_left_is_deleted_by_the_next_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os, signal, sys, io\n"
        "from tamis.sources.files import standard_input\n"
        "assert standard_input().read_text() == 'a,b'\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], input=b"a,b", check=False, env=environment)
    (left,) = tmp_path.iterdir()
    assert list(left.iterdir())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    others = [tmp_path / name for name in ("tamis-copy-mine", "tamis-0123456789abcdef", "x")]
    for folder in others:
        folder.mkdir()
    link = tmp_path / f"tamis-copy-{'0' * 16}"
    link.symlink_to(others[0])
    mine = scratch_folder()
    scratch._delete_left.cache_clear()
    second = scratch_folder()
    assert set(tmp_path.iterdir()) == {*others, link, mine, second}
