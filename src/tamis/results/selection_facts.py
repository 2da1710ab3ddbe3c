"""Everything that is known about a selection; no view computes."""

from dataclasses import asdict
from typing import Any, TypedDict

import numpy as np

from tamis.evaluation.found_path import Curve
from tamis.evaluation.outcome import Outcome
from tamis.facts.held_out_answer import (
    PredictionFacts,
)
from tamis.facts.selection_answer import (
    CurveFacts,
    DroppedColumn,
    EvidenceFacts,
    RemovedColumn,
    SearchFacts,
    SelectionFacts,
    TreeFacts,
    WeightKind,
)
from tamis.facts.shared_answer import LabelFacts, ResponseFacts, SuspiciousColumn
from tamis.facts.taken_answer import ClippedFacts
from tamis.numerics.types import Floats
from tamis.results.cluster_facts import cluster_facts
from tamis.results.limit_facts import limit_facts, spent_facts, whole_facts
from tamis.results.overfit_facts import overfit_facts
from tamis.results.relation_facts import relation_facts
from tamis.results.resampled_facts import (
    auto_facts,
    can_hold_out,
    count_row_blocks,
    held_out_facts,
    opinion_facts,
    row_facts,
    stability_facts,
)
from tamis.results.shared_facts import collect_shared_facts
from tamis.results.taken_facts import taken_facts
from tamis.run.search import Search
from tamis.statistics.clipping import CLIP_MADS
from tamis.statistics.mixed_gram import GroupedSummary

__all__ = ["beside", "chance_facts", "curve_facts", "selection_facts", "weight_kind"]

_CAN_BE_ANALYSED = ("amounts", "units", "mixed")  # though such a column was skipped


class _Shrinkage(TypedDict):
    shrink: float | None
    shrink_chosen: bool
    shrink_by_tails: bool


def selection_facts(outcome: Outcome) -> SelectionFacts:
    """Gather what the terminal, `--json` and the report show."""
    return SelectionFacts(
        **collect_shared_facts(outcome, "select", **beside(outcome)),
        included=tuple(outcome.included),
        labels=_labels(outcome),
        warnings=_warnings(outcome),
        measure=outcome.measure.name,
        weights_are=weight_kind(outcome),
        clipped=_count_clipped(outcome),
        taken=tuple(one for one in taken_facts(outcome) if one.kind != "number"),
        **_shrinkage(outcome),
        ranked=outcome.request.settings.get("kind") == "spearman",
        best_first=outcome.measure.name == "variance" and outcome.path.nested,
        beats_chance=_beats_chance(outcome),
        chance=outcome.chance,
        auto=auto_facts(outcome),
        held_out=held_out_facts(outcome),
        overfit=overfit_facts(outcome),
        stability=stability_facts(outcome),
        blocks=count_row_blocks(outcome),
        row_notes=row_facts(outcome),
        limited=outcome.limits.any or bool(outcome.limits.barred.any()),
        limits=limit_facts(outcome),
        whole=whole_facts(outcome),
        spent=spent_facts(outcome),
        predictions=tuple(PredictionFacts(**asdict(one)) for one in outcome.predictions),
        advises=can_hold_out(outcome) and not outcome.shows_held_out,
        rows=outcome.summary.n_rows,
        used=len(outcome.used),
        shortfall=outcome.shortfall,
        retained=outcome.retained,
        bound=outcome.bound,
        error=outcome.error,
        optimal=outcome.optimal,
        nested=outcome.path.nested,
        indices=tuple(outcome.indices.tolist()),
        ranking=tuple(outcome.ranking),
        scores=_plain(outcome.scores),
        curve=curve_facts(outcome.curve, chance_facts(outcome, outcome.k)),
        tree=_tree(outcome),
        evidence=_evidence(outcome),
        dropped=_list_dropped(outcome),
        removed=_list_removed(outcome),
        relations=tuple(map(relation_facts, outcome.relations)),
        opinions=opinion_facts(outcome),
        texts=outcome.request.texts,
    )


def weight_kind(outcome: Outcome) -> WeightKind:
    """Say what the weights are of the few columns that explain a dropped one."""
    if outcome.measure.name == "information":
        return "information"
    return "coefficients" if outcome.measure.signed else "shares"


def _count_clipped(outcome: Outcome) -> ClippedFacts | None:
    """Count the extreme values that were limited, by column, the most first."""
    summary = outcome.summary
    if not isinstance(summary, GroupedSummary) or not summary.clipped.values:
        return None
    counts = [summary.clipped.values.get(int(j), 0) for j in summary.varying]
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda place: -counts[place])
    columns = {
        name: counts[j] for j, name in zip(order, _name_analysed(outcome, order), strict=True)
    }
    if not columns:
        return None
    known = (summary.clipped.rows, CLIP_MADS, outcome.held_out_as_is)
    return ClippedFacts(columns, *known)


def _name_analysed(outcome: Outcome, places: list[int]) -> list[Any]:
    return outcome.names_of(np.array(places, dtype=np.intp))


def _shrinkage(outcome: Outcome) -> _Shrinkage:
    """Give the shrinkage of the search, and whether it was chosen."""
    search = outcome.longer
    given = search.options.get("shrink") if isinstance(search, Search) else None
    if not isinstance(search, Search) or not isinstance(given, int | float):
        return {"shrink": None, "shrink_chosen": False, "shrink_by_tails": False}
    chosen = search.ridge is None
    given_noise = outcome.request.settings.get("noise")
    by_tails = chosen and bool(search.options.get("noise")) and not given_noise
    return {"shrink": float(given), "shrink_chosen": chosen, "shrink_by_tails": by_tails}


def _beats_chance(outcome: Outcome) -> bool:
    """Say whether any dropped column shares more information than unrelated ones would."""
    rows = outcome.explain()
    return outcome.measure.name != "information" or not rows or any(row.weights for row in rows)


def beside(outcome: Outcome) -> dict[str, Any]:
    """Give the labels if they were an array beside the table."""
    labels = outcome.labels
    return {} if labels is None or labels.given is None else {"y": labels.given}


def _labels(outcome: Outcome) -> LabelFacts | None:
    labels = outcome.labels
    if labels is None:
        return None
    method = outcome.request.method.id
    if labels.clusters is not None:
        return cluster_facts(labels.counts, labels.clusters, method)
    several = tuple(ResponseFacts(one.name, one.task, one.values) for one in labels.responses)
    used = labels.used
    return LabelFacts(labels.column, labels.task, labels.counts, used, method, responses=several)


def _warnings(outcome: Outcome) -> tuple[SuspiciousColumn, ...]:
    """List suspicious columns; those that were skipped only if there is a way to analyse them."""
    return tuple(
        SuspiciousColumn(*suspect)
        for suspect in outcome.suspects
        if suspect.column not in outcome.skipped or suspect.looks_like in _CAN_BE_ANALYSED
    )


def _evidence(outcome: Outcome) -> EvidenceFacts | None:
    """Give what else the method found, by name."""
    evidence = outcome.path.evidence
    if evidence is None:
        return None
    values = evidence.facts(outcome.names_of(np.arange(len(outcome.used))))
    others = {name: value for name, value in values.items() if name != "kind"}
    kind = str(values["kind"])
    return (SearchFacts if kind.startswith("search_") else EvidenceFacts)(kind, others)


def _list_dropped(outcome: Outcome) -> tuple[DroppedColumn, ...]:
    """List what was dropped, each with what explains it."""
    return tuple(
        DroppedColumn(row.column, row.share, row.weights, row.carried, row.reason)
        for row in outcome.explain()
    )


def _list_removed(outcome: Outcome) -> tuple[RemovedColumn, ...]:
    """List what a backward method removed, first removed first, each with what predicts it."""
    gone = outcome.path.removals
    if gone is None or outcome.path.size is None:
        return ()
    count = len(outcome.used) - outcome.k
    names = outcome.names_of(np.arange(len(outcome.used)))
    rows = zip(gone.columns[:count], gone.errors, gone.positions, gone.weights, strict=False)
    return tuple(
        RemovedColumn(
            names[j],
            float(error),
            {names[p]: float(w) for p, w in zip(places, weights, strict=True) if p >= 0},
        )
        for j, error, places, weights in rows
    )


def _tree(outcome: Outcome) -> TreeFacts | None:
    """Give the leaves of the tree from left to right; with their depths they say all of it."""
    tree = outcome.tree
    if tree is None:
        return None
    order, depth = tree.order, tree.depth
    return TreeFacts(tuple(order), {name: depth[name] for name in order})


def curve_facts(curve: Curve, chance: tuple[float | None, ...] = ()) -> CurveFacts:
    """Give the lines of a curve as plain numbers."""
    return CurveFacts(tuple(curve.retained.tolist()), tuple(curve.bound.tolist()), chance)


def chance_facts(outcome: Outcome, steps: int) -> tuple[float | None, ...]:
    """Give what 1, 2, ... columns would explain of an unrelated one, by chance."""
    rows = outcome.summary.n_rows
    return tuple(outcome.measure.chance(step, rows) for step in range(1, steps + 1))


def _plain(values: Floats) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(value) else float(value) for value in values)
