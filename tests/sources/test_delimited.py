from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources import delimited
from tamis.sources.delimited import DelimitedSource


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(text: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return written


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the types be guessed from a few lines, as those of a long file are."""
    monkeypatch.setattr(delimited, "_READ_BYTES", 256)


def _numbers(source: DelimitedSource) -> Any:
    return np.concatenate(list(source.batches(range(len(source.names)))))


def test_a_semicolon_file_with_a_comma_in_its_header_is_read(write: Any) -> None:
    source = DelimitedSource(write("net, kg;height\n1,5;2\n3;4,25\n"))
    assert source.names == ("net, kg", "height")
    np.testing.assert_array_equal(_numbers(source), [[1.5, 2], [3, 4.25]])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("blank", ["", '""', " "])
def test_a_first_column_without_a_name_holds_the_names_of_the_rows(
    write: Any, separator: str, blank: str
) -> None:
    lines = [
        [blank, "a", "b", "c"],
        ["0", "1", "2", "7"],
        ["1", "3", "5", "1"],
        ["x", "4", "4", "2"],
    ]
    path = write("".join(separator.join(line) + "\n" for line in lines))
    found = tamis.select(path, k=2)
    assert found.skipped == {
        "row names": "first column without a name, taken as the names of the rows"
    }
    assert found.used.tolist() == [1, 2, 3]
    (table,) = DelimitedSource(path, exact=["row names"]).tables([0, 2])
    assert table.to_pydict() == {"row names": ["0", "1", "x"], "b": [2, 5, 4]}


def test_what_pandas_writes_with_its_index_gives_the_picks_of_the_frame(
    tmp_path: Path, numbers: np.ndarray
) -> None:
    frame = pytest.importorskip("pandas").DataFrame(numbers, columns=list("abcdefg"))
    frame.to_csv(tmp_path / "t.csv")
    assert tamis.select(tmp_path / "t.csv", k=3).names == tamis.select(frame, k=3).names


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_separators_line_ends_and_byte_order_marks_make_no_difference(
    write: Any, separator: str, end: str, mark: str
) -> None:
    lines = [["a", "b"], ["1", "2.5"], ["3", "4"]]
    source = DelimitedSource(write(mark + end.join(separator.join(line) for line in lines)))
    assert source.names == ("a", "b")
    np.testing.assert_array_equal(_numbers(source), [[1, 2.5], [3, 4]])


def test_a_decimal_comma_between_semicolons_is_understood(write: Any) -> None:
    source = DelimitedSource(write("a;b\n1;2,5\n-3;,25\n"))
    np.testing.assert_array_equal(_numbers(source), [[1, 2.5], [-3, 0.25]])


def test_a_comma_beside_decimal_points_is_no_decimal_comma(write: Any) -> None:
    source = DelimitedSource(write("a;b;c\n1.5;2;1,234\n-3;5.5;2,000\n"))
    assert source.kinds == ("numeric", "numeric", "categorical")


def test_spaces_around_names_and_numbers_are_no_part_of_them(write: Any) -> None:
    source = DelimitedSource(write("a, b ,c\n1, 2 , 3\n4, 5 , 6.5\n"))
    assert source.names == ("a", "b", "c")
    np.testing.assert_array_equal(_numbers(source), [[1, 2, 3], [4, 5, 6.5]])


def test_quotes_protect_separators_and_line_ends(write: Any) -> None:
    source = DelimitedSource(write('"a, x","b ""y"""\n1,2\n"3",4\n'))
    assert source.names == ("a, x", 'b "y"')
    long = DelimitedSource(write('a,b,note\n1,2,"two\nlines"\n3,4,one\n'))
    np.testing.assert_array_equal(np.concatenate(list(long.batches([0, 1]))), [[1, 2], [3, 4]])


@pytest.mark.parametrize("empty", ["", "NA", "nan", "NULL", "#N/A"])
def test_the_usual_words_for_missing_are_missing(write: Any, empty: str) -> None:
    source = DelimitedSource(write(f"a,b\n1,{empty}\n{empty},2\n"))
    np.testing.assert_array_equal(_numbers(source), [[1, np.nan], [np.nan, 2]])


def test_kinds_are_told_apart(write: Any) -> None:
    text = "n,f,t,d,e\n1,true,x,2020-01-01,\n2,false,1,2020-01-02,\n"
    source = DelimitedSource(write(text))
    assert source.kinds == ("numeric", "boolean", "categorical", "other", "numeric")


@pytest.mark.usefixtures("small_blocks")
def test_decimals_and_numbers_may_follow_whole_numbers_and_gaps(write: Any) -> None:
    rows = ["1,"] * 200 + ["0.5,7"]
    values = _numbers(DelimitedSource(write("a,b\n" + "\n".join(rows))))
    assert values[-1].tolist() == [0.5, 7]
    assert np.isnan(values[:-1, 1]).all()


@pytest.mark.usefixtures("small_blocks")
def test_text_deep_in_a_column_of_numbers_is_named_with_its_line(write: Any) -> None:
    path = write("a,b,c\n" + "1,2,3\n" * 300 + "1,two,3\n")
    with pytest.raises(TamisError) as refused:
        tamis.select(path, method="sfs")
    assert str(refused.value) == (
        "Column 'b' of t.csv has the text 'two' (line 302) where numbers are needed: fix it, or "
        'skip the column with exclude=["b"].'
    )
    with pytest.raises(TamisError, match="constant"):
        tamis.select(path, exclude=["b"])


@pytest.mark.parametrize(("line", "values"), [("4,5", "2 values"), ("4", "1 value")])
def test_a_line_with_too_few_values_is_named(write: Any, line: str, values: str) -> None:
    with pytest.raises(TamisError, match=f"Line 3 of t.csv has {values} where the header has 3"):
        tamis.select(write(f"a,b,c\n1,2,3\n{line}\n6,7,8\n"))


@pytest.mark.usefixtures("small_blocks")
def test_a_ragged_line_is_named_wherever_it_is(write: Any) -> None:
    path = write("a,b\n" + "1,2\n" * 500 + "1,2,3\n" + "1,2\n" * 500)
    with pytest.raises(TamisError, match=r"Line 502 of t\.csv has 3 values .*: fix that line"):
        tamis.select(path)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a,b,caf\xe9 \xc3\xa9\xc3\xa9\n1,2,3\n", "line 1, byte 0xe9"),
        (b"a,b,note\n1,2,caf\xe9\n4,5,\xc3\xa9\xc3\xa9\n", "line 2, byte 0xe9"),
        (b'a,b,"no\nt\xe9"\n1,2,3\n4,5,\xc3\xa9\xc3\xa9\n', "line 2, byte 0xe9"),
        (b"a,b\n1,2\n3,\xff\x00\x01\n", "line 3, byte 0xff"),
    ],
)
def test_damaged_utf_8_is_refused_with_its_place(write: Any, data: bytes, place: str) -> None:
    with pytest.raises(
        TamisError, match=rf"t\.csv is not UTF-8 text \({place}\): save it as UTF-8"
    ):
        tamis.select(write(data))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("block", [7, 1 << 20])
def test_a_byte_deep_in_the_file_that_is_not_utf_8_is_named_with_its_line(
    write: Any, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("a,b,é\n".encode() + b"1,2,\xc3\xa9\n" * 300 + b"1,3,\xe9\n")
    monkeypatch.setattr(delimited, "PROBE_BYTES", block)
    with pytest.raises(TamisError) as refused:
        tamis.select(path, method="greedy-fs")
    assert "(line 302, byte 0xe9)" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("\n\n", "starts with an empty line: put the header there"),
        ("a,b,c\n", "has no rows below the header: at least 2"),
        ("a,b,c", "has no rows below the header: at least 2"),
        ("a,b,c\n\n\n", "has no rows to work with: at least 2"),
        ("a,b\n1,2\n", "has 1 row to work with: at least 2"),
        ("a\n1\n2\n", r"too few columns of numbers or categories to choose from \(only 'a'\)"),
        ("a,b\n1,2\n1,2\n", r"All 2 columns of t\.csv are constant"),
        (",\n1,2\n4,5\n", r"t\.csv has columns without a name \(1, 2\): give every column"),
        ("a,,,,\n1,2,3,4,5\n4,5,6,7,8\n", r"t\.csv has columns without a name \(2, 3, 4, 5\)"),
    ],
)
def test_a_table_with_nothing_to_choose_from_is_refused(
    write: Any, text: str, sentence: str
) -> None:
    with pytest.raises(TamisError, match=sentence):
        tamis.select(write(text))


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_truncated_gzip_is_refused(table_as: Any, share: float) -> None:
    path = Path(table_as("csv.gz"))
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(TamisError, match=r"table\.csv\.gz cannot be read"):
        tamis.select(path)


def test_a_text_table_that_is_not_packed_as_its_suffix_says_is_refused(write: Any) -> None:
    with pytest.raises(TamisError, match="damaged or not what its suffix says"):
        tamis.select(write("a,b\n1,2\n", "t.csv.gz"))


@pytest.mark.usefixtures("small_blocks")
def test_columns_are_written_with_the_type_that_fits_throughout(write: Any) -> None:
    rows = ["1,1,007,1,x,1"] * 100 + ["2,2.5,010,two,NA,"]
    source = DelimitedSource(write("a,b,c,d,e,f\n" + "\n".join(rows)), exact=["c", "d", "e", "f"])
    table = pa.concat_tables(source.tables([0, 1, 2, 3, 4, 5]))
    kinds = [pa.int64(), pa.float64(), pa.string(), pa.string(), pa.string(), pa.int64()]
    assert table.schema.types == kinds
    assert table.slice(100).to_pylist() == [
        {"a": 2, "b": 2.5, "c": "010", "d": "two", "e": "NA", "f": None}
    ]


@pytest.mark.parametrize("start", [2**53 + 1, 1_700_000_000_123_456_789, 2**63 - 3])
def test_large_whole_numbers_are_written_to_the_last_digit(write: Any, start: int) -> None:
    (table,) = DelimitedSource(write(f"a,b\n{start},1\n -{start + 2} ,2\n")).tables([0])
    assert table["a"].to_pylist() == [start, -start - 2]


@pytest.mark.usefixtures("small_blocks")
def test_integers_beyond_64_bits_below_smaller_ones_are_written_as_decimals(write: Any) -> None:
    path = write("a,b\n" + "1,2\n" * 200 + f"{2**63},3\n")
    table = pa.concat_tables(DelimitedSource(path).tables([0]))
    assert table["a"].to_pylist()[-1] == 2.0**63


def test_a_wide_table_is_read(write: Any) -> None:
    X = np.random.default_rng(0).normal(size=(50, 3000)).round(3)
    X[:, 7] = X[:, 3]
    header = ",".join(f"gene {j}" for j in range(3000))
    path = write(header + "\n" + "\n".join(",".join(map(str, row)) for row in X))
    found, expected = (tamis.select(table, k=5, method="sfs") for table in (path, X))
    assert found.names == [f"gene {j}" for j in expected.indices]


@pytest.mark.usefixtures("small_blocks")
def test_text_deep_in_a_column_of_numbers_makes_categories_and_the_answer_says_so(
    write: Any,
) -> None:
    rows = [f"{'uv'[i % 2]},{i % 7},{i * i % 11}" for i in range(200)]
    path = write("\n".join(["kind,a,b", *rows, "u,x,3"]))
    (doubt,) = tamis.select(path, 2, method="representatives").to_dict()["doubts"]
    assert "'a': 'x' in line 202" in doubt
    assert "empty such cells" in doubt
