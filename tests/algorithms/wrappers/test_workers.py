"""Workers end with the process they work for."""

import os
import signal
import subprocess
import sys
import time

import pytest

PARENT = """
import os, subprocess, sys
code = (
    "import sys, time; from tamis.algorithms.wrappers.workers import end_with; "
    "end_with(int(sys.argv[1])); print('ready', flush=True); time.sleep(60)"
)
child = subprocess.Popen([sys.executable, "-c", code, str(os.getpid())], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_worker_ends_soon_after_its_parent_was_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    for _ in range(200):
        if _ended(worker):
            break
        time.sleep(0.1)
    ended = _ended(worker)
    if not ended:
        os.kill(worker, signal.SIGKILL)
    assert ended


def _ended(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as state:  # noqa: PTH123
            return state.read().split()[2] == "Z"
    except OSError:
        return True
