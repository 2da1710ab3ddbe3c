import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.house import import_cycles, imports_of

import tamis
from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.sources.open import is_path, open_file, open_source
from tamis.sources.source import GivesSource, Source
from tamis.sources.table_file import TableFile

PACKAGE = Path(tamis.__file__).parent
Trees = dict[Path, ast.Module]


def test_no_reader_imports_what_imports_it_not_even_inside_a_function(trees: Trees) -> None:
    cycles = import_cycles(imports_of(trees, PACKAGE))
    assert [c for c in cycles if any(name.startswith("tamis.sources") for name in c)] == []


def test_the_protocol_and_the_readers_do_not_know_the_door(trees: Trees) -> None:
    imports = imports_of(trees, PACKAGE)
    inside = {name: asked for name, asked in imports.items() if name.startswith("tamis.sources.")}
    assert [name for name, asked in inside.items() if "tamis.sources.open" in asked] == []


def test_a_path_is_known_from_a_table() -> None:
    assert is_path(Path("a.csv"))
    assert is_path(TableFile("a.csv"))
    assert not is_path(np.ones((2, 2)))
    assert not is_path([["a.csv"]])


class Stands(GivesSource):
    def as_source(self) -> Source:
        return ArraySource(np.ones((3, 2)), ["a", "b"])


def test_what_stands_for_a_table_gives_its_source_itself() -> None:
    assert open_source(Stands()).names == ("a", "b")


def test_a_column_named_like_a_member_makes_no_summary_of_a_frame() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"as_source": [1.0, 2.0], "summary": [3.0, 4.0]})
    assert open_source(frame).names == ("as_source", "summary")


def test_a_file_says_where_it_is_and_a_table_in_memory_does_not(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    assert open_file(path).info.files == (path,)
    assert open_source([path, path]).info.files == (path, path)
    assert open_source(np.ones((2, 2))).info.files is None


def test_summaries_in_a_list_of_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    table = np.random.default_rng(1).normal(size=(20, 3))
    paths = [tmp_path / "a.tamis", tmp_path / "b.tamis"]
    for path in paths:
        tamis.summarise(table).save(path)
    with pytest.raises(TamisError, match=r"a\.tamis is a summary and has no rows to put under"):
        tamis.select(paths, k=1)


@pytest.mark.parametrize("data", [{"a": [1]}, None, 3, object()])
def test_what_is_no_table_is_refused_with_a_list_of_what_is(data: Any) -> None:
    with pytest.raises(TamisError, match=r"Unsupported type .*: give a NumPy array, a pandas"):
        open_source(data)
