"""How the labels of a table are spoken of."""

from typing import Any

from tamis.presentation.names import LONGEST, cut

__all__ = ["labels_sentence"]

_CLASSES = 6


def labels_sentence(facts: dict[str, Any], longest: int = LONGEST) -> str:
    """Say what the labels are, and whether the method used them.

    The name of their column has at most `longest` characters.

    >>> facts = {"column": "kind", "task": "auto", "counts": {"a": 5, "b": 7}, "used": True}
    >>> labels_sentence({**facts, "method": "chi2"})
    "Labels: 'kind', 2 classes (a 5, b 7)."
    >>> labels_sentence({**facts, "method": "sfs", "used": False})
    "Labels: 'kind', 2 classes (a 5, b 7). Method sfs does not use them; they are only shown here."
    """
    counts = facts["counts"]
    where = "" if facts["column"] is None else f" {cut(facts['column'], longest)!r},"
    if facts["task"] == "regression" or len(counts) > _CLASSES * 4:
        what = f"{len(counts):,} distinct values"
    else:
        shown = [f"{cut(name, LONGEST)} {rows:,}" for name, rows in list(counts.items())]
        more = ", ..." if len(shown) > _CLASSES else ""
        classes = "1 class" if len(counts) == 1 else f"{len(counts):,} classes"
        what = f"{classes} ({', '.join(shown[:_CLASSES])}{more})"
    unused = f" Method {facts['method']} does not use them; they are only shown here."
    return f"Labels:{where} {what}.{'' if facts['used'] else unused}"
