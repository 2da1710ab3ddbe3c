from types import SimpleNamespace

import numpy as np
import pytest
from papers.tests.shared import load_shared
from sklearn.datasets import load_iris

from tamis.errors import TamisError
from tamis_papers.laboratory.openml import OPENML, OpenmlEntry
from tamis_papers.laboratory.tables import find_tables, hash_table


def save(folder, name, **arrays):
    np.savez_compressed(folder / f"{name}.npz", **arrays)


def fetch_nothing(*_, **__):
    raise AssertionError("downloaded without being asked")


def bunch(data, target, names, categories=None):
    return lambda *_, **__: SimpleNamespace(
        data=np.array(data, dtype=float),
        target=np.array(target, dtype=object),
        feature_names=names,
        categories=categories or {},
    )


def test_a_file_of_the_folder_comes_first_with_all_that_it_holds(tmp_path):
    save(
        tmp_path, "iris", X=np.eye(3, dtype=np.int8), y=np.array(["a", "b", "a"]), split=np.ones(3)
    )
    shelf = find_tables(["iris"], tmp_path)
    table = shelf.tables["iris"]
    assert table.X.dtype == float
    assert table.y.tolist() == ["a", "b", "a"]
    assert table.extra["split"].tolist() == [1, 1, 1]
    assert shelf.sources == {"iris": "folder"}


def test_iris_comes_with_scikit_learn():
    table = find_tables(["iris"], None).tables["iris"]
    assert (load_iris().data == table.X).all()
    assert table.y[0] == "setosa"
    assert table.extra["feature_names"][0] == "sepal_length"


def test_nothing_is_downloaded_unless_asked_for(tmp_path):
    shelf = find_tables(["sonar", "faces"], tmp_path, fetch=fetch_nothing)
    assert not shelf.tables
    assert "put sonar.npz into" in shelf.lacking["sonar"]
    assert "download=True" in shelf.lacking["sonar"]
    assert "not on OpenML" in shelf.lacking["faces"]


def test_a_downloaded_table_has_the_form_of_the_folder(monkeypatch):
    entry = OpenmlEntry("toy", 3, 2, labels={"Mine": "M", "Rock": "R"}, drop=("name",))
    monkeypatch.setitem(OPENML, "sonar", entry)
    fetch = bunch(
        [[0, 7, 1.5], [1, 8, np.nan], [0, 9, 2.5]],
        ["Rock", "Mine", "Rock"],
        ["colour", "name", "width"],
        {"colour": ["t", "f"], "name": ["x", "y"]},
    )
    shelf = find_tables(["sonar"], None, download=True, fetch=fetch)
    table = shelf.tables["sonar"]
    assert table.X[:, 0].tolist() == [1, 0, 1]  # codes in alphabetical order
    assert np.isnan(table.X[1, 1])
    assert table.y.tolist() == ["R", "M", "R"]
    assert table.extra["categorical"].tolist() == [True, False]
    assert table.extra["feature_names"].tolist() == ["colour", "width"]
    assert shelf.sources["sonar"] == "OpenML, toy version 1"


def test_labels_that_are_numbers_become_integers_with_what_follows_from_them(monkeypatch):
    entry = OpenmlEntry("toy", 2, 1, complete=True, extra=OPENML["arrhythmia"].extra)
    monkeypatch.setitem(OPENML, "arrhythmia", entry)
    fetch = bunch([[1], [2], [np.nan]], ["1", "16", "3"], ["age"], {})
    table = find_tables(["arrhythmia"], None, download=True, fetch=fetch).tables["arrhythmia"]
    assert table.y.tolist() == [1, 16]
    assert table.extra["y_binary"].tolist() == ["normal", "abnormal"]


@pytest.mark.parametrize(
    ("fetch", "said"),
    [
        (bunch([[1.0]], ["Mine"], ["a"]), "has 1 rows and 1 columns, not the 208 and 60"),
        (fetch_nothing, "did not give 'sonar': downloaded without being asked"),
    ],
)
def test_what_openml_gives_wrongly_is_missing_with_the_reason(fetch, said):
    shelf = find_tables(["sonar"], None, download=True, fetch=fetch)
    assert not shelf.tables
    assert said in shelf.lacking["sonar"]


def test_a_strange_label_is_refused(monkeypatch):
    monkeypatch.setitem(OPENML, "sonar", OpenmlEntry("toy", 1, 1, labels={"Mine": "M"}))
    shelf = find_tables(["sonar"], None, download=True, fetch=bunch([[1.0]], ["Ship"], ["a"]))
    assert "has the label 'Ship'" in shelf.lacking["sonar"]


def test_a_damaged_file_and_a_lost_folder_are_one_sentence(tmp_path):
    (tmp_path / "sonar.npz").write_bytes(b"no archive")
    with pytest.raises(TamisError, match="cannot be read as a data set"):
        find_tables(["sonar"], tmp_path)
    save(tmp_path, "sonar", X=np.eye(3), y=np.ones(2))
    with pytest.raises(TamisError, match="as many labels as rows"):
        find_tables(["sonar"], tmp_path)
    with pytest.raises(TamisError, match="there is no such folder"):
        find_tables(["sonar"], tmp_path / "lost")


def test_other_values_have_another_hash(tmp_path):
    save(tmp_path, "a", X=np.eye(3), y=np.arange(3))
    first = hash_table(find_tables(["a"], tmp_path).tables["a"])
    assert hash_table(find_tables(["a"], tmp_path).tables["a"]) == first
    save(tmp_path, "a", X=np.eye(3), y=np.arange(3) + 1)
    assert hash_table(find_tables(["a"], tmp_path).tables["a"]) != first


# The folder has no file of the one, and five rows more of the other.
@pytest.mark.parametrize("name", sorted(set(OPENML) - {"gisette", "satellite"}))
def test_what_openml_must_have_is_what_the_folder_has(name):
    assert load_shared(name).X.shape == (OPENML[name].rows, OPENML[name].columns)
