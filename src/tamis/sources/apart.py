"""Work on a file in a process of its own, with limits: damage can crash a library or keep it busy.

What a small file asks for in memory and time often cannot be found out before it is read.
"""

import json
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, spell, spell_name, use_spelling
from tamis.memory import write_size
from tamis.progress import report_progress

__all__ = ["run_apart", "serve_apart"]

_REFUSED = 1  # the code with which Python ends after an error
_RESERVED_BYTES = 1 << 32  # of addresses, that libraries reserve and do not use
_LIBRARY_BYTES = 1 << 28  # that libraries take before they read anything
_SECONDS = 10  # of the processor, for any file
_SECONDS_PER_MB = 20
_CLOCK_SECONDS = 20  # for each of the processor, where that is not limited or not used
_NO_MEMORY = re.compile(r"MemoryError|memory alloc|[Cc]annot allocate|bad_alloc|malloc of size")
_MARKED = re.compile(r"⟦(.*?)⟧")


def run_apart(module: str, given: list[Any], room: int) -> dict[str, Any]:
    """Run a module that calls `serve_apart` on a file, the first of `given`, and give its answer.

    It may take `room` bytes for what it reads, and seconds by the size of the file.
    """
    path = Path(given[0])
    files = path.rglob("*") if path.is_dir() else [path]
    size = sum(file.lstat().st_size for file in files if file.exists())
    seconds = _SECONDS + _SECONDS_PER_MB * (size >> 20)
    # -P: a json.py in the working folder, which came with the data, is not run.
    command = [sys.executable, "-P", "-m", module, json.dumps([room, seconds, *given])]
    code, told, said = _run(command, path.name, seconds)
    if not code:
        answer = json.loads(told)
        if "refused" in answer:
            raise TamisError(_MARKED.sub(_spell_marked, answer["refused"]))
        return answer
    if code == -getattr(signal, "SIGXCPU", 0):
        raise TamisError(_say_too_long(path.name, seconds))
    words = said.decode(errors="replace").strip()
    if _NO_MEMORY.search(words):
        raise TamisError(
            f"{path.name} asks for more memory than the limit of {write_size(room)}: it is "
            "damaged, or a value stands far outside of the table, or you must raise the limit "
            f"({spell('memory', write_size(4 * room))})."
        )
    known = words.splitlines()[-1] if code == _REFUSED and words else ""
    raise ValueError(known.partition(": ")[2] or "its parts do not fit together")


def _run(command: list[str], label: str, seconds: int) -> tuple[int, bytes, bytes]:
    """Run a command to its end, reporting each second: its code, its answer and its errors."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            for second in range(1, _CLOCK_SECONDS * seconds + 1):
                with suppress(subprocess.TimeoutExpired):
                    told, said = process.communicate(timeout=1)
                    return process.returncode, told, said
                report_progress(f"seconds spent reading {label}", second)
        finally:
            process.kill()  # does nothing once it has ended
    raise TamisError(_say_too_long(label, seconds))


def _say_too_long(label: str, seconds: int) -> str:
    return (
        f"{label} could not be read within {seconds} seconds, far more than a file of its size "
        "takes: it is damaged, copy or export it again."
    )


def _spell_marked(found: re.Match[str]) -> str:
    """Write an option that is named in a sentence the way the user gives it."""
    with suppress(ValueError):
        name, value = json.loads(found[1])
        return spell_name(name) if value == "" else spell(name, value)
    return found[0]  # the name of a column


def serve_apart(work: Any) -> None:
    """Do the work that `run_apart` asks for, and print its answer."""
    room, seconds, *given = json.loads(sys.argv[1])
    _limit(room, seconds)
    try:
        # How options are spelled is known where the file was given.
        with use_spelling(lambda name, value: f"⟦{json.dumps([name, value])}⟧"):
            answer = work(*given)
    except TamisError as error:
        answer = {"refused": str(error)}
    json.dump(answer, sys.stdout)


def _limit(room: int, seconds: int) -> None:
    """Let this process take so much more memory than it has, and so many seconds."""
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    room += _LIBRARY_BYTES
    with suppress(OSError, ValueError, IndexError):
        # What is reserved and not used, such as room for the stacks of threads, does not count.
        pages = int(Path("/proc/self/statm").read_text().split()[5])
        _lower(resource.RLIMIT_DATA, pages * resource.getpagesize() + room)
    _lower(resource.RLIMIT_AS, _RESERVED_BYTES + room)
    _lower(resource.RLIMIT_CPU, seconds)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, most: int) -> None:
    """Lower a limit; nobody may raise one."""
    import resource

    _, before = resource.getrlimit(kind)
    limit = most if before == resource.RLIM_INFINITY else min(most, before)
    resource.setrlimit(kind, (limit, before))
