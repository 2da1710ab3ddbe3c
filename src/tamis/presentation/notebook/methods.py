"""The methods as a table for a notebook."""

from collections.abc import Sequence

from tamis.presentation.notebook.card import table
from tamis.registry import Method

__all__ = ["methods_html"]


def methods_html(methods: Sequence[Method]) -> str:
    """Write one row for each method."""
    head = ["id", "kind", "name", "what it does"]
    return table(head, [[one.id, one.kind, one.name, one.about] for one in methods])
