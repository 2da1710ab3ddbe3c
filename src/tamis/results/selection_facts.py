"""Everything that will be shown about a selection, as one plain dict; no view computes."""

from typing import Any

import numpy as np

from tamis.evaluation.outcome import Curve, Outcome
from tamis.numerics.types import Floats
from tamis.presentation.labels import labels_sentence
from tamis.presentation.numbers import at_most, on_held_out_rows, percent
from tamis.presentation.order import order_sentence
from tamis.presentation.reasons import reasons_sentence
from tamis.presentation.searches import search_sentences
from tamis.presentation.warnings import warnings_about
from tamis.presentation.words import words_of
from tamis.registry.missing_policy import MissingPolicy
from tamis.results.cluster_facts import cluster_facts
from tamis.results.overfit_facts import overfit_facts, shows_held_out
from tamis.results.shared_facts import shared_facts
from tamis.statistics.blocks import BlockedSummary

__all__ = ["beside", "chance_facts", "curve_facts", "selection_facts", "sentence"]

Facts = dict[str, Any]


def selection_facts(outcome: Outcome) -> Facts:
    """Gather what the terminal and `--json` show; the report shows it too."""
    dropped = _dropped(outcome)
    return {
        **shared_facts(outcome, sentence(outcome), "select", **beside(outcome)),
        "score": None,
        "included": outcome.included,
        "order": order_sentence(outcome.names, outcome.included, best=_is_best_first(outcome)),
        "labels": _labels(outcome),
        "warnings": warnings_about(outcome.suspects, dict(outcome.skipped)),
        "measure": outcome.measure.name,
        "ranked": _is_ranked(outcome),
        "chance": outcome.chance,
        "auto": _auto(outcome),
        "held_out": _held_out(outcome),
        "overfit": overfit_facts(outcome),
        "stability": _stability(outcome),
        "blocks": _n_blocks(outcome),
        "limits": _limits(outcome),
        "advises": _can_hold_out(outcome) and not shows_held_out(outcome),
        "rows": outcome.summary.n_rows,
        "used": len(outcome.used),
        "shortfall": outcome.shortfall,
        "retained": outcome.retained,
        "bound": outcome.bound,
        "error": outcome.error,
        "optimal": outcome.optimal,
        "nested": outcome.path.nested,
        "indices": outcome.indices.tolist(),
        "ranking": outcome.ranking,
        "scores": _plain(outcome.scores),
        "curve": {**curve_facts(outcome.curve), "chance": chance_facts(outcome, outcome.k)},
        "tree": _tree(outcome),
        "evidence": _evidence(outcome),
        "dropped": dropped,
        "reasons": reasons_sentence(dropped, shares_credit=outcome.request.method.shares_credit),
        "removed": _removed(outcome),
    }


def sentence(outcome: Outcome) -> str:
    """Say in one sentence what was found; in another that the shares are estimates, if so."""
    text = _found(outcome)
    if outcome.error is None:
        return text
    about = percent(outcome.error)
    return f"{text} These shares are estimated from a sketch of the rows, to within {about}."


def _found(outcome: Outcome) -> str:
    used, k, words = len(outcome.used), outcome.k, words_of(outcome.measure.name)
    sets = "single column" if k == 1 else f"{k:,} columns"
    they = "it explains" if k == 1 else "they explain"
    auto = outcome.auto
    number = f"{k:,}" if auto is None else f"{k:,} ({auto.low:,}-{auto.high:,})"
    text = f"Keep {number} of {used:,} columns: {they} {percent(outcome.retained)} {words.share}"
    if not _beats_chance(outcome):
        text += ", but nothing of the dropped ones above chance"
    if shows_held_out(outcome):
        text += f", {on_held_out_rows(float(outcome.held_out[-1]))}"
    if outcome.shortfall is not None:
        return f"{text}. {outcome.shortfall}"
    if outcome.optimal:
        return f"{text}, and no {sets} could explain more (proven)."
    most = at_most(outcome.bound)
    if percent(outcome.retained) == "100%" or not most:
        return f"{text}."
    return f"{text}; no {sets} could explain {most}."


def _beats_chance(outcome: Outcome) -> bool:
    """Say whether any dropped column shares more information than unrelated ones would."""
    rows = outcome.explain()
    return outcome.measure.name != "information" or not rows or any(row.weights for row in rows)


def _limits(outcome: Outcome) -> list[Facts]:
    """Give the limits that keep out a column, and what the best of these would add."""
    found = outcome.binding
    names = outcome.names_of(np.array([one.column for one in found], dtype=np.intp))
    return [
        {"option": one.option, "group": one.group, "column": name, "gain": one.gain}
        for one, name in zip(found, names, strict=True)
    ]


def _n_blocks(outcome: Outcome) -> int | None:
    """Count the blocks of rows; with very many columns memory allows for fewer than usual."""
    summary = outcome.summary
    return len(summary.blocks.count) if isinstance(summary, BlockedSummary) else None


def _held_out(outcome: Outcome) -> Facts | None:
    """Give the curve on held-out rows; for `k="auto"` as far as the rule has looked."""
    if not shows_held_out(outcome):
        return None
    folds = outcome.resampled.curve
    return {
        "share": folds.share.tolist(),
        "std": folds.std.tolist(),
        "folds": len(folds.totals),
    }


def _auto(outcome: Outcome) -> Facts | None:
    auto = outcome.auto
    if auto is None:
        return None
    numbers = {"k": auto.k, "low": auto.low, "high": auto.high}
    return {**numbers, "reason": auto.reason, "worth": auto.worth.tolist()}


def _stability(outcome: Outcome) -> Facts | None:
    """Give how often columns are kept, and for every kept one what could replace it."""
    if not outcome.request.settings.get("stability"):
        return None
    found, others = outcome.stability, outcome.substitutes(n=3)
    return {
        "index": found.index,
        "low": found.low,
        "high": found.high,
        "samples": found.samples,
        "frequency": {name: share for name, share in found.frequency.items() if share},
        "substitutes": {
            name: [{"column": other, "change": change} for other, change in pairs]
            for name, pairs in others.items()
        },
    }


def _is_best_first(outcome: Outcome) -> bool:
    """Say whether each column was taken for what it adds to the variance explained."""
    return outcome.measure.name == "variance" and outcome.path.nested


def _is_ranked(outcome: Outcome) -> bool:
    """Say whether the shares are those of the ranks (Spearman) instead of the values."""
    return bool(outcome.request.settings.get("kind") == "spearman")


def beside(outcome: Outcome) -> Facts:
    """Give the labels if they were an array beside the table."""
    labels = outcome.labels
    return {} if labels is None or labels.given is None else {"y": labels.given}


def _labels(outcome: Outcome) -> Facts | None:
    """Give the labels as plain values, with the sentence that the views show."""
    labels = outcome.labels
    if labels is None:
        return None
    method = outcome.request.method.id
    if labels.clusters is not None:
        return cluster_facts(labels.counts, labels.clusters, method)
    facts = {
        "column": labels.column,
        "task": labels.task,
        "counts": labels.counts,
        "used": labels.used,
        "method": method,
    }
    return {**facts, "sentence": labels_sentence(facts)}


def _evidence(outcome: Outcome) -> Facts | None:
    """Give what else the method found, by name."""
    evidence = outcome.path.evidence
    names = outcome.names_of(np.arange(len(outcome.used)))
    facts = None if evidence is None else dict(evidence.facts(names))
    if facts is not None and facts["kind"].startswith("search_"):
        facts["sentences"] = search_sentences(facts)
    return facts


def _dropped(outcome: Outcome) -> list[Facts]:
    """List what was dropped, each with what explains it."""
    return [
        {
            "column": row.column,
            "share": row.share,
            "weights": row.weights,
            "carried": row.carried,
            "reason": row.reason,
        }
        for row in outcome.explain()
    ]


def _removed(outcome: Outcome) -> list[Facts]:
    """List what a backward method removed, first removed first, each with what predicts it."""
    gone = outcome.path.removals
    if gone is None or outcome.path.size is None:
        return []
    count = len(outcome.used) - outcome.k
    names = outcome.names_of(np.arange(len(outcome.used)))
    rows = zip(gone.columns[:count], gone.errors, gone.positions, gone.weights, strict=False)
    return [
        {
            "column": names[j],
            "error": float(error),
            "weights": {names[p]: float(w) for p, w in zip(places, weights, strict=True) if p >= 0},
        }
        for j, error, places, weights in rows
    ]


def _tree(outcome: Outcome) -> Facts | None:
    """Give the leaves of the tree from left to right; with their depths they say all of it."""
    tree = outcome.tree
    if tree is None:
        return None
    order, depth = tree.order, tree.depth
    return {"order": order, "depth": {name: depth[name] for name in order}}


def curve_facts(curve: Curve) -> Facts:
    """Give both lines of a curve as plain numbers."""
    return {"retained": curve.retained.tolist(), "bound": curve.bound.tolist()}


def chance_facts(outcome: Outcome, steps: int) -> list[float | None]:
    """Give what 1, 2, ... columns would explain of an unrelated one, by chance."""
    rows = outcome.summary.n_rows
    return [outcome.measure.chance(step, rows) for step in range(1, steps + 1)]


def _plain(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def _can_hold_out(outcome: Outcome) -> bool:
    """Whether the search can be repeated on parts of the rows: some ways keep no rows."""
    keeps_rows = not MissingPolicy(outcome.request.settings["missing"]).pairs
    return outcome.request.method.resamples and keeps_rows
