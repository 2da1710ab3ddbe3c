import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tamis.sources.open import open_source
from tests.fuzz.bombs import BOMBS, Bomb, explode
from tests.fuzz.case import make_case
from tests.fuzz.formats import FIRST, FORMATS
from tests.fuzz.outputs import JOBS
from tests.fuzz.pool import ROOT, run_cases
from tests.fuzz.scenes import SCENES
from tests.fuzz.tables import KINDS

_FAULTY = """
import os, time
from tests.fuzz import forks

def run(case, folder):
    print("what a library prints")
    if case.seed == 0:
        os.abort()
    if case.seed == 7:
        while True:
            pass
    if case.seed == 14:
        time.sleep(1_000)
    if case.seed == 35:
        open(os.environ["TMPDIR"] + "/left", "w").close()
    return "result", ""

forks.run_case, forks._load, forks.SECONDS, forks._CLOCK = run, len, 1, 10
if __name__ == "__main__":
    forks.main()
"""

_SHORT_GROUP = 7395  # a row group of Parquet that has fewer rows than it says


@pytest.mark.slow(reason="60 files, each read by a process of its own")
@pytest.mark.skipif(os.name != "posix", reason="forks")
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.nightly)])
def test_damaged_files_of_every_kind_give_a_result_or_one_sentence(every: int) -> None:
    cases, each = 300 // every, 12 // every
    tally = run_cases([*range(cases), *range(FIRST, FIRST + each * len(FORMATS)), _SHORT_GROUP])
    shown = [f"seed {seed}: {outcome}" for seed, outcome in sorted(tally.failures.items())]
    assert not shown, "\n".join(shown[:5])
    assert set(tally.kinds) == {*KINDS, *SCENES, *FORMATS}
    assert tally.counts["result"] > 90 // every
    assert tally.counts["refused"] > 300 // every


@pytest.mark.nightly  # it waits for a clock
@pytest.mark.skipif(os.name != "posix", reason="forks")
def test_a_crash_a_hang_and_a_file_left_behind_are_failures_of_their_case(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(_FAULTY)
    tally = run_cases(range(0, 36, 7), runner=(str(tmp_path / "faulty.py"),))
    found = {seed: outcome.partition(":")[0] for seed, outcome in tally.failures.items()}
    assert found == {0: "crash", 7: "hang", 14: "hang", 35: "temporary files left behind"}
    assert tally.counts["result"] == 2


@pytest.mark.nightly
def test_intact_files_of_every_format_are_read(tmp_path: Path) -> None:
    for kind, make in FORMATS.items():
        folder = tmp_path / kind
        for name, data in make().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        source = open_source(folder / f"table.{kind.partition(' ')[0]}")
        assert sum(part.num_rows for part in source.tables([0, 1])) >= 12, kind


@pytest.mark.nightly  # the case is among those of the first test, too
@pytest.mark.skipif(os.name != "posix", reason="forks")
def test_a_row_group_that_has_fewer_rows_than_it_says_is_damaged() -> None:
    tally = run_cases([_SHORT_GROUP], workers=1)
    assert tally.counts["refused"] == 1, tally.failures


def test_the_same_seed_makes_the_same_case() -> None:
    assert make_case(11) == make_case(11)
    kinds = {make_case(seed).kind for seed in range(5 * len(SCENES))}
    assert kinds == {*KINDS, *SCENES}


@pytest.mark.nightly
@pytest.mark.skipif(os.name != "posix", reason="forks and kills")
@pytest.mark.parametrize("name", [job.name for job in JOBS])
def test_a_stopped_command_tears_nothing_and_leaves_nothing(name: str) -> None:
    asked = f"--jobs={name}"
    command = [sys.executable, "-m", "tests.fuzz.kills", "2", asked]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# Texts of 1.1 GB in all do as well as those of 30 GB, and take a thirtieth of the time.
_LONG_TEXTS = ("parquet_dictionary", "parquet_categories", "feather_dictionary", "arrow_views")
_FEWER_ROWS = dict.fromkeys(_LONG_TEXTS, 1_100)


@pytest.mark.nightly
@pytest.mark.skipif(os.name != "posix", reason="measures memory as Unix does")
@pytest.mark.parametrize("bomb", BOMBS, ids=str)
def test_a_small_file_that_stands_for_a_large_one_stays_below_a_gigabyte(
    bomb: Bomb, tmp_path: Path
) -> None:
    rows = _FEWER_ROWS.get(bomb.make.__name__)
    make = bomb.make if rows is None else partial(bomb.make, rows=rows)
    burst = explode(replace(bomb, make=make), tmp_path)
    assert not burst.wrong, burst
