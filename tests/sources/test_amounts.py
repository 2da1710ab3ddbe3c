import pytest

from tamis.sources.amounts import notation_of, parse_amount


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
        (["1\N{RIGHT SINGLE QUOTATION MARK}234.50", "987.10"], "."),
        (["CHF 1'250.\N{EN DASH}", "CHF 990.-"], "."),
        (["12,-", "3,50"], ","),
        (["2½", "3"], "."),
        (["3,117", "987"], "."),
        (["3.117", "987"], ","),
        (["3,117", "987", "0,5"], ","),
        (["3,117", "0,500"], ","),
        (["12,34,567.50"], "."),
        (["3,117", "4.221"], None),
        (["1,234.5", "2,5"], None),
        (["1.5", "1,5"], None),
        (["10.0.0.1"], None),
        (["1.2.3"], None),
        (["1.234.5"], None),
        (["LH 123"], None),
        (["5 PM"], None),
        (["P001", "P002"], None),
        (["2021-03-04"], None),
        (["yes"], None),
    ],
)
def test_the_decimal_mark_is_found_or_the_texts_are_no_amounts(texts, mark):
    assert notation_of(texts).decimal == mark


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("$ 1,234.50", ".", 1234.5),
        ("-3,5 kg", ",", -3.5),
        ("(7)", ".", -7.0),
        ("1\N{RIGHT SINGLE QUOTATION MARK}234.5", ".", 1234.5),
        (
            "CHF 1\N{RIGHT SINGLE QUOTATION MARK}250\N{RIGHT SINGLE QUOTATION MARK}000.\N{EN DASH}",
            ".",
            1250000.0,
        ),
        ("12,--", ",", 12.0),
        ("2½", ".", 2.5),
        ("3 ¾ cups", ".", 3.75),
        ("m½", ".", None),
        ("1'234", ".", 1234.0),
        ("", ".", None),
        ("1.2.3,4,5", ",", None),
        ("1.5", ",", None),
        ("1,234", ",", 1.234),
        ("1,234", ".", 1234.0),
        ("12,34,567.5", ".", 1234567.5),
        ("€ -5", ".", -5.0),
        ("1.2 mmol/L", ".", 1.2),
        ("0,8 mg/dl", ",", 0.8),
        ("22.5 kg/m²", ".", 22.5),
        ("36.6 °C", ".", 36.6),
        ("120 mmHg", ".", 120.0),
        ("12 Main St", ".", None),
        ("85,5 m²", ",", 85.5),
        ("3 rooms", ".", 3.0),
        ("-0.01V", ".", -0.01),
        ("€1.5M", ".", 1.5e6),
        ("900K", ".", 9e5),
        ("300 K", ".", 300.0),
        ("<0.5", ".", 0.5),
        ("> 1,000 mg/l", ".", 1000.0),
        ("1.2E+05", ".", 1.2e5),
        ("(5%)", ".", -5.0),
        ("3rd", ".", None),
        ("5 PM", ".", None),
        ("120/80", ".", None),
    ],
)
def test_amounts_are_read(text, mark, value):
    assert parse_amount(text, mark) == value


def test_the_order_and_the_batches_of_texts_make_no_difference():
    texts = ["3,117", "987", "2,5", "12", "1,204"]
    whole = notation_of(texts)
    for start in range(len(texts)):
        turned = [*texts[start:], *texts[:start]]
        assert notation_of(turned[:2]) + notation_of(turned[2:]) == whole
    assert whole.decimal == ","


@pytest.mark.parametrize(
    ("texts", "units"),
    [
        (["900 g", "1.2 kg"], {"g", "kg"}),
        (["€ 5", "$ 5"], {"€", "$"}),
        (["EUR 5", "7 EUR"], {"EUR"}),
        (["5", "5 %"], {"", "%"}),
        (["0", "0.00", "$ 5"], {"$"}),
    ],
)
def test_units_are_told_apart_and_nothing_needs_none(texts, units):
    assert notation_of(texts).units == units
