import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.columns.judgement import TableJudgement
from tamis.errors import TamisError
from tamis.sources.open import open_source
from tamis.statistics import collect
from tamis.statistics.collect import has_blocks


@pytest.fixture
def lab():
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(10, 2, (3, 200)).round(2)
    frame = pd.DataFrame({"nr": range(1, 201), "a": a, "b": b, "c": c, "sum": (a + b).round(2)})
    frame["iron"] = [f"{x + rng.normal():.3f}" for x in c]
    frame.loc[::9, "iron"] = "."
    frame.loc[::20, "c"] = -999.0
    frame["note"] = [f"came at {i} with a friend" for i in range(200)]
    return frame


def test_the_first_answer_reads_marks_and_keeps_no_key(lab, tmp_path):
    lab.to_csv(tmp_path / "lab.csv", index=False)
    for data in (lab, tmp_path / "lab.csv"):
        found = tamis.select(data, 3, missing="auto")
        assert found.request.method.id == "forward"
        assert set(found.skipped) == {"nr", "note"}
        shares = found.to_dict()["missing"]["shares"]
        assert shares == pytest.approx({"iron": 23 / 200, "c": 10 / 200})
        assert len(found.to_dict()["doubts"]) <= 6


def test_every_guess_can_be_undone(lab):
    asked = {"missing": "auto", "method": "sfs", "k": 2}
    assert "nr" not in tamis.select(lab, numbers=["nr"], **asked).skipped
    assert "c" not in tamis.select(lab, na="none", **asked).to_dict()["missing"]["shares"]
    assert "c" not in tamis.select(lab, na=["c=none"], **asked).to_dict()["missing"]["shares"]
    assert "iron" in tamis.select(lab, categories=["iron"], **asked).skipped


def test_values_are_missing_where_the_user_says_so(lab):
    lab["d"] = np.where(np.arange(200) % 8 == 0, 7.0, lab["a"])
    one = tamis.select(lab, 2, na=["d=7"], missing="auto", method="sfs")
    assert one.to_dict()["missing"]["shares"]["d"] == pytest.approx(25 / 200)
    with pytest.raises(TamisError, match="no column 'dd'"):
        tamis.select(lab, 2, na=["dd=7"])


def test_a_second_reading_is_the_same_as_the_first(lab, tmp_path):
    lab.to_csv(tmp_path / "lab.csv", index=False)
    found = tamis.select(tmp_path / "lab.csv", 2, missing="mean", method="sfs")
    assert 0 < found.held_out[-1] < 1


def test_labels_and_named_columns_stay_what_they_are(lab):
    lab["y"] = np.arange(200)
    found = tamis.select(lab, 2, y="y", include=["nr"], missing="auto", method="sfs")
    assert found.skipped["y"] == "the labels"
    assert found.names[0] == "nr"


def test_amounts_written_as_text_are_no_classes_of_a_target(lab, tmp_path):
    method = "forward-regression"
    lab["paid"] = [f"€{1000 + 100 * x:,.0f}" for x in lab["a"]]
    lab.to_csv(tmp_path / "lab.csv", index=False)
    for data in (lab, tmp_path / "lab.csv"):
        found = tamis.select(data, 2, y="paid", method=method)
        assert found.held_out[0] > 0.99  # a number, and nearly the column 'a'
        assert any("'paid'" in one for one in found.to_dict()["doubts"])
        both = tamis.select(data, 2, y=["paid", "iron"], method=method, missing="drop")
        tasks = [one["task"] for one in both.to_dict()["labels"]["responses"]]
        assert tasks == ["regression", "regression"]
    lab["dose"] = np.array(["10%", "20%", "30%"])[np.arange(200) % 3]
    found = tamis.select(lab, 2, y="dose", method=method)
    assert len(found.to_dict()["labels"]["counts"]) == 3


def test_an_array_is_analysed_as_it_is():
    table = np.column_stack([np.arange(50.0), np.random.default_rng(0).normal(size=(50, 2))])
    assert tamis.select(table, 2).skipped == {}


def test_keys_are_copied_to_the_output(lab, tmp_path):
    from tamis.cli import main

    lab.to_csv(tmp_path / "lab.csv", index=False)
    out = tmp_path / "out.csv"
    main(["select", str(tmp_path / "lab.csv"), "-k", "2", "--missing", "auto", "-o", str(out)])
    columns = list(pd.read_csv(out).columns)
    assert columns[:2] == ["nr", "note"]
    assert len(columns) == 4


def test_extract_reads_columns_as_select_does(tmp_path):
    rng = np.random.default_rng(8)
    rows = [f"s{i},{i + 100 * rng.random():.3f},{rng.normal():.3f},<0.5" for i in range(60)]
    rows += [f"s{60 + i},-999,{rng.normal():.3f},{rng.gamma(2):.3f}" for i in range(30)]
    path = tmp_path / "t.csv"
    path.write_text("sample_id,a,b,c\n" + "\n".join(rows) + "\n")
    found = tamis.extract(path, 2)
    assert found.columns == ["a", "b", "c"]
    assert found.missing.shares == {"a": 30 / 90}
    np.testing.assert_allclose(found.transform(path), found.transform(pd.read_csv(path)))
    assert tamis.extract(path, 2, na=["a=none"]).missing.shares == {}


def test_a_code_for_missing_in_a_target_is_no_value():
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(rng.normal(size=(200, 4)), columns=list("abcd"))
    frame["y"] = (frame["a"] + 0.1 * rng.normal(size=200)).round(3)
    frame.loc[::20, "y"] = -999.0
    options = {"method": "forward-regression", "y": "y", "missing": "drop"}
    found = tamis.select(frame, 1, **options)
    assert found.names == ["a"]
    assert found.retained > 0.95
    assert any("-999 is taken as missing in column 'y'" in doubt for doubt in found.request.doubts)
    assert tamis.select(frame, 1, na=["y=none"], **options).retained < 0.5


@pytest.mark.parametrize("k", [None, 1, 2])
@pytest.mark.parametrize("kept", [["value"], []])
def test_a_row_number_is_not_kept_where_nothing_else_is_left_to_choose(kept, k):
    rng, n = np.random.default_rng(3), 40
    rows = pd.DataFrame({"rownames": np.arange(1, n + 1), "year": 1900 + np.arange(n)})
    rows["value"] = np.cumsum(rng.normal(size=n)) + np.arange(n)
    left = "one column is left \\('value'\\)" if kept else "no column is left"
    with pytest.raises(TamisError, match=f"{left}, nothing to choose; 'rownames' is set aside"):
        tamis.select(rows[["rownames", "year", *kept]], k)
    found = tamis.select(rows, 1, columns=["rownames", "value"])
    assert found.names == ["rownames"]  # named, it is analysed


def test_names_of_rows_that_look_like_decimals_are_no_measurement():
    rng = np.random.default_rng(4)
    rows = pd.DataFrame(rng.normal(size=(30, 3)), columns=list("abc"))
    rows.insert(0, "rownames", np.arange(30) // 4 + 1 + (np.arange(30) % 4 + 1) / 10)
    assert tamis.select(rows, 2).skipped["rownames"] == "names of the rows"
    rows["rownames"] = [float(f"{1978 + i // 12}.{i % 12 + 1}") for i in range(30)]  # .1 is .10
    assert not rows["rownames"].is_unique
    assert tamis.select(rows, 2).skipped["rownames"] == "names of the rows"


@pytest.mark.parametrize(
    ("rows", "columns"), [(50, 12_000), pytest.param(200, 20_000, marks=pytest.mark.nightly)]
)
def test_a_wide_file_has_room_for_folds_once_its_rows_are_counted(rows, columns, tmp_path):
    lines = [",".join(f"g{j}" for j in range(columns)), *[",".join(["1.5"] * columns)] * rows]
    (tmp_path / "wide.csv").write_text("\n".join(lines))
    source = open_source(tmp_path / "wide.csv")
    assert source.n_rows is None
    assert not has_blocks(source, columns, None)
    prepared = TableJudgement(rows).apply(source)
    assert has_blocks(prepared, columns, None)


def test_a_wide_table_is_measured_on_new_rows_from_every_kind_of_source(tmp_path, monkeypatch):
    monkeypatch.setattr(collect, "fits_in", lambda *_: False)  # as of 20,000 columns
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(40, 3)) @ rng.normal(size=(3, 90)) + rng.normal(size=(40, 90))).round(3)
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(90)])
    frame.to_csv(tmp_path / "wide.csv", index=False)
    frame.to_parquet(tmp_path / "wide.parquet")
    written, stored, held, array = (
        tamis.select(data, 4)
        for data in (tmp_path / "wide.csv", tmp_path / "wide.parquet", frame, X)
    )
    assert "on new rows" in written.to_dict()["sentence"]
    for other in (stored, held, array):
        assert other.indices.tolist() == written.indices.tolist()
        assert other.to_dict()["sentence"] == written.to_dict()["sentence"]
