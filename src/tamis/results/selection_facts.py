"""Everything that is known about a selection; no view computes."""

from dataclasses import replace

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.facts.selection_answer import (
    ClippedFacts,
    EvidenceFacts,
    HeldOutFacts,
    OverfitFacts,
    PeakFacts,
    RemovedColumn,
    SearchFacts,
    SelectionFacts,
    SpentFacts,
    StabilityFacts,
    Substitute,
    TakenFacts,
    TakenKind,
    TreeFacts,
    WholeFacts,
    WholeGroup,
)
from tamis.registry.missing_policy import MissingPolicy
from tamis.results.shared_facts import collect_answer
from tamis.rules.search import CLEAR
from tamis.statistics.clipping import CLIP_MADS


def selection_facts(outcome: Outcome) -> SelectionFacts:
    """Gather what the terminal, `--json` and the report show."""
    asked, labels, measure = outcome.request.settings, outcome.labels, outcome.measure
    warnings = (one for one in outcome.suspects if one.column not in outcome.skipped)
    rows, limits, dropped = outcome.notes, outcome.limits, tuple(outcome.explain())
    # Of pairs of columns no rows are kept, and a summary has none: missing values were decided on.
    has_rows = not MissingPolicy(asked["missing"]).pairs and outcome.summary.tally.done is None
    if not (outcome.shows_held_out and dropped):
        # What makes the share on new rows too good says nothing where it is not shown, or is all.
        rows = replace(rows, successive=None, time=None, key=None, similarity=None)
    answer = collect_answer(
        outcome,
        "select",
        used=len(outcome.used),
        rows=outcome.summary.n_rows,
        labels=labels,
        warnings=tuple(warnings),
        y=None if labels is None else labels.given,
    )
    first = outcome.first_to_drop or (None, None)
    shrink, chosen, by_tails = _describe_shrinkage(outcome)
    return SelectionFacts(
        **answer,
        k=outcome.k,
        names=tuple(outcome.names),
        included=tuple(outcome.included),
        measure=measure.name,
        weights_are=measure.weights_are,
        clipped=_count_clipped(outcome),
        taken=tuple(taken_facts(outcome).values()),
        marked=_list_marked(outcome),
        shrink=shrink,
        shrink_chosen=chosen,
        shrink_by_tails=by_tails,
        ranked=asked.get("kind") == "spearman",
        best_first=measure.name == "variance" and outcome.path.nested,
        beats_chance=measure.name != "information"
        or not dropped
        or any(row.weights for row in dropped),
        chance=outcome.chance,
        auto=outcome.auto,
        held_out=held_out_facts(outcome),
        overfit=overfit_facts(outcome),
        stability=stability_facts(outcome),
        # With very many columns memory allows for fewer blocks of rows than usual.
        blocks=None if outcome.summary.blocks is None else len(outcome.summary.blocks.count),
        row_notes=rows,
        limited=limits.any or bool(limits.barred.any()),
        limits=tuple(outcome.binding),
        whole=whole_facts(outcome),
        # What the kept columns cost, where there is a budget.
        spent=SpentFacts(limits.spend(outcome.path.kept), limits.budget)
        if np.isfinite(limits.budget)
        else None,
        predictions=outcome.predictions,
        advises=has_rows and outcome.request.method.resamples and not outcome.shows_held_out,
        shortfall=outcome.shortfall,
        retained=outcome.retained,
        bound=outcome.bound,
        error=outcome.error,
        optimal=outcome.optimal,
        nested=outcome.path.nested,
        indices=tuple(outcome.indices.tolist()),
        ranking=tuple(outcome.ranking),
        scores=tuple(None if np.isnan(one) else float(one) for one in outcome.scores),
        curve=outcome.curve,
        tree=_tree(outcome),
        evidence=_evidence(outcome),
        dropped=dropped,
        goal=outcome.request.retain,
        first_to_drop=first[0],
        without_first=first[1],
        removed=_list_removed(outcome),
        relations=outcome.relations,
        opinions=tuple(outcome.second_opinion()) if asked.get("second_opinion") else (),
        texts=outcome.request.texts,
    )


def _count_clipped(outcome: Outcome) -> ClippedFacts | None:
    summary = outcome.summary
    if summary.clipped is None:
        return None
    counts = [summary.clipped.values.get(int(j), 0) for j in summary.varying]
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda place: -counts[place])
    names = outcome.names_of(np.array(order, dtype=np.intp))
    columns = {name: counts[j] for j, name in zip(order, names, strict=True)}
    if not columns:
        return None
    measured = outcome.shows_held_out and outcome.k < len(outcome.used)
    as_is = summary.clipped.share_as_is if measured else None
    return ClippedFacts(columns, summary.clipped.rows, CLIP_MADS, as_is)


def _describe_shrinkage(outcome: Outcome) -> tuple[float | None, bool, bool]:
    """Give the shrinkage of the search, whether it was chosen, and whether tails decide on it."""
    search = outcome.search
    shrink = None if search is None else search.options.get("shrink")
    if search is None or not isinstance(shrink, int | float):
        return None, False, False
    chosen, given = search.ridge is None, outcome.request.settings.get("noise")
    return float(shrink), chosen, chosen and bool(search.options.get("noise")) and not given


def _evidence(outcome: Outcome) -> EvidenceFacts | None:
    evidence = outcome.path.evidence
    if evidence is None:
        return None
    values = evidence.facts(outcome.names_of(np.arange(len(outcome.used))))
    others = {name: value for name, value in values.items() if name != "kind"}
    kind = str(values["kind"])
    return (SearchFacts if kind.startswith("search_") else EvidenceFacts)(kind, others)


def _list_removed(outcome: Outcome) -> tuple[RemovedColumn, ...]:
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
    folds = outcome.folds
    if len(folds.share) < outcome.k:
        return None
    share, error = float(folds.share[-1]), float(folds.standard_error[-1])
    lost = outcome.retained - share
    large = lost > min(_POINTS, _PART * outcome.retained)
    over, best = bool(large and lost > CLEAR * error), folds.peak
    helpful = best is not None and folds.share[best - 1] > 0
    peak = PeakFacts(best, float(folds.share[best - 1])) if best is not None and helpful else None
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


def held_out_facts(outcome: Outcome) -> HeldOutFacts | None:
    """Give the curve on held-out rows; for `k="auto"` as far as the rule has looked."""
    if not outcome.shows_held_out:
        return None
    auto = outcome.auto if outcome.path.nested else None
    folds = outcome.folds if auto is None else auto.folds
    shares, std = tuple(folds.share.tolist()), tuple(folds.std.tolist())
    return HeldOutFacts(shares, std, len(folds.totals), **outcome.other_shares)


def stability_facts(outcome: Outcome) -> StabilityFacts | None:
    """Give how often columns are kept, and for every kept one what could replace it."""
    if not outcome.request.settings.get("stability"):
        return None
    found, others = outcome.stability, outcome.substitutes(n=3)
    return replace(
        found,
        frequency={name: share for name, share in found.frequency.items() if share},
        substitutes={
            name: tuple(Substitute(other, change) for other, change in pairs)
            for name, pairs in others.items()
        },
    )


def _list_marked(outcome: Outcome) -> dict[str, str]:
    """Give the level of a category of two that weights are of: the one that is 1."""
    summary = outcome.summary
    levels = {} if summary.encoding is None else summary.encoding.levels
    return {
        str(name): levels[j].names[0]
        for name, j in zip(
            outcome.names_of(np.arange(len(outcome.used))), summary.varying, strict=True
        )
        if j in levels and levels[j].width == 1
    }


def taken_facts(outcome: Outcome) -> dict[int, TakenFacts]:
    """Say how columns were taken that are not the numbers they are, by place among those used."""
    summary, settings = outcome.summary, outcome.request.settings
    names = list(map(str, outcome.names_of(np.arange(len(outcome.used)))))
    if summary.level_counts:
        counts = zip(names, summary.level_counts, strict=True)
        return {j: TakenFacts(name, "bins", len(c)) for j, (name, c) in enumerate(counts)}
    kind: TakenKind = "rank" if settings.get("kind") == "spearman" else "number"
    kind = "logarithm" if settings.get("scale") == "counts" else kind
    taken = {} if kind == "number" else {j: TakenFacts(n, kind) for j, n in enumerate(names)}
    encoding = summary.encoding
    for place, j in enumerate(summary.varying.tolist() if encoding else ()):
        if encoding and j in encoding.levels:
            levels = encoding.levels[j]
            # What is pooled may be missing values, of which there are too few for a level.
            rare = encoding.rare.get(j, 0)
            count = len(levels.common) + rare
            taken[place] = TakenFacts(names[place], "category", count, rare, levels.missing)
    return dict(sorted(taken.items()))
