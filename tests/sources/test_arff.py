"""ARFF files: dense and sparse rows, categories, missing values."""

from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources.open import open_source

HEADER = """% made by hand
@RELATION 'a table'
@attribute len numeric
@attribute 'a width' REAL
@attribute kind {small, 'very large', "x"}
@attribute note string
@attribute day date "yyyy-MM-dd"
@DATA
"""


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def made(text: str, name: str = "t.arff") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return made


def test_dense_rows_are_read_with_categories_and_missing_values(write: Any) -> None:
    rows = "1,2.5,small,'it, is',2024-05-01\n?,3,'very large',?,?\n% no row\n\n4,?,?,b,2024-05-02\n"
    source = open_source(write(HEADER + rows))
    assert source.names == ("len", "a width", "kind", "note", "day")
    assert source.kinds == ("numeric", "numeric", "categorical", "categorical", "other")
    assert source.pick(range(5)).to_pydict() == {
        "len": [1, None, 4],
        "a width": [2.5, 3, None],
        "kind": ["small", "very large", None],
        "note": ["it, is", None, "b"],
        "day": [datetime(2024, 5, 1), None, datetime(2024, 5, 2)],
    }


def test_sparse_rows_have_zeros_and_first_categories_where_nothing_is_written(write: Any) -> None:
    source = open_source(write(HEADER + "{0 7, 2 'very large'}\n{1 ?, 3 'a b'}\n{}\n"))
    assert source.pick(range(4)).to_pydict() == {
        "len": [7, 0, 0],
        "a width": [0, None, 0],
        "kind": ["very large", "small", "small"],
        "note": [None, "a b", None],
    }


def test_kinds_and_answer_are_those_of_a_frame(tmp_path: Path, numbers: np.ndarray) -> None:
    frame = pd.DataFrame(numbers[:, :4], columns=list("abcd"))
    frame["group"] = pd.Categorical(["x", "y", "z", "y"] * (len(frame) // 4))
    lines = ["@relation r", *(f"@attribute {name} numeric" for name in "abcd")]
    lines += ["@attribute group {x,y,z}", "@data"]
    lines += [",".join(map(str, row)) for row in frame.to_numpy()]
    (tmp_path / "t.arff").write_text("\n".join(lines))
    source = open_source(tmp_path / "t.arff")
    assert source.kinds == open_source(frame).kinds
    assert tamis.select(tmp_path / "t.arff", 2).names == tamis.select(frame, 2).names


def test_rows_come_in_batches_of_bounded_size(write: Any) -> None:
    head = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n"
    path = write(head + "".join(f"{i},{i % 7}\n" for i in range(30_000)))
    with limit_memory(1 << 22):
        sizes = [len(batch) for batch in open_source(path).batches([0, 1])]
    assert sum(sizes) == 30_000
    assert max(sizes) < 10_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEADER + "1,2,small,x\n", r"Line 9 of t\.arff has 4 values where there are 5 attributes"),
        (HEADER + "1,a,small,x,?\n", r"Line 9 of t\.arff has 'a' in 'a width' where numbers"),
        (HEADER + "1,2,huge,x,?\n", r"Line 9 of t\.arff has 'huge' in 'kind', which is not one of"),
        (HEADER + "1,2,small,x,soon\n", "where dates are needed"),
        (HEADER + "{9 1}\n", "no position and value of a sparse row"),
        (HEADER.replace("REAL", "relational"), "has the type 'relational'"),
        (HEADER.replace("@DATA", ""), "has no @data"),
        ("a,b\n1,2\n", "no line of an ARFF header"),
        ("@relation r\n@data\n1\n", "no @attribute before @data: name its columns"),
        ("@relation r\n@attribute a\n", "with a name and a type .*: write both"),
    ],
)
def test_what_is_wrong_is_said_by_line(write: Any, text: str, reason: str) -> None:
    with pytest.raises(TamisError, match=reason):
        open_source(write(text)).pick(range(5))


def test_the_weight_of_a_row_is_no_value(write: Any) -> None:
    source = open_source(write(HEADER + "1,2,small,x,?, {0.5}\n"))
    assert source.pick([0]).column(0).to_pylist() == [1]
