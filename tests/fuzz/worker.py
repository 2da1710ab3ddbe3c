"""A process that runs cases, one for every line it is sent; it may crash without harm."""

import os
import resource
import sys
import tempfile
from pathlib import Path

from tests.fuzz.case import make_case, run_case

MEMORY = 2 << 30


def main() -> None:
    """Answer every seed on standard input with one line; a traceback follows as its escape."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for line in sys.stdin:
            outcome = run_case(make_case(int(line)), Path(name))
            answers.write(f"{outcome!r}\n")
            answers.flush()


if __name__ == "__main__":
    main()
