"""What methods are for: the groups in which they are listed, first things first."""

import re
from collections.abc import Iterable

from tamis.registry.method import Method

START_HERE = {
    "forward": "Keep the columns that explain all others best: the default.",
    "forward-regression": "Keep the columns that predict a response or labels.",
    "correlation": "Only remove columns that nearly repeat another.",
    "pca": "Compute a few new columns instead of keeping some.",
}

_FOR_EXPLAIN = "Keep the columns that explain the others"
_FOR_REDUNDANT = "Remove redundant columns"
_FOR_INFORMATION = "Keep shared information, of numbers and categories alike"
_FOR_RANK = "Rank the columns by components, neighbours or variance"
_FOR_CLUSTERS = "Find clusters of rows and the columns that show them"
_FOR_PREDICT = "Keep the columns that predict labels or a response"
_FOR_COMPONENTS = "Compute components"
_FOR_DISCRIMINANTS = "Compute components that separate known classes"

_PURPOSE_OF_FAMILY = {
    "forward": _FOR_EXPLAIN,
    "backward": _FOR_REDUNDANT,
    "information": _FOR_INFORMATION,
    "neighbourhood": _FOR_RANK,
    "relevance": _FOR_RANK,
    "clustering": _FOR_CLUSTERS,
    "local": _FOR_CLUSTERS,
}


def name_purpose(method: Method) -> str:
    """Say what a method is for."""
    if method.kind == "extraction":
        return _FOR_DISCRIMINANTS if method.supervised else _FOR_COMPONENTS
    family = re.split(r"[.:]", method.kernel)[2]  # tamis.algorithms.<family>
    return _FOR_PREDICT if method.supervised else _PURPOSE_OF_FAMILY[family]


def group_methods(methods: Iterable[Method]) -> dict[str, list[Method]]:
    """Group methods by what they are for."""
    groups: dict[str, list[Method]] = {}
    for method in methods:
        groups.setdefault(name_purpose(method), []).append(method)
    order = [
        *dict.fromkeys(_PURPOSE_OF_FAMILY.values()),
        _FOR_PREDICT,
        _FOR_COMPONENTS,
        _FOR_DISCRIMINANTS,
    ]
    return {purpose: groups[purpose] for purpose in order if purpose in groups}
