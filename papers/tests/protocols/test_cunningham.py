import json

from tamis.pictures import draw_search_tree
from tamis_papers.protocols.cunningham import PROTOCOLS

FIGURE_2, FIGURE_7, FIGURE_9, DIRECTIONS = PROTOCOLS


def test_without_results_nothing_is_judged():
    for protocol in PROTOCOLS:
        assert not protocol.figures({})
        assert not protocol.drawings({})
        assert {claim.verdict for claim in protocol.claims({})} == {"cannot be judged"}


def test_backward_elimination_keeps_a_and_b_after_ten_of_sixteen_sets():
    (cell,) = FIGURE_9.cells(True)
    found = {cell.key: json.loads(json.dumps(cell.compute()))}
    tree = found[cell.key]["tree"]
    assert sorted(tree["kept"]) == ["A", "B"]
    assert tree["evaluations"] == 10
    taken = [one["column"] for level in tree["levels"] for one in level["sets"] if one["taken"]]
    assert taken == ["C", "D"]
    assert [f.reproduced for f in FIGURE_9.figures(found)] == [True, True, None]
    (claim,) = FIGURE_9.claims(found)
    assert claim.verdict == "holds"
    (drawing,) = FIGURE_9.drawings(found)
    assert drawing.kind == "tree"
    assert "76.0%" in draw_search_tree(drawing.tree)
