"""Options of all methods that score each column: how many to keep, and which to pass over."""

from collections.abc import Collection, Mapping
from typing import Any

from tamis.errors import TamisError, spell
from tamis.registry.learning import CV, LEARNER
from tamis.registry.option import Option

POLICY = Option(
    "policy",
    "choice",
    "best",
    "How the scores decide: the best columns, those that reach a threshold, or as many as improve "
    "the cross-validated accuracy of a learner (needs labels).",
    choices=("best", "threshold", "incremental"),
)
THRESHOLD = Option(
    "threshold",
    "number",
    None,
    "Keep the columns whose score is at least this, or at most where small scores are best.",
)
WITHIN = Option(
    "within",
    "share",
    None,
    "Keep the columns whose score is within this share of the best: 0.5 for at least half of it, "
    "the default of the policy 'threshold'.",
)
REDUNDANCY = Option(
    "redundancy",
    "choice",
    "keep",
    "'drop': do not keep columns that the kept ones already explain, whatever their score.",
    choices=("keep", "drop"),
)
REDUNDANT_AT = Option(
    "redundant_at",
    "share",
    None,
    "With redundancy 'drop': a column explained to at least this share is not kept; by default 0.9 "
    "of its variance or 0.5 of its information.",
)
PATIENCE = Option(
    "patience",
    "integer",
    0,
    "With policy 'incremental': number of columns to add without an improvement before stopping.",
)
MIN_DELTA = Option(
    "min_delta",
    "amount",
    0.0,
    "With policy 'incremental': a smaller gain in accuracy is no improvement.",
)
RANK_IN_FOLDS = Option(
    "rank_in_folds",
    "flag",
    True,
    "With policy 'incremental': rank the columns again in each fold, on its training rows only; "
    "otherwise once on all rows, which makes the accuracy too optimistic.",
)

POLICIES = (
    POLICY,
    THRESHOLD,
    WITHIN,
    REDUNDANCY,
    REDUNDANT_AT,
    PATIENCE,
    MIN_DELTA,
    RANK_IN_FOLDS,
    LEARNER,
    CV,
)
_HALF = 0.5  # of the best score: where the policy 'threshold' cuts when no number is given
_ONLY_WITH = {
    ("policy", "incremental"): (PATIENCE, MIN_DELTA, RANK_IN_FOLDS, LEARNER, CV),
    ("redundancy", "drop"): (REDUNDANT_AT,),
}


def check_policy(ranks: bool, named: Collection[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Let a threshold choose the policy and the policy a threshold; refuse what has no effect.

    `ranks` is whether the method takes these options, `named` are the names of its own ones.
    """
    own = dict(given)
    if not ranks:
        return own
    for (name, value), options in _ONLY_WITH.items():
        for option in options:
            set_ = option.name not in named and own[option.name] != option.default
            if set_ and own[name] != value:
                raise TamisError(
                    f"{spell(option.name, own[option.name])} has no effect without "
                    f"{spell(name, value)}: add that, or omit it."
                )
    cut, own_rule = own["within"] is not None, "threshold" in named
    if own["policy"] == "best" and (cut or (own["threshold"] is not None and not own_rule)):
        own["policy"] = "threshold"
    elif own["policy"] == "threshold" and not cut and own["threshold"] is None:
        own["within"] = _HALF
    elif own["policy"] == "threshold" and own_rule and not cut:
        raise TamisError(
            f"{spell('threshold', own['threshold'])} is for this method the share of the total "
            f"relevance to keep, not a score to reach: omit {spell('policy', 'threshold')} for "
            f"that, or pass {spell('within', _HALF)} for scores near the best."
        )
    return own
