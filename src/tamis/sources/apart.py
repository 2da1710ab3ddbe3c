"""Work on a file in a process of its own: a library that damage can crash ends only that one."""

import json
import subprocess
import sys
from typing import Any

__all__ = ["run_apart", "serve_apart"]

_REFUSED = 1  # the code with which Python ends after an error


def run_apart(module: str, given: list[Any], room: int) -> dict[str, Any]:
    """Run a module that calls `serve_apart`, with so many bytes of memory, and give its answer."""
    command = [sys.executable, "-m", module, json.dumps([room, *given])]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        known = said[-1] if done.returncode == _REFUSED and said else ""
        raise ValueError(known.partition(": ")[2] or "its parts do not fit together")
    return json.loads(done.stdout)


def serve_apart(work: Any) -> None:
    """Do the work that `run_apart` asks for, and print its answer."""
    room, *given = json.loads(sys.argv[1])
    _limit_memory(room)
    json.dump(work(*given), sys.stdout)


def _limit_memory(room: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)  # which nobody may raise
    room = room if most == resource.RLIM_INFINITY else min(room, most)
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
