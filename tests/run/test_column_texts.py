"""What columns mean: from a file beside the table, a mapping, or the table's own labels."""

import pandas as pd
import pyarrow as pa
import pytest

import tamis
from tamis.cli import main
from tamis.errors import TamisError
from tamis.run.front import describe_columns
from tamis.sources.open import open_source

ITEMS = pa.table({"428.0": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 1.0], "c": [0.0, 1.0, 5.0]})


@pytest.mark.parametrize(
    "text",
    ["name,text\n428.0,blue\nb,  red \n", "428.0;blue\nb;red\n", "x\ty\nb\tred\n428.0\tblue\n"],
)
def test_files_with_and_without_a_header_are_read_as_text(tmp_path, text):
    path = tmp_path / "labels.csv"
    path.write_text(text)
    assert describe_columns(open_source(ITEMS), path) == ({"428.0": "blue", "b": "red"}, "")


def test_a_table_is_taken_and_names_without_a_column_are_said():
    given = pd.DataFrame({"column": ["b", "d", "e"], "meaning": ["red", "green", None]})
    texts, doubt = describe_columns(open_source(ITEMS), given)
    assert texts == {"b": "red"}
    assert "2 of 3" in doubt
    assert "d, e" in doubt


@pytest.mark.parametrize("given", [{"z": "nothing"}, pd.DataFrame({"b": ["red"]})])
def test_what_names_no_column_is_refused(given):
    with pytest.raises(TamisError, match="names"):
        describe_columns(open_source(ITEMS), given)


def test_every_view_has_the_texts(tmp_path, capsys):
    table = tmp_path / "items.csv"
    frame = pd.DataFrame({f"q{j}": [(7 * i * (j + 3)) % 11 for i in range(60)] for j in range(4)})
    frame.to_csv(table, index=False)
    labels = tmp_path / "labels.csv"
    labels.write_text("name,text\n" + "".join(f"q{j},Question {j}?\n" for j in range(4)))
    page, sheet = tmp_path / "page.html", tmp_path / "columns.csv"
    files = ["--names", str(labels), "--report", str(page), "--table", str(sheet)]
    main(["select", str(table), "-k", "2", *files])
    name = tamis.select(frame, k=2).names[0]
    assert f"Question {name[1]}?" in capsys.readouterr().out
    assert 'title="Question 0?"' in page.read_text(encoding="utf-8")
    assert pd.read_csv(sheet)["text"].tolist() == [f"Question {j}?" for j in range(4)]
    main(["look", str(table), "--names", str(labels)])
    assert "Question 3?" in capsys.readouterr().out
