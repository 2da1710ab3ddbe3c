import pyarrow as pa
import pytest

from tamis.sources.text_layout import decimal_comma, first_text, separator_of


@pytest.mark.parametrize(
    ("header", "rows", "separator"),
    [
        ("a,b;c", "", ","),
        ("a;b", "", ";"),
        ("a\tb", "", "\t"),
        ("a;b\tc;d", "", ";"),
        ('"a, x";b', "", ";"),
        ('"a;x",b', "", ","),
        ("a", "", ","),
        ("a", "1;2", ","),
        ("a,b;c", "1,2\n3,4\n", ","),
        ("a,b;c", "1;2\n3;4\n", ";"),
        ("net, kg;height", "1;2\n3;4\n", ";"),
        ("net, kg;height", "1,5;2\n3,5;4\n", ";"),
        ("net, kg;height", '"1,5";"2"\n"3,5";"4"\n', ";"),
        ("net, kg;height;name, first", "1;2;x\n3;4;y, z\n", ";"),
        ("net, kg\theight", "1\t2\n3\t4\n", "\t"),
        ("in; out,b", "1,2\n3\n4,5\n", ","),
        ("a|b|c", "1|2|3\n4|5|6\n", "|"),
        ("A1BG|1,TP53|7157", "1,2\n3,4\n", ","),
    ],
)
def test_the_separator_is_read_off_the_header_and_the_rows(
    header: str, rows: str, separator: str
) -> None:
    assert separator_of(header, rows) == separator


@pytest.mark.parametrize(
    ("text", "separator", "comma"),
    [
        ("1,5;2,0", ";", True),
        ("1,5;2.0", ";", False),
        ("1,5|2", "|", True),
        ("1,5", ",", False),
        ("3.117;2,5", ";", True),  # as in German: thousands and decimals
        ("3.117;0,500", ";", True),
        ("3,117;2.5", ";", False),
        ("3,117;0.125", ";", False),
        ("3,117;4.221", ";", False),
        ("3,117;987", ";", True),  # each column is judged later
    ],
)
def test_a_decimal_comma_is_seen_between_other_separators(
    text: str, separator: str, comma: bool
) -> None:
    assert decimal_comma(text, separator) == comma


def test_the_first_text_among_numbers_is_found() -> None:
    numbers = ["1", " -2.5 ", "1e-3", None, ".5", "NaN", "-inf", "7."]
    assert first_text(pa.array(numbers), ".") == -1
    assert first_text(pa.array([*numbers, "n.a.", "x"]), ".") == len(numbers)
    assert first_text(pa.array(["1,5", "1.5"]), ",") == 1
