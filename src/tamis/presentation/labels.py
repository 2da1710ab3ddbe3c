"""How the labels of a table are spoken of."""

from typing import Any

from tamis.presentation.names import cut

__all__ = ["labels_sentence"]

_CLASSES = 6
_LONGEST = 60


def labels_sentence(facts: dict[str, Any]) -> str:
    """Say what the labels are, and whether the method used them.

    >>> facts = {"column": "kind", "task": "auto", "counts": {"a": 5, "b": 7}, "used": True}
    >>> labels_sentence({**facts, "method": "chi2"})
    "Labels: 'kind', 2 classes (a 5, b 7)."
    >>> labels_sentence({**facts, "method": "sfs", "used": False})
    "Labels: 'kind', 2 classes (a 5, b 7). Method sfs does not use them; they are only shown here."
    """
    counts = facts["counts"]
    where = "" if facts["column"] is None else f" {cut(facts['column'], _LONGEST)!r},"
    if facts["task"] == "regression" or len(counts) > _CLASSES * 4:
        what = f"{len(counts):,} distinct values"
    else:
        shown = [f"{cut(name, _LONGEST)} {rows:,}" for name, rows in list(counts.items())]
        more = ", ..." if len(shown) > _CLASSES else ""
        classes = "1 class" if len(counts) == 1 else f"{len(counts):,} classes"
        what = f"{classes} ({', '.join(shown[:_CLASSES])}{more})"
    unused = f" Method {facts['method']} does not use them; they are only shown here."
    return f"Labels:{where} {what}.{'' if facts['used'] else unused}"
