from pathlib import Path

from tamis.sources.inner_lines import find_repeated, find_subtotals


def test_only_whole_lines_that_equal_the_header_are_found(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\r\n1,2\r\na,b\r\na,b,c\r\n3,4\r\na,b")
    assert find_repeated(path, b"a,b") == [3, 6]
    assert find_repeated(path, b"") == []


def test_a_single_total_is_no_subtotal(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\nx,1,2\nx total,,3\ny,4,5\n")
    assert find_subtotals(path, "utf-8", ",", ["x,1,2", "y,4,5"]) == []
