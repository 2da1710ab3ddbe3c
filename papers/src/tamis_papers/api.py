"""`reproduce`: the experiments of the papers, run again."""

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, spell
from tamis_papers.catalogue import choose_protocols
from tamis_papers.laboratory.cells import CellFile
from tamis_papers.laboratory.experiment import Work, count_workers, list_jobs, run_jobs
from tamis_papers.laboratory.outcome import Outcome, make_outcome
from tamis_papers.laboratory.tables import find_tables
from tamis_papers.result import Reproduction
from tamis_papers.views.facts import ReproductionRequest, list_versions

CELLS = "cells.jsonl"


def reproduce(
    ids: str | Sequence[str],
    *,
    data: str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    quick: bool = False,
    download: bool = False,
    n_jobs: int | None = None,
) -> Reproduction:
    """Run experiments of the papers and put our figures beside the printed ones.

    Every cell of an experiment is kept in the output folder as soon as it is done: the same call
    goes on where a killed one was.

    Parameters
    ----------
    ids
        Ids of experiments, or "all"; `tamis reproduce --list` shows them.
    data
        A folder with data sets as NPZ archives (`sonar.npz` with the arrays X and y). Iris comes
        with scikit-learn. Tables that are not there are named in the result.
    output
        A folder for `figures.csv`, `claims.csv`, `results.json`, `report.html` and the cells;
        without it nothing is written.
    quick
        Only what takes seconds: few tables, few repetitions.
    download
        Take tables that are in no folder from OpenML. Nothing is downloaded otherwise.
    n_jobs
        How many processes compute; as many as there are cores by default.

    Returns
    -------
    Reproduction
        Figures, claims with verdicts, missing tables, a report.
    """
    protocols, count = choose_protocols(ids), count_workers(n_jobs)
    folder = None if output is None else _make_folder(output)
    start = time.monotonic()
    cells = [cell for protocol in protocols for cell in protocol.cells(quick)]
    names = [name for cell in cells for name in cell.tables]
    shelf = find_tables(names, None if data is None else Path(data), download=download)
    jobs = list_jobs(protocols, shelf, quick=quick)
    work = run_jobs(jobs, shelf, CellFile(folder and folder / CELLS), count)
    outcomes = tuple(make_outcome(one, jobs, work.answers, shelf.lacking) for one in protocols)
    named = (ids,) if isinstance(ids, str) else tuple(ids)
    asked = ReproductionRequest(named, None if data is None else os.fspath(data), quick)
    about = _describe_run(work, outcomes, count, time.monotonic() - start)
    found = Reproduction(outcomes, shelf, asked, about)
    if folder is not None:
        found.save(folder)
    return found


def _make_folder(output: str | os.PathLike[str]) -> Path:
    """Make the folder before any work is done."""
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # the second: there is no such name
        given = spell("output", str(folder))
        why = (error.strerror or "" if isinstance(error, OSError) else "").lower() or "no such name"
        raise TamisError(f"{given}: the folder cannot be made ({why}), give another.") from error
    return folder


def _describe_run(
    work: Work, outcomes: Sequence[Outcome], jobs: int, seconds: float
) -> dict[str, Any]:
    """Say when and how long it ran, and with what."""
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "processes": jobs,
        "cells": len(work.answers),
        "cells_known_before": work.restored,
        "cpu_seconds": {one.protocol.id: round(one.seconds, 1) for one in outcomes},
        "versions": list_versions(),
    }
