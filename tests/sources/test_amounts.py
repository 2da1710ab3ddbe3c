import pytest

from tamis.sources.amounts import amount, decimal_mark


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1.5", "2"], "."),
        (["1,5", "2"], ","),
        (["1.234.567,8"], ","),
        (["1,234,567"], "."),
        (["1 234,50 €", "12,00 €"], ","),
        (["CHF 1'234.50"], "."),
        (["12%", "7%"], "."),
        (["1.5", "1,5"], None),
        (["P001", "P002"], None),
        (["2021-03-04"], None),
        (["yes"], None),
    ],
)
def test_the_decimal_mark_is_found_or_the_texts_are_no_amounts(texts, mark):
    assert decimal_mark(texts) == mark


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("$ 1,234.50", ".", 1234.5),
        ("-3,5 kg", ",", -3.5),
        ("(7)", ".", -7.0),
        ("1'234", ".", 1234.0),
        ("", ".", None),
        ("1.2.3,4,5", ",", None),
    ],
)
def test_amounts_are_read(text, mark, value):
    assert amount(text, mark) == value
