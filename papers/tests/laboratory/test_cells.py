import json
from functools import partial

import pytest
from papers.tests.toys import mean_of, noise

from tamis_papers.laboratory.cells import Answer, CellFile, list_sources, make_plain, mark_cell
from tamis_papers.laboratory.protocol import Cell

DONE = Answer("toy", "a", "m1", {"values": [0.1, 0.2]}, 1.5)


def test_what_is_kept_is_read_again(tmp_path):
    path = tmp_path / "cells.jsonl"
    file = CellFile(path)
    file.keep(DONE)
    file.keep(Answer("toy", "b", "m2", {"value": float("nan")}))
    found = CellFile(path).known
    assert vars(found["m1"]) == vars(DONE)
    assert found["m2"].answer["value"] != found["m2"].answer["value"]


@pytest.mark.parametrize("lost", [1, 5, 30])
def test_a_line_that_was_cut_off_is_ignored_and_does_not_harm_the_next(tmp_path, lost):
    path = tmp_path / "cells.jsonl"
    CellFile(path).keep(DONE)
    CellFile(path).keep(Answer("toy", "b", "m2", {}))
    path.write_bytes(path.read_bytes()[:-lost])
    file = CellFile(path)
    # Without its last line end alone, a line is still complete.
    assert set(file.known) == ({"m1"} if lost > 1 else {"m1", "m2"})
    file.keep(Answer("toy", "c", "m3", {}))
    assert {"m1", "m3"} <= set(CellFile(path).known)


def test_lines_that_are_no_answers_are_ignored(tmp_path):
    path = tmp_path / "cells.jsonl"
    path.write_text('[1]\n{"some": "thing"}\n"text"\n' + json.dumps(vars(DONE)) + "\n")
    assert not CellFile(path).known
    CellFile(path).keep(DONE)
    assert set(CellFile(path).known) == {"m1"}


def test_a_line_that_was_changed_is_computed_again(tmp_path):
    path = tmp_path / "cells.jsonl"
    CellFile(path).keep(DONE)
    whole = path.read_bytes()
    places = range(0, len(whole) - 1, 7)
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert not CellFile(path).known


def test_without_a_file_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CellFile(None).keep(DONE)
    assert not list(tmp_path.iterdir())


def test_other_work_tables_or_protocols_have_other_marks():
    cell = Cell("a", partial(mean_of, 1), ("t",))
    marks = [
        mark_cell("toy", cell, {"t": "x"}),
        mark_cell("toy", cell, {"t": "y"}),
        mark_cell("other", cell, {"t": "x"}),
        mark_cell("toy", Cell("b", cell.compute, ("t",)), {"t": "x"}),
        mark_cell("toy", Cell("a", partial(mean_of, 2), ("t",)), {"t": "x"}),
        mark_cell("toy", Cell("a", partial(noise, 1), ("t",)), {"t": "x"}),
        mark_cell("toy", Cell("a", partial(noise, seed=1), ("t",)), {"t": "x"}),
    ]
    assert len(set(marks)) == len(marks)
    assert mark_cell("toy", Cell("a", partial(mean_of, 1), ("t",)), {"t": "x"}) == marks[0]


def test_what_is_no_plain_value_is_refused():
    with pytest.raises(TypeError, match="must be plain values, not set"):
        make_plain({"a": {1, 2}})


def test_a_mark_depends_on_all_that_computes_and_on_nothing_that_only_shows():
    parts = {(path.parent.name, path.name) for path in list_sources()}
    computing = [
        *(("tamis", "errors.py"), ("api", "select.py"), ("run", "selection.py")),
        *(("forward", "sfs.py"), ("statistics", "collect.py"), ("rules", "tolerances.py")),
        *(("evaluation", "held_out.py"), ("protocols", "yen_table_2.py")),
        ("laboratory", "order.py"),
    ]
    assert not set(computing) - parts
    assert not [path for path in list_sources() if {"presentation", "cli", "views"} & {*path.parts}]
