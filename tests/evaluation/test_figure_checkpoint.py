import json
from dataclasses import replace

import numpy as np
import pytest

import tamis
from tamis.evaluation import criteria

X = np.random.default_rng(0).standard_normal((60, 6)) @ np.triu(np.ones((6, 6)))
ASKED = {"k": [2, 3], "criteria": ["share", "held-out", "neighbours", "stability"]}


def figures(found):
    frame = found.frame
    return [frame[name].to_pylist() for name in frame.column_names]


def test_a_stopped_comparison_measures_only_what_is_missing(tmp_path, monkeypatch):
    path = tmp_path / "compare.json"
    methods = ["sfs", "pivoted-qr"]
    expected = tamis.compare(X, methods, **ASKED)
    tamis.compare(X, methods, checkpoint=path, **ASKED)
    kept = json.loads(path.read_text())
    del kept["scores"]["stability sfs"]
    path.write_text(json.dumps(kept))
    measured = []

    def watch(one):
        def measure(ground, trial, k):
            measured.append((one.id, trial.method.id, k))
            return one.measure(ground, trial, k)

        return replace(one, measure=measure)

    monkeypatch.setattr(criteria, "CRITERIA", tuple(map(watch, criteria.CRITERIA)))
    found = tamis.compare(X, methods, checkpoint=path, **ASKED)
    assert [one for one in measured if one[0] != "share"] == [
        ("stability", "sfs", 2),
        ("stability", "sfs", 3),
    ]
    assert figures(found) == figures(expected)


def test_the_file_of_another_table_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "compare.json"
    tamis.compare(X, ["sfs"], checkpoint=path, **ASKED)
    before = path.read_text()
    with pytest.raises(tamis.TamisError, match="belongs to another table"):
        tamis.compare(X + np.eye(60, 6), ["sfs"], checkpoint=path, **ASKED)
    assert path.read_text() == before
    path.write_text("[]")
    with pytest.raises(tamis.TamisError, match="is not a checkpoint of a comparison"):
        tamis.compare(X, ["sfs"], checkpoint=path, **ASKED)
    assert path.read_text() == "[]"
