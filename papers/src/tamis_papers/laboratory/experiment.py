"""Run the cells of protocols, several at a time, and keep each answer as soon as it is there."""

import os
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tamis.errors import TamisError, escape_controls, spell
from tamis.progress import report_progress
from tamis_papers.laboratory.cells import Answer, CellFile, make_plain, mark_cell
from tamis_papers.laboratory.protocol import Cell, Protocol, Table
from tamis_papers.laboratory.tables import Shelf, hash_table
from tamis_papers.laboratory.workers import end_with

__all__ = ["Job", "Work", "count_workers", "list_jobs", "run_jobs"]


@dataclass(frozen=True)
class Job:
    """A cell of a protocol; `mark` is empty where a table of it is missing."""

    protocol: str
    cell: Cell
    mark: str = ""


@dataclass(frozen=True, eq=False)
class Work:
    """All answers by protocol and cell, and how many of them were known before."""

    answers: Mapping[tuple[str, str], Answer]
    restored: int


def list_jobs(protocols: Sequence[Protocol], shelf: Shelf, *, quick: bool) -> list[Job]:
    """List the cells of all protocols, each with the mark of its work and tables."""
    contents = {name: hash_table(table) for name, table in shelf.tables.items()}
    jobs = []
    for protocol in protocols:
        for cell in protocol.cells(quick):
            known = all(name in contents for name in cell.tables)
            found = mark_cell(protocol.id, cell, contents) if known else ""
            jobs.append(Job(protocol.id, cell, found))
    return jobs


def run_jobs(jobs: Sequence[Job], shelf: Shelf, file: CellFile, n_jobs: int) -> Work:
    """Give the answers of all cells whose tables are there, computing those that are not known."""
    ready = [job for job in jobs if job.mark]
    answers = {
        (job.protocol, job.cell.key): file.known[job.mark]
        for job in ready
        if job.mark in file.known
    }
    restored = len(answers)
    left = [job for job in ready if (job.protocol, job.cell.key) not in answers]
    waiting = {(job.protocol, job.cell.key): job for job in left}
    _say(waiting, n_jobs, len(left))
    for answer in _compute(left, shelf, n_jobs):
        if not answer.failed:
            file.keep(answer)
        answers[answer.protocol, answer.cell] = answer
        del waiting[answer.protocol, answer.cell]
        _say(waiting, n_jobs, len(left))
    return Work(answers, restored)


def count_workers(n_jobs: int | None) -> int:
    """Give the number of processes: as many as there are cores, or as many as were asked for."""
    from joblib import cpu_count

    if n_jobs is None or n_jobs == -1:
        return int(cpu_count())
    if n_jobs < 1:
        raise TamisError(f"{spell('n_jobs', n_jobs)}: give at least 1, or -1 for all cores.")
    return n_jobs


def _say(waiting: Mapping[tuple[str, str], Job], n_jobs: int, total: int) -> None:
    running = dict.fromkeys(protocol for protocol, _ in list(waiting)[:n_jobs])
    now = f", now {' and '.join(running)}" if running else ""
    report_progress(f"cells computed{now}", total - len(waiting), total)


def _compute(jobs: Sequence[Job], shelf: Shelf, n_jobs: int) -> Iterator[Answer]:
    """Yield the answers as they come; in this process if it is to be the only one."""
    pairs = ((job, [shelf.tables[name] for name in job.cell.tables]) for job in jobs)
    if min(n_jobs, len(jobs)) <= 1:
        yield from (_answer(job, tables) for job, tables in pairs)
        return
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered", pre_dispatch="n_jobs")
        try:
            yield from pool(delayed(_answer_for)(os.getpid(), *pair) for pair in pairs)
        except BrokenExecutor as error:
            raise TamisError(
                "The system ended one of the processes, probably for lack of memory: run the same "
                "command with fewer of them (--jobs 1); finished cells are not computed again."
            ) from error


def _answer_for(parent: int, job: Job, tables: Sequence[Table]) -> Answer:
    """Compute a cell in a worker."""
    end_with(parent)
    return _answer(job, tables)


def _answer(job: Job, tables: Sequence[Table]) -> Answer:
    """Compute a cell on one thread; an error of any kind is its answer, not the end of the run."""
    from threadpoolctl import threadpool_limits

    empty = Answer(job.protocol, job.cell.key, job.mark)
    # Its own copies: a cell may change them, and they lie in memory as they do in every run.
    given = [replace(table, X=np.array(table.X, order="C")) for table in tables]
    start = time.process_time()
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: Any = make_plain(job.cell.compute(*given))
    except Exception as error:
        what = " ".join(str(error).split()) or "no message"
        known = isinstance(error, TamisError)
        return replace(
            empty, failed=what if known else escape_controls(f"{type(error).__name__}: {what}")
        )
    return replace(empty, answer=found, seconds=round(time.process_time() - start, 3))
