"""Everything that is known about a selection; no view computes."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, TypedDict

import numpy as np

from tamis.evaluation.found_path import Curve
from tamis.evaluation.held_out import CLEAR, HeldOut
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.second_opinion import FAR_MORE
from tamis.facts.selection_answer import (
    AutoFacts,
    ClippedFacts,
    CurveFacts,
    DroppedColumn,
    EvidenceFacts,
    HeavyRowFacts,
    HeldOutFacts,
    LimitFacts,
    OpinionFacts,
    OverfitFacts,
    PeakFacts,
    PredictionFacts,
    RemovedColumn,
    RowFacts,
    SearchFacts,
    SelectionFacts,
    SpentFacts,
    StabilityFacts,
    Substitute,
    TakenFacts,
    TakenKind,
    TreeFacts,
    WeightKind,
    WholeFacts,
    WholeGroup,
)
from tamis.facts.shared_answer import ClusterFacts, LabelFacts, ResponseFacts, SuspiciousColumn
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.results.relation_facts import relation_facts
from tamis.results.shared_facts import collect_shared_facts
from tamis.run.search import Search
from tamis.statistics.clipping import CLIP_MADS
from tamis.statistics.cluster_labels import ClusterQuality
from tamis.statistics.encoding import Encoding

__all__ = [
    "beside",
    "chance_facts",
    "cluster_facts",
    "curve_facts",
    "limit_facts",
    "overfit_facts",
    "selection_facts",
    "spent_facts",
    "taken_facts",
    "weight_kind",
    "whole_facts",
]

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
    if not summary.clipped.values:
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


def limit_facts(outcome: Outcome) -> tuple[LimitFacts, ...]:
    """Give the limits that keep out a column, and what the best of these would add."""
    found = outcome.binding
    names = outcome.names_of(np.array([one.column for one in found], dtype=np.intp))
    return tuple(
        LimitFacts(one.option, one.group, str(name), one.gain)
        for one, name in zip(found, names, strict=True)
    )


def spent_facts(outcome: Outcome) -> SpentFacts | None:
    """Give what the kept columns cost, where there is a budget."""
    limits = outcome.limits
    if not np.isfinite(limits.budget):
        return None
    return SpentFacts(limits.spend(outcome.path.kept), limits.budget)


def whole_facts(outcome: Outcome) -> WholeFacts | None:
    """Give the groups that are taken whole, in the order in which they were taken."""
    if not outcome.search_options.get("together"):
        return None
    limits = outcome.limits
    own = limits.group[outcome.path.kept]
    order = list(dict.fromkeys(own[own >= 0].tolist()))
    groups = tuple(WholeGroup(limits.names[i], int((own == i).sum())) for i in order)
    return WholeFacts(groups, int((own < 0).sum()))


_POINTS = 0.1  # of all variance, that is lost on held-out rows
_PART = 0.25  # of what is explained, that is lost


def overfit_facts(outcome: Outcome) -> OverfitFacts | None:
    """Judge the share on held-out rows; None where it is not known.

    Overfitted is what loses more than a tenth of all variance or a quarter of what it explains, and
    more than two standard errors. `peak` is a smaller number of columns that explains clearly more
    on held-out rows. Where either is so, and the number was not found by `k="auto"`, that helps
    wherever it can be asked for.
    """
    if not outcome.shows_held_out:
        return None
    folds = outcome.resampled.folds
    if len(folds.share) < outcome.k:
        return None
    share, error = float(folds.share[-1]), float(folds.standard_error[-1])
    lost = outcome.retained - share
    large = lost > min(_POINTS, _PART * outcome.retained)
    over, peak = bool(large and lost > CLEAR * error), _peak(folds)
    request = outcome.request
    can = request.method.finds_size and not request.settings.get("together")
    helps = (over or peak is not None) and outcome.auto is None and can
    return OverfitFacts(
        k=outcome.k,
        retained=outcome.retained,
        share=share,
        overfitted=over,
        standard_error=error,
        peak=peak,
        remedy="auto" if helps else None,
    )


def _peak(folds: HeldOut) -> PeakFacts | None:
    """Give the smaller number of columns that explains more, unless it explains nothing."""
    best = folds.peak
    if best is None or not folds.share[best - 1] > 0:
        return None
    return PeakFacts(best, float(folds.share[best - 1]))


def count_row_blocks(outcome: Outcome) -> int | None:
    """Count the blocks of rows; with very many columns memory allows for fewer than usual."""
    blocks = outcome.summary.blocks
    return None if blocks is None else len(blocks.count)


def row_facts(outcome: Outcome) -> RowFacts:
    """Give what is known of the rows."""
    notes = outcome.notes
    if not outcome.shows_held_out:  # what makes the share on new rows too good says nothing
        notes = replace(notes, successive=None, similar=None)
    return RowFacts(
        groups=notes.groups,
        ordered=notes.ordered,
        weighted=notes.weighted,
        counted=notes.counted,
        successive=notes.successive,
        key=None if notes.similar is None else notes.similar.key,
        similarity=None if notes.similar is None else notes.similar.similarity,
        heavy=tuple(HeavyRowFacts(one.row, one.share) for one in notes.heavy),
    )


def held_out_facts(outcome: Outcome) -> HeldOutFacts | None:
    """Give the curve on held-out rows; for `k="auto"` as far as the rule has looked."""
    if not outcome.shows_held_out:
        return None
    folds, drawn = outcome.resampled.curve, outcome.random_share
    return HeldOutFacts(
        tuple(folds.share.tolist()),
        tuple(folds.std.tolist()),
        len(folds.totals),
        None if drawn is None else drawn.share,
        None if drawn is None else drawn.beaten,
    )


def auto_facts(outcome: Outcome) -> AutoFacts | None:
    """Give the number of columns that `k="auto"` has found, and why."""
    auto = outcome.auto
    if auto is None:
        return None
    return AutoFacts(auto.k, auto.low, auto.high, auto.reason, tuple(auto.worth.tolist()))


def stability_facts(outcome: Outcome) -> StabilityFacts | None:
    """Give how often columns are kept, and for every kept one what could replace it."""
    if not outcome.request.settings.get("stability"):
        return None
    found, others = outcome.stability, outcome.substitutes(n=3)
    return StabilityFacts(
        index=found.index,
        low=found.low,
        high=found.high,
        samples=found.samples,
        frequency={name: share for name, share in found.frequency.items() if share},
        substitutes={
            name: tuple(Substitute(other, change) for other, change in pairs)
            for name, pairs in others.items()
        },
        explained=found.explained,
        stand_ins=found.stand_ins,
    )


def opinion_facts(outcome: Outcome) -> tuple[OpinionFacts, ...]:
    """Give what trees predict of the least explained columns, if asked."""
    if not outcome.request.settings.get("second_opinion"):
        return ()
    return tuple(
        OpinionFacts(str(one.column), one.linear, one.trees, one.trees - one.linear >= FAR_MORE)
        for one in outcome.second_opinion()
    )


def can_hold_out(outcome: Outcome) -> bool:
    """Whether the search can be repeated on parts of the rows: some ways keep no rows.

    A summary has none either: what it did about missing values was decided before.
    """
    keeps_rows = not MissingPolicy(outcome.request.settings["missing"]).pairs
    has_rows = outcome.summary.tally.done is None
    return outcome.request.method.resamples and keeps_rows and has_rows


def cluster_facts(counts: Mapping[str, int], quality: ClusterQuality, method: str) -> LabelFacts:
    """Give the clusters as the facts on labels are given."""
    clusters = ClusterFacts(quality.columns, quality.rule, quality.seeds, quality.halves)
    ordered = dict(sorted(counts.items()))
    return LabelFacts(None, "classification", ordered, True, method, clusters)


def taken_facts(outcome: Outcome) -> tuple[TakenFacts, ...]:
    """Say of every analysed column how it was taken, in table order."""
    summary = outcome.summary
    names = list(map(str, outcome.names_of(np.arange(len(outcome.used)))))
    if summary.level_counts:
        pairs = zip(names, summary.level_counts, strict=True)
        return tuple(TakenFacts(name, "bins", len(counts)) for name, counts in pairs)
    settings = outcome.request.settings
    number: TakenKind = "rank" if settings.get("kind") == "spearman" else "number"
    if settings.get("scale") == "counts":
        number = "logarithm"
    encoding = summary.encoding
    plain = [TakenFacts(name, number) for name in names]
    if encoding is None:
        return tuple(plain)
    columns = zip(plain, summary.varying.tolist(), strict=True)
    return tuple(_as_category(one, encoding, j) for one, j in columns)


def _as_category(plain: TakenFacts, encoding: Encoding, j: int) -> TakenFacts:
    """Give a category by its levels, a number as it is."""
    if j not in encoding.levels:
        return plain
    levels = encoding.levels[j]
    # What is pooled may be missing values, of which there are too few for a level.
    rare = encoding.rare.get(j, 0)
    return TakenFacts(plain.column, "category", len(levels.common) + rare, rare, levels.missing)
