"""Every option that a message recommends works on the table that made the message."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import tamis
from tamis.errors import TamisError

ADVICE = re.compile(r"\b(missing|task|exclude|k|held_out|include|categories|numbers)=")
NUMBERS = ["sfs", "laplacian", "pfs"]
BINNED = ["representatives", "greedy-fs"]
LABELLED = ["tree-importance", "wrapper-forward"]
COUNTED = ["chi2", "information-gain"]


def _frame(rows: int = 120, width: int = 6) -> pd.DataFrame:
    values = np.random.default_rng(0).standard_normal((rows, width)) @ np.triu(
        np.ones((width,) * 2)
    )
    return pd.DataFrame(values, columns=[f"c{j}" for j in range(width)])


def _few_gaps() -> pd.DataFrame:
    frame = _frame()
    frame.iloc[:9, 1] = np.nan
    return frame


def _many_gaps() -> pd.DataFrame:
    """Give a table of which dropping rows with missing values leaves 6 of 120."""
    frame = _frame()
    for j in range(6):
        frame.iloc[19 * j : 19 * (j + 1), j] = np.nan
    return frame


def _infinite() -> pd.DataFrame:
    frame = _frame()
    frame.iloc[3, 2] = np.inf
    return frame


def _with_text(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(place=np.where(np.arange(len(frame)) % 3 == 0, "north", "south"))


def _text_gaps() -> pd.DataFrame:
    frame = _with_text(_frame())
    frame.loc[:9, "place"] = None
    return frame


def _gapless_rows_lost() -> pd.DataFrame:
    frame = _frame()
    frame.iloc[::2, 0] = np.nan
    frame.iloc[1::2, 1] = np.nan
    return frame


def _classes(rows: int = 120, gone: int = 0) -> np.ndarray:
    labels = np.where(_frame(rows)["c0"] > 0, "a", "b").astype(object)
    labels[:gone] = None
    return labels


def _sparse(frame: pd.DataFrame) -> Any:
    return scipy.sparse.csr_array(frame.to_numpy())


def _cases() -> Iterator[Any]:
    """Give calls that are refused: the function, the table, what is asked."""
    tables = {"few": _few_gaps, "many": _many_gaps, "infinite": _infinite}
    for name, make in tables.items():
        for method in [*NUMBERS, *BINNED, *LABELLED, *COUNTED]:
            y = {"y": _classes()} if method in LABELLED + COUNTED else {}
            yield pytest.param(
                tamis.select, make(), {"k": 2, "method": method, **y}, id=f"{name}-{method}"
            )
        yield pytest.param(tamis.select, make(), {"k": 2}, id=f"{name}-default")
        yield pytest.param(tamis.extract, make(), {"k": 2}, id=f"{name}-extract")
        yield pytest.param(tamis.summarise, make(), {}, id=f"{name}-summarise")
        yield pytest.param(tamis.mutual_information, make(), {}, id=f"{name}-information")
        asked = {"methods": ["sfs"], "k": 2, "criteria": ["share"]}
        yield pytest.param(tamis.compare, make(), asked, id=f"{name}-compare")
        yield pytest.param(tamis.score, make(), {"columns": ["c0", "c3"]}, id=f"{name}-score")
    for method in BINNED:
        asked = {"k": 2, "method": method, "missing": "error"}
        yield pytest.param(tamis.select, _text_gaps(), asked, id=f"text-{method}")
    drop = {"k": 2, "missing": "drop"}
    for method in ["sfs", *BINNED]:
        asked = {**drop, "method": method}
        yield pytest.param(tamis.select, _gapless_rows_lost(), asked, id=f"none-left-{method}")
    for method in [*LABELLED, *COUNTED]:
        asked = {"k": 2, "method": method, "y": _classes(gone=9)}
        yield pytest.param(tamis.select, _frame(), asked, id=f"labels-{method}")
    few, many = _sparse(_few_gaps()), _sparse(_many_gaps())
    yield pytest.param(tamis.select, few, {"k": 2}, id="sparse-few")
    yield pytest.param(tamis.select, few, {"k": 2, "missing": "mean"}, id="sparse-mean")
    yield pytest.param(tamis.select, many, {"k": 2}, id="sparse-many")
    yield pytest.param(tamis.select, _sparse(_infinite()), {"k": 2}, id="sparse-infinite")
    empty = _frame().assign(c1=np.nan)
    yield pytest.param(tamis.select, empty, {"k": 2, "include": ["c1"]}, id="empty-included")
    numbers = {"k": 2, "y": np.random.default_rng(1).standard_normal(120)}
    for method in ["tree-importance", "chi2"]:
        asked = {**numbers, "method": method}
        yield pytest.param(tamis.select, _frame(), asked, id=f"task-{method}")


def _advised(sentence: str) -> list[tuple[str, Any]]:
    """Give the options that a sentence recommends, those it warns against left out."""
    sentence = re.sub(r"\([^()]* would leave [^()]*\)", "", sentence)
    advice = sentence.partition(": ")[2] or sentence
    found = []
    for match in ADVICE.finditer(advice):
        text = advice[match.end() :]
        value = re.match(r'"[^"]*"|\[[^\]]*\]|[\w.]+', text)
        assert value is not None, sentence
        found.append((match.group(1), eval(value.group())))
    return found


def _run(find: Any, data: Any, asked: dict[str, Any]) -> Any:
    return find(data, **{"missing": "error", **asked})


@pytest.mark.parametrize(("find", "data", "asked"), list(_cases()))
def test_what_an_error_recommends_works(find: Any, data: Any, asked: dict[str, Any]) -> None:
    with pytest.raises(TamisError) as refused:
        _run(find, data, asked)
    sentence, rows = str(refused.value), data.shape[0]
    for name, value in _advised(sentence):
        if name in asked and asked[name] == value:
            continue  # what was asked for, named again
        try:
            found = _run(find, data, {**asked, name: value})
        except TamisError as again:
            pytest.fail(f"{sentence}\n  {name}={value!r}: {again}")
        missing = getattr(found, "missing", None)
        if value == "drop" and missing is not None and "label" not in sentence:
            assert missing.used >= rows / 2, sentence


@pytest.mark.parametrize("method", ["sfs", *LABELLED, *COUNTED])
@pytest.mark.parametrize("make", [_infinite, _many_gaps])
def test_the_ways_out_name_what_there_is(make: Any, method: str) -> None:
    y = {"y": _classes()} if method != "sfs" else {}
    with pytest.raises(TamisError) as refused:
        tamis.select(make(), 2, method=method, missing="error", **y)
    said = _advised(str(refused.value))
    assert ("missing", "auto" if make is _infinite or method in COUNTED else "mean") in said
    assert ("missing", "drop") not in said


def _cautions(found: Any) -> list[tuple[str, Any]]:
    from tamis.presentation.prose.cautions import list_cautions
    from tamis.results.selection_facts import selection_facts

    rows = list_cautions(selection_facts(found))
    return [pair for row in rows for pair in _advised(f": {row.advice}")]


@pytest.mark.parametrize(("method", "gone"), [
    *((method, 0) for method in [*NUMBERS, *BINNED, *LABELLED, *COUNTED]),
    *((method, 4) for method in [*LABELLED, *COUNTED]),
])  # fmt: skip
@pytest.mark.parametrize("make", [_few_gaps, _many_gaps, lambda: _frame(12, 9)])
@pytest.mark.parametrize("drops", [True, False])
def test_what_the_report_recommends_works(make: Any, method: str, gone: int, drops: bool) -> None:
    data = make()
    lost = gone if drops and len(data) > 50 else 0
    y = {"y": _classes(len(data), lost)} if method in LABELLED + COUNTED else {}
    how = "drop" if drops else "category" if method in BINNED + COUNTED else "mean"
    try:
        found = tamis.select(data, 4, method=method, missing=how, **y)
    except TamisError:
        return  # 6 rows are too few for some methods
    for name, value in _cautions(found):
        asked = {"k": 4, "method": method, "missing": how, **y, name: value}
        again = tamis.select(data, **asked)
        if value == "drop":
            assert again.missing.used >= len(data) / 2
        if value in ("mean", "auto"):
            assert again.missing.used == len(data)


@pytest.mark.parametrize("method", ["forward", "sfs", "forward-regression", "mrmr"])
def test_a_number_found_by_the_rows_is_advised_only_where_it_can_be_asked_for(method: str) -> None:
    rng = np.random.default_rng(0)
    X, response = rng.standard_normal((60, 40)), method in ("forward-regression", "mrmr")
    y = {"y": X[:, 0] + rng.standard_normal(60)} if response else {}
    found = tamis.select(X, 25, method=method, held_out=True, **y)
    assert "Overfitted" in str(found)
    assert (("k", "auto") in _cautions(found)) == (not response)
    assert ('k="auto" finds' in str(found)) == (not response)
    if not response:
        assert tamis.select(X, "auto", method=method).k >= 1


@pytest.mark.parametrize("method", ["forward-regression", "mrmr", "tree-importance"])
def test_numbers_that_no_two_rows_share_are_a_response_or_the_way_out_works(method: str) -> None:
    X, y = np.random.default_rng(0).standard_normal((15, 5)), np.arange(15)
    try:
        tamis.select(X, 2, method=method, y=y)
    except TamisError as refused:
        (advised,) = _advised(str(refused))
        assert tamis.select(X, 2, method=method, y=y, **dict([advised])).k == 2


def test_labels_that_the_default_does_not_use_name_the_method_that_does() -> None:
    found = tamis.select(_frame(), 2, y=np.arange(120) % 2)
    assert 'method="forward-regression" chooses columns that predict them' in str(found)
    assert "21 classes" not in str(tamis.select(_frame(21), 2, y=np.arange(21)))


def test_a_sparse_table_and_missing_labels_are_not_to_be_filled() -> None:
    rows = _sparse(_few_gaps())
    assert _cautions(tamis.select(rows, 2, missing="drop")) == []
    found = tamis.select(_few_gaps(), 2, method="chi2", y=_classes(gone=15), missing="drop")
    assert ("missing", "auto") not in _cautions(found)
    assert "15 of 120 rows because of missing labels" in str(found)
