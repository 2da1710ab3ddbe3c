"""How the labels of a table are spoken of."""

from typing import Any

from tamis.presentation.names import LONGEST, cut

__all__ = ["labels_sentence"]

_CLASSES = 6
_FIRM = 0.8  # adjusted Rand index: clusters that agree less are others in each half


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
    if facts.get("clusters") is not None:
        return _clusters_sentence(counts, facts["clusters"])
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


def _clusters_sentence(counts: dict[str, int], clusters: dict[str, Any]) -> str:
    """Say what the clusters are that stand for labels, and how firm they are.

    >>> quality = {"columns": 9, "rule": "silhouette", "seeds": 1.0, "halves": 0.41}
    >>> _clusters_sentence({"cluster 1": 5, "cluster 2": 7}, quality)
    'Labels: 2 clusters of the rows (5, 7), ... The clusters are not stable, so ...'
    """
    sizes = ", ".join(f"{rows:,}" for rows in counts.values())
    on = f"{clusters['columns']:,} standardised column{'' if clusters['columns'] == 1 else 's'}"
    said = (
        f"Labels: {len(counts)} clusters of the rows ({sizes}), made by K-means on {on}, their "
        f"number by {clusters['rule']} widths. Agreement (adjusted Rand index): "
        f"{clusters['seeds']:.2f} with other random seeds, {clusters['halves']:.2f} between halves "
        "of the rows."
    )
    weak = min(clusters["seeds"], clusters["halves"]) < _FIRM
    return said + (" The clusters are not stable, so the columns may rank noise." if weak else "")
