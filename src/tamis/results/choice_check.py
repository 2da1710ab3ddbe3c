"""`ChoiceCheck`: whether a choice still holds on new rows, as a user holds it."""

from dataclasses import asdict, replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.evaluation.drift import Drift, DriftSums, find_drift
from tamis.evaluation.plan import Plan
from tamis.facts.json_schema import VERSION
from tamis.facts.look_and_check import CheckFacts, ColumnDrift, ColumnShare
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.results.output import write_page
from tamis.results.saved_choice import SavedChoice
from tamis.results.shown import Shown
from tamis.run.new_rows import FoundIn, read_new_rows
from tamis.statistics.mixed import read_mixed_rows
from tamis.statistics.scaled_source import ScaledSource
from tamis.values import dataclass

_MIN_ROWS = 10  # below, no spread and no correlation is known


@dataclass(frozen=True, repr=False, eq=False)
class ChoiceCheck(CheckFacts, Shown):
    """Whether a choice of columns still holds on new rows, by its old weights.

    Attributes
    ----------
    holds
        Whether it does.
    failures
        Why not, as codes: "missing", "kind", "constant", "drift", "lost", "min_share", "max_fall".
    rows
        Number of new rows that count.
    then, now
        Share of the variance that the kept columns explained, and explain of the new rows; None
        where no dropped column is there.
    missing, constant, other_kind, fresh
        Columns that are not there, that no longer vary, that hold something else (with what), and
        that the table of the choice did not have.
    drifted
        Columns that changed beyond chance, each a `ColumnDrift`.
    shares
        Every dropped column with its share then and now, each a `ColumnShare`.
    """

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values, as `tamis check --json` prints it."""
        return {"version": VERSION, **asdict(self)}

    def report(self, path: str | FilePath, *, title: str = "Check of new rows") -> FilePath:
        """Write a self-contained HTML page about this check and give its path."""
        from tamis.presentation.page.answers import render_check

        return write_page(path, render_check(self, title))

    def __repr__(self) -> str:
        from tamis.presentation.terminal.answers import check_text

        return check_text(self)


def check_choice(
    choice: SavedChoice, rows: Any, *, min_share: float | None, max_fall: float | None
) -> ChoiceCheck:
    """Read new rows once and compare them with the choice."""
    for name, value in (("min_share", min_share), ("max_fall", max_fall)):
        if value is not None and not _is_share(value):
            raise TamisError(f"{spell(name, value)}: give a share from 0 to 1, such as 0.9.")
    return read_new_rows(
        rows, choice.how, lambda found: _check_choice(choice, found, min_share, max_fall)
    )


def _is_share(value: Any) -> bool:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return number and bool(0 <= value <= 1)


def _check_choice(
    choice: SavedChoice, found: FoundIn, min_share: float | None, max_fall: float | None
) -> ChoiceCheck:
    plan = choice.plan
    there = [j for j in found.at if j not in found.other_kind]
    if not there:
        raise TamisError(
            f"{found.source.label} has none of the columns of the choice: give a table of the same "
            "kind."
        )
    sums = _sum_up(plan, found, there, choice.how.row_size)
    usable = np.zeros(len(plan.names), dtype=bool)
    usable[there] = True
    drift = find_drift(plan, sums, usable)
    names = plan.names
    kept = tuple(names[j] for j in plan.kept)
    seen = [j for j in plan.dropped if usable[j]]
    now = drift.share if seen and np.isfinite(drift.share) else None
    made = ChoiceCheck(
        *(True, sums.count, plan.share, now, plan.held_out),
        tuple(names[j] for j in found.absent),
        tuple(names[j] for j in np.flatnonzero(_stand_still(plan, drift))),
        {names[j]: why for j, why in found.other_kind.items()},
        *(found.fresh, _list_drifted(plan, drift), _shares(plan, drift), kept),
    )
    return _judge_check(made, min_share, max_fall)


def _sum_up(plan: Plan, found: FoundIn, there: list[int], row_size: float | None) -> DriftSums:
    """Read the columns that are there, in batches; the others count as missing."""
    sums: DriftSums | None = None
    own = plan.encoding.of_columns(there)
    columns = plan.groups.members(there)
    source = found.source
    if row_size is not None:
        source = ScaledSource(source, found.summed, row_size=row_size)
    for rows in read_mixed_rows(source, [found.at[j] for j in there], MissingPolicy.ERROR):
        encoded: Floats = np.full((len(rows), len(plan.mean)), np.nan)
        encoded[:, columns] = own.encode(rows)
        encoded[~np.isfinite(encoded)] = np.nan
        if plan.drops:
            encoded = encoded[~np.isnan(encoded[:, columns]).any(axis=1)]
        part = DriftSums.from_batch(plan, encoded)
        sums = part if sums is None else sums.merge(part)
    count = 0 if sums is None else sums.count
    if sums is None or count < _MIN_ROWS:
        raise TamisError(
            f"{found.source.label} has {count} rows to compare: give at least {_MIN_ROWS}."
        )
    return sums


def _stand_still(plan: Plan, drift: Drift) -> NDArray[np.bool_]:
    """Mark columns that do not vary; one whose values are all beyond a clip limit has moved."""
    limited = np.isin(np.arange(len(plan.names)), [*plan.encoding.limits])
    return drift.constant & ~(limited & drift.mean)


def _list_drifted(plan: Plan, drift: Drift) -> tuple[ColumnDrift, ...]:
    kept = {int(j) for j in plan.kept}
    marked = np.flatnonzero(
        (drift.mean | drift.spread | drift.related | drift.emptied) & ~_stand_still(plan, drift)
    )
    return tuple(
        ColumnDrift(
            column=plan.names[j],
            kept=j in kept,
            mean=bool(drift.mean[j]),
            spread=bool(drift.spread[j]),
            relation=bool(drift.related[j]),
            shift=float(drift.shift[j]),
            ratio=float(drift.ratio[j]),
            change=float(drift.relation[j]),
            partner=plan.names[drift.partner[j]] if drift.related[j] else None,
            emptied=bool(drift.emptied[j]),
            missing_now=float(drift.missing_now[j]),
            missing_then=None if plan.missing is None else float(plan.missing[j]),
        )
        for j in marked.tolist()
    )


def _shares(plan: Plan, drift: Drift) -> tuple[ColumnShare, ...]:
    now = [None if np.isnan(value) else float(value) for value in drift.shares]
    made = [
        ColumnShare(plan.names[j], float(plan.shares[j]), now[j], bool(drift.lost[j]))
        for j in plan.dropped.tolist()
    ]
    return tuple(sorted(made, key=lambda one: one.then if one.now is None else one.now - one.then))


def _judge_check(made: ChoiceCheck, min_share: float | None, max_fall: float | None) -> ChoiceCheck:
    """Decide: by the limits where any is given, by all that changed beyond chance otherwise.

    A kept column that cannot be used fails in any case: without it nothing can be predicted.
    """
    limited = min_share is not None or max_fall is not None
    kept = set(made.kept)
    counted = {
        "missing": [n for n in made.missing if not limited or n in kept],
        "kind": [n for n in made.other_kind if not limited or n in kept],
        "constant": [n for n in made.constant if not limited or n in kept],
        "drift": [
            one for one in made.drifted if not limited or (one.kept and one.missing_now == 1.0)
        ],
        "lost": [] if limited else [one for one in made.shares if one.lost],
    }
    failures = [code for code, found in counted.items() if found]
    if min_share is not None and (made.now is None or made.now < min_share):
        failures.append("min_share")
    if max_fall is not None and (made.now is None or made.then - made.now > max_fall):
        failures.append("max_fall")
    return replace(
        made, holds=not failures, failures=tuple(failures), min_share=min_share, max_fall=max_fall
    )
