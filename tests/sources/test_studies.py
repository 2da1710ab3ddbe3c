"""Files of SPSS, Stata and SAS: labels, missing codes, dates, chunks."""

import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources import studies
from tamis.sources.open import open_source

pyreadstat = pytest.importorskip("pyreadstat")

WRITERS = {".sav": "write_sav", ".zsav": "write_sav", ".dta": "write_dta", ".xpt": "write_xport"}


def _frame(rows: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "x": rng.normal(size=rows).round(3),
            "y": rng.normal(size=rows).round(3),
            "item": rng.integers(1, 6, rows).astype(float),
            "sex": rng.integers(1, 3, rows).astype(float),
            "who": [f"p{i % 7}" for i in range(rows)],
        }
    )


def _written(folder: Path, suffix: str, frame: pd.DataFrame, **more: Any) -> Path:
    path = folder / f"t{suffix}"
    packed = {"compress": True} if suffix == ".zsav" else {}
    vars(pyreadstat)[WRITERS[suffix]](frame, str(path), **packed, **more)
    return path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_gives_the_values_and_the_kinds_of_the_frame(
    tmp_path: Path, suffix: str
) -> None:
    frame = _frame()
    source = open_source(_written(tmp_path, suffix, frame))
    assert source.kinds == open_source(frame).kinds
    read = source.pick(range(5)).to_pandas()
    np.testing.assert_allclose(read[["x", "y", "item"]], frame[["x", "y", "item"]])
    assert read["who"].tolist() == frame["who"].tolist()


@pytest.mark.usefixtures("here")
def test_labels_make_categories_of_nominal_codes_only(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        ".sav",
        _frame(),
        variable_value_labels={
            "sex": {1: "male", 2: "female"},
            "item": {i: f"{i} of 5" for i in range(1, 6)},
        },
        variable_measure={"sex": "nominal", "item": "ordinal"},
        column_labels={"item": "How often do you worry?"},
    )
    source = open_source(path)
    assert dict(zip(source.names, source.kinds, strict=True))["sex"] == "categorical"
    assert dict(zip(source.names, source.kinds, strict=True))["item"] == "numeric"
    assert set(source.pick([3]).column(0).to_pylist()) == {"male", "female"}
    assert source.info.texts == {"item": "How often do you worry?"}
    assert not source.info.doubts


@pytest.mark.usefixtures("here")
def test_a_code_without_a_label_far_down_makes_numbers_of_the_column(tmp_path: Path) -> None:
    frame = _frame(60)
    frame.loc[59, "sex"] = 7.0
    labels = {"sex": {1: "male", 2: "female"}}
    path = _written(tmp_path, ".dta", frame, variable_value_labels=labels)
    assert open_source(path).kinds[3] == "numeric"


@pytest.mark.usefixtures("here")
def test_codes_of_a_file_without_measures_are_categories_and_that_is_said(tmp_path: Path) -> None:
    labels = {"sex": {1: "male", 2: "female"}}
    source = open_source(_written(tmp_path, ".dta", _frame(), variable_value_labels=labels))
    assert source.kinds[3] == "categorical"
    assert "'sex'" in source.info.doubts[0]


@pytest.mark.usefixtures("here")
def test_codes_declared_as_missing_are_missing(tmp_path: Path) -> None:
    frame = _frame()
    frame.loc[[1, 2], "item"] = [99.0, 98.0]
    path = _written(tmp_path, ".sav", frame, missing_ranges={"item": [{"lo": 98, "hi": 99}]})
    values = open_source(path).pick([2]).column(0).to_pylist()
    assert values[1:3] == [None, None]
    assert None not in values[3:]


@pytest.mark.usefixtures("here")
def test_dates_are_no_numbers(tmp_path: Path) -> None:
    frame = _frame().assign(day=date(2024, 5, 1))
    source = open_source(_written(tmp_path, ".sav", frame))
    assert source.kinds[-1] == "other"
    assert source.pick([5]).column(0).to_pylist()[0].date() == date(2024, 5, 1)


@pytest.mark.usefixtures("here")
def test_rows_come_in_chunks_and_the_answer_is_that_of_the_frame(
    tmp_path: Path, numbers: np.ndarray
) -> None:
    frame = pd.DataFrame(numbers, columns=[f"v{j}" for j in range(numbers.shape[1])])
    path = _written(tmp_path, ".sav", frame)
    with limit_memory(1 << 16):
        blocks = list(open_source(path).batches(range(frame.shape[1])))
    assert len(blocks) > 1
    np.testing.assert_array_equal(np.concatenate(blocks), numbers)
    assert tamis.select(path, 3).names == tamis.select(frame, 3).names


def test_a_file_of_another_kind_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for suffix in (".sav", ".sas7bdat"):
        (tmp_path / f"t{suffix}").write_text("a,b\n1,2\n")
        with pytest.raises(TamisError, match="damaged or not what its suffix says"):
            open_source(tmp_path / f"t{suffix}")


def test_without_the_package_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.sav").write_text("x")
    monkeypatch.setattr(studies, "find_spec", lambda _: None)
    with pytest.raises(TamisError, match=r"pip install 'tamis\[studies\]'"):
        open_source(tmp_path / "t.sav")


def test_a_file_that_crashes_the_library_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.sav").write_text("x")
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    start = subprocess.Popen
    monkeypatch.setattr(
        "subprocess.Popen", lambda _, **how: start([sys.executable, "-c", crash], **how)
    )
    with pytest.raises(TamisError, match="its parts do not fit together"):
        open_source(tmp_path / "t.sav")
