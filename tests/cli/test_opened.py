"""The page of `--open`: private, not predictable, and deleted some day."""

import os
import stat
import time
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest

from tamis.cli.arguments import temporary_page
from tamis.errors import TamisError


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_nobody_else_can_look_into_the_folder_of_the_page(
    selects: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: not seen.append(url))
    selects("table.csv", "-k", "2", "--open")
    page = Path(urlparse(seen[0]).path)
    assert page.read_text().startswith("<!")
    assert stat.S_IMODE(page.parent.stat().st_mode) == 0o700
    assert str(os.getpid()) not in page.parent.name.removeprefix("tamis-page-")


def test_pages_of_earlier_days_are_deleted_and_links_are_not_followed(place: Path) -> None:
    kept = place / "mine"
    kept.mkdir()
    (kept / "file").write_text("kept")
    old, fresh, link = (place / f"tamis-page-{name}" for name in ("old", "fresh", "link"))
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "report.html").write_text("")
    link.symlink_to(kept)
    days = time.time() - 2 * 24 * 3600
    os.utime(old, (days, days))
    os.utime(link, (days, days), follow_symlinks=False)
    temporary_page()
    assert not old.exists()
    assert (fresh / "report.html").exists()
    assert (kept / "file").read_text() == "kept"


def test_without_a_temporary_folder_a_name_is_asked_for(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place / "nowhere"))
    with pytest.raises(TamisError, match="name it with --report"):
        temporary_page()
