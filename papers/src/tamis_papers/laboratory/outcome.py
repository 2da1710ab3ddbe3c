"""What a protocol shows once its cells have run: figures, claims, drawings, and what failed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis_papers.laboratory.cells import Answer
from tamis_papers.laboratory.experiment import Job
from tamis_papers.laboratory.protocol import Claim, Drawing, Figure, Protocol, Results

__all__ = ["Outcome", "make_outcome"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """A protocol with all that it shows.

    Attributes
    ----------
    failed
        Cells that ended with an error, each with its sentence.
    missing
        Tables that were not there, each with the cells that need it.
    computed, seconds
        How many cells have an answer, and the processor time that took.
    """

    protocol: Protocol
    figures: Sequence[Figure] = ()
    claims: Sequence[Claim] = ()
    drawings: Sequence[Drawing] = ()
    limits: Sequence[str] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    computed: int = 0
    seconds: float = 0.0


def make_outcome(
    protocol: Protocol,
    jobs: Sequence[Job],
    answers: Mapping[tuple[str, str], Answer],
    lacking: Mapping[str, str],
) -> Outcome:
    """Gather what a protocol makes of the answers to its cells, in the order of the cells."""
    mine = [job for job in jobs if job.protocol == protocol.id]
    found = [answers[key] for job in mine if (key := (protocol.id, job.cell.key)) in answers]
    failed = {answer.cell: answer.failed for answer in found if answer.failed}
    good = {answer.cell: answer for answer in found if not answer.failed}
    results: Results = {cell: answer.answer or {} for cell, answer in good.items()}

    def make_part(what: str, make: Callable[[Results], Sequence[Any]]) -> tuple[Any, ...]:
        try:
            return tuple(make(results))
        except Exception as error:
            failed[what] = f"{type(error).__name__}: {' '.join(str(error).split())}"
            return ()

    shown = {
        "figures": make_part("figures", protocol.figures),
        "claims": make_part("claims", protocol.claims),
        "drawings": make_part("drawings", protocol.drawings),
        "limits": make_part("limits", protocol.limits),
    }
    return Outcome(
        protocol,
        **shown,
        failed=failed,
        missing=_missing(mine, lacking),
        computed=len(good),
        seconds=sum(answer.seconds for answer in good.values()),
    )


def _missing(jobs: Sequence[Job], lacking: Mapping[str, str]) -> dict[str, list[str]]:
    """Give the cells that could not run, by the table that they lack."""
    names = dict.fromkeys(name for job in jobs for name in job.cell.tables if name in lacking)
    return {name: [job.cell.key for job in jobs if name in job.cell.tables] for name in names}
