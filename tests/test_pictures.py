"""Pictures for pages of others are those of the reports."""

import numpy as np
import pytest

import tamis
from tamis.pictures import draw_column_tree, draw_search_tree, read_style_sheet


@pytest.mark.parametrize("method", ["wrapper-forward", "wrapper-backward"])
def test_a_search_is_drawn_from_what_a_selection_gives(method, numbers):
    found = tamis.select(numbers, method=method, y=numbers[:, 1] > 0)
    search = found.to_dict()["evidence"]
    drawn = draw_search_tree(search, width=340)
    assert 'viewBox="0 0 342 ' in drawn
    taken = sum(one["taken"] for level in search["levels"] for one in level["sets"])
    assert drawn.count('<g class="taken">') == taken > 0


def test_a_tree_of_columns_marks_the_kept_ones(numbers):
    found = tamis.select(numbers, 3, method="rspfs")
    tree = found.tree
    drawn = draw_column_tree(tree.order, tree.depth, kept=found.names)
    assert drawn.count("row kept") == 3
    assert draw_column_tree(tree.order, tree.depth).count("row kept") == 0
    assert all(name in drawn for name in tree.order)


def test_the_style_sheet_has_what_the_pictures_use():
    sheet = read_style_sheet()
    assert all(part in sheet for part in (".search .taken", ".tree .kept", "--accent:", "dark"))


def test_nested_says_whether_fewer_columns_are_the_first_of_these(numbers):
    forward, sets = (tamis.select(numbers, 4, method=method) for method in ("sfs", "pfa"))
    assert (forward.nested, sets.nested) == (True, False)
    np.testing.assert_array_equal(
        tamis.select(numbers, 2, method="sfs").indices, forward.indices[:2]
    )
