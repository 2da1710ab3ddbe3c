"""Pictures of the reports as SVG, for pages of your own, with the style sheet that they need."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from tamis.presentation.scenes.trees import dendrogram, search_tree

__all__ = ["draw_column_tree", "draw_search_tree", "read_style_sheet"]

_SHEETS = ("base.css", "trees.css")


def draw_search_tree(search: Mapping[str, Any], width: int = 720) -> str:
    """Draw the sets of columns that a search tried, level by level.

    Parameters
    ----------
    search
        What `Selection.to_dict()["evidence"]` has for "wrapper-forward" and "wrapper-backward".
    width
        Width of the drawing in pixels.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis import select
    >>> X = np.random.default_rng(0).standard_normal((40, 3))
    >>> found = select(X, method="wrapper-forward", y=X[:, 1] > 0)
    >>> draw_search_tree(found.to_dict()["evidence"])[:19]
    '<svg class="search"'
    """
    return search_tree(dict(search), width)


def draw_column_tree(
    order: Sequence[str], depth: Mapping[str, int], *, kept: Sequence[str] = (), width: int = 720
) -> str:
    """Draw a binary tree of columns, the kept ones marked.

    Parameters
    ----------
    order, depth
        The columns from left to right and how many edges each is from the root, as
        `Selection.tree` has them.
    kept
        Columns to mark, best first.
    width
        Width of the drawing in pixels.

    Examples
    --------
    >>> drawn = draw_column_tree(["a", "b", "c"], {"a": 1, "b": 2, "c": 2}, kept=["b"])
    >>> drawn[:17], drawn.count("<text")
    ('<svg class="tree"', 3)
    """
    return dendrogram(order, depth, kept, len(kept)).draw(width=width)


def read_style_sheet() -> str:
    """Give the style sheet of the reports, which colours the pictures on screen and paper.

    Examples
    --------
    >>> "--accent" in read_style_sheet()
    True
    """
    folder = files("tamis.presentation.page")
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in _SHEETS)
