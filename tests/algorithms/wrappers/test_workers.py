"""Workers end with the process they work for."""

import os
import select
import signal
import subprocess
import sys

import pytest

PARENT = """
import os, subprocess, sys
held = int(sys.argv[1])
code = (
    "import sys, time; from tamis.algorithms.wrappers.evaluator import end_with; "
    "end_with(int(sys.argv[1])); print('ready', flush=True); time.sleep(600)"
)
child = subprocess.Popen(
    [sys.executable, "-c", code, str(os.getpid())], stdout=subprocess.PIPE, pass_fds=[held]
)
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_worker_ends_soon_after_its_parent_was_killed() -> None:
    # The worker has an end of this pipe: what waits at the other end is told when the worker ends.
    watched, held = os.pipe()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(held)],
        stdout=subprocess.PIPE,
        pass_fds=[held],
        text=True,
    )
    os.close(held)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    ended, _, _ = select.select([watched], [], [], 300)
    os.close(watched)
    if not ended:
        os.kill(worker, signal.SIGKILL)
    assert ended
