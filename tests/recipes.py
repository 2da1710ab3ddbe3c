"""Recipes that are run: a diff of the guide, applied to a copy of the package and then used."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run_with_diff(diff: str, check: str, folder: Path) -> list[str]:
    """Run a script on a copy of the package to which the diff is applied; list the files edited.

    A hunk begins with `@@`; what it takes away and what stands around it must be there once.
    """
    skip = shutil.ignore_patterns("__pycache__", "data", "*.js", "*.css")
    shutil.copytree(ROOT / "src" / "tamis", folder / "tamis", ignore=skip)
    edited = re.findall(r"^\+\+\+ b/src/(.*)\n((?:(?!---).*\n?)+)", diff, flags=re.M)
    for path, body in edited:
        text = (folder / path).read_text(encoding="utf-8")
        for hunk in re.split(r"^@@.*\n", body, flags=re.M)[1:]:
            lines = hunk.rstrip("\n").split("\n")
            before, after = (
                "".join(f"{line[1:]}\n" for line in lines if line[:1] != left) for left in "+-"
            )
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        (folder / path).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", check],
        env={"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [path for path, _ in edited]
