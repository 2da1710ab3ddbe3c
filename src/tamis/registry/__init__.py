"""The one table of methods and options; data only, no maths.

`select`, the command line, the estimators, the report, the docs and the tests all read it. A method
that is not listed here does not exist.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tamis.errors import TamisError, spell, spell_name
from tamis.registry.backward import BACKWARD
from tamis.registry.clustering import CLUSTERING
from tamis.registry.embedded import EMBEDDED
from tamis.registry.extraction import EXTRACTION
from tamis.registry.filters import FILTERS
from tamis.registry.forward import FORWARD
from tamis.registry.information import INFORMATION_METHODS
from tamis.registry.local import LOCAL
from tamis.registry.method import ALL_LIMITS, POLICIES, Kind, Method, check_policy
from tamis.registry.missing_policy import MissingPolicy
from tamis.registry.neighbourhood import NEIGHBOURHOOD
from tamis.registry.option import Door, Option, write_value
from tamis.registry.relevance import RELEVANCE
from tamis.registry.shared import (
    BUDGET,
    COLUMNS,
    EXCLUDE,
    MEMORY,
    NA,
    NAMES,
    RETAIN,
    SCALE_SWITCH,
    SHARED,
    SKIP_CORRUPT,
    K,
    Scale,
    list_shared,
)
from tamis.registry.wrappers import WRAPPERS

__all__ = [
    "AUTO",
    "BUDGET",
    "COLUMNS",
    "EXCLUDE",
    "MEMORY",
    "METHODS",
    "NA",
    "NAMES",
    "POLICIES",
    "SCALE_SWITCH",
    "SHARED",
    "SKIP_CORRUPT",
    "Door",
    "K",
    "Kind",
    "Method",
    "Option",
    "check_options",
    "check_shared",
    "get",
    "list_shared",
    "methods",
    "nearest",
    "resolve_goal",
    "suggest_option",
    "write_value",
]

DEFAULT_METHOD = "forward"
_LIMIT_NAMES = frozenset(option.name for option in ALL_LIMITS)
AUTO = "auto"  # for `k`: a number found by a rule

METHODS: tuple[Method, ...] = (
    *FORWARD,
    *BACKWARD,
    *INFORMATION_METHODS,
    *NEIGHBOURHOOD,
    *RELEVANCE,
    *FILTERS,
    *WRAPPERS,
    *EMBEDDED,
    *CLUSTERING,
    *LOCAL,
    *EXTRACTION,
)


def methods(kind: Kind | None = None) -> tuple[Method, ...]:
    """List every method, or those of one kind: selection or extraction."""
    return tuple(method for method in METHODS if kind in (None, method.kind))


def get(method_id: str, kind: Kind | None = "selection") -> Method:
    """Give the method of this kind (None: of any) with this id, or suggest the nearest one."""
    for method in methods(kind):
        if method.id == method_id:
            return method
    other = next((method for method in METHODS if method.id == method_id), None)
    if other is not None:
        verb = {"selection": "select", "extraction": "extract"}[other.kind]
        raise TamisError(f"Method {method_id!r} is a method of {other.kind}: use it with {verb}.")
    ids = [method.id for method in methods(kind)]
    raise TamisError(f"Unknown method {method_id!r}{nearest(str(method_id), ids)}")


def nearest(word: str, known: Iterable[str]) -> str:
    """End a sentence: suggest the known word most like `word`, in any case, or list them."""
    from difflib import get_close_matches  # not loaded before a word is wrong

    known = list(known)
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    cutoff = 0.5 if len(word) < 5 else 0.6  # one wrong letter of two is likely a slip
    close = get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    if close:
        return f": did you mean {folded[close[0]]!r}?"
    more = f" and {len(known) - 8} more" if len(known) > 8 else ""
    return f": there is {', '.join(known[:8])}{more}."


# What others call our options: scikit-learn, R, pandas, and people who have not read the help.
_OTHER_NAMES = {
    **dict.fromkeys(("n_features_to_select", "n_features", "n_components", "n", "size"), "k"),
    **dict.fromkeys(("target", "targets", "label", "labels", "response", "outcome"), "y"),
    **dict.fromkeys(("features", "variables", "usecols"), "columns"),
    **dict.fromkeys(("drop", "ignore", "skip", "omit"), "exclude"),
    **dict.fromkeys(("keep", "force", "fixed", "required"), "include"),
    **dict.fromkeys(("categorical", "factors", "cat_features"), "categories"),
    **dict.fromkeys(("na_values", "missing_values", "nodata"), "na"),
    **dict.fromkeys(("standardize", "standardise", "normalize", "normalise"), "scale"),
    **dict.fromkeys(("algorithm", "estimator", "selector"), "method"),
    **dict.fromkeys(("sample_weight", "sample_weights"), "weights"),
    **dict.fromkeys(("prices", "price", "cost"), "costs"),
    **dict.fromkeys(("cv", "validate", "holdout"), "held_out"),
    **dict.fromkeys(("seed", "rng"), "random_state"),
}


def suggest_option(word: str, known: Iterable[str]) -> str:
    """End a sentence about an option that does not exist: with what others call so, or the nearest.

    >>> suggest_option("target", ["data", "y"]), suggest_option("retian", ["data", "retain"])
    (": did you mean 'y'?", ": did you mean 'retain'?")
    >>> suggest_option("shrink", ["data", "options"])
    ': it is an option of some methods, give options={"shrink": ...}.'
    """
    known = list(known)
    own = {option.name for method in METHODS for option in method.taken}
    ours = _OTHER_NAMES.get(word.casefold().replace("-", "_"), word)
    if ours in known:
        return f": did you mean {ours!r}?"
    if ours in own and "options" in known:
        return f': it is an option of some methods, give options={{"{ours}": ...}}.'
    return nearest(word, known)


def check_options(method: Method, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check a method's own options and those of its policy, and fill in the defaults."""
    known = {option.name: option for option in method.taken}
    own = {name: option.default for name, option in known.items()}
    for name, value in given.items():
        if name not in known and name in _LIMIT_NAMES:
            raise TamisError(
                f"{spell(name, value)}: method {method.id!r} cannot keep to limits; choose one "
                "that adds, removes or scores columns one by one, such as forward."
            )
        if name not in known:
            raise TamisError(f"Method {method.id!r} does not take {_with_hint(name, known)}")
        own[name] = known[name].check(value)
    return own


def _with_hint(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # not loaded before a name is wrong

    asked, others = spell_name(name), {one: spell_name(one) for one in known}
    # Dashes make short flags alike: the names are compared.
    close = get_close_matches(name, others, n=1, cutoff=0.6)
    if close:
        return f"{asked}: did you mean {others[close[0]]!r}?"
    return f"{asked}: it has {', '.join(others.values()) or 'no options of its own'}."


def check_shared(method: Method, asked: Mapping[str, Any]) -> None:
    """Refuse what this method cannot do, of options that methods share; each fits by itself."""
    scale, refine, task = asked["scale"], asked["refine"], asked["task"]
    binned = method.takes_text
    if method.scale is None and scale is not None:
        why = "works on bins and categories, which cannot be standardised"
        binned = binned and not method.mixed
        raise TamisError(
            f"{spell('scale', scale)}: method {method.id!r} "
            f"{why if binned else 'takes the table as it is'}; omit it."
        )
    if not method.refines and refine is not False:
        raise TamisError(
            f"{spell('refine', refine)}: swaps raise the explained variance, which method "
            f"{method.id!r} does not work on; omit it."
        )
    if refine == "exact" and method.measure == "information":
        raise TamisError(
            f"{spell('refine', refine)}: there is no exact search on mutual information; "
            f"{spell('refine', True)} swaps columns."
        )
    if method.kind == "extraction" and not Scale.of(scale).holds_for_new_rows:
        raise TamisError(
            f"{spell('scale', scale)}: components of new rows need 'standard' or 'none'."
        )
    texts = method.takes_text and not method.mixed
    linear = method.needs == "gram" and method.resamples
    takes = MissingPolicy.for_method(takes_text=texts, linear=linear)
    if method.mixed:  # of text, beside which numbers are filled
        takes = (*takes, *(policy for policy in MissingPolicy if policy.codes_numbers))
    if asked["missing"] not in takes:
        *most, last = map(repr, takes)
        raise TamisError(
            f"{spell('missing', asked['missing'])} is not for method {method.id!r}: give "
            f"{', '.join(most)} or {last}."
        )
    # Methods that only separate classes take numbers as such.
    if task == "regression" and method.supervised and task not in method.tasks:
        raise TamisError(
            f"{spell('task', task)}: method {method.id!r} separates classes and cannot predict "
            "numbers; omit it, or choose another method."
        )
    for name in ("held_out", "stability"):
        if asked[name]:
            method.check_resamples(name, asked[name])


def resolve_goal(
    method: Method, k: Any, retain: Any, own: Mapping[str, Any], *, k_name: str = "k"
) -> tuple[Any, float | None, dict[str, Any]]:
    """Check the ways to say how many columns to keep, and choose one if the user did not.

    The threshold is one of the method's `own` options, which come back with it filled in. `k` is
    None, an integer or a share of the columns, or "auto" where a rule can find it.
    """
    auto = isinstance(k, str) and k == AUTO and method.kind == "selection" and k_name == K.name
    if auto:
        method.check_resamples(k_name, k)
    size = K if method.kind == "selection" else replace(K, kind="integer")
    k, retain = k if auto else size.check(k, k_name), RETAIN.check(retain)
    policies = {} if method.ranks is None else {one.name: one.default for one in POLICIES}
    named = {option.name for option in method.options}
    own = check_policy(method.ranks is not None, named, {**policies, **own})
    given = {k_name: k, "retain": retain} | {n: own.get(n) for n in ("threshold", "within")}
    names = [spell_name(name) for name, value in given.items() if value is not None]
    names += [spell("policy", "incremental")] if own.get("policy") == "incremental" else []
    if len(names) > 1:
        what = "columns are kept" if method.kind == "selection" else "components there are"
        raise TamisError(f"Give {' or '.join(names)}, not both: each decides how many {what}.")
    if retain is not None and not method.retains:
        raise TamisError(
            f"{spell('retain', retain)}: method {method.id!r} does not choose columns by the "
            f"variance they explain; give {spell_name(k_name)}, or omit it."
        )
    if not names and method.usual_threshold is not None:
        return None, None, {**own, "threshold": method.usual_threshold}
    if not names and (method.decides or own.get("budget") is not None):
        return None, None, own
    return k, retain if names else method.usual_retain, own
