"""How many columns the scores of a method keep, by the policy that was asked for."""

from dataclasses import replace
from typing import Any

import numpy as np

from tamis.algorithms.learners import CrossValidated, make_folds
from tamis.algorithms.orders import order_of, put_included_first
from tamis.algorithms.path import NO_GOAL, Path
from tamis.algorithms.ranking import Ranking, find_improving_prefix, find_reaching
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.run.request import Request
from tamis.run.search import Search
from tamis.run.training import TrainingTable


def decide(request: Request, search: Search, size: int | None, train: TrainingTable) -> Path:
    """Find the columns to keep, as the policy says; `train` has the rows for a learner."""
    share = NO_GOAL if request.retain is None else request.retain
    match request.policy["policy"]:
        case "threshold":
            path, found = _above(request, search)
        case "incremental":
            path, found = _keep_improving(request, search, train)
        case _:
            asked = request.auto or request.k is not None or request.retain is not None
            path, found = search.rank_columns(size if asked else None, share), {}
    return replace(path, evidence=_evidence(search, path, found))


def _above(request: Request, search: Search) -> tuple[Path, dict[str, Any]]:
    """Keep the columns whose scores reach the threshold."""
    threshold, within = request.policy.get("threshold"), request.policy["within"]
    scores = search.scored.scores
    mask, cut = find_reaching(scores, threshold=threshold, within=within, smallest=search.smallest)
    side = "at most" if search.smallest else "at least"
    near = "" if within is None else f", within {within:.0%} of the best"
    said = f"{np.count_nonzero(mask):,} columns have a score of {side} {cut:.4g}{near}."
    return search.rank_columns(None, among=mask), {"why": said}


def _keep_improving(
    request: Request, search: Search, train: TrainingTable
) -> tuple[Path, dict[str, Any]]:
    """Keep the first columns of the ranking, as long as each improves a learner."""
    policy, target, least = request.policy, train.target, max(len(search.include), 1)
    target.check_splits()
    splits = make_folds(target, policy["cv"], int(request.own.get("random_state") or 0))
    judge = CrossValidated(train.values, target, splits, learner=policy["learner"])
    full, orders = full_order(search), []
    for rows, _ in track("folds ranked", splits, len(splits)):
        orders.append(
            train.rank_columns(search, rows, full_order) if policy["rank_in_folds"] else full
        )

    def score(size: int) -> float:
        heads = [train.features(order[:size]) for order in orders]
        return float(np.mean([judge.fold_score(head, i) for i, head in enumerate(heads)]))

    size, scores = find_improving_prefix(
        score, len(full), least=least, patience=policy["patience"], min_delta=policy["min_delta"]
    )
    accuracy = np.concatenate([np.full(least - 1, np.nan), scores])
    told = {"accuracy": accuracy, "metric": judge.scorer_name, "learner": judge.learner.name}
    why = _why(size, accuracy, judge, len(splits), policy["rank_in_folds"])
    return search.rank_columns(size), {**told, "why": why}


def full_order(search: Search) -> Indices:
    """Rank all columns, or all that are not redundant where these are dropped."""
    scores = search.scored.scores
    if search.policy["redundancy"] == "drop":
        return search.rank_columns(len(scores)).indices
    return put_included_first(order_of(scores, smallest=search.smallest), search.include)


def _why(size: int, accuracy: Floats, judge: CrossValidated, cv: int, in_folds: bool) -> str:
    """Say where the columns end and how the figure was made."""
    shares = judge.scorer_name == "accuracy"
    values = [f"{value:.1%}" if shares else f"{value:.3f}" for value in accuracy]
    reached = f"{judge.scorer_name} {values[size - 1]} with {size:,}"
    if len(accuracy) > size:
        reached += f", {values[size]} with {size + 1:,} columns"
    how = "ranked in each fold" if in_folds else "ranked once on all rows, which is too optimistic"
    return (
        f"Columns were added by score while the learner {judge.learner.name!r} improved in "
        f"{cv}-fold cross-validation ({how}): {reached}."
    )


def _evidence(search: Search, path: Path, found: dict[str, Any]) -> Any:
    """Draw the scores with what the policy found."""
    scored = search.scored
    none = np.inf if search.smallest else -np.inf
    scores = np.where(np.isnan(scored.scores), none, scored.scores)
    order = put_included_first(order_of(scores, smallest=search.smallest), path.kept)
    own = scored.evidence
    if not isinstance(own, Ranking):
        own = Ranking(order, scored.scores, len(path.kept), beside=own)
    return replace(own, order=order, kept=len(path.kept), **found)
