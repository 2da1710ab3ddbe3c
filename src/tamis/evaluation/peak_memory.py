"""The largest memory of one method: that of a process which reads the table, searches and ends.

A process has one peak, which never falls: each figure takes a process of its own, started anew and
not as a copy of this one, whose memory would count.
"""

import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tamis.errors import TamisError
from tamis.progress import report_progress
from tamis.run.request import Request
from tamis.run.selection import select_columns
from tamis.sources.source import Source

_SECONDS_BETWEEN_LOOKS = 0.05
_BYTES_OF_MEGABYTE = 1e6


def measure_peak(request: Request, source: Source) -> float:
    """Give the largest memory, in megabytes, of a process that answers this request."""
    with tempfile.TemporaryDirectory(prefix="tamis-memory-") as folder:
        job = Path(folder) / "job"
        try:
            job.write_bytes(pickle.dumps((request, source)))
        except (pickle.PicklingError, TypeError, AttributeError):
            raise TamisError("this table cannot be sent to another process") from None
        command = [sys.executable, "-P", "-m", __name__, str(job)]
        # What is imported there is what is imported here.
        paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=paths
        ) as child:
            try:
                while child.poll() is None:  # which a limit on time may end
                    report_progress("waiting for a process", 0)
                    time.sleep(_SECONDS_BETWEEN_LOOKS)
            finally:
                child.kill()
            written = b"" if child.stdout is None else child.stdout.read()
    if child.returncode or not written:
        raise TamisError("the process for it ended without an answer")
    return float(written)


def read_peak() -> float:
    """Give the largest memory of this process so far, in megabytes.

    >>> read_peak() > 1
    True
    """
    status = Path("/proc/self/status")
    if status.exists():  # there alone, the mark is not that of whoever started the process
        (line,) = (one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / _BYTES_OF_MEGABYTE
    try:
        import resource
    except ImportError:
        raise TamisError("this system does not say what memory a process takes") from None
    mark = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return mark * (1 if sys.platform == "darwin" else 1024) / _BYTES_OF_MEGABYTE


def answer(job: str) -> None:
    """Answer a stored request and write the largest memory that this took."""
    request, source = pickle.loads(Path(job).read_bytes())
    select_columns(request, source)
    sys.stdout.write(str(read_peak()))


if __name__ == "__main__":
    answer(sys.argv[1])
