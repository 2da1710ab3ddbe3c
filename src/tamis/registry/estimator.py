"""What the scikit-learn estimator of a method takes and gives, in the words of the registry."""

from dataclasses import replace
from typing import NamedTuple

from tamis.registry.extraction import SHARE_OPTION
from tamis.registry.method import Method
from tamis.registry.missing_policy import (
    MISSING_LINEAR,
    MISSING_NUMBERS,
    MISSING_TEXT,
    MissingPolicy,
)
from tamis.registry.option import Option
from tamis.registry.shared import (
    INCLUDE,
    ORDERED,
    REFINE,
    RETAIN,
    RULE,
    SCALE,
    SCALE_SWITCH,
    TASK,
    K,
)

_N_FEATURES_OPTION = replace(K, name="n_features_to_select")
_N_COMPONENTS_OPTION = replace(
    K, name="n_components", kind="integer", about="How many components to keep."
)
# Estimators follow scikit-learn: missing values are refused unless the user says what to do.
_BINNED_MISSING, _NUMBERS_MISSING, _LINEAR_MISSING = (
    replace(option, default=MissingPolicy.ERROR.value)
    for option in (MISSING_TEXT, MISSING_NUMBERS, MISSING_LINEAR)
)
_SWAPS_OPTION = replace(
    REFINE, kind="flag", choices=(), about="Swap columns until no swap explains more."
)


class Attribute(NamedTuple):
    """What a fitted estimator has."""

    name: str
    type: str
    about: str


_EXTRACTED = (
    Attribute(
        "components_",
        "ndarray of shape (n_components, n_features)",
        "Loading of every column on every component; kernel methods have none.",
    ),
    Attribute(
        "shares_",
        "ndarray of float",
        "Share of the variance, or of what the method maximises, that each component explains.",
    ),
    Attribute("note_", "str", "Which branch of the method ran."),
    Attribute("projection_", "Projection", "What the method returned."),
)


_CLUSTERED = (
    Attribute("labels_", "ndarray of int", "First cluster of every row; -1 for rows in none."),
    Attribute(
        "rows_", "ndarray of bool, (n_clusters, n_samples)", "Which rows are in every cluster."
    ),
    Attribute(
        "columns_", "ndarray of bool, (n_clusters, n_features)", "Which columns every cluster uses."
    ),
)


def list_parameters(method: Method) -> tuple[Option, ...]:
    """List what the estimator of a method takes: the size, what methods share, its own options."""
    extracts = method.kind == "extraction"
    kind = SCALE_SWITCH if extracts else SCALE
    scale = () if method.scale is None else (replace(kind, default=method.scale),)
    if extracts:
        share = replace(SHARE_OPTION, default=method.usual_retain)
        return (_N_COMPONENTS_OPTION, share, RULE, *scale, *method.options)
    retain = (RETAIN,) if method.retains else ()
    if retain and method.usual_threshold is None and not method.decides:
        about = RETAIN.about.removesuffix(".")
        retain = (replace(RETAIN, about=f"{about}; by default {method.usual_retain:g}."),)
    refine = (_SWAPS_OPTION if method.takes_text else REFINE,) if method.refines else ()
    missing = _LINEAR_MISSING if method.resamples else _NUMBERS_MISSING
    missing = _BINNED_MISSING if method.takes_text and not method.mixed else missing
    unlabelled = method.ranks is not None and not method.supervised
    task = (TASK,) if "regression" in method.tasks or unlabelled else ()
    folds = (ORDERED,) if method.has("shrink") else ()  # its shrinkage is chosen on held-out rows
    shared = (*retain, INCLUDE, *scale, *refine, missing, *task, *folds)
    return (_N_FEATURES_OPTION, *shared, *method.taken)


def list_attributes(method: Method) -> tuple[Attribute, ...]:
    """List what the estimator of a method has once it is fitted."""
    if method.kind == "extraction":
        return _EXTRACTED
    text = " (of the information if text is analysed)" if method.needs == "class counts" else ""
    explained = f"Share of the {method.measure}{text} that the first 1, 2, ... of them explain."
    return (
        Attribute("ranking_", "ndarray of int", "Positions of the kept columns, best first."),
        Attribute("retained_", "ndarray of float", explained),
        Attribute("shortfall_", "str or None", "Why fewer columns are kept than asked for."),
        Attribute("skipped_", "dict of str", "Columns not analysed, by name, with the reason."),
        Attribute("path_", "Path", "What the method returned."),
        Attribute("evidence_", "object or None", "What else the method found, if anything."),
        *(_CLUSTERED if method.clusters else ()),
    )
