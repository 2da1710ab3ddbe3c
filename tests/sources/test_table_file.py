"""How a file is to be read, beside its path."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis import TableFile
from tamis.errors import TamisError
from tamis.sources.open import open_source


def test_a_file_without_a_header_has_numbered_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text('1:"a:b":3\n4:c:6\n')
    source = open_source(TableFile(path, delimiter=":", header=False))
    assert source.names == ("x0", "x1", "x2")
    assert not source.named
    np.testing.assert_array_equal(next(iter(source.batches([0, 2]))), [[1, 3], [4, 6]])
    assert source.pick([1]).column(0).to_pylist() == ["a:b", "c"]


def test_it_takes_the_place_of_a_path_in_every_function(
    tmp_path: Path, numbers: np.ndarray
) -> None:
    path = tmp_path / "t.txt"
    np.savetxt(path, numbers, delimiter=":")
    table = TableFile([path], delimiter=":", header=False)
    assert tamis.select(table, 3).names == tamis.select(numbers, 3).names
    assert tamis.extract(table, 2).names == ["PC1", "PC2"]
    assert tamis.score(table, ["x0", "x1"]).names == ["x0", "x1"]
    assert tamis.summarise(table).names == [f"x{j}" for j in range(numbers.shape[1])]
    again = pickle.loads(pickle.dumps(tamis.select(table, 3)))
    assert again.held_out.shape == (3,)


@pytest.mark.parametrize("bad", ["", "::", '"', "\n", "§"])
def test_a_separator_that_cannot_be_is_refused(bad: str) -> None:
    with pytest.raises(TamisError, match=r"delimiter=.*: give one character, such as ';', or tab"):
        TableFile("t.csv", delimiter=bad)


def test_it_is_written_as_a_call() -> None:
    table = TableFile(Path("a") / "t.csv", header=False)
    assert repr(table) == "tamis.TableFile('a/t.csv', header=False)"
    assert TableFile("t.csv").origin == "t.csv"
    assert TableFile(["a.csv", "b.csv"]).origin == ["a.csv", "b.csv"]
    assert repr(TableFile(["a", "b"], sheet=2).origin) == "tamis.TableFile(['a', 'b'], sheet=2)"
