import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from tamis.algorithms.information.tree import SpectralTree, spectral_tree
from tamis.presentation.scenes.trees import Dendrogram, dendrogram


def _random_tree(d: int, seed: int = 0) -> SpectralTree:
    rows = np.random.default_rng(seed).random((d, 3))
    return spectral_tree(np.exp(-((rows[:, None] - rows[None]) ** 2).sum(axis=2)))


def _named(tree: SpectralTree) -> tuple[list[str], dict[str, int]]:
    return [f"x{j}" for j in tree.order], {f"x{j}": int(n) for j, n in enumerate(tree.depth)}


def _caterpillar(d: int) -> tuple[list[str], dict[str, int]]:
    order = [f"x{j}" for j in range(d)]
    return order, {name: min(j + 1, d - 1) for j, name in enumerate(order)}


def _texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter("text")]


def _columns(texts: list[str]) -> int:
    """Count the columns that rows stand for."""
    folds = r"\N{HORIZONTAL ELLIPSIS} (?:\d+ of )?([\d,]+) (?:columns|kept)"
    folded = [re.fullmatch(folds, text) for text in texts]
    return sum(int(fold[1].replace(",", "")) if fold else 1 for fold in folded)


def _nested(node: Any) -> Any:
    return [_nested(child) for child in node.children] if node.children else node.name


@pytest.mark.parametrize("d", [2, 3, 17, 80])
def test_order_and_depths_give_back_the_tree_they_came_from(d: int) -> None:
    tree = _random_tree(d, seed=d)
    drawn = dendrogram(*_named(tree), path=["x0"], k=1)
    assert _nested(drawn.root) == tree.nested([f"x{j}" for j in range(d)])


def test_up_to_eighty_leaves_are_all_drawn_by_name_from_left_to_right() -> None:
    order, depth = _named(_random_tree(80))
    drawn = dendrogram(order, depth, path=order[:3], k=2)
    assert _texts(drawn.draw()) == order
    assert (drawn.leaves, drawn.folded, drawn.lost) == (80, 0, 0)


def test_kept_columns_are_marked_and_the_rest_of_the_path_can_be() -> None:
    order, depth = _caterpillar(6)
    svg = ElementTree.fromstring(dendrogram(order, depth, path=["x4", "x1", "x2"], k=2).draw())
    rows = {row.attrib["data-places"]: row for row in svg.iter("g")}
    assert {place: row.attrib["class"] for place, row in rows.items()} == {
        "1": "row kept",
        "2": "row kept",
        "3": "row",
    }
    assert rows["2"].find("text").text == "x1"
    assert all(row.find("circle") is not None for row in rows.values())


@pytest.mark.slow
@pytest.mark.parametrize("width", [340, 720])
@pytest.mark.parametrize(("d", "k"), [(81, 1), (300, 20), (300, 60), (2000, 30), (300, 150)])
def test_a_large_tree_is_folded_to_readable_rows_that_stand_for_all_columns(
    d: int, k: int, width: int
) -> None:
    order, depth = _named(_random_tree(d))
    path = np.random.default_rng(1).permutation(order)[: 2 * k].tolist()
    drawn = dendrogram(order, depth, path, k)
    texts = _texts(drawn.draw(width=width))
    assert len(texts) <= (80 if k <= 39 else 120 if k > 60 else 2 * k + 1)
    assert _columns(texts) == d
    kept = set(path[:k])
    if k <= 60:
        assert kept <= set(texts)
        assert drawn.lost == 0
    else:
        assert drawn.lost == len(kept - set(texts)) > 0
        assert sum(int(n) for n in re.findall(r"(\d+) of \d+ kept", " ".join(texts))) == drawn.lost
    assert drawn.folded == d - len(set(texts) & set(order))


def test_folds_stand_for_neighbours_and_leave_the_order_as_it_was() -> None:
    order, depth = _named(_random_tree(300))
    drawn = dendrogram(order, depth, path=order[10:200:10], k=19)
    at = 0
    for text in _texts(drawn.draw()):
        if text in depth:
            assert order[at] == text
        at += _columns([text])


def test_the_deepest_columns_are_folded_first() -> None:
    order, depth = _caterpillar(100)
    texts = _texts(dendrogram(order, depth, path=["x5"], k=1).draw())
    assert texts == [*order[:79], "\N{HORIZONTAL ELLIPSIS} 21 columns"]


def test_a_kept_column_at_the_end_of_a_long_chain_stays_in_sight() -> None:
    order, depth = _caterpillar(400)
    texts = _texts(dendrogram(order, depth, path=["x399", "x200"], k=2).draw())
    assert len(texts) == 80
    assert {"x399", "x200"} <= set(texts)
    assert _columns(texts) == 400


def _frame(drawn: Dendrogram, width: int) -> tuple[list[float], list[float]]:
    """Read all coordinates of the branches: across and down."""
    path = ElementTree.fromstring(drawn.draw(width=width)).find("path").attrib["d"]
    steps = re.findall(r"M([\d.]+) ([\d.]+)|H([\d.]+)|V([\d.]+)", path)
    return (
        [float(x or h) for x, _, h, _ in steps if x or h],
        [float(y or v) for _, y, _, v in steps if y or v],
    )


@pytest.mark.parametrize("width", [340, 720])
def test_a_chain_of_sixty_splits_fits_and_every_split_has_its_own_place(width: int) -> None:
    drawn = dendrogram(*_caterpillar(61), path=[], k=1)
    across, down = _frame(drawn, width)
    assert min(across) >= 0
    assert max(across) <= 0.95 * width
    assert max(down) <= 16 * 61
    assert len(set(across)) == 61  # sixty splits and the tips
    assert min(np.diff(sorted(set(across)))) > 2


@pytest.mark.parametrize("width", [340, 720])
def test_long_and_hostile_names_are_cut_and_escaped(width: int) -> None:
    names = ["<script>alert(1)</script>", '"&' * 60, " ", "b"]
    depth = dict.fromkeys(names, 2)
    svg = dendrogram(names, depth, path=names[:2], k=1).draw(width=width)
    assert "<script" not in svg
    texts = _texts(svg)
    assert texts[2:] == ["(no name)", "b"]
    tip = max(_frame(dendrogram(names, depth, names[:2], 1), width)[0], default=0)
    assert len(texts[1]) * 7.2 + tip <= width
    assert texts[1].endswith("\N{HORIZONTAL ELLIPSIS}")
