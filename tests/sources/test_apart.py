"""Work in a process of its own: its answer, its error, its limits and its end."""

import os
import sys
from pathlib import Path

import pytest

from tamis.errors import TamisError, use_spelling
from tamis.sources import apart
from tamis.sources.apart import run_apart

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits memory as Unix does")

ROOM = 1 << 26


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write a module that does what is asked; a folder that is named json.py would run, too."""
    (tmp_path / "worker_of_test.py").write_text(
        "import os, resource\n"
        "from tamis.errors import TamisError, spell, spell_name\n"
        "from tamis.sources.apart import serve_apart\n"
        "def work(path, what):\n"
        "    if what == 'fail':\n"
        "        raise KeyError('a part is not there')\n"
        "    if what == 'refuse':\n"
        "        raise TamisError(f\"Give {spell('layer', 'a')} or {spell_name('memory')}: ⟦.\")\n"
        "    if what == 'end':\n"
        "        os.abort()\n"
        "    if what == 'fill':\n"
        "        bytearray(1 << 30)\n"
        "    while what == 'spin':\n"
        "        pass\n"
        "    return {'path': path}\n"
        "serve_apart(work)\n"
    )
    (tmp_path / "t.x").write_text("x")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "json.py").write_text("raise SystemExit('what came with the data ran')")
    monkeypatch.chdir(tmp_path / "here")
    src = Path(sys.modules["tamis"].__file__ or "").parents[1]
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{src}")
    return "worker_of_test"


def test_the_answer_comes_home_and_no_module_of_the_working_folder_is_run(module: str) -> None:
    assert run_apart(module, ["../t.x", "answer"], ROOM) == {"path": "../t.x"}


def test_an_error_and_a_crash_are_errors_here(module: str) -> None:
    with pytest.raises(ValueError, match="a part is not there"):
        run_apart(module, ["../t.x", "fail"], ROOM)
    with pytest.raises(ValueError, match="do not fit together"):
        run_apart(module, ["../t.x", "end"], ROOM)


def test_advice_is_spelled_as_where_the_file_was_given(module: str) -> None:
    with (
        use_spelling(lambda name, value: f"--{name} {value}"),
        pytest.raises(TamisError, match=r"^Give --layer a or --memory: ⟦\.$"),
    ):
        run_apart(module, ["../t.x", "refuse"], ROOM)


def test_more_memory_than_the_limit_is_one_sentence(module: str) -> None:
    with pytest.raises(TamisError, match=r"t\.x asks for more memory than the limit of 64MB"):
        run_apart(module, ["../t.x", "fill"], ROOM)


def test_a_file_that_keeps_the_reader_busy_is_one_sentence(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "_SECONDS", 1)
    with pytest.raises(TamisError, match=r"t\.x could not be read within 1 seconds"):
        run_apart(module, ["../t.x", "spin"], ROOM)
