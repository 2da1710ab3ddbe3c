"""`tamis reproduce`, with toy experiments in the place of the papers'."""

import io
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from papers.tests.toys import FAILING, MEANS, NOISE, killed, noise, noise_protocol

from tamis.cli import main
from tamis_papers.laboratory.protocol import Cell

SAME = ("figures.csv", "claims.csv", "results.json", "report.html")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    monkeypatch.setattr("tamis_papers.catalogue.list_protocols", lambda: (MEANS, NOISE, FAILING))


def deadly(folder):
    """Give an experiment whose third cell kills the run."""
    cells = [Cell(str(seed), partial(noise, seed)) for seed in range(2)]
    return noise_protocol([*cells, Cell("killer", partial(killed, str(folder))),
                           Cell("last", partial(noise, 9))])  # fmt: skip


def start(folder, *flags):
    """Run the command in a process of its own."""
    code = (
        "import sys; from pathlib import Path\n"
        "from tamis_papers import catalogue\n"
        "from papers.tests.test_command import deadly\n"
        "from tamis.cli import main\n"
        f"catalogue.list_protocols = lambda: (deadly(Path({str(folder)!r})),)\n"
        f"main(['reproduce', 'all', '--output', {str(folder / 'out')!r}, *sys.argv[1:]])"
    )
    command = [sys.executable, "-c", code, *flags]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_killed_run_goes_on_and_writes_the_same_bytes(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    (second / "killed").touch()  # this one is left alone
    assert start(first, "--jobs", "1").returncode == -signal.SIGKILL
    done = (first / "out" / "cells.jsonl").read_text()
    assert done.count("\n") == 2
    assert not (first / "out" / "report.html").exists()
    assert start(first, "--jobs", "1").returncode == 0
    assert (first / "out" / "cells.jsonl").read_text().startswith(done)
    assert start(second, "--jobs", "1").returncode == 0
    for name in SAME:
        there = [(folder / "out" / name).read_bytes() for folder in (first, second)]
        assert there[0] == there[1], name


@pytest.mark.slow
@pytest.mark.nightly
def test_a_process_that_the_system_ends_is_one_sentence_and_finished_cells_are_kept(tmp_path):
    seen = start(tmp_path, "--jobs", "2")
    assert seen.returncode == 2, seen.stderr
    assert "The system ended one of the processes" in seen.stderr
    assert "Traceback" not in seen.stderr
    assert start(tmp_path, "--jobs", "2").returncode == 0


def test_the_list_has_ids_papers_and_tables(run):
    seen = run("reproduce", "--list")
    assert seen.code == 0
    assert "toy-means\n  Ada & Bob, Table 1\n  Means of columns.\n" in seen.out
    assert "tables: iris, stars" in seen.out
    assert "tables: none" in seen.out


def test_the_answer_has_verdicts_reasons_and_missing_tables(run, tmp_path):
    seen = run("reproduce", "all", "--jobs", "1")
    assert seen.code == 0, seen.err
    assert seen.out.startswith("Of 5 claims in 2 papers, 3 hold, 1 does not hold and 1 cannot")
    assert "toy-means: Ada & Bob, Table 1; 1 of 2 figures reproduced, 1 more shown" in seen.out
    assert '  - does not hold: "Flowers are wide" (page 2). The mean is 3.06, not' in seen.out
    assert "! broken failed: ZeroDivisionError: division by zero" in seen.out
    assert "Missing tables:\n  stars: Not here" in seen.out
    assert "toy-means (Ada & Bob, Table 1), cells stars 0." in seen.out
    assert max(map(len, seen.out.splitlines()[:-1])) <= 100
    assert (tmp_path / "tamis-papers" / "report.html").exists()


def test_a_wrong_id_is_one_sentence_with_the_nearest(run, tmp_path):
    seen = run("reproduce", "toy-nose")
    assert (seen.code, seen.out) == (2, "")
    assert seen.err == "tamis: There is no experiment 'toy-nose': did you mean 'toy-noise'?\n"
    assert not (tmp_path / "tamis-papers").exists()


def test_without_an_id_the_list_is_advised(run):
    seen = run("reproduce")
    assert seen.code == 2
    assert "tamis reproduce --list" in seen.err


def test_a_lost_data_folder_is_one_sentence(run):
    seen = run("reproduce", "toy-means", "--data", "lost")
    assert seen.code == 2
    assert seen.err.startswith("tamis: --data lost: there is no such folder")


def test_a_table_that_openml_has_is_advised_as_a_flag(run, monkeypatch):
    cells = [Cell("a", partial(noise, 1), ("sonar",))]
    monkeypatch.setattr("tamis_papers.catalogue.list_protocols", lambda: (noise_protocol(cells),))
    seen = run("reproduce", "all", "--jobs", "1")
    assert seen.code == 0
    said = " ".join(seen.out.split())
    assert "sonar.npz with --data, or give --download to take it from OpenML." in said


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_progress_is_for_a_terminal_and_leaves_nothing_behind(monkeypatch, tmp_path, stream):
    monkeypatch.setattr(sys, "stderr", stream())
    main(["reproduce", "toy-noise", "--jobs", "1", "--output", str(tmp_path)])
    written = sys.stderr.getvalue()
    shown = "cells computed, now toy-noise" in written
    assert shown == isinstance(sys.stderr, Terminal)
    assert written.endswith("\r\x1b[K" if shown else "")
