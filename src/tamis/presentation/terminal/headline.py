"""The first lines of an answer on a terminal."""

from typing import Any

from tamis.presentation.labels import labels_sentence
from tamis.presentation.missing import missing_sentence

__all__ = ["headline"]

_LEAST = 30
_BESIDE = 20  # in one line with a name: its share


def headline(facts: dict[str, Any], width: int) -> list[str]:
    """Give the sentences, the method if the user named none, missing values and labels.

    A name is shortened only where it does not fit into a line of this width.
    """
    longest = max(_LEAST, width - _BESIDE)
    labels, method = facts.get("labels"), facts["method"]
    found = (facts.get("evidence") or {}).get("sentences", [])[:1]
    lines = [
        facts["sentence"],
        *found,
        f"Method: {method['id']}, {method['why']}." if method["why"] else "",
        missing_sentence(facts["missing"], longest),
        facts["unread"]["sentence"],
        *facts["doubts"],
        labels_sentence(labels, longest) if labels else "",
    ]
    return [line for line in lines if line]
