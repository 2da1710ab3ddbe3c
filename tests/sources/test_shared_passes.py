"""A text file is parsed once for all that one question asks of it, and never more than fits."""

import os
from collections import Counter

import numpy as np
import pytest

import tamis
from tamis.cli import main
from tamis.errors import TamisError
from tamis.sources import delimited, shared_passes
from tamis.sources.open import open_source
from tamis.sources.shared_passes import open_once, read_once, share_passes


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) @ rng.normal(size=(3, 8)) + rng.normal(size=(300, 8))
    lines = [",".join([*(f"c{j}" for j in range(8)), "colour"])]
    colours = np.array(["red", "green", "blue"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 1)]
    lines += [",".join([*map(str, row), c]) for row, c in zip(X.tolist(), colours, strict=True)]
    mixed, numbers = tmp_path / "mixed.csv", tmp_path / "numbers.csv"
    mixed.write_text("\n".join(lines))
    numbers.write_text("\n".join(line.rsplit(",", 1)[0] for line in lines))
    return {"mixed": mixed, "numbers": numbers}


@pytest.fixture
def passes(monkeypatch):
    """Count how often a file is opened to see what it is, and how often all of it is parsed."""
    found = Counter()

    def counted(name):
        inner = getattr(delimited.DelimitedSource, name)

        def call(*given, **asked):
            found[name] += 1
            return inner(*given, **asked)

        monkeypatch.setattr(delimited.DelimitedSource, name, call)

    counted("_top")
    counted("_parse")
    return found


@pytest.mark.parametrize("kind", ["numbers", "mixed"])
def test_a_selection_with_its_report_looks_at_a_file_once_and_parses_it_once(
    kind, table, passes, tmp_path, capsys
):
    main(["select", str(table[kind]), "-k", "3", "--report", str(tmp_path / "out.html")])
    capsys.readouterr()
    assert passes == {"_top": 1, "_parse": 1}


@pytest.mark.parametrize("kind", ["numbers", "mixed"])
def test_answers_are_the_same_where_nothing_fits(kind, table, passes, monkeypatch):
    shared = tamis.select(str(table[kind]), k=4)
    parsed = passes["_parse"]
    monkeypatch.setattr(shared_passes, "MAX_SHARED_BYTES", 0)
    streamed = tamis.select(str(table[kind]), k=4)
    assert passes["_parse"] - parsed > parsed == 1
    assert shared.names == streamed.names
    np.testing.assert_array_equal(shared.curve.retained, streamed.curve.retained)
    np.testing.assert_array_equal(shared.held_out, streamed.held_out)


def test_a_file_that_changes_is_not_taken_from_what_was_parsed(table):
    path = table["numbers"]
    with share_passes():
        source = open_source(str(path))
        before = np.concatenate(list(source.batches([0])))
        path.write_text(path.read_text().replace("c0", "z0") + "\n" + ",".join("7" * 8))
        os.utime(path, ns=(1, 1))
        with pytest.raises(TamisError, match="changed while it was read"):
            list(source.batches([0]))
        again = open_source(str(path))
        after = np.concatenate(list(again.batches([0])))
    assert again.names[0] == "z0"
    assert len(after) == len(before) + 1


def test_what_is_learnt_of_a_file_in_one_place_is_not_known_in_another(table):
    with share_passes():
        first = open_source(str(table["numbers"]))
        first.info = first.info.with_doubts(["It is odd."])
        assert open_source(str(table["numbers"])).info.doubts == ()


def test_nothing_is_shared_without_a_question_nor_after_it():
    made = []
    for _ in range(2):
        with share_passes():
            for _ in range(3):
                open_once("key", lambda: made.append(1) or object())
        open_once("key", lambda: made.append(1) or object())
    assert len(made) == 4


def test_a_pass_over_a_large_file_that_stops_early_holds_nothing():
    import pyarrow as pa

    read = []

    def parse():
        for value in range(3):
            read.append(value)
            yield pa.RecordBatch.from_arrays([pa.array([value])], ["a"])

    size = shared_passes.MAX_SMALL_FILE + 1
    with share_passes():
        next(read_once(["a"], ["a"], size, parse))
        assert read == [0]
        for _ in range(2):
            batches = [
                batch.column(0).to_pylist() for batch in read_once(["a"], ["a"], size, parse)
            ]
            assert batches == [[0], [1], [2]]
    assert read == [0, 0, 1, 2]


def test_a_small_packed_file_is_held_only_as_far_as_it_fits(monkeypatch):
    import pyarrow as pa

    monkeypatch.setattr(shared_passes, "MAX_SHARED_BYTES", 2_000)
    read = []

    def parse():
        for value in range(50):
            read.append(value)
            yield pa.RecordBatch.from_arrays([pa.array([value] * 100)], ["a"])

    with share_passes():
        for _ in range(2):
            batches = read_once(["a"], ["a"], 100, parse)
            first = next(batches)
            assert len(read) < 5
            values = [batch.column(0)[0].as_py() for batch in (first, *batches)]
            assert values == list(range(50)) == read
            read.clear()
