"""Work in a process of its own: its answer, its error and its end."""

import os
import resource
import sys
from pathlib import Path

import pytest

from tamis.sources.apart import run_apart

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits memory as Unix does")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "worker_of_test.py").write_text(
        "import os, resource\n"
        "from tamis.sources.apart import serve_apart\n"
        "def work(what):\n"
        "    if what == 'fail':\n"
        "        raise KeyError('a part is not there')\n"
        "    if what == 'end':\n"
        "        os.abort()\n"
        "    return {'limit': resource.getrlimit(resource.RLIMIT_AS)[0]}\n"
        "serve_apart(work)\n"
    )
    src = Path(sys.modules["tamis"].__file__ or "").parents[1]
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{src}")
    return "worker_of_test"


def test_the_answer_comes_home_and_memory_is_limited(module: str) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    room = 1 << 33 if most == resource.RLIM_INFINITY else most
    assert run_apart(module, ["answer"], room) == {"limit": room}


def test_an_error_and_a_crash_are_errors_here(module: str) -> None:
    with pytest.raises(ValueError, match="a part is not there"):
        run_apart(module, ["fail"], 1 << 33)
    with pytest.raises(ValueError, match="do not fit together"):
        run_apart(module, ["end"], 1 << 33)
