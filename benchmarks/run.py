"""Run the rows of a section in child processes and put their figures into words."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from benchmarks.plan import Row, Section, Table, Target

_ROOT = Path(__file__).resolve().parents[1]
_ROUNDING = 1e-6


class ChildError(Exception):
    """A child process failed; the message is the last line it wrote."""


@dataclass
class Bench:
    """Tables are made once and kept in `folder` for all sections."""

    folder: Path
    made: dict[str, dict[str, Any]] = field(default_factory=dict)
    shares: dict[tuple[str, str], float] = field(default_factory=dict)

    def table(self, table: Table) -> dict[str, Any]:
        """Give path, shape and ceiling of a table."""
        if table.id not in self.made:
            stem = str(self.folder / table.id)
            self.made[table.id] = child(
                do="make", maker=table.maker, settings=table.settings, k=table.k, stem=stem
            )
        return self.made[table.id]

    def lines(self, section: Section) -> Iterator[list[str]]:
        """Give the section's rows as text, each once it is measured, the head first."""
        head = ["", section.time_label, "target", "noise", f"memory / {section.unit}", "target"]
        yield [*head, "ceiling", "share"]
        for row in section.rows:
            try:
                yield self._line(row, section.unit)
            except ChildError as error:
                yield [row.label, f"not run: {error}"]

    def _line(self, row: Row, unit: str) -> list[str]:
        made = self.table(row.table)
        found = child(
            do="measure",
            path=made["path"],
            k=row.table.k,
            subject=row.subject,
            reference=row.reference,
            rounds=row.rounds,
        )
        n, d = made["shape"]
        memory = found["bytes"] / (8 * prod((d, d) if unit == "d x d" else (n, d)))
        self.shares[row.table.id, row.subject] = found["share"]
        return [
            row.label,
            f"{found['ratio']:.2f}",
            _verdict(row.time, found["ratio"]),
            f"{found['noise']:.2f}",
            f"{memory:.2f}",
            _verdict(row.memory, memory),
            f"{made['bound']:.4f}",
            f"{found['share']:.4f}{self._beside(row, found)}",
        ]

    def _beside(self, row: Row, found: dict[str, Any]) -> str:
        """Say what the share alone would hide: fewer columns, or a rival that reproduces more."""
        words = f" ({found['kept']} columns)" if found["kept"] != row.table.k else ""
        ours = self.shares.get((row.table.id, row.reference))
        if row.rival and ours is not None:
            words += " tamis FALLS SHORT" if ours < found["share"] - _ROUNDING else " tamis ok"
        return words


def child(**job: Any) -> dict[str, Any]:
    """Run one job in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.child", json.dumps(job)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=_ROOT, check=False)
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"ended with code {done.returncode}"]
        raise ChildError(words[-1])
    return json.loads(done.stdout.splitlines()[-1])


def _verdict(target: Target | None, value: float) -> str:
    return target.judge(value) if target else ""
